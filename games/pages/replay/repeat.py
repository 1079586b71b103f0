"""How a new table for the same game of bots is asked for."""

from typing import TYPE_CHECKING
from urllib.parse import urlencode

from games.roster.entries import character_and_level
from games.roster.sides import even_ids
from games.rules.variants import SIZED, get_variant
from games.values import Status
from games.words import ladder

if TYPE_CHECKING:
    from games.models import Game


def repeat_query(game: "Game") -> str:
    """Return the query of an address that opens a table at which the same bots repeat the game, once it is over.

    Empty where people sit, for they do not repeat themselves, and where a bot can no longer be seated.
    """
    players = list(game.players.all())
    if game.status != Status.FINISHED or not all(ladder.bot_named(player.bot) for player in players):
        return ""
    asked = {**asked_table(game), "dealing": "set", "is_paused": "on"}
    for player in players:
        asked |= asked_bot(player.seat, player.bot) | {f"seat-{player.seat}-seed": str(player.bot_seed)}
        if player.bot_opening:
            asked[f"seat-{player.seat}-opening"] = player.bot_opening
        if player.bot_simulations:
            asked[f"seat-{player.seat}-simulations"] = str(player.bot_simulations)
        if player.bot_seconds:
            asked[f"seat-{player.seat}-seconds"] = str(player.bot_seconds)
    return urlencode(asked)


def asked_table(game: "Game") -> dict[str, str]:
    """Return how the form of a new table asks for the same board, scoring and colours, by the names of its fields."""
    variant = get_variant(game.variant)
    asked = {"variant": variant.family, "scoring": game.scoring}
    asked |= {f"seat-{seat}-colour": colour for seat, colour in enumerate(game.colours)}
    if variant.family in SIZED:
        asked |= {"size": str(variant.width), "seed": game.variant.rpartition(":")[2] if ":" in game.variant else "0"}
    # A rated game with an even pair is what is usual, and draws another one.
    is_usual = game.is_rated and game.variant in even_ids(variant.family)
    if variant.named_pieces and not is_usual:
        asked |= dict(zip(("first_piece", "second_piece"), variant.named_pieces, strict=True)) | {"freestyle": "own"}
    return asked


def asked_bot(seat: int, bot: str) -> dict[str, str]:
    """Return how the form asks for a bot in a seat, counted from 0."""
    character = character_and_level(bot)
    asked = {"": "bot", "-strength": str(character[1]) if character else bot}
    asked |= {"-character": character[0]} if character else {}
    return {f"seat-{seat}{part}": text for part, text in asked.items()}
