"""How time controls and clocks are said, and about how long a game takes."""

from datetime import UTC, datetime, timedelta

import pytest

from games.clock import DAY, HOUR, MINUTE, PACES, TimeControl
from games.rules import VARIANTS
from games.words.clocks import clock_text, pace_name, time_fact, time_name
from games.words.deadlines import game_length, last_safe_day, time_left, until_day


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (PACES["evening"], "15 minutes + 5 minutes per move, up to 1 hour on the clock"),
        (PACES["fast"], "1 day + 8 hours per move, up to 2 days on the clock"),
        (PACES["normal"], "3 days + 1 day per move, up to 7 days on the clock"),
        (PACES["slow"], "7 days + 2 days per move, up to 14 days on the clock"),
        (
            TimeControl(36 * HOUR, 90 * MINUTE, 4 * DAY),
            "1 day 12 hours + 1 hour 30 minutes per move, up to 4 days on the clock",
        ),
        (TimeControl.days_a_move(1), "1 day a move"),
        (TimeControl(HOUR, HOUR, HOUR), "1 hour a move"),
        (TimeControl(), "no time limit"),
    ],
)
def test_a_control_is_said_in_words(control: TimeControl, said: str) -> None:
    assert time_name(control) == said
    assert time_fact(control) == ("" if control.is_unlimited else f"Time: {said}.")


@pytest.mark.parametrize(
    ("control", "said"),
    [
        (PACES["evening"], "about 5 minutes a move"),
        (PACES["fast"], "about 3 moves a day"),
        (PACES["normal"], "about a move a day"),
        (PACES["slow"], "about a move every 2 days"),
        (TimeControl(36 * HOUR, 90 * MINUTE, 4 * DAY), "about 1 hour 30 minutes a move"),
        (TimeControl(3 * DAY, 20 * HOUR, 7 * DAY), "about a move a day"),
        (TimeControl(3 * DAY, DAY, 7 * DAY, rests_weekends=True), "about a move a day, not at weekends"),
        (TimeControl.days_a_move(3), "3 days a move"),
        (TimeControl(), "no time limit"),
    ],
)
def test_a_pace_is_said_in_a_few_words(control: TimeControl, said: str) -> None:
    assert pace_name(control) == said


@pytest.mark.parametrize(
    ("seconds", "said"),
    [
        (2 * DAY + 3 * HOUR, "2 days left"),
        (DAY, "1 day left"),
        (DAY - 1, "23 hours left"),
        (HOUR, "1 hour left"),
        (HOUR - 1, "59 minutes left"),
        (1, "1 minute left"),
        (0, "time is up"),
    ],
)
def test_the_time_that_is_left_is_said_in_its_largest_unit(seconds: int, said: str) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert time_left(now + timedelta(seconds=seconds), now) == said


@pytest.mark.parametrize(
    ("began", "hours", "until"),
    [
        (12, 72, "until Wednesday"),
        (12, 25, "until Monday"),
        # At midnight in UTC it is the day before in Honolulu.
        (0, 72, "until Tuesday"),
        (0, 6 * 24 + 12, "until 7 Mar"),
        # The last day, and one that is today: the hour matters.
        (12, 24, None),
        (6, 28, None),
        (12, -1, None),
    ],
)
def test_where_no_zone_is_known_the_last_day_is_one_on_which_a_move_is_in_time_everywhere(
    began: int, hours: int, until: str | None
) -> None:
    now = datetime(2026, 3, 1, began, tzinfo=UTC)
    day = last_safe_day(now + timedelta(hours=hours), now)
    assert (day and until_day(day, now)) == until


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (2 * DAY + 3 * HOUR + 659, "2\N{NO-BREAK SPACE}d 3\N{NO-BREAK SPACE}h"),
        (DAY, "1\N{NO-BREAK SPACE}d 0\N{NO-BREAK SPACE}h"),
        (DAY - 1, "23 h 59"),
        (HOUR, "1 h 00"),
        (HOUR - 1, "59:59"),
        (9, "00:09"),
        (-5, "00:00"),
    ],
)
def test_a_clock_shows_days_hours_and_minutes_and_below_an_hour_seconds(seconds: int, shown: str) -> None:
    assert clock_text(seconds) == shown


@pytest.mark.parametrize(
    ("control", "length"),
    [
        (PACES["evening"], "takes about 3 hours"),
        (PACES["fast"], "takes about 13 days"),
        (PACES["normal"], "takes about 5 weeks"),
        (PACES["slow"], "takes about 6 weeks"),
        (TimeControl.days_a_move(1), "takes about 5 weeks"),
        (TimeControl.days_a_move(14), "takes about 10 weeks"),
        (TimeControl(), "takes about 10 weeks"),
    ],
)
def test_the_length_of_a_game_of_four_follows_from_its_control(control: TimeControl, length: str) -> None:
    assert game_length(VARIANTS["blockyou-4"], control, people=4) == length


def test_bots_take_no_time() -> None:
    assert game_length(VARIANTS["blockyou-4"], PACES["normal"], people=2) == "takes about 3 weeks"
