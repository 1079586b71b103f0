"""Games for the tests of the rules: random but repeatable ones, and shorthands to read them."""

from collections.abc import Iterator, Sequence
from random import Random

from games.rules import Placement, Position
from games.rules.variants import Variant

Points = frozenset[tuple[int, int]]


def random_positions(
    seed: int, variant: str | Variant = "blockyou-4", colours: Sequence[str] | None = None
) -> Iterator[Position]:
    """Yield every position of a random game, from the first to the one in which it is over."""
    dice = Random(seed)
    position = Position.start(variant, colours)
    yield position
    while not position.is_over:
        legal = position.legal_ids()
        position = position.play_id(dice.choice(legal)) if legal else position.pass_turn()
        yield position


def random_game(seed: int, variant: str | Variant = "blockyou-4", colours: Sequence[str] | None = None) -> Position:
    """Return the last position of a random game."""
    *_, last = random_positions(seed, variant, colours)
    return last


def points(placement: Placement) -> Points:
    """Return the cells of a placement as a set of points, the way the reference engine has them."""
    return frozenset(placement.points)


def legal_points(position: Position, colour: str | None = None) -> set[Points]:
    """Return the legal placements of a colour as sets of points."""
    return {points(placement) for placement in position.legal_placements(colour)}
