"""Getting the engines ready before the first turn: what they import and compile is paid for once, before forking."""

import logging
import time

from games.bots.registry import Bot, engines
from games.rules import Position

logger = logging.getLogger(__name__)

#: The smallest board for two and the usual one for four.
BOARDS = ("duo", "blockyou-4")


def warm_up() -> None:
    """Let one bot of each family think of a first move. Not for web processes; takes seconds the first time of all."""
    began = time.monotonic()
    for bot in _one_of_each():
        try:
            for board in BOARDS:
                bot.make().think(Position.start(board), seed=0, number=1)
        except Exception:
            # Its turns will say so again, and the greedy engine plays them.
            logger.exception("Bot %s does not warm up.", bot.name)
    logger.info("The engines were ready after %.1f s.", time.monotonic() - began)


def _one_of_each() -> list[Bot]:
    """Return of every family the bot that thinks least, but no slow one: compiling it is the same."""
    quick = sorted((bot for bot in engines().values() if not bot.is_slow), key=lambda bot: -bot.simulations)
    return list({bot.family or bot.name: bot for bot in quick}.values())
