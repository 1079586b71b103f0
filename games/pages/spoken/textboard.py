"""The board as a table of words: every cell says its name and what is on it."""

from collections.abc import Container
from dataclasses import dataclass
from itertools import groupby

from django.utils.translation import gettext

from games.rules import Position
from games.rules.geometry import Point
from games.rules.notation import format_cell, format_column
from games.words import sentences


@dataclass(frozen=True)
class CellView:
    """A cell: `colour` of what covers it, else whether it is a corner to use; in words with its name."""

    name: str
    colour: str
    is_corner: bool
    text: str


@dataclass(frozen=True)
class RowView:
    """A row of the board. `before` and `after` are how many columns of the table have no cell of it."""

    number: int
    before: int
    cells: tuple[CellView, ...]
    after: int


@dataclass(frozen=True)
class TextBoard:
    """The board from its highest row down, as a person looks at it; `columns` are the letters above."""

    columns: tuple[str, ...]
    rows: tuple[RowView, ...]


def text_board(position: Position, corners: Container[int]) -> TextBoard:
    """Return the board in words. `corners` are the cells that the viewer's next piece may reach out from."""
    grid = position.variant.grid
    free, corner = gettext("empty"), gettext("corner you can use")
    labels = {colour: sentences.colour(colour) for colour in position.variant.colours}
    rows: dict[int, list[tuple[Point, CellView]]] = {}
    for cell, point in enumerate(grid.points):
        colour, is_corner = position.owner(cell) or "", cell in corners
        name, held = format_cell(point), corner if is_corner else free
        view = CellView(name, colour, is_corner, f"{name} {labels.get(colour, held)}")
        rows.setdefault(point[1], []).append((point, view))
    return TextBoard(
        columns=tuple(format_column(x) for x in range(grid.width)),
        rows=tuple(_row(y + 1, rows[y], grid.width) for y in sorted(rows, reverse=True)),
    )


def _row(number: int, cells: list[tuple[Point, CellView]], width: int) -> RowView:
    (first, _), (last, _) = cells[0][0], cells[-1][0]
    return RowView(number, first, tuple(view for _, view in cells), width - 1 - last)


def row_lines(position: Position) -> tuple[str, ...]:
    """Return the rows that hold something, from the highest down: "row 3: a3 to c3 Blue, f3 Red"."""
    grid = position.variant.grid
    found: dict[int, list[tuple[str, str]]] = {}
    for cell, point in enumerate(grid.points):
        found.setdefault(point[1], []).append((format_cell(point), position.owner(cell) or ""))
    lines = []
    for y in sorted(found, reverse=True):
        runs = _runs(found[y])
        if runs:
            lines.append(gettext("Row %(number)d: %(cells)s.") % {"number": y + 1, "cells": ", ".join(runs)})
    return tuple(lines)


def _runs(cells: list[tuple[str, str]]) -> list[str]:
    runs = []
    for colour, group in groupby(cells, key=lambda cell: cell[1]):
        names = [name for name, _ in group]
        values = {"first": names[0], "last": names[-1], "colour": sentences.colour(colour)}
        if colour:
            line = gettext("%(first)s %(colour)s") if len(names) == 1 else gettext("%(first)s to %(last)s %(colour)s")
            runs.append(line % values)
    return runs
