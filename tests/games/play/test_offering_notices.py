"""Notices are offered to a player who has moved and waits for people, once for each login."""

import random

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from games.clock import TimeControl
from games.models import Game
from tests.games.play.pages import read
from tests.games.tables import ME, advance, bot, open_table, running

pytestmark = pytest.mark.django_db
OFFER = 'class="offer '


def is_offered(client: Client, game: Game, part: str = "") -> bool:
    return OFFER in client.get(f"/games/{game.slug}/{part}").content.decode()


@pytest.fixture
def alices(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


@pytest.mark.parametrize("time", [None, 3])
def test_notices_are_offered_after_the_first_move(alices: Client, alice: User, bob: User, time: int | None) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(time))
    assert not is_offered(alices, game)
    game = advance(game, random.Random(1))
    assert is_offered(alices, game)
    assert is_offered(alices, game, "board/")
    assert not is_offered(alices, advance(game, random.Random(1)))


def test_nothing_of_the_offer_is_seen_until_a_script_says_what(alices: Client, alice: User, bob: User) -> None:
    game = advance(running(alice, bob), random.Random(1))
    offer = read(alices.get(f"/games/{game.slug}/board/")).find("aside", class_="offer")
    parts = [offer, *(part for part in offer.walk() if "data-when" in part.attributes)]
    assert len(parts) == 6
    assert all("hidden" in part.attributes for part in parts)


def test_they_are_not_offered_to_who_has_not_moved_or_looks_on(
    client: Client, alice: User, bob: User, eve: User
) -> None:
    game = advance(running(alice, bob), random.Random(1))
    for user in (bob, eve):
        client.force_login(user)
        assert not is_offered(client, game)
    client.logout()
    assert not is_offered(client, game)


def test_they_are_not_offered_against_bots_nor_in_a_game_of_one_evening(alices: Client, alice: User, bob: User) -> None:
    alone = advance(open_table(alice, ME, bot()), random.Random(1))
    evening = advance(running(alice, bob, time=TimeControl.days_a_move(1)), random.Random(1))
    assert (is_offered(alices, alone), is_offered(alices, evening)) == (False, True)
    Game.objects.filter(pk=evening.pk).update(time_initial=1800, time_increment=30, time_cap=3600)
    assert not is_offered(alices, evening)


def test_an_answer_is_kept_and_the_page_knows_that_it_has_changed(alices: Client, alice: User, bob: User) -> None:
    game = advance(running(alice, bob), random.Random(1))
    tag = alices.get(f"/games/{game.slug}/board/")["ETag"]
    alices.post("/device/stop/")
    assert alices.get(f"/games/{game.slug}/board/", headers={"If-None-Match": tag}).status_code == 200
    assert not is_offered(alices, game)


def test_a_site_without_a_key_offers_none(alices: Client, alice: User, bob: User, settings: Settings) -> None:
    settings.PUSH_KEY = ""
    assert not is_offered(alices, advance(running(alice, bob), random.Random(1)))
    assert alices.get("/device/").json()["key"] == ""
