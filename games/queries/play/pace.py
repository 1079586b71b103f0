"""How long a bot usually takes for a move, as players experience it: with the wait for a worker."""

from collections.abc import Sequence
from itertools import pairwise
from statistics import median

from games.models import Kind
from games.queries.play.moves import MoveRow
from games.roster.offered import offered_bots

#: Simulated games a second: level 9 was measured to play its 16,000 in two seconds (docs/bots.md).
_SIMULATIONS = 8000
#: After how many moves of a bot its usual time is taken from the game itself.
_ENOUGH = 2
#: Seconds beyond which a game has been paused or its workers were away: nothing that is usual.
_LONGEST = 120


def usual_seconds(bot: str, seat: int, moves: Sequence[MoveRow]) -> int:
    """Return the whole seconds that the bot of a seat usually takes, 0 for less than one or where nothing is known.

    They are the median of its moves in this game, which depends on the machine and its load; at first what was measured
    once for as many simulations.
    """
    taken = [
        (move.played_at - before.played_at).total_seconds()
        for before, move in pairwise(moves)
        if move.seat == seat and move.bot == bot and move.kind == Kind.PLACE and before.played_at and move.played_at
    ]
    if len(taken) >= _ENOUGH:
        usual = median(taken)
        return round(usual) if usual <= _LONGEST else 0
    known = offered_bots().get(bot)
    return round(known.simulations / _SIMULATIONS) if known else 0
