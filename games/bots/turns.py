"""Playing a bot's turn: read, think outside any transaction, play through the same action as people do."""

import logging

from games.access import BotSeat
from games.actions.pass_turn import pass_turn
from games.actions.play_placement import play_placement
from games.bots.engines.protocol import Answer, Engine
from games.bots.engines.randomly import RandomEngine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.bots.registry import engines
from games.errors import BadRequest, NotFound, NotYourTurn, StaleGame, WrongStatus
from games.queries.turns import BotTurn, bot_turn

logger = logging.getLogger(__name__)

#: Seconds of real time after which an engine is stopped and a random placement is played instead.
THINKING_SECONDS = 10.0


def play_turn(game_id: int, number: int) -> bool:
    """Play the bot's move of that number; return False if there was none to play any more.

    Safe to repeat and to run twice at once: the action knows the move by its key and refuses an old version.
    """
    turn = bot_turn(game_id, number)
    if turn is None:
        return False
    try:
        _play(BotSeat(game_id, turn.seat), turn, number)
    except (NotFound, NotYourTurn, StaleGame, WrongStatus):
        return False
    except BadRequest as error:
        # The other delivery of this turn was quicker and, at its time limit, chose otherwise.
        if error.code != "key-used":
            raise
        return False
    return True


def _play(actor: BotSeat, turn: BotTurn, number: int) -> None:
    key = f"bot-turn-{number}"
    if turn.position.has_legal():
        placement = str(choose(turn, number).placement)
        play_placement(actor, turn.slug, placement=placement, version=turn.version, key=key)
    else:
        pass_turn(actor, turn.slug, version=turn.version, key=key)


def choose(turn: BotTurn, number: int, *, seconds: float = THINKING_SECONDS) -> Answer:
    """Return the engine's answer, or a random legal one if the engine raises, breaks the rules or overruns."""
    try:
        with time_limit(seconds):
            answer = _engine(turn.bot).think(turn.position, seed=turn.seed, number=number)
        turn.position.check(answer.placement)
    except OutOfThinkingTime:
        logger.warning("Bot %s thought longer than %s s about move %s of %s.", turn.bot, seconds, number, turn.slug)
    except Exception:
        logger.exception("Bot %s failed at move %s of %s.", turn.bot, number, turn.slug)
    else:
        return answer
    return RandomEngine().think(turn.position, seed=turn.seed, number=number)


def _engine(name: str) -> Engine:
    bot = engines().get(name)
    if bot is None:
        logger.error("There is no bot %s any more: a random one plays on.", name)
        return RandomEngine()
    return bot.make()
