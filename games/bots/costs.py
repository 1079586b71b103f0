"""What the bots of a game have cost the workers, said in the log when it is over."""

import logging

from games.events import GameFinished
from games.queries.play.bot_thoughts import cost_of

logger = logging.getLogger(__name__)


def log_costs(event: GameFinished) -> None:
    """Log what the bots of a finished game cost; nothing if none thought. One query."""
    cost = cost_of(event.game_id)
    if cost.moves:
        about = cost.moves, cost.simulations, cost.milliseconds, event.slug
        logger.info("Bots of a game: moves=%d simulations=%d ms=%d game=%s", *about)
