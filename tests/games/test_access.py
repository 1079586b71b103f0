"""The doors from a person to a game."""

from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser
from django.db import transaction

from accounts.models import User
from games.base import access
from games.base.access import BotSeat, game_to_change, game_to_play, game_to_view, may_view, seat_of
from games.errors import NotFound, NotSeated
from games.models import Game
from tests.games.tables import LINK, ME, OPEN, bot, invited, open_table, running

STRANGERS = ("mallory", "nobody")


@pytest.fixture
def people(alice: User, bob: User, carol: User, mallory: User) -> dict[str, User | AnonymousUser]:
    return {"alice": alice, "bob": bob, "carol": carol, "mallory": mallory, "nobody": AnonymousUser()}


@pytest.fixture
def private(people: dict[str, User], alice: User) -> Game:
    """A private table: alice has opened it, bob sits, carol is invited."""
    table = open_table(alice, ME, LINK, invited("carol"), is_public=False)
    table.players.filter(seat=1).update(user=people["bob"])
    return Game.objects.get(pk=table.pk)


@pytest.mark.parametrize("who", ["alice", "bob", "carol"])
def test_a_private_game_is_seen_by_its_people(people: dict[str, User], private: Game, who: str) -> None:
    assert game_to_view(people[who], private.slug) == private
    assert may_view(people[who], private)


@pytest.mark.parametrize("who", STRANGERS)
def test_a_private_game_and_no_game_are_the_same_to_strangers(people: dict[str, User], private: Game, who: str) -> None:
    answers = []
    for slug in (private.slug, "nosuchgame", "", "UPPER", "with-dash", "x" * 13, "\0", "é"):
        with pytest.raises(NotFound) as refused:
            game_to_view(people[who], slug)
        answers.append((refused.value, str(refused.value)))
    assert all(answer == answers[0] for answer in answers)


@pytest.mark.parametrize("who", STRANGERS)
def test_the_link_opens_a_private_game(people: dict[str, User], private: Game, who: str) -> None:
    assert game_to_view(people[who], private.slug, private.invite_token) == private
    for token in ("", "x", private.invite_token[:-1], private.invite_token + "x", "é", "\ud800", "\0"):
        with pytest.raises(NotFound):
            game_to_view(people[who], private.slug, token)


def test_the_link_of_another_game_opens_nothing(people: dict[str, User], private: Game, alice: User) -> None:
    other = open_table(alice, ME, OPEN)
    with pytest.raises(NotFound):
        game_to_view(people["mallory"], private.slug, other.invite_token)


def test_who_watches_the_bots_of_a_private_game_has_opened_it(alice: User, mallory: User) -> None:
    game = open_table(alice, bot(), bot(), is_public=False)
    assert may_view(alice, game)
    assert not may_view(mallory, game)


@pytest.mark.parametrize("who", STRANGERS)
def test_a_public_game_is_seen_by_all(people: dict[str, User], alice: User, who: str) -> None:
    game = open_table(alice, ME, OPEN)
    assert game_to_view(people[who], game.slug) == game


def test_only_who_sits_may_play(people: dict[str, User], alice: User, bob: User) -> None:
    game = running(alice, bob)
    with transaction.atomic():
        assert game_to_play(bob, game.slug) == game
        for who in STRANGERS:
            with pytest.raises(NotSeated):
                game_to_play(people[who], game.slug)


def test_who_is_invited_does_not_sit_yet(people: dict[str, User], private: Game) -> None:
    with transaction.atomic(), pytest.raises(NotSeated):
        game_to_play(people["carol"], private.slug)


def test_a_bot_plays_its_own_seat_in_private_too(alice: User) -> None:
    game = open_table(alice, ME, bot(), is_public=False)
    with transaction.atomic():
        assert game_to_play(BotSeat(game.pk, 1), game.slug) == game
        for seat in (BotSeat(game.pk, 0), BotSeat(game.pk + 1, 1), BotSeat(game.pk, 2)):
            with pytest.raises(NotFound):
                game_to_play(seat, game.slug)


def test_a_seat_is_found_by_its_user_or_bot_and_by_nobody_else(alice: User, mallory: User) -> None:
    game = open_table(alice, bot(), ME, OPEN)
    found = [seat_of(game, actor) for actor in (alice, BotSeat(game.pk, 0), mallory, AnonymousUser())]
    assert [player and player.seat for player in found] == [1, 0, None, None]


def test_a_door_costs_two_queries(alice: User, bob: User, django_assert_num_queries) -> None:  # type: ignore[no-untyped-def]
    game = running(alice, bob)
    with django_assert_num_queries(2):
        for player in game_to_view(alice, game.slug).players.all():
            assert player.user
    with transaction.atomic(), django_assert_num_queries(2):
        assert access.seat_of(game_to_change(alice, game.slug), alice)


def test_what_is_asked_of_the_players_of_a_game_stays_among_them(
    alice: User, bob: User, carol: User, django_assert_num_queries: Any
) -> None:
    game, other = running(alice, bob), running(bob, carol)
    found = game_to_view(alice, game.slug)
    with django_assert_num_queries(0):
        assert [player.game for player in found.players.all()] == [found, found]
        assert [player.user and player.user.username for player in found.players.all()] == ["alice", "bob"]
        assert found.players.count() == 2
    assert not found.players.filter(pk__in=other.players.values("pk")).exists()
    assert found.players.get(seat=1).user == bob
