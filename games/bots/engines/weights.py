"""The learned weights of policies: one file, by kind of game, with how and when they were learned."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from games.bots.engines.arguments import check_rows
from games.bots.engines.policy import PHASES
from games.bots.engines.sight import ALL_WEIGHTS
from games.rules.variants import Variant

#: By phase, `sight.ALL_WEIGHTS` numbers each; empty is nothing to add.
Weights = Sequence[Sequence[float]]

#: The largest weight that an engine takes: with many more, the sums of a placement would leave their bounds.
HEAVIEST = 1000.0

FILE = Path(__file__).with_name("weights.json")

#: Two colours on squares; several colours a seat, side by side or across from each other; one colour a seat among three
#: or four; on triangles several colours a seat, and one.
KINDS = ("duo", "pairs", "pairs-across", "each", "triangles-pairs", "triangles-each")


class WeightsFileError(Exception):
    """The file of the learned weights is not there, or damaged."""


def kind_of(variant: Variant) -> str:
    """Return which policy serves a variant, by its lattice, how many colours a seat has and where those start."""
    lattice = variant.grid.lattice
    if len(variant.colours) == 2:
        return "duo"
    kind = "pairs" if variant.seats == 2 else "each"
    if lattice.kind((0, 0)) != lattice.kind((1, 0)):
        return f"triangles-{kind}"
    return "pairs-across" if kind == "pairs" and _starts_across(variant) else kind


def _starts_across(variant: Variant) -> bool:
    """Return whether the first two colours of a seat start at opposite corners, not along one side."""
    corners = [variant.grid.points[variant.start_cells[colour][0]] for colour in variant.seating[0][:2]]
    return all(a != b for a, b in zip(*corners, strict=True))


def weights_for(variant: Variant) -> Weights:
    """Return the learned weights of the policy that serves a variant."""
    learned: Weights = read_weights()["policies"][kind_of(variant)]
    return learned


def with_bias(weights: Weights, bias: Weights) -> Weights:
    """Return weights with a style added to them."""
    if not bias:
        return weights
    return [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(weights, bias, strict=True)]


@cache
def read_weights() -> dict[str, Any]:
    """Return what the file holds: `policies` and `recipes`, by kind.

    Raises:
        WeightsFileError: it cannot be read, or does not hold the weights of every kind.

    """
    try:
        held: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
        for kind in KINDS:
            check_rows(f"The weights of {kind}", held["policies"][kind], PHASES, ALL_WEIGHTS, HEAVIEST)
    except (OSError, ValueError, LookupError, TypeError) as error:
        raise WeightsFileError(f"{FILE} is damaged; copy it anew from the release. {error}") from error
    return held
