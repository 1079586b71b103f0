"""What a program says it has already of an answer (RFC 9110, If-None-Match)."""

from django.utils.http import parse_etags

ANYTHING = "*"


def is_known_tag(known: str, tag: str) -> bool:
    """Return whether the header names this tag: alone or in a list, weak or strong, or as anything there is."""
    named = [each.removeprefix("W/") for each in parse_etags(known)]
    return tag.removeprefix("W/") in named or named == [ANYTHING]
