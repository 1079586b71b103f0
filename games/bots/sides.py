"""How a bot chooses its side where the opening pieces of both were named: by a short search of its engine.

The search is one of the position before the first move: its value says how often either side wins. It runs in a worker,
outside any transaction; what the bot has chosen is stored by the action that starts the game.
"""

import logging
from collections.abc import Sequence

from games.actions.tables.choose_side import choose_side
from games.bots.factory import make_engine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.bots.strong import get_ready
from games.bots.thinker import think_in_subprocess
from games.errors import NotFound
from games.queries.tables.turns import SideChoice, side_to_choose
from games.roster.entries import Bot
from games.roster.offered import offered_bots
from games.roster.sides import better_seat
from games.rules import Position, get_variant

logger = logging.getLogger(__name__)

#: How many games a bot simulates to choose its side: as many as at a move, but no fewer and no more than these. It is
#: one choice for a whole game.
LEAST_FOR_A_SIDE, MOST_FOR_A_SIDE = 1000, 4000
#: Seconds of CPU time after which the side of the better measured worth is taken.
CHOOSING_SECONDS = 10.0


def take_side(game_id: int) -> bool:
    """Choose the side of the bot for which a table waits, and start the game; return whether that was done.

    Safe to repeat and to run twice at once: whoever is first starts the game.
    """
    choice = side_to_choose(game_id)
    if choice is None:
        return False
    seat = think_in_subprocess(find_side, choice)
    try:
        return choose_side(choice.slug, bot=choice.bot, seat=seat)
    except NotFound:
        return False


def find_side(choice: SideChoice) -> int:
    """Return the seat that a bot wants, or that of the better measured worth if its engine fails or overruns."""
    bot, usual = offered_bots().get(choice.bot), better_seat(get_variant(choice.variant))
    if bot is None or not bot.most_simulations:
        return usual
    try:
        get_ready(Position.start(choice.variant))
        with time_limit(CHOOSING_SECONDS):
            return searched_side(bot.simulating(choice.simulations), choice.variant, choice.seed)
    except OutOfThinkingTime:
        logger.warning("Bot %s did not choose a side within %s s of CPU.", bot.name, CHOOSING_SECONDS)
    except Exception:
        logger.exception("Bot %s failed to choose a side of %s.", bot.name, choice.slug)
    return usual


def searched_side(bot: Bot, variant: str, seed: int) -> int:
    """Return the seat that a bot's search takes for the better one; the same for the same seed."""
    chances = chances_of_sides(bot, variant, seed)
    return max(range(len(chances)), key=chances.__getitem__)


def chances_of_sides(bot: Bot, variant: str, seed: int) -> Sequence[float]:
    """Return how often each seat wins before the first move, as far as a short search of the bot's engine tells."""
    games = min(max(bot.simulations, LEAST_FOR_A_SIDE), MOST_FOR_A_SIDE)
    engine = make_engine(bot.simulating(games))
    return engine.think(Position.start(variant), seed=seed, number=0).values
