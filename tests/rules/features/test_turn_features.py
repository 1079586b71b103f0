"""The features about turns, passing and the end, run against the rules alone."""

from collections.abc import Sequence

import pytest
from pytest_bdd import scenarios

from games.rules import IllegalPlacement, Position
from games.rules.record import Record
from tests.rules.features.turn_steps import *  # noqa: F403  (the steps, which pytest-bdd looks up by name)
from tests.rules.features.turn_steps import FEATURES

scenarios(*FEATURES)


class RulesMatch:
    """A match played by calling the rules, each colour by whoever has its seat."""

    def __init__(self) -> None:
        self.position = Position.start("blockyou-4")

    def start(self, variant: str, colours: Sequence[str] | None = None) -> None:
        self.position = Position.start(variant, colours)

    def resume(self, record: Record) -> None:
        self.position = record.replay()

    def try_pass(self, colour: str) -> tuple[str, ...]:
        assert self.position.colour == colour
        try:
            self.position = self.position.pass_turn()
        except IllegalPlacement as refusal:
            return refusal.reasons
        return ()

    def try_place(self, colour: str, cell: str | None = None) -> tuple[str, ...]:
        legal = self.position.legal_placements(colour)
        wanted = [p for p in legal if cell is None or self.position.variant.cell_index(cell) in p.cells]
        try:
            self.position.check(wanted[0], colour)
        except IllegalPlacement as refusal:
            return refusal.reasons
        self.position = self.position.play(wanted[0])
        return ()

    def player_of(self, colour: str) -> int:
        return self.position.seat_of(colour)


@pytest.fixture
def match() -> RulesMatch:
    return RulesMatch()
