"""What bots thought at their moves, and what it cost."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.db.models import Count, Sum
from django.db.models.functions import Coalesce

from games.base.terms import explains_in_play
from games.models import Game, Status, Thought
from games.rules.records import SeatedBot, Thinking


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
    """Return what was thought at each move that a bot thought about. One query if bots play.

    Nothing while the game goes on, unless its table lets the bots explain themselves.
    """
    if not is_explained(game) or not any(player.bot for player in game.players.all()):
        return {}
    rows = Thought.objects.filter(move__game=game).values_list("move__number", *_COLUMNS)
    return {number: _thinking(*row) for number, *row in rows}


def thought_at(slug: str, number: int) -> Thinking | None:
    """Return what a bot thought at the move of that number, None where nothing is kept of it. One query.

    Not checked: whether it may be told by now (`is_explained`).
    """
    row = Thought.objects.filter(move__game__slug=slug, move__number=number).values_list(*_COLUMNS).first()
    return _thinking(*row) if row else None


def is_explained(game: Game) -> bool:
    """Return whether what bots thought may be told by now: the game is over, or its table allows it before."""
    return game.status == Status.FINISHED or explains_in_play(game)


def bots_of(game: Game) -> Mapping[int, SeatedBot]:
    """Return what the bots' seats of a game were opened with, by seat (needs the players fetched).

    Nothing where their moves are not explained by now: by its seed a bot's next move could be found out.
    """
    if not is_explained(game):
        return {}
    return {
        player.seat: SeatedBot(player.bot, player.bot_seed, player.bot_simulations, player.bot_seconds)
        for player in game.players.all()
        if player.bot
    }


_COLUMNS = ("engine", "level", "simulations", "milliseconds", "value", "reasons")


def _thinking(
    engine: str,
    level: int,
    simulations: int,
    milliseconds: int,
    value: float | None,
    reasons: list[tuple[str, str, int]] | None,
) -> Thinking:
    kept = tuple((effect, colour, count) for effect, colour, count in reasons or ())
    return Thinking(engine, level, simulations, milliseconds, value, kept)
