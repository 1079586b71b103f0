"""Rated games that are over."""

from typing import Any

from accounts.models import User
from games.actions.moves.resign import resign
from games.models import Game
from tests.games.tables import NOON, fresh, running


def lost(loser: User, winner: User, **terms: Any) -> Game:
    """Return a game of Duo that the one has resigned."""
    game = running(loser, winner, variant="duo", **terms)
    resign(loser, game.slug, now=NOON)
    return fresh(game)
