"""D6: every turn begins and ends by the database's clock, however wrong that of the process is which takes the move."""

import random
from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.base.positions import position_of
from games.clock import TimeControl
from games.models import Game, Player
from games.queries.present import database_now
from tests.games.tables import (
    ME,
    OPEN,
    any_placement,
    due,
    fresh,
    key,
    large_first,
    open_table,
    place,
    play_out,
    player_to_move,
    running,
)

A_DAY = TimeControl.days_a_move(1)
Act = Callable[[], object]
#: More than the difference between two readings of one clock.
A_MINUTE = timedelta(minutes=1)


def placing(alice: User, bob: User, _carol: User) -> tuple[Game, Act]:
    game = running(alice, bob, time=A_DAY)
    text = any_placement(position_of(game), random.Random(1))
    return game, lambda: play_placement(alice, game.slug, placement=text, number=1, key=key())


def passing(alice: User, bob: User, _carol: User) -> tuple[Game, Act]:
    game = running(alice, bob, time=A_DAY, declares_passes=True)
    rng, position = random.Random(4), position_of(game)
    while position.has_legal():
        game = place(game, large_first(position, rng)).game
        position = position_of(game)
    user = player_to_move(game)
    return game, lambda: pass_turn(user, game.slug, number=due(game), key=key())


def resigning(alice: User, bob: User, carol: User) -> tuple[Game, Act]:
    game = running(alice, bob, carol, time=A_DAY, stand_in="")
    return game, lambda: resign(alice, game.slug)


def sitting_down(alice: User, bob: User, _carol: User) -> tuple[Game, Act]:
    game = open_table(alice, ME, OPEN, time=A_DAY)
    return game, lambda: join_game(bob, game.slug, token=game.invite_token)


def letting_bots_sit_down(alice: User, bob: User, _carol: User) -> tuple[Game, Act]:
    game = open_table(alice, ME, OPEN, OPEN, time=A_DAY)
    join_game(bob, game.slug, token=game.invite_token)
    return game, lambda: fill_seats(alice, game.slug, bot="random")


def coming_back(alice: User, bob: User, carol: User) -> tuple[Game, Act]:
    game = play_out(running(alice, bob, carol, time=A_DAY), turns=3)
    Player.objects.filter(game=game, seat=0).update(missed=2)
    return game, lambda: come_back(alice, game.slug)


@pytest.mark.parametrize("off", [timedelta(hours=-1), timedelta(hours=1), timedelta(days=20_000)], ids=str)
@pytest.mark.parametrize("beginning", [placing, passing, resigning, sitting_down, letting_bots_sit_down, coming_back])
def test_a_turn_that_begins_lasts_as_long_as_agreed(
    alice: User,
    bob: User,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
    beginning: Callable[[User, User, User], tuple[Game, Act]],
    off: timedelta,
) -> None:
    game, act = beginning(alice, bob, carol)
    real: Callable[[], datetime] = timezone.now
    monkeypatch.setattr(timezone, "now", lambda: real() + off)
    act()
    game = fresh(game)
    assert game.turn_since
    assert game.deadline
    assert abs(game.turn_since - database_now()) < A_MINUTE
    assert abs(game.deadline - database_now() - timedelta(days=1)) < A_MINUTE
