"""Which puzzle a day has, what a person has made of it, and how many solve it at first."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from django.db import connection
from django.db.models import F
from django.db.models.functions import TruncDate

from accounts.models import User
from games.base.access import Viewer
from games.base.puzzles import no_puzzle
from games.models import DailyPuzzle, PuzzleTry
from games.puzzles.puzzle import Puzzle

#: How many people have to have tried a puzzle before it is told how hard it is, and how many of them say it: the first.
FEWEST_TRIED, FIRST_TRIED = 5, 200
#: How many days a page of earlier ones shows.
DAYS_A_PAGE = 30

# Of the first people who have tried each puzzle, bots left out: how many in a hundred it took one try and no hint.
# Null where they are too few.
_AT_FIRST = """
    SELECT puzzle.id,
        (SELECT CASE WHEN COUNT(*) >= %s THEN 100.0 * SUM(lot.at_first) / COUNT(*) END FROM (
            SELECT CASE WHEN tried.solved_at IS NOT NULL AND tried.tries = 1 AND tried.hints = 0 THEN 1 ELSE 0 END
                AS at_first
            FROM games_puzzletry tried JOIN accounts_user person ON person.id = tried.user_id
            WHERE tried.puzzle_id = puzzle.id AND tried.tries > 0 AND person.operator_id IS NULL
            ORDER BY tried.id LIMIT %s
        ) lot)
    FROM games_dailypuzzle puzzle WHERE puzzle.id IN ({puzzles})
"""


@dataclass(frozen=True)
class PuzzleDay:
    """The puzzle of a day; `pk` is the row that tries point to."""

    day: date
    pk: int
    puzzle: Puzzle


@dataclass(frozen=True)
class PuzzleResult:
    """What a person has made of the puzzle of a day, by default nothing yet."""

    tries: int = 0
    hints: int = 0
    is_solved: bool = False


def today_of(now: datetime) -> date:
    """Return the day whose puzzle is today's: the same everywhere, by UTC."""
    return now.astimezone(UTC).date()


def parse_day(text: str) -> date:
    """Return the day that an address names.

    Raises:
        NotFound: it names none.

    """
    try:
        day = date.fromisoformat(text)
    except ValueError:
        day = None
    if day is None or day.isoformat() != text:
        raise no_puzzle()
    return day


def puzzle_of(day: date, today: date) -> PuzzleDay:
    """Return the puzzle of a day that has come. One query; where the year has run out and begins again, two more.

    Raises:
        NotFound: the day has not come, or no puzzle is that old.

    """
    row = None if day > today else DailyPuzzle.objects.filter(day=day).first()
    if row is None and day <= today:
        row = _again(day)
    if row is None:
        raise no_puzzle()
    return PuzzleDay(day, row.pk, _puzzle(row))


def has_earlier(day: date) -> bool:
    """Return whether a day before this one has a puzzle. One query."""
    return DailyPuzzle.objects.filter(day__lt=day).exists()


def puzzles_until(last: date) -> list[PuzzleDay]:
    """Return the puzzles of a day and those before it, the latest first, as many as a page shows. Two queries."""
    latest = last.toordinal()
    days = [date.fromordinal(number) for number in range(latest, max(latest - DAYS_A_PAGE, 0), -1)]
    own = _own_days(last)
    shown = {day: source for day in days if (source := _day_shown(day, own))}
    rows = {row.day: row for row in DailyPuzzle.objects.filter(day__in=set(shown.values()))}
    found = {day: rows[source] for day, source in shown.items() if source in rows}
    return [PuzzleDay(day, row.pk, _puzzle(row)) for day, row in found.items()]


def _own_days(last: date) -> list[date]:
    """Return the days up to one that have a puzzle of their own, in their order. One query."""
    return list(DailyPuzzle.objects.filter(day__lte=last).order_by("day").values_list("day", flat=True))


def _day_shown(day: date, own: Sequence[date]) -> date | None:
    """Return the day whose puzzle a day has: once all before it have had their turn, they begin again.

    What is stored for later days changes nothing for those before. None before the first.
    """
    before = bisect_right(own, day)
    if not before:
        return None
    return day if own[before - 1] == day else own[(day - own[0]).days % before]


def _again(day: date) -> DailyPuzzle | None:
    source = _day_shown(day, _own_days(day))
    return DailyPuzzle.objects.filter(day=source).first() if source else None


def _puzzle(row: DailyPuzzle) -> Puzzle:
    return Puzzle(
        kind=row.kind,
        variant=row.variant,
        moves=tuple(row.moves),
        solutions=tuple(map(tuple, row.solutions)),
        proof=row.proof,
    )


def own_results(user: Viewer, days: Sequence[date]) -> dict[date, PuzzleResult]:
    """Return what a person has made of the puzzle of each of these days. One query; none for a visitor."""
    if not isinstance(user, User):
        return {}
    rows = PuzzleTry.objects.filter(user=user, day__in=days)
    return {row.day: PuzzleResult(row.tries, row.hints, row.solved_at is not None) for row in rows}


def streak(user: Viewer, today: date) -> int:
    """Return how many days on end a person has solved the puzzle of the day on that day, up to today or yesterday.

    One query; none for a visitor.
    """
    if not isinstance(user, User):
        return 0
    on_time = PuzzleTry.objects.annotate(on=TruncDate("solved_at", tzinfo=UTC)).filter(user=user, on=F("day"))
    days = set(on_time.filter(day__lte=today).order_by("-day").values_list("day", flat=True)[:1000])
    day = today if today in days else today - timedelta(days=1)
    count = 0
    while day in days:
        count, day = count + 1, day - timedelta(days=1)
    return count


def first_try_shares(puzzles: Sequence[int]) -> dict[int, int]:
    """Return how many in a hundred people solve each puzzle at their first try, without hints.

    The first people say it who have tried: so it costs the same however many have. Left out are puzzles that too few
    have tried, and what bots have done. One query, none for no puzzle.
    """
    if not puzzles:
        return {}
    query = _AT_FIRST.format(puzzles=", ".join(["%s"] * len(puzzles)))
    with connection.cursor() as cursor:
        cursor.execute(query, [FEWEST_TRIED, FIRST_TRIED, *puzzles])
        return {puzzle: round(share) for puzzle, share in cursor.fetchall() if share is not None}
