"""Store puzzles that were found, each for the next day that has none."""

from collections.abc import Iterable
from datetime import date, timedelta

from django.db import IntegrityError, transaction
from django.db.models import Max

from games.models import DailyPuzzle
from games.puzzles.puzzle import Puzzle


def store_puzzles(found: Iterable[tuple[int, Puzzle]], *, source: str, first: date) -> int:
    """Store puzzles with the number of the game in `source` that each was found in, and return how many are new.

    They have the days after the last that has one, none before `first`. All are stored or none: where two store at
    once, one of them finds that nothing was stored, and stores it the next time. Three queries.
    """
    by_key = {puzzle.key: (number, puzzle) for number, puzzle in found}
    known = set(DailyPuzzle.objects.filter(key__in=by_key).values_list("key", flat=True))
    last = DailyPuzzle.objects.aggregate(last=Max("day"))["last"]
    day = first if last is None else max(first, last + timedelta(days=1))
    new = [(key, *each) for key, each in by_key.items() if key not in known]
    rows = [
        DailyPuzzle(
            day=day + timedelta(days=index),
            key=key,
            source=source,
            number=number,
            kind=puzzle.kind,
            variant=puzzle.variant,
            moves=list(puzzle.moves),
            solutions=[list(each) for each in puzzle.solutions],
            proof=dict(puzzle.proof),
        )
        for index, (key, number, puzzle) in enumerate(new)
    ]
    try:
        with transaction.atomic():
            DailyPuzzle.objects.bulk_create(rows)
    except IntegrityError:
        return 0
    return len(rows)
