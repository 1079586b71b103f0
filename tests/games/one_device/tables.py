"""Games on one device to test with, and what their page shows."""

import random
from typing import Any

from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.actions.moves.play_placement import play_placement
from games.actions.tables.create_game import create_game
from games.base import access, positions
from games.base.setup import GameSetup, SeatSetup
from games.models import Game
from games.rules import Position
from tests.games.tables import NOON, any_placement, due, fresh, key

ADA = SeatSetup(kind="me", local_name="Ada")
BEA = SeatSetup(kind="local", local_name="Bea")
CLEO = SeatSetup(kind="local", local_name="Cleo")


def shared_setup(*seats: SeatSetup, **settings: Any) -> GameSetup:
    """Return what is asked for at a table on one device, where its host plays first."""
    return GameSetup(
        seats=seats, **{"variant": f"blockyou-{len(seats)}", "is_public": False, "is_shuffled": False, **settings}
    )


def shared_game(host: User, *seats: SeatSetup, **settings: Any) -> Game:
    """Return a game on one device, of Ada and Bea unless others are named."""
    return create_game(host, shared_setup(*(seats or (ADA, BEA)), **settings), now=NOON)


def play_next(game: Game, chance: int = 1) -> Game:
    """Let whoever is to play at the device place something."""
    game = fresh(game)
    text = any_placement(positions.position_of(game), random.Random(chance + game.move_count))
    return play_placement(game.creator, game.slug, placement=text, number=due(game), key=key(), now=NOON).game


def play_to_end(game: Game) -> Game:
    """Play a game on one device by chance to its end."""
    while (game := play_next(game)).turn_seat is not None:
        pass
    return fresh(game)


def position_of(game: Game) -> Position:
    return positions.position_of(fresh(game))


def next_player(game: Game) -> str:
    """Return the name of the person who plays next at the device."""
    player = access.seat_at_device(fresh(game))
    return player.local_name if player else ""


def shown(browser: Client, game: Game) -> str:
    return browser.get(reverse("game", args=[game.slug])).content.decode()


def take(browser: Client, game: Game) -> None:
    """Press the button of the next player."""
    address = reverse("game-hand", args=[game.slug])
    assert browser.post(address, {"number": due(fresh(game))}).status_code == 302


def send(browser: Client, game: Game, where: str, **fields: Any) -> Any:
    """Send a form of the game's page for the move that is due."""
    return browser.post(reverse(where, args=[game.slug]), {"number": due(fresh(game)), **fields})


def any_text(game: Game) -> str:
    """Return something that the next player can place."""
    return any_placement(position_of(game), random.Random(3))
