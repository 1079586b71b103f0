"""What bots thought at their moves, and what it cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce

from games.models import Game, Status, Thought
from games.rules.records import Thinking


@dataclass(frozen=True)
class Cost:
    """What all thoughts of a game took: how many there were, their simulations, and milliseconds of CPU."""

    moves: int
    simulations: int
    milliseconds: int


def cost_of(game_id: int) -> Cost:
    """Return what the bots of a game have taken so far. One query."""
    sums = {name: Coalesce(Sum(name), 0) for name in ("simulations", "milliseconds")}
    return Cost(**Thought.objects.filter(move__game=game_id).aggregate(moves=Count("pk"), **sums))


def thoughts_of(game: Game) -> Mapping[int, Thinking]:
    """Return what was thought at each move of a finished game that a bot thought about. One query if bots played.

    Nothing while the game goes on.
    """
    if game.status != Status.FINISHED or not any(player.bot for player in game.players.all()):
        return {}
    rows = Thought.objects.filter(move__game=game)
    columns = ("move__number", "engine", "level", "simulations", "milliseconds", "value")
    return {number: Thinking(*row) for number, *row in rows.values_list(*columns)}
