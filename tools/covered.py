"""Ask of every room that tests reach as much of it as before: what nobody tests is new code, and is named.

    make counted                            runs the quick tests, counting lines and branches
    python -m tools.covered                 compares what they missed with the bars in tests/covered.json
    python -m tools.covered --write         takes what was missed now for the bars (lower them, do not raise them)

A bar is the number of lines and branches of a room that the quick tests may miss. A share in percent would let a large
room take in many untested lines before it falls by a tenth.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

BARS = Path("tests/covered.json")
#: Lines and branches that a run may miss above the last one: races and retries do not come to every run.
SPARE = 3
#: All of these must be reached.
WHOLE = ("games/rules",)


@dataclass(frozen=True)
class File:
    """What one file has missed: how many lines and branches, and the lines' numbers, 1-based."""

    name: str
    missed: int
    lines: Sequence[int]

    @property
    def room(self) -> str:
        """Return the folder of the second level that it lies in, or the one of the first: `games/actions`, `games`."""
        return "/".join(self.name.split("/")[:-1][:2])


def read(report: Mapping[str, Any]) -> list[File]:
    """Return the files of a report as `coverage json` writes it."""
    return [
        File(name, found["summary"]["missing_lines"] + found["summary"]["missing_branches"], found["missing_lines"])
        for name, found in report["files"].items()
    ]


def missed(files: Sequence[File]) -> dict[str, int]:
    """Return how many lines and branches each room has missed, by its name."""
    rooms: defaultdict[str, int] = defaultdict(int)
    for file in files:
        rooms[file.room] += file.missed
    return dict(sorted(rooms.items()))


def faults(files: Sequence[File], bars: Mapping[str, int]) -> list[str]:
    """Return a sentence for each room that misses more than its bar, with the files in which to look."""
    found = []
    for room, number in missed(files).items():
        bar = 0 if room in WHOLE else bars.get(room)
        if bar is None:
            found.append(f"{room} has no bar: test it, then write one (python -m tools.covered --write).")
        elif number > bar:
            where = "; ".join(
                f"{file.name} {', '.join(map(str, file.lines[:20]))}".strip()
                for file in files
                if file.room == room and file.missed
            )
            found.append(f"{room}: tests miss {number} lines and branches, {bar} at most: {where}")
    return found


def main() -> None:
    """Compare, or write the bars."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--write", action="store_true", help="take what was missed now for the bars")
    asked = parser.parse_args()
    command = [sys.executable, "-m", "coverage", "json", "-q", "-o", "-"]
    files = read(json.loads(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout))
    if asked.write:
        bars = {room: number + SPARE for room, number in missed(files).items() if room not in WHOLE}
        BARS.write_text(json.dumps(bars, indent=2) + "\n")
    sentences = faults(files, json.loads(BARS.read_text()))
    sys.stdout.write("".join(f"{sentence}\n" for sentence in sentences) or "Every room is reached as far as before.\n")
    sys.exit(1 if sentences else 0)


if __name__ == "__main__":
    main()
