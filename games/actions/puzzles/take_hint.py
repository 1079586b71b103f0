"""Take a hint at the puzzle of a day."""

from datetime import date, datetime

from django.db import transaction

from accounts.models import User
from games.base.access import Viewer
from games.models import PuzzleTry
from games.queries.puzzles.days import PuzzleDay, puzzle_of, today_of
from games.table import seats
from games.table.moves import moment

#: The hints, one after another: which piece, which part of the board, the answer.
PIECE, PART, ANSWER = 1, 2, 3


def take_hint(user: Viewer, day: date, *, level: int, now: datetime | None = None) -> int:
    """Return how far a person is told what to do, the level they ask for or one that they know; note it for them.

    Raises:
        NotFound: the day has no puzzle.

    """
    at = moment(now)
    found = puzzle_of(day, today_of(at))
    asked = max(PIECE, min(level, ANSWER))
    return _note(user, found, asked) if isinstance(user, User) else asked


@transaction.atomic
def _note(user: User, found: PuzzleDay, level: int) -> int:
    person = seats.lock_person(user)
    row = PuzzleTry.objects.filter(user=person, day=found.day).first()
    row = row or PuzzleTry(user=person, day=found.day, puzzle_id=found.pk)
    # What is looked up once it was solved was no help.
    if row.solved_at is None and level > row.hints:
        row.hints = level
        row.save()
    return level
