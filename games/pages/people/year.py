"""A year in pictures: how many games a person finished in each week, as a strip of squares and in words."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext

from games.queries.lists.seats import Lists

#: The weeks of the picture, the present one last, and the games of a year that are counted at most, the latest.
WEEKS, COUNTED = 53, 3000
WEEK = timedelta(days=7)
#: The number of games in a week from which its square has the next shade.
SHADES = (1, 2, 4, 8)
#: Units of the drawing from one square to the next; a year is two rows of them.
STEP, ROWS = 12, 2
COLUMNS = -(-WEEKS // ROWS)


@dataclass(frozen=True)
class WeekView:
    """One week: where its square lies, its shade from 0 for no game to 4, and the same in words."""

    x: int
    y: int
    shade: int
    count: int
    words: str


@dataclass(frozen=True)
class YearView:
    """The weeks of a year, the oldest first; `busy` are those with a game, the latest first. `label` is the sum."""

    label: str
    weeks: tuple[WeekView, ...]
    width: int = COLUMNS * STEP
    height: int = ROWS * STEP

    @property
    def busy(self) -> tuple[WeekView, ...]:
        """Return the weeks in which a game ended, the latest first."""
        return tuple(week for week in self.weeks[::-1] if week.count)


def year_view(lists: Lists, now: datetime) -> YearView | None:
    """Return the year of the person whose finished games these are, None where no game ended in it. One query.

    Of a list in several parts it counts the first, which are the public games.
    """
    first = _monday(now) - (WEEKS - 1) * WEEK
    begin = timezone.make_aware(datetime.combine(first, datetime.min.time()))
    counts = Counter(map(_monday, lists.times_since(begin, COUNTED)))
    return YearView(_label(sum(counts.values())), tuple(_weeks(first, counts))) if counts else None


def _monday(moment: datetime) -> date:
    day = timezone.localtime(moment).date()
    return day - timedelta(days=day.weekday())


def _weeks(first: date, counts: Counter[date]) -> Iterable[WeekView]:
    for number in range(WEEKS):
        day = first + number * WEEK
        count = counts[day]
        values = {"day": date_format(day, "DATE_FORMAT"), "games": _games(count)}
        words = gettext("Week of %(day)s: %(games)s") % values
        shade = sum(count >= least for least in SHADES)
        yield WeekView(number % COLUMNS * STEP, number // COLUMNS * STEP, shade, count, words)


def _games(count: int) -> str:
    return ngettext("%(n)d game", "%(n)d games", count) % {"n": count} if count else gettext("no game")


def _label(total: int) -> str:
    if total >= COUNTED:
        return gettext("At least %(games)s finished in the last 12 months") % {"games": _games(total)}
    return gettext("%(games)s finished in the last 12 months") % {"games": _games(total)}
