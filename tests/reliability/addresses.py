"""Every address of the site, walked from the URLconf, so that a new one cannot stay untested."""

from collections.abc import Iterator
from functools import cache

from django.urls import URLPattern, URLResolver, get_resolver


@cache
def addresses() -> dict[str, str]:
    """Return the pattern of every address by its name; where a name stands twice, the first one is what answers."""
    found: dict[str, str] = {}
    for name, pattern in _walk(get_resolver().url_patterns, ""):
        assert name, f"the address {pattern} has no name"
        assert found.setdefault(name, pattern) == pattern, f"{name} names two addresses"
    return found


def _walk(patterns: list[URLPattern | URLResolver], prefix: str) -> Iterator[tuple[str | None, str]]:
    for entry in patterns:
        if isinstance(entry, URLResolver) and entry.namespace == "admin":
            # The host's pages answer alike: tests/project/test_host.py walks them.
            continue
        if isinstance(entry, URLResolver):
            yield from _walk(entry.url_patterns, prefix + str(entry.pattern))
        else:
            yield entry.name, prefix + str(entry.pattern)
