"""Why a placement is refused, and the cells that decide about the next one.

The engine answers whether; this module answers why, cell by cell, from a drawing of the board. It is
a second, slower reading of R1-R6, and a test compares the two.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from games.rules import errors
from games.rules.geometry import Grid, Point, corner_border, edge_border, row_by_row
from games.rules.notation import format_cell
from games.rules.placement import Placement, PlacementTable
from games.rules.variants import Variant

#: Reasons found so far, each with its points at fault.
Faults = dict[str, Iterable[Point]]


@dataclass(frozen=True)
class Sight:
    """What one colour sees of a board: everyone's cells, its own, and where it may start."""

    grid: Grid
    occupied: frozenset[Point]
    own: frozenset[Point]
    starts: frozenset[Point]

    def beside_own(self) -> tuple[int, ...]:
        """Return the free cells that share an edge with an own cell.

        Rule: R5
        """
        return self.grid.inside(edge_border(self.grid.lattice, self.own) - self.occupied)

    def attach_points(self) -> tuple[int, ...]:
        """Return the free cells of which a placement has to cover at least one.

        Rule: R3 (start cells, before the first placement), R4 (corners of own cells, after it)
        """
        wanted = corner_border(self.grid.lattice, self.own) if self.own else self.starts
        return self.grid.inside(wanted - self.occupied)

    def contact_faults(self, placement: Placement) -> Faults:
        """Return what is wrong between these cells and the colour's own.

        Rule: R3, R4, R5
        """
        points, lattice = frozenset(placement.points), self.grid.lattice
        if not self.own:
            return {} if self.starts & points else {errors.START_CELL: self.starts}
        faults: Faults = {}
        if not any(near in self.own for point in points for near in lattice.corner_neighbours(point)):
            faults[errors.NO_CORNER_CONTACT] = points
        beside = points & edge_border(lattice, self.own)
        if beside:
            faults[errors.EDGE_CONTACT] = beside
        return faults

    def cell_faults(self, placement: Placement) -> Faults:
        """Return which cells lie beyond the board or are taken.

        Rule: R6
        """
        faults: Faults = {
            errors.OFF_BOARD: [point for point in placement.points if point not in self.grid.index],
            errors.OVERLAP: [point for point in placement.points if point in self.occupied],
        }
        return {reason: points for reason, points in faults.items() if points}


def shape_faults(table: PlacementTable, variant: Variant, placement: Placement) -> Faults:
    """Return what is wrong with the shape alone, wherever it lies.

    Rule: R1
    """
    faults: Faults = {}
    formed = table.formed_piece(placement.points)
    if formed not in {piece.name for piece in variant.pieces}:
        faults[errors.UNKNOWN_PIECE] = placement.points
    if placement.piece and placement.piece != formed:
        faults[errors.WRONG_SHAPE] = placement.points
    return faults


def refusal(grid: Grid, faults: Faults, entry: int | None = None) -> errors.IllegalPlacement:
    """Return the error that reports these faults, in the order of the reason codes.

    Rule: R11
    """
    reasons = tuple(reason for reason in errors.REASONS if reason in faults)
    cells = {reason: grid.inside(faults[reason]) for reason in reasons}
    names = {reason: tuple(map(format_cell, row_by_row(faults[reason]))) for reason in reasons}
    return errors.IllegalPlacement(reasons, cells, names, entry)
