"""Rated games that are over, and programs that read of them."""

from typing import Any

from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.moves.resign import resign
from games.models import Game
from tests.games.api.conftest import Program
from tests.games.tables import NOON, fresh, running


def lost(loser: User, winner: User, **terms: Any) -> Game:
    """Return a game of Duo that the one has resigned."""
    game = running(loser, winner, variant="duo", **terms)
    resign(loser, game.slug, now=NOON)
    return fresh(game)


def program(user: User) -> Program:
    """Return a program that acts for a person."""
    return Program(make_token(user, "ratings", tuple(Scope), timezone.now()))
