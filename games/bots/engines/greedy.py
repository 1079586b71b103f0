"""The greedy engine: the largest piece, then the most new corners to go on from."""

from functools import cache

from games.bots.engines.protocol import Answer, dice
from games.rules import Placement, Position


class GreedyEngine:
    """Sheds large pieces first and prefers placements that open the board; ties are drawn by the seed."""

    def think(self, position: Position, *, seed: int, number: int) -> Answer:
        """Return the largest legal placement that adds the most attach points, drawn among equals."""
        placements = position.legal_placements()
        size = max(len(placement.cells) for placement in placements)
        largest = [placement for placement in placements if len(placement.cells) == size]
        openings = _Openings(position)
        gains = [openings.added_by(placement) for placement in largest]
        most = max(gains)
        best = [placement for placement, gain in zip(largest, gains, strict=True) if gain == most]
        return Answer(best[dice(seed, number).randrange(len(best))])


class _Openings:
    """Counts the attach points that a placement would add for the colour to play.

    Asking the position after each candidate would answer the same, twenty times as slowly.
    """

    def __init__(self, position: Position) -> None:
        colour = position.colour or ""
        grid = position.variant.grid
        # Candidates overlap: the same few hundred points are asked about again and again.
        self._corners = cache(grid.lattice.corner_neighbours)
        self._edges = cache(grid.lattice.edge_neighbours)
        closed = {*position.beside_own(colour), *position.attach_points(colour)}
        self._open = {
            point for cell, point in enumerate(grid.points) if cell not in closed and position.owner(cell) is None
        }

    def added_by(self, placement: Placement) -> int:
        corners = set().union(*map(self._corners, placement.points))
        edges = set().union(*map(self._edges, placement.points))
        return len(corners & self._open - edges - set(placement.points))
