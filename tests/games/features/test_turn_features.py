"""The features about turns, passing and the end, run against the application: every turn is an action of its player.

They run at a table that declares passes and at one that does not. What the application passes by itself is read from
its record in order, so that a step such as "Red passes" finds Red's pass either way.
"""

from collections.abc import Sequence
from pathlib import Path

import pytest
from pytest_bdd import scenarios

from accounts.models import User
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.base import positions
from games.errors import NotYourTurn, Refused
from games.models import Game
from games.rules import VARIANTS, Position
from games.rules.record import PASSED, Record
from tests.games.tables import due, fresh, key, running
from tests.rules.features.turn_steps import *  # noqa: F403  (the steps, which pytest-bdd looks up by name)
from tests.rules.features.turn_steps import FEATURES

RULES = Path(__file__).parents[2] / "rules" / "features"

# Steps ask for the match by name while they run; only a mark makes each scenario run once for each kind of table.
pytestmark = pytest.mark.usefixtures("match")

scenarios(*(str(RULES / name) for name in FEATURES))


class AppMatch:
    """A match played by people through the actions; `shown` moves of the record have been told so far."""

    def __init__(self, people: Sequence[User], declares_passes: bool) -> None:
        self.people = people
        self.declares_passes = declares_passes
        self.game = Game()
        self.shown = 0

    def start(self, variant: str, colours: Sequence[str] | None = None) -> None:
        people = self.people[: VARIANTS[variant].seats]
        self.game = running(*people, colours=tuple(colours or ()), declares_passes=self.declares_passes)
        self.shown = 0

    def resume(self, record: Record) -> None:
        self.start(record.variant, record.colours)
        for text in record.moves:
            colour = self.position.colour
            assert colour is not None
            assert (self.try_pass(colour) if text == PASSED else self._try(colour, text)) == ()

    @property
    def position(self) -> Position:
        return positions.position_of(self.game, self.game.moves.filter(number__lte=self.shown))

    def try_pass(self, colour: str) -> tuple[str, ...]:
        passed = self.game.moves.filter(number=self.shown + 1).first()
        if passed is None:
            return self._try(colour, PASSED)
        assert (passed.kind, passed.colour, passed.is_automatic) == ("pass", colour, True)
        self.shown += 1
        return ()

    def try_place(self, colour: str, cell: str | None = None) -> tuple[str, ...]:
        position = self.position
        wanted = [
            placement
            for placement in position.legal_placements(colour)
            if cell is None or position.variant.cell_index(cell) in placement.cells
        ]
        return self._try(colour, str(wanted[0]))

    def _try(self, colour: str, text: str) -> tuple[str, ...]:
        """Let whoever plays the colour ask for that turn; return the reasons of a refusal."""
        actor, game = self.people[self.player_of(colour)], fresh(self.game)
        assert game.move_count == self.shown
        try:
            if text == PASSED:
                pass_turn(actor, game.slug, number=due(game), key=key())
            else:
                play_placement(actor, game.slug, placement=text, number=due(game), key=key())
        except Refused as refusal:
            return refusal.reasons
        except NotYourTurn as refusal:
            return (refusal.code,)
        self.shown += 1
        return ()

    def player_of(self, colour: str) -> int:
        return self.position.seat_of(colour)


@pytest.fixture(params=[True, False], ids=["passes declared", "passes automatic"])
def match(request: pytest.FixtureRequest, alice: User, bob: User, carol: User, dave: User) -> AppMatch:
    return AppMatch([alice, bob, carol, dave], declares_passes=request.param)
