"""States of games to look at, and games in which something rare is due."""

from dataclasses import asdict
from datetime import datetime, timedelta

from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.base import access
from games.clock import TimeControl
from games.models import Game
from games.queries.state import GameState, game_state
from games.queries.table import TableState
from tests.games.tables import NOON, large_first, play_out, running

LATER = NOON + timedelta(days=2)


def state(game: Game, user: access.Viewer | None = None, now: datetime = NOON) -> GameState:
    found = game_state(user or AnonymousUser(), game.slug, now=now)
    assert isinstance(found, GameState)
    return found


def table(game: Game, user: access.Viewer | None = None, token: str = "") -> TableState:
    found = game_state(user or AnonymousUser(), game.slug, token)
    assert isinstance(found, TableState)
    return found


def rights(found: GameState | TableState) -> set[str]:
    """Return the names of the viewer's rights."""
    return {name for name, holds in asdict(found.rights).items() if holds}


def two_late(alice: User, bob: User) -> Game:
    """Return a game of two in which alice was to move within a day."""
    return running(alice, bob, time=TimeControl.days_a_move(1))


def pass_due(alice: User, bob: User) -> Game:
    """Return a game in which the colour to play has to declare its pass."""
    game = play_out(running(alice, bob, declares_passes=True), 5, large_first, turns=1)
    while state(game).turn is not None:
        turn = state(game).turn
        if turn is not None and turn.is_blocked:
            return game
        game = play_out(game, game.move_count, large_first, turns=1)
    raise AssertionError("no pass was ever due")
