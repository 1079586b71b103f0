"""A day that one player gives another, on their pages: one tap, and everybody reads it."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.kindness.give_day import give_day
from games.clock import TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element
from tests.games.spoken.words import HTMX, news, see, spoken
from tests.games.tables import due, fresh, place, running, take_turn

pytestmark = [pytest.mark.django_db, pytest.mark.database]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game in which alice has just moved, and bob has a day for his move."""
    now = timezone.now()
    return place(running(alice, bob, time=TimeControl.days_a_move(1), now=now), "1:a1", now=now).game


def give(client: Client, game: Game, *, is_plain: bool = True) -> Any:
    """Press the button, which has to be there."""
    form = see(client, game).find(id="give-day")
    fields = {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}
    return client.post(form["action"], fields, headers={} if is_plain else HTMX)


def told(page: Element) -> list[str]:
    """Return what the page says of given days for this turn."""
    return [line.text for line in page.find_all("p") if "a day." in line.text]


def test_a_day_is_given_by_one_tap_and_both_read_it(game: Game, clients: tuple[Client, Client]) -> None:
    alice, bob = clients
    before = fresh(game)
    assert see(bob, game).find_all(id="give-day") == [], "it is bob's own turn"
    # On a phone the button stands in the menu, and needs the same form.
    for page, count in zip([see(one, game) for one in clients], (1, 0), strict=True):
        assert len(page.find_all("button", form="give-day")) == (count if page.find_all("nav", id="menu") else 0)
    answer = give(alice, game)
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.slug}/")
    assert fresh(game).deadline == (before.deadline or timezone.now()) + timedelta(days=1)
    assert [told(see(one, game)) for one in clients] == [["You gave bob a day."], ["alice gave you a day."]]
    assert see(alice, game).find_all(id="give-day") == [], "each player has one"
    assert see(alice, game).find_all("button", form="give-day") == []


def test_an_open_page_says_aloud_who_gave_a_day(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    give(log_in(alice), game, is_plain=False)
    asked = f"board/?since={fresh(game).version - 1}"
    assert news(see(log_in(bob), game, asked, **HTMX)) == "alice gave you a day."


def test_the_history_keeps_a_given_day(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    give_day(alice, game.slug, number=due(game))
    take_turn(game, now=timezone.now())
    told = f"You gave bob a day for move {due(game)}."
    history = see(log_in(alice), game).text
    assert "with 1 given day" in history
    assert told in see(spoken(log_in(alice)), game).find(id="moves").text


@pytest.mark.parametrize("page", ["", "replay/"])
def test_whoever_sees_the_game_reads_who_gave_a_day_for_an_earlier_move(
    game: Game, alice: User, bob: User, carol: User, log_in: LogIn, page: str
) -> None:
    give_day(alice, game.slug, number=due(game))
    number = due(game)
    take_turn(game, now=timezone.now())
    for reader, sentence in (
        (alice, f"You gave bob a day for move {number}."),
        (bob, f"alice gave you a day for move {number}."),
        (carol, f"alice gave bob a day for move {number}."),
    ):
        (days,) = see(log_in(reader), game, page).find_all("ul", aria_label="Given days")
        assert [line.text for line in days.find_all("li")] == [sentence]


def test_watchers_and_pages_without_a_clock_have_no_such_button(game: Game, carol: User, log_in: LogIn) -> None:
    assert see(log_in(carol), game).find_all(id="give-day") == []
    assert see(Client(), game).find_all(id="give-day") == []


def test_a_refusal_is_a_sentence_on_the_page(game: Game, bob: User, log_in: LogIn) -> None:
    answer = log_in(bob).post(f"/games/{game.slug}/give-day/", {"number": due(game)})
    assert answer.status_code == 409
    assert "Only the other players can give you a day." in answer.content.decode()
