"""Playing a bot's turn: read, think outside any transaction, play through the same action as people do.

What takes long is thought about in a worker's thinker (`games.bots.thinker`), which lets others go first.
"""

import logging
import math
import time
from dataclasses import dataclass, replace

from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.base.access import BotSeat
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.protocol import Answer, dice
from games.bots.factory import make_engine
from games.bots.limit import OutOfThinkingTime, time_limit
from games.bots.reasons import EXPLAINED, ReasonFinder
from games.bots.strong import get_ready
from games.bots.thinker import think_in_subprocess
from games.errors import BadRequest, NotFound, NotYourTurn, StaleGame, WrongStatus
from games.lines.entries import LINES
from games.lines.matching import nearest_on
from games.queries.tables.turns import BotTurn, bot_turn
from games.roster.entries import PRIOR, RANDOM, SEARCH, Bot
from games.roster.offered import offered_bots
from games.rules import Placement
from games.rules.records import Thinking
from games.table.moves import BOT_KEY

logger = logging.getLogger(__name__)

#: Seconds of CPU time after which an engine is stopped and a greedy placement is played instead. The slowest bot takes
#: some ten for its longest thinks, on triangles.
THINKING_SECONDS, SLOW_THINKING_SECONDS = 10.0, 30.0

#: Seconds of CPU time after which a move is played without reasons. They usually take a hundredth of one.
EXPLAINING_SECONDS = 2.0

#: An engine that has ended this number of workers is not asked again about that move.
TRUSTED_TRIES = 2

#: What a move is said to come from where the bot failed, and where it was told which opening to follow.
FALLBACK, OPENING = "fallback", "opening"
_LARGEST = 2**31 - 1


@dataclass(frozen=True)
class BotChoice:
    """A placement, and how the bot came to it."""

    placement: Placement
    thinking: Thinking


def play_turn(game_id: int, number: int, *, tries: int = 0, is_step: bool = False) -> bool:
    """Play the bot's move of that number; return False if it is no longer due.

    Safe to repeat and to run twice at once: the action knows the move by its key and by its number. `tries`
    have failed before. A paused game has a move to play only if it `is_step`.
    """
    turn = bot_turn(game_id, number, is_step)
    if turn is None:
        return False
    try:
        _play(BotSeat(game_id, turn.seat, turn.pause_version), turn, number, tries)
    except (NotFound, NotYourTurn, StaleGame, WrongStatus):
        return False
    except BadRequest as error:
        # The other delivery of this turn was quicker and, at its time limit, chose otherwise.
        if error.code != "key-used":
            raise
        return False
    return True


def _play(actor: BotSeat, turn: BotTurn, number: int, tries: int) -> None:
    key = f"{BOT_KEY}{number}"
    if not turn.position.has_legal():
        pass_turn(actor, turn.slug, number=number, key=key)
        return
    choice = think_in_subprocess(choose_with_reasons, turn, number, tries)
    thought, placement = choice.thinking, choice.placement
    outcome = play_placement(actor, turn.slug, placement=placement, number=number, key=key, thought=thought)
    if not outcome.is_repeat:
        _log(turn, number, thought)


def choose_with_reasons(turn: BotTurn, number: int, tries: int = 0) -> BotChoice:
    """Return what `choose` does, with what speaks for it (`choice_reasons`)."""
    choice = choose(turn, number, tries=tries)
    return replace(choice, thinking=replace(choice.thinking, reasons=choice_reasons(turn, choice)))


def choice_reasons(turn: BotTurn, choice: BotChoice) -> tuple[tuple[str, str, int], ...]:
    """Return what speaks for a bot's placement, as it is kept: at most three merits, the strongest first.

    Nothing for a placement that was drawn at random. Takes 2 to 10 ms, after the bot has thought; where it fails or
    takes too long, the move is played all the same, without reasons.
    """
    if choice.thinking.engine == RANDOM:
        return ()
    try:
        with time_limit(EXPLAINING_SECONDS):
            finder = ReasonFinder(turn.position)
            reasons = finder.reasons_for(choice.placement, finder.some_others(), EXPLAINED)
        return tuple((reason.effect, reason.colour, reason.count) for reason in reasons)
    except OutOfThinkingTime:
        logger.warning("No reasons within %s s of CPU for a move of %s.", EXPLAINING_SECONDS, turn.slug)
    except Exception:
        logger.exception("No reasons for a move of %s.", turn.slug)
    return ()


def _log(turn: BotTurn, number: int, thinking: Thinking) -> None:
    line = "Bot move: bot=%s engine=%s level=%d simulations=%d ms=%d value=%s game=%s move=%d"
    value = "-" if thinking.value is None else f"{thinking.value:.3f}"
    about = thinking.engine, thinking.level, thinking.simulations, thinking.milliseconds, value
    logger.info(line, turn.bot, *about, turn.slug, number)


def choose(turn: BotTurn, number: int, *, tries: int = 0, seconds: float | None = None) -> BotChoice:
    """Return the engine's choice, or the greedy engine's if it raises, breaks the rules or overruns.

    As long as the opening that the bot was told to begin with goes on, the next piece of it is chosen instead.
    Greedy thinks by the rules alone, in no time: whatever broke the engine does not break it. One that has failed too
    often to be asked again is not. `seconds` limit its thinking otherwise than usual.
    """
    began = time.process_time()
    bot = offered_bots().get(turn.bot)
    if bot is None:
        logger.error("There is no bot %s any more: a greedy one plays on.", turn.bot)
    elif placement := _next_of_opening(turn, number):
        return BotChoice(placement, _thinking(OPENING, bot, Answer(placement), turn.seat, began))
    elif tries >= TRUSTED_TRIES:
        logger.error("Bot %s is not asked about move %s of %s again.", turn.bot, number, turn.slug)
    elif choice := _chosen(bot, turn, number, seconds or (SLOW_THINKING_SECONDS if bot.is_slow else THINKING_SECONDS)):
        return choice
    simple = GreedyEngine().think(turn.position, seed=turn.seed, number=number)
    return BotChoice(simple.placement, _thinking(FALLBACK, bot, simple, turn.seat, began))


def _next_of_opening(turn: BotTurn, number: int) -> Placement | None:
    """Return the next piece of the opening that the bot was told to begin with, None where it does not go on."""
    line = LINES.get(turn.opening)
    nearest = nearest_on(turn.position, line) if line else ()
    return dice(turn.seed, number).choice(nearest) if nearest else None


def _chosen(bot: Bot, turn: BotTurn, number: int, seconds: float) -> BotChoice | None:
    try:
        if bot.family in (PRIOR, SEARCH):
            get_ready(turn.position)
        began = time.process_time()
        with time_limit(seconds):
            engine = make_engine(bot.simulating(turn.simulations).thinking_for(turn.seconds))
            answer = engine.think(turn.position, seed=turn.seed, number=number)
        turn.position.check(answer.placement)
        return BotChoice(answer.placement, _thinking(bot.family or bot.name, bot, answer, turn.seat, began))
    except OutOfThinkingTime:
        logger.warning(
            "Bot %s thought longer than %s s of CPU about move %s of %s.", turn.bot, seconds, number, turn.slug
        )
    except Exception:
        logger.exception("Bot %s failed at move %s of %s.", turn.bot, number, turn.slug)
    return None


def _thinking(engine: str, bot: Bot | None, answer: Answer, seat: int, began: float) -> Thinking:
    """Return what is kept of an answer. An engine that reports nonsense about itself is not believed."""
    value = float(answer.values[seat]) if len(answer.values) else math.nan
    return Thinking(
        engine=engine,
        level=(bot.level if bot else None) or 0,
        simulations=min(max(0, int(answer.simulations)), _LARGEST),
        milliseconds=round(1000 * (time.process_time() - began)),
        value=min(max(0.0, value), 1.0) if math.isfinite(value) else None,
    )
