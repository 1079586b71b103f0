"""A person's own holidays: their page, and the table that reads of them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.clock import TimeControl
from games.models import Holiday, HolidayBook
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.spoken.words import see, spoken
from tests.games.tables import running

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
