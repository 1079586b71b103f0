"""What `matrix.txt` declares of every address: the parts of the file, as each test reads its own."""

import json
from functools import cache
from pathlib import Path
from typing import Any

PARTS = ("answers", "sent", "apart", "children", "seen", "costs")


@cache
def part(name: str) -> tuple[str, ...]:
    """Return the lines of a part of the file, without comments and empty lines."""
    found: dict[str, list[str]] = {}
    current = ""
    for line in Path(__file__).with_name("matrix.txt").read_text().splitlines():
        if line.startswith("["):
            current = line.strip("[]")
            assert current in PARTS, f"no such part: {line}"
            assert current not in found, f"twice: {line}"
            found[current] = []
        elif line and not line.startswith("#"):
            found[current].append(line)
    assert [*found] == [*PARTS]
    return tuple(found[name])


def bodies() -> dict[str, dict[str, Any]]:
    """Return what is sent to each address, as far as that is a constant: names, then JSON."""
    found: dict[str, dict[str, Any]] = {}
    for line in part("sent"):
        names, brace, rest = line.partition("{")
        for name in names.split():
            assert name not in found, f"declared twice: {name}"
            found[name] = json.loads(brace + rest)
    return found


def by_heading(name: str) -> dict[str, str]:
    """Return the heading of each name that stands in a part, further in than its heading."""
    found: dict[str, str] = {}
    heading = ""
    for line in part(name):
        if not line.startswith(" "):
            heading = line
            continue
        for each in line.split():
            assert each not in found, f"declared twice: {each}"
            found[each] = heading
    return found


def visits() -> dict[str, list[str]]:
    """Return where each page is seen in a browser, by the name of its address."""
    found: dict[str, list[str]] = {}
    for line in part("seen"):
        name, *paths = line.split("  ")
        if name and paths:
            assert name not in found, f"declared twice: {name}"
            found[name] = paths
    return found


def not_visited() -> set[str]:
    """Return the names of addresses that are no page of their own, or shown to some alone."""
    return {name for name, reason in by_heading("seen").items() if reason.startswith(("no page: ", "no visit: "))}


def costs() -> dict[str, int]:
    """Return how many queries each page asks, by its path with games, studies and groups in braces."""
    found: dict[str, int] = {}
    for line in part("costs"):
        if line.startswith("/"):
            path, number = line.split("  ")
            assert path not in found, f"declared twice: {path}"
            found[path] = int(number)
    return found
