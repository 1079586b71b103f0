"""When clocks stand still: quiet hours and weekends, in every zone, across changes of the clocks on the walls."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clock import (
    DAY,
    HOUR,
    NO_REST,
    Rest,
    RestFact,
    TimeControl,
    after,
    after_move,
    deadline,
    in_force,
    reminders,
    running_time,
    still_until,
    stills,
    stills_between,
)

ZONES = sorted(available_timezones())
NIGHT = Rest("Europe/Paris", 23 * 60, 7 * 60)
WEEKENDS = Rest("Europe/Paris", weekends=True)
#: Tuesday.
NOON = datetime(2026, 3, 3, 12, tzinfo=UTC)


def rest(zone: str, begins: int, length: int, weekends: bool) -> Rest:
    return Rest(zone, begins, (begins + length) % (24 * 60), weekends)


rests = st.builds(rest, st.sampled_from(ZONES), st.integers(0, 24 * 60 - 1), st.integers(0, 9 * 60), st.booleans())
# Ten years with two leap days, to the microsecond.
moments = st.timedeltas(timedelta(0), timedelta(days=3650)).map(datetime(2023, 1, 1, tzinfo=UTC).__add__)
clocks = st.integers(0, 20 * DAY)
spans = st.timedeltas(timedelta(0), timedelta(days=10))


def is_quiet(rest: Rest, at: datetime) -> bool:
    """Whether a clock on the wall says so: written without the spans that the code works with."""
    there = at.astimezone(ZoneInfo(rest.zone))
    minute = there.hour * 60 + there.minute
    quiet = (minute - rest.begins) % (24 * 60) < rest.length
    return quiet or (rest.weekends and there.weekday() >= 5)


def test_there_are_more_than_400_zones() -> None:
    assert len(ZONES) > 400


def test_a_night_is_not_counted() -> None:
    assert deadline(NOON, 20 * HOUR, NIGHT) == NOON + timedelta(hours=28)
    assert still_until(NIGHT, NOON) is None
    assert still_until(NIGHT, NOON + timedelta(hours=12)) == datetime(2026, 3, 4, 6, tzinfo=UTC)


def test_a_weekend_is_not_counted_with_its_nights() -> None:
    friday = datetime(2026, 3, 6, 12, tzinfo=UTC)
    both = Rest("Europe/Paris", 23 * 60, 7 * 60, weekends=True)
    assert deadline(friday, DAY, WEEKENDS) == friday + timedelta(days=3)
    assert next(stills(both, friday)) == (datetime(2026, 3, 6, 22, tzinfo=UTC), datetime(2026, 3, 9, 6, tzinfo=UTC))


@pytest.mark.parametrize(("day", "hours"), [("2026-03-28", 7), ("2026-10-24", 9), ("2026-06-01", 8)])
def test_a_night_is_as_long_as_the_clocks_on_the_walls_make_it(day: str, hours: int) -> None:
    noon = datetime.fromisoformat(f"{day}T12:00+00:00")
    begin, end = next(stills(NIGHT, noon))
    assert end - begin == timedelta(hours=hours)
    assert deadline(noon, DAY, NIGHT) == noon + timedelta(hours=24 + hours)


@given(rests, moments, clocks)
def test_a_clock_has_run_for_just_so_long_at_its_deadline(rest: Rest, since: datetime, clock: int) -> None:
    ends = deadline(since, clock, rest)
    assert ends is not None
    assert running_time(since, ends, rest) == timedelta(seconds=clock)
    if clock:
        assert running_time(since, ends - timedelta.resolution, rest) < timedelta(seconds=clock)


@given(rests, moments, clocks, st.lists(st.tuples(spans, spans), max_size=4))
def test_pauses_are_counted_once_whether_or_not_it_is_quiet_meanwhile(
    rest: Rest, since: datetime, clock: int, gaps: list[tuple[timedelta, timedelta]]
) -> None:
    pauses, at = [], since - timedelta(days=5)
    for gap, length in gaps:
        pauses.append((at + gap, at + gap + length))
        at += gap + length
    paused = replace(rest, pauses=tuple(pauses))
    ends, without = deadline(since, clock, paused), deadline(since, clock, rest)
    assert ends is not None
    assert without is not None
    assert running_time(since, ends, paused) == timedelta(seconds=clock)
    assert ends >= without
    found = list(islice(stills(paused, since), 20))
    assert all(begin < end for begin, end in found)
    assert all(former[1] < later[0] for former, later in pairwise(found))
    until = ends + timedelta(days=1)
    for still in [*stills_between(rest, since, until), *pauses]:
        begin, end = max(still[0], since), min(still[1], until)
        assert begin >= end or any(one[0] <= begin and end <= one[1] for one in stills_between(paused, since, until))


def test_a_turn_that_runs_out_before_a_pause_is_not_put_off_by_it() -> None:
    begin = NOON + timedelta(hours=2)
    pause = Rest(pauses=((begin, begin + timedelta(days=9)),))
    assert deadline(NOON, 2 * HOUR, pause) == begin
    assert deadline(NOON, 2 * HOUR + 1, pause) == begin + timedelta(days=9, seconds=1)
    assert still_until(pause, begin) == begin + timedelta(days=9)
    assert list(stills(pause, begin + timedelta(days=9))) == []


@given(rests, moments, clocks)
def test_rests_only_ever_put_a_deadline_off_and_not_for_ever(rest: Rest, since: datetime, clock: int) -> None:
    ends = deadline(since, clock, rest)
    assert ends is not None
    assert ends >= since + timedelta(seconds=clock)
    # Of a week at least five days with 15 hours each are left, but for changes of the clocks on the walls.
    assert ends <= since + timedelta(days=8 + 3 * clock / DAY)


@given(rests, moments, st.timedeltas(timedelta(0), timedelta(days=10)))
def test_whenever_the_wall_says_that_it_is_quiet_the_clock_stands_still(
    rest: Rest, since: datetime, later: timedelta
) -> None:
    at = since + later
    if is_quiet(rest, at):
        assert still_until(rest, at) is not None
        assert any(begin <= at < end for begin, end in stills_between(rest, since, at + timedelta.resolution))


@given(rests, moments)
def test_spans_are_in_order_and_apart(rest: Rest, since: datetime) -> None:
    spans = list(islice(stills(rest, since), 20))
    assert len(spans) == (20 if rest.length or rest.weekends else 0)
    assert all(begin < end for begin, end in spans)
    assert all(former[1] < later[0] for former, later in pairwise(spans))


@given(rests, moments, clocks, st.timedeltas(timedelta(0), timedelta(days=30)))
def test_a_server_five_seconds_ahead_ends_no_turn_before_what_another_promised(
    rest: Rest, since: datetime, clock: int, thought: timedelta
) -> None:
    """The move is dated by one server, its time was begun by another; what was left is never less than was promised."""
    control = TimeControl(20 * DAY, DAY, 60 * DAY)
    ends = deadline(since, clock, rest)
    now = since + thought
    left = after_move(control, clock, since, now - timedelta(seconds=5), rest)
    assert ends is not None
    assert left is not None
    assert after(now, timedelta(seconds=left), rest) >= ends


@given(st.lists(st.tuples(moments, rests), max_size=5), rests, moments)
def test_what_changes_during_a_turn_counts_from_the_next_one_on(
    changes: list[tuple[datetime, Rest]], first: Rest, since: datetime
) -> None:
    earlier = [RestFact(None, first), *(RestFact(at, rest) for at, rest in changes if at < since)]
    later = [RestFact(since, NIGHT), RestFact(since + timedelta(seconds=5), NO_REST)]
    assert in_force([*earlier, *later], since) == in_force(earlier, since) == earlier[-1].rest
    assert in_force([*earlier, *later], since + timedelta.resolution) == NIGHT


@given(rests, moments, st.integers(HOUR, 20 * DAY))
def test_reminders_come_by_the_time_on_the_clock_and_never_while_it_stands_still(
    rest: Rest, since: datetime, clock: int
) -> None:
    ends = deadline(since, clock, rest)
    assert ends is not None
    marks = reminders(since, ends, rest)
    assert list(marks) == sorted(marks)
    for mark, left in zip(marks, (timedelta(seconds=clock) / 4, timedelta(hours=2)), strict=False):
        assert abs(running_time(mark, ends, rest) - left) <= timedelta.resolution
        assert not any(begin < mark < end for begin, end in stills_between(rest, since, mark))


@pytest.mark.parametrize(("cap", "is_allowed"), [(HOUR, False), (DAY - 60, False), (DAY, True), (None, False)])
def test_clocks_that_cannot_hold_a_day_never_stand_still(cap: int | None, is_allowed: bool) -> None:
    assert TimeControl(cap, cap, cap).allows_rests is is_allowed
