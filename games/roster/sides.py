"""What it is worth to open with a piece, where one player names those of both sides. Nothing of Django.

Measured by games of equal bots (`python -m benchmarks.sides`): a bot that cannot search takes the better side by it,
and where the site or a bot names the pieces they are of those that leave both sides about even. On boards where too few
games were played for that, bots name pairs that a search found nearest to even.
"""

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import NamedTuple

from games.rules.variants import Variant, get_variant, named_id

SIDES = Path(__file__).with_name("sides.json")

#: How far the chance of the first side may lie from one in two where the site names the pieces.
EVEN = 0.03


class Worth(NamedTuple):
    """The measured worth of a board's opening pieces, in logits: of beginning, and of each piece for either side."""

    begins: float
    first: Mapping[str, float]
    second: Mapping[str, float]

    def chance(self, first: str, second: str) -> float:
        """Return what part of the games the first side wins, a tie being half of one."""
        return 1 / (1 + math.exp(-(self.begins + self.first[first] - self.second[second])))


@cache
def measured_sides() -> Mapping[str, Worth]:
    """Return what was measured, by the family of the variant."""
    return {family: Worth(**found) for family, found in json.loads(SIDES.read_text("utf-8"))["worth"].items()}


def better_seat(variant: Variant) -> int:
    """Return the seat with the better side of a variant whose opening pieces were named.

    Where nothing was measured that is the one with the larger piece, and of equal ones the one that begins.
    """
    worth, (first, second) = measured_sides().get(variant.family), variant.named_pieces
    if worth is not None:
        return int(worth.chance(first, second) < 1 / 2)
    size = {piece.name: piece.size for piece in variant.pieces}
    return int(size[second] > size[first])


@cache
def searched_pairs() -> Mapping[str, tuple[tuple[str, str], ...]]:
    """Return the pairs that a search found nearest to even, by the family of the variant; only bots name them."""
    found = json.loads(SIDES.read_text("utf-8")).get("searched", {})
    return {family: tuple((first, second) for first, second in each["pairs"]) for family, each in found.items()}


def pairs_to_name(family: str) -> Sequence[tuple[str, str]]:
    """Return the pairs of pieces that a bot may name: measured ones, else searched ones; none where there are none."""
    return even_pairs(family) if family in measured_sides() else searched_pairs().get(family, ())


def pair_named_by(family: str, seed: int) -> tuple[str, str]:
    """Return the pair of pieces that the bot with this seed names on a board; the same for the same seed.

    Raises:
        ValueError: for this board no pair is known (`pairs_to_name`).

    """
    pairs = pairs_to_name(family)
    if not pairs:
        raise ValueError(f"no pair of pieces is known for {family}")
    return pairs[seed % len(pairs)]


def is_named_by(variant: Variant, seed: int) -> bool:
    """Return whether the opening pieces of a variant are those that the bot with this seed names."""
    named = variant.named_pieces
    return bool(named and pairs_to_name(variant.family)) and named == pair_named_by(variant.family, seed)


def even_ids(family: str) -> list[str]:
    """Return the ids of a variant with pieces that leave its sides about even; none where nothing was measured."""
    return [named_id(family, pair) for pair in even_pairs(family)]


def even_pairs(family: str) -> list[tuple[str, str]]:
    """Return the pairs of pieces that leave the sides of a variant about even; none where nothing was measured."""
    names = [piece.name for piece in get_variant(family).pieces]
    worth = measured_sides().get(family)
    return [
        (first, second)
        for first, second in product(names, repeat=2)
        if worth is not None and abs(worth.chance(first, second) - 1 / 2) <= EVEN
    ]
