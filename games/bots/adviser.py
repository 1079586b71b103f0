"""Advice: thinking about the turn of a player who has asked for it, in a worker."""

import logging

from django.conf import settings

from games.actions.analysis.keep_advice import keep_advice
from games.bots.limit import OutOfThinkingTime, time_limit
from games.bots.reasons import ReasonFinder
from games.bots.strong import get_ready, strong_engine
from games.bots.thinker import think_in_subprocess
from games.findings import RatedPlacement
from games.queries.analysis.advising import position_to_advise
from games.rules import Position

logger = logging.getLogger(__name__)

#: Placements shown.
BEST = 3
#: Seconds of CPU time after which nothing could be found.
ADVISING_SECONDS = 15.0


def find_advice(player_id: int, number: int) -> bool:
    """Think about the player's move of that number; return False if it is no longer wanted. Safe to repeat."""
    position = position_to_advise(player_id, number)
    return position is not None and keep_advice(
        player_id, number, think_in_subprocess(find_placements, position, number)
    )


def fail_advice(player_id: int, number: int) -> None:
    """Answer that nothing was found about a move, because its jobs have killed their workers."""
    keep_advice(player_id, number, ())


def find_placements(position: Position, number: int) -> list[RatedPlacement]:
    """Return the best placements, none where the engine fails."""
    try:
        get_ready(position)
        with time_limit(ADVISING_SECONDS):
            return good_placements(position, number)
    except OutOfThinkingTime:
        logger.warning("No advice within %s s of CPU about move %s.", ADVISING_SECONDS, number)
    except Exception:
        logger.exception("No advice about move %s.", number)
    return []


def good_placements(position: Position, number: int) -> list[RatedPlacement]:
    """Return the best placements of the colour to play, best first, each with what speaks for it."""
    answer = strong_engine(settings.HINT_SIMULATIONS).think(position, seed=0, number=number)
    finder = ReasonFinder(position)
    others = finder.some_others()
    return [
        RatedPlacement(str(candidate.placement), candidate.value, finder.reasons_for(candidate.placement, others))
        for candidate in answer.candidates[:BEST]
    ]
