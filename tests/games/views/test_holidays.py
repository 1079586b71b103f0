"""A person's own holidays: their page, and the table that reads of them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.kindness.choose_holidays import choose_holidays
from games.actions.kindness.spend_holiday import spend_holiday
from games.actions.kindness.take_holiday import take_holiday
from games.clock import TimeControl
from games.models import Game, Holiday, HolidayBook
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.spoken.words import see, spoken
from tests.games.tables import NOON, due, play_out, running, take_turn

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def alice(alice: User) -> User:
    """Return alice, who came a year ago and has earned all that she can."""
    User.objects.filter(pk=alice.pk).update(date_joined=timezone.now() - timedelta(days=400))
    return User.objects.get(pk=alice.pk)


def day(number: int) -> str:
    return (timezone.localdate() + timedelta(days=number)).isoformat()


def test_a_holiday_is_taken_on_its_page_and_everybody_at_the_table_reads_of_it(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(3), now=timezone.now())
    client = log_in(alice)
    page = read(client.get("/holidays/"))
    assert "21 days left" in page.text
    answer = client.post("/holidays/", {"first": day(1), "last": day(2)})
    assert (answer.status_code, answer["Location"]) == (302, "/holidays/")
    assert "19 days left" in read(client.get("/holidays/")).text
    assert "2 days of alice's holidays on this move." in see(log_in(bob), game).text
    assert "2 days of your holidays on this move." in see(client, game).text
    assert "Holidays of alice: from" in see(spoken(log_in(bob)), game).text


@pytest.mark.parametrize("time", [TimeControl.days_a_move(3), TimeControl()])
def test_a_holiday_that_begins_after_the_turn_has_ended_is_not_told_beside_it(
    time: TimeControl, alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, time=time, now=timezone.now())
    first = timezone.localdate() + timedelta(days=30)
    take_holiday(alice, first, first + timedelta(days=2))
    for reader in (alice, bob):
        page = see(log_in(reader), game)
        assert "on this move" not in page.text
        # Of a game without a clock holidays are no matter.
        assert bool(page.find_all("ul", aria_label="Holidays")) is (not time.is_unlimited)


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        ("", "", "Enter a first and a last day."),
        (day(3), day(60), "You have 21 days of holidays left."),
        (day(-3), day(1), "A holiday cannot begin in the past."),
    ],
)
def test_a_refusal_keeps_what_was_typed(alice: User, log_in: LogIn, first: str, last: str, sentence: str) -> None:
    answer = log_in(alice).post("/holidays/", {"first": first, "last": last})
    assert answer.status_code in (400, 409)
    page = read(answer)
    assert sentence in page.text
    assert first in (page.find(id="first")["value"], "")
    assert not Holiday.objects.exists()


def test_a_person_chooses_whether_days_are_taken_by_themselves(alice: User, log_in: LogIn, client: Client) -> None:
    person = log_in(alice)
    assert person.post("/holidays/choose/", {"spends_itself": "yes"}).status_code == 302
    assert HolidayBook.objects.get(user=alice).spends_itself
    person.post("/holidays/choose/", {})
    assert not HolidayBook.objects.get(user=alice).spends_itself
    assert client.get("/holidays/").status_code == 302


@pytest.fixture
def slices(alice: User, bob: User) -> Game:
    """Return a game in which alice has moved after two days of holidays, one after the other, and bob is to move."""
    User.objects.filter(pk=alice.pk).update(date_joined=NOON - timedelta(days=400))
    game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=2)
    choose_holidays(alice, spends_itself=True, now=NOON)
    for days in (1, 2):
        assert spend_holiday(game.slug, number=due(game), now=NOON + timedelta(days=days))
    return take_turn(game, now=NOON + timedelta(days=2, hours=6))


@pytest.mark.parametrize("page", ["", "replay/"])
def test_the_slices_of_earlier_moves_stand_on_the_games_page_and_in_its_replay_for_everybody(
    slices: Game, alice: User, bob: User, carol: User, log_in: LogIn, page: str
) -> None:
    take_turn(slices, now=NOON + timedelta(days=2, hours=8))
    for reader, owner in ((alice, "Your holidays:"), (bob, "Holidays of alice:"), (carol, "Holidays of alice:")):
        seen = see(log_in(reader), slices, page)
        # The first day ran from a minute before alice's time was up, the second from its end to her move.
        assert "took 23 h 59 min, 1 d 6 h of holidays" in seen.text
        assert "took 2 h" in seen.text
        assert seen.text.count("of holidays") == 1, "it was alice who was away, in one turn"
        (ledger,) = seen.find_all("ul", aria_label="Holidays")
        lines = [line.text for line in ledger.find_all("li")]
        assert [line.partition(" from")[0] for line in lines] == [owner, owner]


@pytest.mark.parametrize("page", ["", "replay/"])
def test_of_holidays_to_come_only_those_who_sit_there_are_told(
    alice: User, bob: User, carol: User, log_in: LogIn, page: str
) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(3), now=timezone.now())
    first = timezone.localdate() + timedelta(days=2)
    take_holiday(alice, first, first)
    assert "Holidays of alice:" in see(log_in(bob), game, page).text
    for browser in (log_in(carol), Client(), spoken(log_in(carol))):
        seen = see(browser, game, page).text
        assert "olidays of alice" not in seen
        assert "alice's holidays" not in seen
