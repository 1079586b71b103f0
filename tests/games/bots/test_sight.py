"""What a policy sees of a cell is what the rules say about it."""

import random

import pytest

from games.bots.engines.sight import facts_of, look, outlook_of
from games.bots.engines.state import rules_of, state_of
from games.bots.engines.tables import tables_of
from games.bots.engines.weights import weights_for
from games.rules import VARIANTS, Position

FRESH, NEAR_ONE, NEAR_MORE, OWN, MATE, RIVAL, CLOSED, OPEN = range(8)


class ExpectedFacts:
    """The facts of every cell for the colour to play, as the rules tell them."""

    def __init__(self, position: Position) -> None:
        self.position, self.grid = position, position.variant.grid
        self.me = position.colour or ""
        self.mine = [other for other in position.colours_in_play if other != self.me and self.is_allied(other)]
        self.rivals = [other for other in position.colours_in_play if other != self.me and other not in self.mine]
        self.points = {colour: position.attach_points(colour) for colour in position.colours_in_play}
        self.barred = {colour: set(position.beside_own(colour)) for colour in position.colours_in_play}

    def is_allied(self, other: str) -> bool:
        """Return whether a colour is of the same seat as the one to play; shared colours are of none."""
        shared, seat_of = self.position.variant.shared, self.position.seat_of
        if self.me in shared or other in shared:
            return self.me in shared and other in shared
        return seat_of(self.me) == seat_of(other)

    def beside(self, cell: int) -> tuple[int, ...]:
        return self.grid.inside(self.grid.lattice.edge_neighbours(self.grid.points[cell]))

    def may_cover(self, colour: str, cell: int) -> bool:
        return self.position.owner(cell) is None and cell not in self.barred[colour]

    def touches_latest(self, colour: str, cell: int) -> bool:
        """Return whether a cell is at a corner of a cell of a colour's latest placement."""
        placed = [turn.placement for turn in self.position.history if turn.colour == colour and turn.placement]
        corners = self.grid.inside(self.grid.lattice.corner_neighbours(self.grid.points[cell]))
        return bool(placed) and not set(corners).isdisjoint(placed[-1].cells)

    def facts(self, cell: int) -> list[int]:
        near = sum(
            self.may_cover(rival, cell)
            for rival in self.rivals
            for point in self.beside(cell)
            if point in self.points[rival]
        )
        fresh = any(cell in self.points[rival] and self.touches_latest(rival, cell) for rival in self.rivals)
        owner = self.position.owner(cell)
        if owner is not None:
            kind = OWN if owner == self.me else MATE if owner in self.mine else RIVAL
        elif not self.may_cover(self.me, cell):
            kind = CLOSED
        else:
            kind = OPEN + sum(self.may_cover(self.me, other) for other in self.beside(cell))
        return [FRESH] * fresh + [NEAR_ONE] * (near == 1) + [NEAR_MORE] * (near > 1) + [kind]


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_is_seen_of_a_cell_is_what_the_rules_say(variant: str) -> None:
    rng, position = random.Random(11), Position.start(variant)
    number, seen = 0, set()
    while not position.is_over:
        drawn = position.pick_legal_id(rng.random())
        if drawn is not None and number % 9 == 4:
            tables, rules = tables_of(position), rules_of(position)
            outlook = outlook_of(position, rules, weights_for(position.variant))
            colour = position.variant.colour_number(position.colour or "")
            look(tables, rules, state_of(position, tables, rules), outlook, colour)
            by_rules = ExpectedFacts(position)
            for cell in range(position.variant.cell_count):
                expected = by_rules.facts(cell)
                assert facts_of(int(outlook.views[cell])) == expected
                seen.update(expected)
        number += 1
        position = position.pass_turn() if drawn is None else position.play_id(drawn)
    has_mates = any(len(colours) > 1 for colours in position.seats)
    assert {FRESH, NEAR_ONE, NEAR_MORE, OWN, RIVAL, CLOSED, OPEN + 2} <= seen
    assert (MATE in seen) == has_mates
