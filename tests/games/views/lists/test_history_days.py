"""The history by days: those of the reader, also where the clocks are changed."""

import csv
from datetime import UTC, datetime, timedelta
from io import StringIO

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.streams import read_streamed
from tests.games.views.lists import many

#: A day in Paris on which the clocks are changed: its name, when it begins and ends, and its length in hours.
DAYS = [
    ("2026-03-29", datetime(2026, 3, 28, 23, tzinfo=UTC), datetime(2026, 3, 29, 22, tzinfo=UTC), 23),
    ("2026-10-25", datetime(2026, 10, 24, 22, tzinfo=UTC), datetime(2026, 10, 25, 23, tzinfo=UTC), 25),
]
SECOND = timedelta(seconds=1)


@pytest.fixture
def alice_in_paris(alice: User) -> User:
    alice.time_zone = "Europe/Paris"
    alice.save()
    return alice


def found(client: Client, query: str) -> tuple[set[str], set[str]]:
    """Return the names of the games that the page and the file hold."""
    rows = read(client.get(f"/history/?{query}")).find_all("a", class_="list__title")
    file = read_streamed(client.get(f"/history/games.csv?{query}"))
    return {row.text for row in rows}, {row["name"] for row in csv.DictReader(StringIO(file))}


@pytest.mark.parametrize(("day", "begins", "ends", "hours"), DAYS)
def test_a_day_on_which_clocks_change_is_searched_from_midnight_to_midnight(
    day: str,
    begins: datetime,
    ends: datetime,
    hours: int,
    alice_in_paris: User,
    bob: User,
    log_in: LogIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert ends - begins == timedelta(hours=hours)
    monkeypatch.setattr(timezone, "now", lambda: ends + timedelta(days=10))
    # Those in which the clocks are changed, and fewer than stand on one page.
    hourly = {f"hour-{hour}": begins + timedelta(hours=hour) for hour in (0, 1, 2, 3, 12, hours - 1)}
    within = hourly | {"last": ends - SECOND}
    for name, moment in {"before": begins - SECOND, **within, "after": ends}.items():
        many.finished(1, alice_in_paris, bob, name=name, finished_at=moment)
    client = log_in(alice_in_paris)
    assert found(client, f"since={day}&until={day}") == (set(within), set(within))
    from_then_on, until_then = {*within, "after"}, {*within, "before"}
    assert found(client, f"since={day}&opponent=bob") == (from_then_on, from_then_on)
    assert found(client, f"until={day}") == (until_then, until_then)


@pytest.mark.parametrize(("day", "begins", "ends", "hours"), DAYS)
def test_a_row_has_the_date_of_the_readers_day(
    day: str,
    begins: datetime,
    ends: datetime,
    hours: int,
    alice_in_paris: User,
    bob: User,
    log_in: LogIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(timezone, "now", lambda: ends + timedelta(days=10))
    middle = [begins + timedelta(hours=hour) for hour in (1, 2, 3, 12, hours - 1)]
    for number, moment in enumerate([begins - SECOND, begins, *middle, ends - SECOND, ends]):
        many.finished(1, alice_in_paris, bob, name=f"game-{number}", finished_at=moment)
    page = read(log_in(alice_in_paris).get(f"/history/?since={day}&until={day}"))
    dates = {row.find("time", class_="when").text for row in page.find_all("li", class_="list__row")}
    assert dates == {f"{int(day[-2:])} {begins:%b} 2026"}
