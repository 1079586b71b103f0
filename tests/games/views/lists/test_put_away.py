"""Games against bots that are left alone for two weeks are put away until their player opens them."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup, SeatSetup
from games.models import Game
from tests.conftest import LogIn
from tests.games.tables import fresh, running

BOTS = (SeatSetup(kind="me"), SeatSetup(kind="bot", bot="greedy", seed=1))


def left_alone(game: Game, days: int = 15) -> Game:
    """Let the turn that is due be that old."""
    Game.objects.filter(pk=game.pk).update(turn_since=timezone.now() - timedelta(days=days))
    return fresh(game)


@pytest.fixture
def alone(alice: User) -> Game:
    setup = GameSetup(variant="duo", seats=BOTS, is_public=False, is_shuffled=False, name="alone")
    return left_alone(create_game(alice, setup))


def lists(client: Client) -> tuple[str, str]:
    """Return the page of my games before the games that are put away, and those."""
    before, _, away = client.get("/games/").content.decode().partition('<details id="put-away"')
    return before, away


def test_a_game_left_alone_is_put_away_and_waits_for_no_one(alone: Game, alice: User, log_in: LogIn) -> None:
    before, away = lists(log_in(alice))
    assert (alone.slug in before, alone.slug in away) == (False, True)
    assert 'data-count="0"' in before
    assert alone.slug in log_in(alice).get("/games/?show=away").content.decode()


def test_it_is_back_once_it_has_been_opened(alone: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.get(f"/games/{alone.slug}/")
    before, away = lists(client)
    assert (alone.slug in before, away) == (True, "")
    assert 'data-count="1"' in before


def test_nothing_of_it_is_lost(alone: Game, alice: User, log_in: LogIn) -> None:
    stored = Game.objects.values().get(pk=alone.pk)
    client = log_in(alice)
    assert "alone" in client.get(f"/games/{alone.slug}/").content.decode()
    assert Game.objects.values().get(pk=alone.pk) == stored


@pytest.mark.parametrize("change", [{"is_public": True}, {"deadline": timezone.now()}])
def test_only_private_games_without_a_clock_are_put_away(
    change: dict[str, object], alone: Game, alice: User, log_in: LogIn
) -> None:
    Game.objects.filter(pk=alone.pk).update(**change)
    assert lists(log_in(alice))[1] == ""


def test_no_game_with_another_person_is_put_away(alice: User, bob: User, log_in: LogIn) -> None:
    game = left_alone(running(alice, bob, is_public=False))
    before, away = lists(log_in(alice))
    assert (game.slug in before, away) == (True, "")


def test_a_game_is_put_away_after_two_weeks_and_not_before(alone: Game, alice: User, log_in: LogIn) -> None:
    left_alone(alone, days=13)
    assert lists(log_in(alice))[1] == ""


def test_next_does_not_lead_to_a_game_that_is_put_away(alone: Game, alice: User, bob: User, log_in: LogIn) -> None:
    here, there = running(alice, bob), running(alice, bob)
    text = log_in(alice).get(f"/games/{here.slug}/").content.decode()
    assert (f"/games/{alone.slug}/" in text, f"/games/{there.slug}/" in text) == (False, True)
