"""Correspondence time: pure functions over datetimes given to them. All spans are whole seconds.

A clock may stand still: in the quiet hours of its player, at weekends where the table says so, and while the game is
paused (`Rest`). A deadline is the instant at which the clock has run for the seconds of its turn since that turn began.
"""

import heapq
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

MINUTE, HOUR = 60, 3600
DAY = 24 * HOUR
#: With less time than this a turn is urgent in any game.
URGENT = 6 * HOUR

#: Turns shorter than this need no reminder; those longer than the second get two.
SHORT_TURN, LONG_TURN = timedelta(hours=1), timedelta(hours=8)

#: The first reminder comes when this part of a turn is left, the second one this long before the end.
LAST_PART, LAST_HOURS = 4, timedelta(hours=2)


MINUTES_A_DAY = 24 * 60
SATURDAY = 5
#: Where a clock can hold less than this it never stands still: the players of such a game are there for all of it.
SHORTEST_WITH_RESTS = DAY


@dataclass(frozen=True)
class TimeControl:
    """Initial time, increment after each own move, and the cap no clock exceeds; None everywhere means unlimited.

    "N days a move" is initial = increment = cap = N days. `rests_weekends` says that clocks stand still at weekends.
    """

    initial: int | None = None
    increment: int | None = None
    cap: int | None = None
    rests_weekends: bool = False

    @classmethod
    def days_a_move(cls, days: int | None) -> "TimeControl":
        """Return the control that gives every move the same number of days; None is unlimited."""
        if days is None:
            return cls()
        return cls(days * DAY, days * DAY, days * DAY)

    @property
    def is_unlimited(self) -> bool:
        """Whether no clock runs."""
        return self.initial is None

    @property
    def allows_rests(self) -> bool:
        """Whether clocks stand still in quiet hours, and may at weekends."""
        return self.cap is not None and self.cap >= SHORTEST_WITH_RESTS

    @property
    def per_move(self) -> int | None:
        """Return the time that every move gets anew, where that is all there is to say; else None."""
        return self.cap if self.initial == self.increment == self.cap else None

    @property
    def urgent(self) -> int:
        """Return with how many seconds left a turn is urgent: a quarter of the initial time, at most six hours."""
        return URGENT if self.initial is None else min(URGENT, self.initial // 4)

    def runs_among(self, people: int) -> bool:
        """Return whether clocks run while so many people play: one alone keeps nobody waiting, and bots do not mind."""
        return not self.is_unlimited and people > 1


#: The controls that are offered by name, from quick to slow. At each, a move saves up to the cap what it does not use.
PACES: Mapping[str, TimeControl] = {
    "evening": TimeControl(15 * MINUTE, 5 * MINUTE, HOUR),
    "fast": TimeControl(DAY, 8 * HOUR, 2 * DAY),
    "normal": TimeControl(3 * DAY, DAY, 7 * DAY),
    "slow": TimeControl(7 * DAY, 2 * DAY, 14 * DAY),
}
#: The least and the most that may be agreed, both included. The cap is at least as large as the other two.
INITIALS = (5 * MINUTE, 30 * DAY)
INCREMENTS = (MINUTE, 14 * DAY)
LARGEST_CAP = 60 * DAY


#: A span during which a clock stands still: its first instant, and the first one after it.
Still = tuple[datetime, datetime]


@dataclass(frozen=True)
class Rest:
    """When the clock of one player stands still, by the walls of the zone: each day from one minute to another.

    Minutes count from midnight. A span that ends before it begins runs past midnight; one that ends where it begins is
    none. With `weekends` the clock stands still from Saturday to Sunday too. It does so in the `pauses` of its game and
    the holidays of its player, which are in order.
    """

    zone: str = "UTC"
    begins: int = 0
    ends: int = 0
    weekends: bool = False
    pauses: tuple[Still, ...] = ()

    @property
    def length(self) -> int:
        """Return how many minutes a day are quiet."""
        return (self.ends - self.begins) % MINUTES_A_DAY


#: What people have of holidays in a year, which is the most that they save; it is earned a little each day.
HOLIDAYS_A_YEAR, YEAR = 21 * DAY, 365 * DAY


def earned_holidays(held: int, since: datetime, now: datetime) -> int:
    """Return how many seconds of holidays a person has now who held so many at a moment."""
    return min(HOLIDAYS_A_YEAR, held + int(max(0, (now - since).total_seconds()) * HOLIDAYS_A_YEAR / YEAR))


@dataclass(frozen=True)
class RestFact:
    """What a player's quiet hours were when a turn began after the moment `at`; None is before every turn."""

    at: datetime | None
    rest: Rest


#: The clock never stands still.
NO_REST = Rest()


def in_force(facts: Sequence[RestFact], since: datetime, pauses: tuple[Still, ...] = ()) -> Rest:
    """Return what counts for a turn that began at `since`: the last of the facts, in their order, from before it.

    What is changed later counts from the next turn on, so that no deadline that was promised comes nearer. In the
    pauses of the game the clock stands still in every turn.
    """
    known = [fact.rest for fact in facts if fact.at is None or fact.at < since]
    rest = known[-1] if known else NO_REST
    return replace(rest, pauses=pauses) if pauses else rest


def stills(rest: Rest, since: datetime) -> Iterator[Still]:
    """Yield the spans after `since` during which the clock stands still; none if it never does.

    They are in order, do not touch, and only pauses come to an end. Where the clocks on the walls are changed, a time
    that occurs twice or not at all is read in the player's favour: the span is the longer one.
    """
    pauses = [(begin, end) for begin, end in rest.pauses if end > max(begin, since)]
    held: Still | None = None
    for begin, end in heapq.merge(_stills_by_day(rest, since), pauses):
        if held and begin <= held[1]:
            held = held[0], max(end, held[1])
            continue
        if held and held[1] > since:
            yield held
        held = begin, end
    if held and held[1] > since:
        yield held


def _stills_by_day(rest: Rest, since: datetime) -> Iterator[Still]:
    """Yield without end what the walls say, in order; spans may touch, and the first ones have ended."""
    if not (rest.length or rest.weekends):
        return
    zone = ZoneInfo(rest.zone)
    # A weekend that has not ended began at most two days before.
    day = since.astimezone(zone).date() - timedelta(days=3)
    while True:
        yield from _stills_from(rest, day, zone)
        day += timedelta(days=1)


def _stills_from(rest: Rest, day: date, zone: ZoneInfo) -> Iterator[Still]:
    """Yield what begins on a day, in order."""
    if rest.weekends and day.weekday() == SATURDAY:
        yield min(_instants(day, 0, zone)), max(_instants(day + timedelta(days=2), 0, zone))
    if rest.length:
        last = day if rest.ends > rest.begins else day + timedelta(days=1)
        yield min(_instants(day, rest.begins, zone)), max(_instants(last, rest.ends, zone))


def _instants(day: date, minute: int, zone: ZoneInfo) -> tuple[datetime, datetime]:
    """Return the instants that a time on a wall may mean: the same twice on all days but those of a change."""
    there = datetime.combine(day, time(minute // 60, minute % 60), zone)
    return there.astimezone(UTC), there.replace(fold=1).astimezone(UTC)


def stills_between(rest: Rest, since: datetime, until: datetime) -> tuple[Still, ...]:
    """Return the spans of `stills` that begin before `until`, not cut off."""
    found = []
    for still in stills(rest, since):
        if still[0] >= until:
            break
        found.append(still)
    return tuple(found)


def still_until(rest: Rest, now: datetime) -> datetime | None:
    """Return until when the clock stands still that stands still now; None if it runs."""
    return next((end for begin, end in stills_between(rest, now, now + timedelta.resolution) if begin <= now), None)


def running_time(since: datetime, now: datetime, rest: Rest = NO_REST) -> timedelta:
    """Return for how long the clock has run between two instants."""
    spans = stills_between(rest, since, now)
    return (now - since) - sum((min(end, now) - max(begin, since) for begin, end in spans), timedelta())


def still_time(spans: Iterable[Still], since: datetime, until: datetime) -> timedelta:
    """Return how much of these spans lies between two instants, that of two at once once."""
    found, at = timedelta(), since
    for begin, end in sorted(spans):
        begin, end = max(begin, at), min(end, until)
        if begin < end:
            found, at = found + (end - begin), end
    return found


def after(since: datetime, span: timedelta, rest: Rest = NO_REST) -> datetime:
    """Return the first instant at which a clock has run for a span."""
    at = since
    for begin, end in stills(rest, since):
        if at + span <= begin:
            break
        span -= max(begin - at, timedelta())
        at = end
    return at + span


def deadline(since: datetime, clock: int | None, rest: Rest = NO_REST) -> datetime | None:
    """Return when a turn that began at `since` with `clock` seconds runs out; None if never."""
    return None if clock is None else after(since, timedelta(seconds=clock), rest)


def after_move(
    control: TimeControl, clock: int | None, since: datetime, now: datetime, rest: Rest = NO_REST
) -> int | None:
    """Return the clock after a move made at `now`: what was left, plus the increment, at most the cap.

    A move that arrives late but before anybody claimed counts as made in the last second.
    """
    if clock is None or control.increment is None or control.cap is None:
        return None
    left = max(0, clock - int(running_time(since, now, rest).total_seconds()))
    return min(control.cap, left + control.increment)


def is_past(moment: datetime | None, now: datetime) -> bool:
    """Whether the deadline has gone by; never for None."""
    return moment is not None and now >= moment


def reminders(since: datetime | None, end: datetime | None, rest: Rest = NO_REST) -> tuple[datetime, ...]:
    """Return when to remind of the end of a turn: once or twice, the earlier first; never for a short turn or None.

    It is time on the clock that counts, so no reminder falls into a span in which the clock stands still.
    """
    if since is None or end is None or (span := running_time(since, end, rest)) < SHORT_TURN:
        return ()
    first = after(since, span - span / LAST_PART, rest)
    return (first, after(since, span - LAST_HOURS, rest)) if span > LONG_TURN else (first,)
