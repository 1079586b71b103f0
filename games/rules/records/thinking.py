"""Which programs played a game, and what one thought at a turn, as a record of the game keeps it."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Thinking:
    """How a bot came to a placement.

    `engine` is how it was chosen, `simulations` are the games that it simulated and `milliseconds` the CPU
    time that it took. `value` is the chance of winning that it gave its own seat, 0 to 1, None where it has no opinion.
    `reasons` say what the placement does, the strongest first: an effect, the other colour that it is about (empty
    without one), and how many.
    """

    engine: str
    level: int
    simulations: int
    milliseconds: int
    value: float | None
    reasons: tuple[tuple[str, str, int], ...] = ()


@dataclass(frozen=True)
class SeatedBot:
    """What a bot's seat was opened with: the bot's stored name, which says its character and level, and its seed.

    The seed is a whole number from 0 to 2**63 - 1. `simulations` is how many games the bot was told to simulate before
    each move, None for as many as its level does. With the same ones, the same bots play the same game; but not where
    the bot was told instead for how many `seconds` of CPU time to simulate games.
    """

    name: str
    seed: int
    simulations: int | None = None
    seconds: int | None = None
