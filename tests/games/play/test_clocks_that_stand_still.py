"""What pages say of a clock that stands still: until when and why, how much is on it, and what a table allows."""

from datetime import UTC, datetime, time

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.clock import DAY, PACES, TimeControl
from games.models import Game
from games.pages.play.page import PlayPage, changed_page, play_page
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import fresh, running

#: Friday, one o'clock in Paris.
NOON = datetime(2026, 3, 6, 12, tzinfo=UTC)
NIGHT = datetime(2026, 3, 6, 23, tzinfo=UTC)
SATURDAY = datetime(2026, 3, 7, 12, tzinfo=UTC)


@pytest.fixture
def alice(alice: User) -> User:
    alice.quiet_from, alice.quiet_until, alice.time_zone = time(23), time(7), "Europe/Paris"
    alice.save()
    return alice


def page(user: User, game: Game, now: datetime) -> PlayPage:
    found = play_page(user, game.slug, now=now)
    assert isinstance(found, PlayPage)
    return found


def note(user: User, game: Game, now: datetime) -> str:
    turn = page(user, game, now).turn
    return turn.note if turn else ""


def test_everybody_reads_until_when_a_clock_stands_still(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=PACES["normal"])
    assert note(bob, game, NOON) == ""
    assert note(bob, game, NIGHT) == "alice: the clock stands still until 06:00 (quiet hours)."
    assert note(alice, game, NIGHT) == "Your clock stands still until 06:00 (quiet hours)."


def test_at_the_weekend_the_day_is_named_too(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=TimeControl(DAY, DAY, DAY, rests_weekends=True))
    said = note(bob, game, SATURDAY)
    assert said.startswith("alice: the clock stands still until ")
    assert "9 Mar 2026" in said
    assert said.count("(weekend).") == 1


def test_a_clock_shows_what_is_on_it_and_not_how_far_away_its_end_is(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=PACES["normal"])
    for now in (NIGHT, NIGHT.replace(hour=22)):
        clock, held = page(bob, game, now).clocks
        assert (clock.text, held.text) == (
            "2\N{NO-BREAK SPACE}d 14\N{NO-BREAK SPACE}h",
            "3\N{NO-BREAK SPACE}d 0\N{NO-BREAK SPACE}h",
        )
        assert len(clock.stills.split()) == 4


def test_an_open_page_is_read_anew_when_its_clock_stops_and_when_it_goes_on(alice: User, bob: User) -> None:
    game = running(alice, bob, now=NOON, time=PACES["normal"])
    by_day, by_night = (page(bob, game, now).tag for now in (NOON, NIGHT))
    assert changed_page(bob, game.slug, "", by_day, now=NOON) == by_day
    assert changed_page(bob, game.slug, "", by_day, now=NIGHT) not in (by_day, by_night)
    assert changed_page(bob, game.slug, "", by_night, now=NIGHT) == by_night


def test_the_form_offers_weekends_and_says_what_quiet_hours_do(alice: User, log_in: LogIn) -> None:
    form = read(log_in(alice).get("/games/new/"))
    assert form.find("input", name="rests_weekends")["type"] == "checkbox"
    assert "quiet hours" in form.text


@pytest.mark.parametrize(("pace", "is_kept"), [("normal", True), ("evening", False)])
def test_a_table_says_whether_its_clocks_stand_still_at_weekends(
    pace: str, is_kept: bool, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    sent = {"variant": "duo", "seat-0": "me", "seat-1": "open", "time": pace, "rests_weekends": "on"}
    client.post("/games/new/", {**sent, "is_public": "yes", "passes": "automatic", "hints": "usual"})
    game = Game.objects.get()
    assert fresh(game).rests_weekends is is_kept
    assert ("not at weekends" in client.get(f"/games/{game.slug}/").content.decode()) is is_kept
    # The next table begins with the same choice.
    assert ("checked" in read(client.get("/games/new/")).find("input", name="rests_weekends").attributes) is is_kept


def test_the_page_of_a_running_game_costs_no_more_queries(
    alice: User, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    game = running(alice, bob, time=PACES["normal"])
    with django_assert_num_queries(4):
        play_page(bob, game.slug)
