"""The players: what a match asks of one, our own engines, and how players are written."""

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import NamedTuple, Protocol

from games.arena.errors import ArenaError, Failed
from games.bots.engines.protocol import Engine, Follower
from games.bots.factory import engine_at, make_engine
from games.bots.warm import an_ending
from games.roster.entries import BOTS
from games.rules import Placement, Position

#: More than any search simulates in a millisecond.
SIMULATIONS_A_MILLISECOND = 1000


class Choice(NamedTuple):
    """A placement, and the CPU seconds it took; None where it is unknown."""

    placement: Placement
    seconds: float | None


class MatchPlayer(Protocol):
    """One side of a match. It may have several seats of a game; it hears of every other player's placement."""

    def begin(self, position: Position, seed: int) -> None:
        """Make ready for a game from its first position, with luck drawn from the seed."""

    def observe(self, colour: str, placement: Placement) -> None:
        """Take note of a placement that this player did not choose."""

    def choose(self, position: Position) -> Choice:
        """Return a placement for the colour to play, which has one.

        Raises:
            Failed: the player gives none.
            BrokenEngine: it is of no use any more.

        """

    def close(self) -> None:
        """Release whatever the player holds."""


class OwnPlayer:
    """Plays with an engine of `games.bots.engines`, in this process, whose CPU time a clock tells."""

    def __init__(self, engine: Engine, clock: Callable[[], float] = time.process_time) -> None:
        self._engine = engine
        self._clock = clock
        self._seed = 0
        self._warm_for = ""

    def begin(self, position: Position, seed: int) -> None:
        """Take the seed and keep no thoughts of another game.

        Where the variant is new, think unmeasured before of its beginning and of endings, so that compiling and filling
        tables is no one's move.
        """
        if self._warm_for != position.variant.id:
            self._warm_for = position.variant.id
            for each in (an_ending(), an_ending(position.variant.id), position):
                with suppress(Failed):
                    self._think(each)
        if isinstance(self._engine, Follower):
            self._engine.forget()
        self._seed = seed

    def observe(self, colour: str, placement: Placement) -> None:
        """Do nothing: the position says everything."""

    def choose(self, position: Position) -> Choice:
        """Return the engine's placement and what it took this process."""
        began = self._clock()
        placement = self._think(position)
        return Choice(placement, self._clock() - began)

    def _think(self, position: Position) -> Placement:
        try:
            return self._engine.think(position, seed=self._seed, number=position.move_count + 1).placement
        except Exception as error:
            raise Failed(f"raised {type(error).__name__}: {error}") from error

    def close(self) -> None:
        """Do nothing: an engine holds nothing."""


def own_engine(name: str, cpu_ms: int = 0, *, follows: bool = False) -> Engine:
    """Return an engine by a bot's name, or by the address of its class.

    An address is `module:Class`, with arguments after commas (`games.bots.factory.engine_at`). With `cpu_ms` one that
    takes a budget of simulations and of seconds thinks for so many milliseconds of CPU instead; another as it always
    does. With `follows` a bot that searches keeps what is still possible of its tree from one turn to the next; at a
    table each of its turns begins with an empty one. An address says by its class which of the two it is.

    Raises:
        ArenaError: there is no such engine.

    """
    if ":" in name:
        return _by_address(name, cpu_ms)
    try:
        bot = BOTS[name].following() if follows else BOTS[name]
        if cpu_ms and bot.most_simulations:
            address = f"{bot.engine.partition(',')[0]},simulations={_more_than_any(cpu_ms)},seconds={cpu_ms / 1000}"
            return make_engine(replace(bot, engine=address))
        return make_engine(bot)
    except KeyError:
        raise ArenaError(
            f"There is no bot {name}. Name one as greedy or sage-5, an engine as module:Class, a program as gtp:/path."
        ) from None


def _more_than_any(cpu_ms: int) -> int:
    """Return how many simulations no search makes in that time."""
    return cpu_ms * SIMULATIONS_A_MILLISECOND


def _by_address(name: str, cpu_ms: int) -> Engine:
    if cpu_ms:
        with suppress(TypeError):
            return engine_at(name, simulations=_more_than_any(cpu_ms), seconds=cpu_ms / 1000)
    try:
        return engine_at(name)
    except (AttributeError, ImportError, SyntaxError, TypeError, ValueError) as error:
        raise ArenaError(f"{name} is no engine as module:Class,argument=value: {error}.") from error
