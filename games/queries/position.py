"""A position as a page carries it: data for look-ups.

The browser knows no rule and no shape: it looks up what stands here. A cell is a place in the box around the board,
counted from 0 (a1) row by row from the bottom.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from django.utils.safestring import SafeString, mark_safe

from games.queries import outline, sentences
from games.rules import VARIANTS, Position, errors
from games.rules.notation import format_column
from games.rules.pieces import Piece
from games.rules.placement import table_for
from games.rules.variants import Variant

Data = dict[str, Any]

#: What could end a script element early, written so that JSON still reads the same.
_ESCAPES = {ord(character): f"\\u{ord(character):04x}" for character in "<>&\u2028\u2029"}


def script_json(data: object) -> SafeString:
    """Return data as JSON for a script element of the page."""
    return mark_safe(json.dumps(data, separators=(",", ":")).translate(_ESCAPES))  # noqa: S308  (escaped just here)


@dataclass(frozen=True)
class Sight:
    """The cells that decide where one colour may go: taken, beside its own edge, and those it has to reach one of."""

    colour: str
    taken: tuple[int, ...]
    beside: tuple[int, ...]
    attach: tuple[int, ...]

    @classmethod
    def of(cls, position: Position, colour: str) -> "Sight":
        """Return what the colour sees in this position."""
        taken = tuple([cell for cell, held in enumerate(position.board) if held != "."])
        return cls(colour, taken, position.beside_own(colour), position.attach_points(colour))


def position_data(position: Position, sights: Mapping[str, Sight]) -> Data:
    """Return what the page of somebody who plays these colours looks up: where they fit, and why not elsewhere."""
    colours = {
        colour: {"legal": legal_data(position, colour), "checks": checks(position, sight)}
        for colour, sight in sights.items()
    }
    return {"toPlay": position.colour or "", "colours": colours}


def legal_data(position: Position, colour: str) -> dict[str, dict[int, list[int]]]:
    """Return the legal placements: piece -> orientation -> anchors, each as the distance from the one before.

    The anchor is the cell at the lower left corner of the box around the piece.
    """
    table, width = table_for(position.variant), position.variant.width
    forms, form_of, base_of, stride = table.forms, table.form_of, table.base_of, table.stride
    found: dict[int, list[int]] = {}
    for number in position.legal_ids(colour):
        row, column = divmod(base_of[number], stride)
        found.setdefault(form_of[number], []).append((row - 1) * width + column - 1)
    data: dict[str, dict[int, list[int]]] = {}
    for number, anchors in found.items():
        form = forms[number]
        steps = [anchor - before for before, anchor in zip([0, *anchors], anchors, strict=False)]
        data.setdefault(position.variant.pieces[form.piece].name, {})[form.orientation] = steps
    return data


def checks(position: Position, sight: Sight) -> list[Data]:
    """Return what to look at, in this order, where a piece does not fit.

    `wants` says whether a placement may cover none of the cells or has to cover one of them. The sentence names the
    cells at fault as `%(cells)s`.
    """
    reach = errors.NO_CORNER_CONTACT if position.last_piece(sight.colour) else errors.START_CELL
    found = (
        ("none", errors.OVERLAP, sight.taken),
        ("none", errors.EDGE_CONTACT, sight.beside),
        ("some", reach, sight.attach),
    )
    return [
        {"wants": wants, "code": code, "cells": bits(position.variant, cells), "sentence": str(sentences.REASONS[code])}
        for wants, code, cells in found
    ]


def bits(variant: Variant, cells: Iterable[int]) -> str:
    """Return a set of cells as a hexadecimal number: bit n stands for place n of the box."""
    points, width = variant.grid.points, variant.width
    number = 0
    for cell in cells:
        x, y = points[cell]
        number |= 1 << y * width + x
    return f"{number:x}"


@lru_cache(maxsize=8)
def shapes_json(variant_id: str) -> SafeString:
    """Return the geometry of a variant as JSON: the same for every game, so it is made once.

    A piece has its forms (cells as [x, y] from the anchor) and, for each of them, an outline to draw and the number of
    the form that turning right, turning left or flipping makes of it.
    """
    variant = VARIANTS[variant_id]
    data = {
        "width": variant.width,
        "height": variant.height,
        "columns": [format_column(x) for x in range(variant.width)],
        "glyphs": {colour: outline.glyph(colour) for colour in variant.colours},
        "pieces": {piece.name: _piece_data(piece) for piece in variant.pieces},
    }
    return script_json(data)


def _piece_data(piece: Piece) -> Data:
    numbers = range(len(piece.orientations))
    return {
        "forms": piece.orientations,
        "outlines": [outline.commands_of(form) for form in piece.orientations],
        "right": piece.turns,
        "left": [piece.turns.index(number) for number in numbers],
        "flip": piece.flips,
    }
