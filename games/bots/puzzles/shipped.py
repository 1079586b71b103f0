"""The puzzles that come with the program: a line each in `year.txt`, with the seed of the game it was found in.

`python -m games.bots.puzzles` writes the file. The first is that of FIRST_DAY, on every site.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from games.puzzles.puzzle import Puzzle, format_puzzle, parse_puzzle

FIRST_DAY = date(2026, 11, 29)
#: The source of a puzzle that was found in a game of bots.
BOTS = "bots"
FILE = Path(__file__).parent / "year.txt"


@dataclass(frozen=True)
class FoundPuzzle:
    """A line of the file: the seed of the game that a puzzle was found in, its kind, and how it is written."""

    seed: int
    kind: str
    text: str

    @classmethod
    def of(cls, seed: int, puzzle: Puzzle) -> "FoundPuzzle":
        """Return the line of a puzzle that was found."""
        return cls(seed, puzzle.kind, format_puzzle(puzzle))

    @property
    def puzzle(self) -> Puzzle:
        """Return the puzzle itself."""
        return parse_puzzle(self.text)

    def __str__(self) -> str:
        return f"{self.seed}\t{self.text}"


def shipped_puzzles() -> Iterator[FoundPuzzle]:
    """Yield the puzzles in the order of their days."""
    for line in FILE.read_text(encoding="ascii").splitlines():
        seed, _tab, rest = line.partition("\t")
        yield FoundPuzzle(int(seed), rest.partition("\t")[0], rest)
