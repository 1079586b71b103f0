"""Scores of colours and seats, and who wins.

Rule: R9, S1, S2, S3
"""

from collections.abc import Hashable, Iterable, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar, overload

from games.rules.variants import BASIC, COVERAGE, Variant

Key = TypeVar("Key", bound=Hashable)


class ColourScore(NamedTuple):
    """What a colour's score is made of: points for cells, below 0 where unplaced ones count, and a bonus."""

    cells: int
    bonus: int

    @property
    def total(self) -> int:
        """Return the score."""
        return self.cells + self.bonus


def colour_score(variant: Variant, scoring: str, cells_left: int, last_piece_size: int) -> ColourScore:
    """Return a colour's score in one of the variant's ways of scoring.

    Penalty: minus its unplaced cells, and the bonus where none is left. Basic: minus its unplaced cells.
    Coverage: its placed cells, and the bonus where all are placed. `last_piece_size` is the size of the
    piece it placed last, 0 before its first.
    """
    points = variant.stock_cells - cells_left if scoring == COVERAGE else -cells_left
    if cells_left or scoring == BASIC:
        return ColourScore(points, 0)
    return ColourScore(points, variant.bonus.monomino_last if last_piece_size == 1 else variant.bonus.all_placed)


def sum_by_seat(scores: Mapping[str, int], seats: Iterable[Sequence[str]]) -> tuple[int, ...]:
    """Return each seat's score: the sum over its colours."""
    return tuple(sum(scores[colour] for colour in colours) for colours in seats)


def places(scores: Sequence[Any]) -> tuple[int, ...]:
    """Return the place of each of some scores: 1 and one more for every higher score, so that equal ones share a place.

    `places([7, 9, 7])` is `(2, 1, 2)`; a score after those two is the fourth.
    """
    ranked = sorted(scores, reverse=True)
    return tuple(1 + ranked.index(score) for score in scores)


@overload
def winners(scores: Mapping[Key, int]) -> tuple[Key, ...]: ...


@overload
def winners(scores: Sequence[int]) -> tuple[int, ...]: ...


def winners(scores: Mapping[Key, int] | Sequence[int]) -> tuple[Key, ...] | tuple[int, ...]:
    """Return the seats or names with the highest score; several are a tie, in the order given.

    Scores are given by name (`{"blue": -5, "yellow": 15}`) or as a sequence by seat, in which case
    seats are returned. Without scores, nothing is returned.
    """
    if isinstance(scores, Mapping):
        best = max(scores.values(), default=0)
        return tuple(key for key, score in scores.items() if score == best)
    best = max(scores, default=0)
    return tuple(seat for seat, score in enumerate(scores) if score == best)
