"""What a program thought at a turn of a game, as a record of the game keeps it."""

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
