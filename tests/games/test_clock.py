"""Correspondence time."""

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo, available_timezones

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.clock import DAY, PACES, TimeControl, after_move, deadline, is_past

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FISCHER = TimeControl(3 * DAY, DAY, 5 * DAY)


def test_days_a_move_give_every_move_the_same_time() -> None:
    assert TimeControl.days_a_move(3) == TimeControl(3 * DAY, 3 * DAY, 3 * DAY)
    assert TimeControl.days_a_move(None) == TimeControl()


def test_only_a_control_without_time_is_unlimited() -> None:
    assert TimeControl().is_unlimited
    assert not FISCHER.is_unlimited


def test_a_turn_runs_out_after_the_clock() -> None:
    assert deadline(NOON, 3600) == NOON + timedelta(hours=1)
    assert deadline(NOON, None) is None


@pytest.mark.parametrize(
    ("clock", "taken", "left"),
    [
        (3 * DAY, timedelta(days=1), 3 * DAY),
        (3 * DAY, timedelta(0), 4 * DAY),
        (5 * DAY, timedelta(hours=1), 5 * DAY),
        (DAY, timedelta(days=1), DAY),
        (DAY, timedelta(days=9), DAY),
        (DAY, timedelta(seconds=59, microseconds=999_999), 2 * DAY - 59),
    ],
)
def test_a_move_keeps_what_is_left_and_gains_the_increment_up_to_the_cap(
    clock: int, taken: timedelta, left: int
) -> None:
    assert after_move(FISCHER, clock, NOON, NOON + taken) == left


def test_unlimited_time_stays_unlimited() -> None:
    assert after_move(TimeControl(), None, NOON, NOON + timedelta(days=99)) is None
    assert after_move(FISCHER, None, NOON, NOON) is None


def test_a_deadline_is_past_from_its_own_moment_on() -> None:
    assert not is_past(NOON, NOON - timedelta(microseconds=1))
    assert is_past(NOON, NOON)
    assert not is_past(None, NOON)


@pytest.mark.parametrize("begins", ["2026-03-28", "2026-10-24", "2028-02-28"])
def test_a_day_is_24_hours_whatever_the_clocks_on_the_wall_do(begins: str) -> None:
    paris = datetime.fromisoformat(f"{begins}T12:00").replace(tzinfo=ZoneInfo("Europe/Paris")).astimezone(UTC)
    ends = deadline(paris, DAY)
    assert ends is not None
    assert ends - paris == timedelta(hours=24)


spans = st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=60))
controls = st.builds(
    lambda cap, initial, increment: TimeControl(min(initial, cap), increment, cap),
    st.integers(1, 20 * DAY),
    st.integers(1, 20 * DAY),
    st.integers(0, 20 * DAY),
)


@given(controls, st.lists(spans, max_size=30))
def test_no_clock_exceeds_the_cap_or_falls_below_the_increment(control: TimeControl, thoughts: list[timedelta]) -> None:
    clock, now = control.initial, NOON
    for thought in thoughts:
        clock = after_move(control, clock, now, now + thought)
        now += thought
        assert clock is not None
        assert min(control.increment or 0, control.cap or 0) <= clock <= (control.cap or 0)


@given(controls, spans)
def test_who_moves_before_the_deadline_never_has_less_than_what_was_left(
    control: TimeControl, thought: timedelta
) -> None:
    clock = control.initial or 0
    ends = deadline(NOON, clock)
    assert ends is not None
    left = ends - (NOON + thought)
    after = after_move(control, clock, NOON, NOON + thought) or 0
    assert timedelta(seconds=after) >= min(left, timedelta(seconds=control.cap or 0))


@given(st.integers(-12 * 60, 14 * 60))
def test_the_zone_a_moment_is_written_in_does_not_matter(offset: int) -> None:
    there = timezone(timedelta(minutes=offset))
    assert is_past(NOON.astimezone(there), NOON)
    assert deadline(NOON.astimezone(there), DAY) == deadline(NOON, DAY)


thoughts = st.lists(st.timedeltas(min_value=timedelta(0), max_value=timedelta(days=40)), max_size=20)


@given(st.sampled_from(sorted(PACES)), thoughts)
def test_at_every_pace_no_deadline_comes_before_an_instant_that_was_promised(pace: str, taken: list[timedelta]) -> None:
    """Who moves in time keeps what was left, up to the cap, and what each new turn promises is never taken back."""
    control = PACES[pace]
    clock, now = control.initial, NOON
    for thought in taken:
        ends = deadline(now, clock)
        assert ends is not None
        now += thought
        clock = after_move(control, clock, now - thought, now)
        promised, new = max(ends - now, timedelta(0)), deadline(now, clock)
        assert new is not None
        assert min(control.cap or 0, control.increment or 0) <= (clock or 0) <= (control.cap or 0)
        gained = promised + timedelta(seconds=control.increment or 0)
        assert new - now >= min(gained, timedelta(seconds=control.cap or 0))


@given(controls, st.integers(0, 3650 * DAY), st.sampled_from(sorted(available_timezones())))
def test_a_deadline_is_so_many_seconds_away_in_every_zone_of_the_world(
    control: TimeControl, moment: int, zone: str
) -> None:
    since, clock = datetime(2023, 1, 1, tzinfo=UTC) + timedelta(seconds=moment), control.initial or 0
    ends = deadline(since.astimezone(ZoneInfo(zone)).astimezone(UTC), clock)
    assert ends == since + timedelta(seconds=clock)
    assert not is_past(ends, (since + timedelta(seconds=clock, microseconds=-1)).astimezone(ZoneInfo(zone)))


def test_the_29th_of_february_counts_as_any_day() -> None:
    assert deadline(datetime(2028, 2, 28, 12, tzinfo=UTC), 2 * DAY) == datetime(2028, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(("initial", "urgent"), [(3 * DAY, 6 * 3600), (DAY, 6 * 3600), (900, 225), (None, 6 * 3600)])
def test_a_turn_is_urgent_in_the_last_quarter_of_the_initial_time_and_in_the_last_six_hours_at_most(
    initial: int | None, urgent: int
) -> None:
    assert TimeControl(initial, initial, initial).urgent == urgent
