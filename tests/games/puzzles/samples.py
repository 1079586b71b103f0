"""A puzzle of each kind that comes with the program, and placements that are legal and wrong."""

from datetime import date

from games.bots.puzzles.shipped import shipped_puzzles
from games.puzzles.puzzle import KINDS, Puzzle

ALL = [each.puzzle for each in shipped_puzzles()]
SAMPLES: dict[str, Puzzle] = {kind: next(each for each in ALL if each.kind == kind) for kind in KINDS}
DAY = date(2026, 1, 5)


def wrong(puzzle: Puzzle) -> str:
    """Return a placement that the rules allow and no solution has."""
    right = {text for each in puzzle.solutions for text in each}
    return next(str(each) for each in puzzle.position.legal_placements() if str(each) not in right)


def in_order(puzzle: Puzzle) -> list[str]:
    """Return the placements of a solution in an order that the rules allow."""
    position, placed = puzzle.position, list[str]()
    while (answer := puzzle.next_answer(position, placed)) is not None:
        position = position.play(answer)
        placed.append(str(answer))
        while not position.is_over and not position.has_legal():
            position = position.pass_turn()
    return placed
