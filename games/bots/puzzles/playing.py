"""Games that bots play so that there is something to find puzzles in, each the same for the same seed."""

from dataclasses import dataclass

from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.protocol import dice
from games.bots.engines.randomly import RandomEngine
from games.puzzles.puzzle import after_passes
from games.rules import Position
from games.rules.record import format_turn

#: The boards that are played on, the more often the more often they stand here: large ones take long.
_TEN = "duo junior duo duo {} duo junior duo duo {}"
BOARDS = tuple(f"{_TEN} {_TEN}".format("blockyou-2", "blockyou-4", "trigon-2", "junior").split())
#: Of how many placements of a side one is by chance: the less often, the less is left to do for it.
ODDS = (4, 2, 12)


@dataclass(frozen=True)
class PlayedGame:
    """A game that bots have played to its end."""

    seed: int
    variant: str
    moves: tuple[str, ...]


def played_game(seed: int) -> PlayedGame:
    """Return a game of two kinds of bots, greedy ones and those of chance, who take turns by chance for each side.

    Neither searches: a game takes hundredths of a second, and what is to be found in it is in its last moves.
    """
    position, luck = Position.start(BOARDS[seed % len(BOARDS)]), dice(seed, 0)
    odds = [luck.choice(ODDS) for _seat in position.seats]
    engines = (RandomEngine(), GreedyEngine())
    while not position.is_over:
        engine = engines[luck.randrange(odds[position.seat or 0]) > 0]
        answer = engine.think(position, seed=seed, number=position.move_count + 1)
        position = after_passes(position.play(answer.placement))
    return PlayedGame(seed, position.variant.id, tuple(map(format_turn, position.history)))
