"""Try a placement at the puzzle of a day."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from games.base.access import Viewer
from games.errors import Refused
from games.models import PuzzleTry
from games.puzzles.puzzle import after_placement
from games.queries.puzzles.days import PuzzleDay, puzzle_of, today_of
from games.rules import IllegalPlacement, Position
from games.table import seats
from games.table.moves import moment
from games.table.typed import read_typed


@dataclass(frozen=True)
class TriedPuzzle:
    """What became of a try: `placed` is what lies on the board now, without a placement that was wrong."""

    placed: tuple[str, ...]
    is_right: bool
    is_solved: bool


def try_puzzle(
    user: Viewer, day: date, *, placed: Sequence[str], move: str, now: datetime | None = None
) -> TriedPuzzle:
    """Judge one more placement by the rules and the answer, and note it for a person who is logged in.

    `placed` is what they have placed before, where a puzzle takes several placements. What the rules refuse is no try,
    and what is tried after it was solved is not counted.

    Raises:
        NotFound: the day has no puzzle.
        BadRequest: a placement cannot be read.
        Refused: the rules refuse one.

    """
    at = moment(now)
    found = puzzle_of(day, today_of(at))
    position, before = position_with(found, placed)
    text = str(read_typed(move, position.variant))
    _after(position, text)
    tried = (*before, text)
    is_right, is_solved = found.puzzle.is_right(tried), found.puzzle.is_solved(tried)
    if isinstance(user, User) and (is_solved or not is_right):
        _note(user, found, at, is_solved=is_solved)
    return TriedPuzzle(tried if is_right else before, is_right, is_solved)


def position_with(found: PuzzleDay, placed: Sequence[str]) -> tuple[Position, tuple[str, ...]]:
    """Return the position after what was placed, and that as it is recorded; what is wrong of it is left out.

    Raises:
        BadRequest, Refused: as `try_puzzle`.

    """
    position, kept = found.puzzle.position, list[str]()
    for each in placed[: len(found.puzzle.solutions[0])]:
        text = str(read_typed(each, position.variant))
        if not found.puzzle.is_right([*kept, text]):
            break
        position = _after(position, text)
        kept.append(text)
    return position, tuple(kept)


def _after(position: Position, text: str) -> Position:
    try:
        return after_placement(position, text)
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal


@transaction.atomic
def _note(user: User, found: PuzzleDay, now: datetime, *, is_solved: bool) -> None:
    # The person is locked: two taps are two tries, of which the second may come too late.
    person = seats.lock_person(user)
    row = PuzzleTry.objects.filter(user=person, day=found.day).first()
    row = row or PuzzleTry(user=person, day=found.day, puzzle_id=found.pk)
    if row.solved_at is not None:
        return
    row.tries = min(row.tries + 1, 1000)
    row.solved_at = now if is_solved else None
    row.save()
