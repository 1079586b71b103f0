"""The learned weights of policies: one file, by kind of game, with how and when they were learned."""

import json
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

from games.rules.variants import Variant

#: By phase, `sight.ALL_WEIGHTS` numbers each; empty is nothing to add.
Weights = Sequence[Sequence[float]]

FILE = Path(__file__).with_name("weights.json")

#: Two colours on squares; several colours a seat; one colour a seat among three or four; the last two on triangles.
KINDS = ("duo", "pairs", "each", "triangles-pairs", "triangles-each")


def kind_of(variant: Variant) -> str:
    """Return which policy serves a variant, by its lattice and by how many colours a seat has."""
    lattice = variant.grid.lattice
    if len(variant.colours) == 2:
        return "duo"
    kind = "pairs" if variant.seats == 2 else "each"
    return kind if lattice.kind((0, 0)) == lattice.kind((1, 0)) else f"triangles-{kind}"


def weights_for(variant: Variant) -> Weights:
    """Return the learned weights of the policy that serves a variant."""
    learned: Weights = read()["policies"][kind_of(variant)]
    return learned


def with_bias(weights: Weights, bias: Weights) -> Weights:
    """Return weights with a style added to them."""
    if not bias:
        return weights
    return [[a + b for a, b in zip(row, more, strict=True)] for row, more in zip(weights, bias, strict=True)]


@cache
def read() -> dict[str, Any]:
    """Return what the file holds: `policies` and `recipes`, by kind."""
    held: dict[str, Any] = json.loads(FILE.read_text("utf-8"))
    return held
