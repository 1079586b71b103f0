"""The network of `games.bots.engines.scorer` once more, from the rules' positions, plainly and slowly."""

import numpy as np
from numpy.typing import NDArray

from games.bots.engines.compiled import numbers
from games.bots.engines.greedy import GreedyEngine
from games.bots.engines.policy import CLASSES, PHASES, RINGS, rings_of
from games.bots.engines.scorer import Scorer, scorer_of
from games.bots.engines.sight import KINDS, VIEWS, look
from games.bots.engines.state import legal, rules_of, state_of
from games.bots.engines.tables import tables_of
from games.rules import Placement, Position

#: A vector for each class and view of a cell in three roles, 24 pieces, rings and phases.
ROLE, PIECES = CLASSES + VIEWS, 24


class PlainNetwork:
    """What the network says of every legal placement of a position of two colours, in the order of the engine."""

    def __init__(self, position: Position, width: int) -> None:
        self.position, self.width = position, width
        self.tables, self.rules = tables_of(position), rules_of(position)
        self.state = state_of(position, self.tables, self.rules)
        self.number = position.variant.colour_number(position.colour or "")
        found = numbers([0] * len(self.tables.piece))
        self.count = legal(self.tables, self.rules, self.state, self.number, found)
        self.found = found
        self.views = self._views()
        held = zip(position.variant.pieces, position.stock_counts(position.colour or ""), strict=True)
        left, stock = sum(piece.size * count for piece, count in held), position.variant.stock_cells
        self.phase = 0 if 3 * left > 2 * stock else 1 if 3 * left > stock else 2
        #: The numbers of the vectors that each placement adds up.
        self.rows = [self._rows(position.placement(int(number))) for number in found[: self.count]]

    def _views(self) -> list[int]:
        """Return the view of each cell, which `tests/games/bots/test_sight.py` compares with the rules."""
        scorer = self.scorer(np.zeros(3 * ROLE + PIECES + RINGS + 2 * PHASES))
        look(self.tables, self.rules, self.state, scorer.outlook, self.number)
        views = [int(view) for view in scorer.outlook.views]
        assert max(views) >= KINDS
        return views

    def scorer(self, weights: NDArray[np.float64]) -> Scorer:
        width = self.width if len(weights) == (3 * ROLE + PIECES + RINGS + 2 * PHASES) * self.width else 1
        return scorer_of(self.position, self.rules, weights.tolist(), width)

    def _rows(self, placement: Placement) -> list[int]:
        position, grid = self.position, self.position.variant.grid
        cells = set(placement.points)
        beside = {near for point in cells for near in grid.lattice.edge_neighbours(point)} - cells
        corners = {near for point in cells for near in grid.lattice.corner_neighbours(point)} - cells - beside
        rows = []
        for role, points in enumerate((cells, beside, corners)):
            for cell in grid.inside(points):
                rows += [role * ROLE + self._class(cell), role * ROLE + CLASSES + self.views[cell]]
        rings = rings_of(position.variant.grid)
        rows += [3 * ROLE + PIECES + rings[cell] for cell in placement.cells]
        names = [piece.name for piece in position.variant.numbered or position.variant.pieces]
        return [*rows, 3 * ROLE + names.index(placement.piece), 3 * ROLE + PIECES + RINGS + self.phase]

    def _class(self, cell: int) -> int:
        """Return the class of a cell: what it is to the colour, then to its one rival."""
        colour = self.position.colour or ""
        rival = self._stance(cell, next(each for each in self.position.variant.colours if each != colour))
        mine = self._stance(cell, colour)
        other = 0 if rival == 2 else 2 if rival == 1 else 1
        return (mine * 4 + other) * 2

    def _stance(self, cell: int, colour: str) -> int:
        """Return 2 if a colour can never cover a cell, 1 if it is an attach point of its own, else 0."""
        position = self.position
        if position.owner(cell) is not None or cell in position.beside_own(colour):
            return 2
        return int(cell in position.attach_points(colour))

    def scores(self, weights: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the score of each placement."""
        vectors = weights[: -PHASES * self.width].reshape(-1, self.width)
        head = weights[len(vectors) * self.width :].reshape(PHASES, self.width)[self.phase]
        sums = np.array([vectors[rows].sum(0) for rows in self.rows])
        made: NDArray[np.float64] = np.where(sums > 0, sums, sums / 8) @ head
        return made

    def log_odds(self, weights: NDArray[np.float64], chosen: int) -> float:
        """Return the logarithm of the probability of a placement, in the softmax of all scores."""
        scores = self.scores(weights)
        return float(scores[chosen] - np.log(np.exp(scores - scores.max()).sum()) - scores.max())


def after(variant: str, moves: int) -> Position:
    """Return the position after so many moves of the greedy bot against itself."""
    position = Position.start(variant)
    for number in range(1, moves + 1):
        position = position.play(GreedyEngine().think(position, seed=1, number=number).placement)
    return position
