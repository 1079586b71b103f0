"""The steps of the features about turns, passing and the end, for whatever can play a match.

They speak to a fixture `match` (see `Match`), so the same features run against the rules and against
the application: a test module provides the fixture, imports everything from here and names the
features.
"""

from collections.abc import Callable, Sequence
from typing import Protocol

from pytest_bdd import given, parsers, then, when

from games.rules import Placement, Position
from games.rules.record import Record
from tests.rules.situations import CONDITIONS, passed_in_a_row, situation
from tests.rules.table import cells

ORDER = ("blue", "yellow", "red", "green")
FEATURES = ("passing.feature", "turns.feature", "end.feature", "player_counts.feature")


class Match(Protocol):
    """A game that people play; colours are lower case, players are counted from 0."""

    @property
    def position(self) -> Position:
        """Return where the game stands."""

    def start(self, variant: str, colours: Sequence[str] | None = None) -> None:
        """Start a new game in which passes are declared."""

    def resume(self, record: Record) -> None:
        """Start a game that has come as far as the record."""

    def try_pass(self, colour: str) -> tuple[str, ...]:
        """Let whoever plays the colour pass; return the reasons of a refusal."""

    def try_place(self, colour: str, cell: str | None = None) -> tuple[str, ...]:
        """Let them place the colour's first legal piece (that covers the cell), or be refused."""

    def player_of(self, colour: str) -> int:
        """Return who plays the colour."""


def names(listed: str) -> list[str]:
    """Return colours listed as `Red, Green and Blue`."""
    return listed.lower().replace(" and ", ", ").split(", ")


def to_play(match: Match) -> str:
    """Return the colour whose turn it is, of a game that is not over."""
    colour = match.position.colour
    assert colour is not None
    return colour


def placed(match: Match) -> list[tuple[str, Placement]]:
    """Return who placed what, from the first turn to the last."""
    return [(turn.colour, turn.placement) for turn in match.position.history if turn.colour and turn.placement]


def colour_step(text: str) -> parsers.re:
    return parsers.re(text.replace("<colour>", "(?P<colour>Blue|Yellow|Red|Green)") + "$")


COLOUR: dict[str, Callable[[str], object]] = {"colour": str.lower}


# Given


@given("a new game for four")
def _for_four(match: Match) -> None:
    match.start("blockyou-4")


@given("a new game for two")
def _for_two(match: Match) -> None:
    match.start("blockyou-2")


@given(parsers.re(r"a new game for three with (?P<listed>[\w, ]+)$"))
def _for_three(match: Match, listed: str) -> None:
    match.start("blockyou-3", names(listed))


@given(parsers.re("a game in which (?P<words>.+)$"))
def _situation(match: Match, words: str) -> None:
    match.resume(situation(words))
    assert CONDITIONS[words](match.position)


# When


@when(colour_step("<colour> tries to pass"), converters=COLOUR, target_fixture="reasons")
def _tries_to_pass(match: Match, colour: str) -> tuple[str, ...]:
    return match.try_pass(colour)


@when(colour_step("<colour> passes"), converters=COLOUR)
def _passes(match: Match, colour: str) -> None:
    assert match.try_pass(colour) == ()


@when(colour_step("<colour> places a piece"), converters=COLOUR)
def _places(match: Match, colour: str) -> None:
    assert match.try_place(colour) == ()


@when("the fourth colour places a piece")
def _fourth_places(match: Match) -> None:
    assert match.try_place(to_play(match)) == ()


@when(colour_step("<colour> tries to play out of turn"), converters=COLOUR, target_fixture="reasons")
def _out_of_turn(match: Match, colour: str) -> tuple[str, ...]:
    return match.try_place(colour)


@when(parsers.re("(?P<count>nine|seven) pieces are placed, each by the colour whose turn it is"))
def _pieces_are_placed(match: Match, count: str) -> None:
    for _ in range({"nine": 9, "seven": 7}[count]):
        assert match.try_place(to_play(match)) == ()


@when("Yellow goes on placing and everybody blocked passes")
def _goes_on(match: Match) -> None:
    while not match.position.is_over:
        attempt = match.try_place if match.position.has_legal() else match.try_pass
        assert attempt(to_play(match)) == ()


@when(parsers.re("the (?P<player>first|second) player places (?P<colour>[A-Z][a-z]+) on (?P<cell>.+)$"))
def _player_places(match: Match, player: str, colour: str, cell: str | None) -> None:
    assert match.player_of(colour.lower()) == ["first", "second"].index(player)
    assert match.try_place(colour.lower(), cell) == ()


# Then


@then(colour_step("the pass is refused because <colour> must place"), converters=COLOUR)
def _pass_refused(match: Match, colour: str, reasons: tuple[str, ...]) -> None:
    assert match.position.colour == colour
    assert reasons == ("must-place",)


@then(colour_step("the placement is refused because it is not <colour>'s turn"), converters=COLOUR)
def _not_its_turn(colour: str, reasons: tuple[str, ...]) -> None:
    assert "not-your-turn" in reasons


@then(colour_step("it is (?:still )?<colour>'s turn"), converters=COLOUR)
def _turn_of(match: Match, colour: str) -> None:
    assert match.position.colour == colour


@then("it is nobody's turn")
def _nobodys_turn(match: Match) -> None:
    assert match.position.colour is None
    assert match.position.legal_placements() == ()


@then(colour_step("the pass is recorded for <colour>"), converters=COLOUR)
def _recorded(match: Match, colour: str) -> None:
    last = match.position.history[-1]
    assert (last.colour, last.placement) == (colour, None)


@then(parsers.re("the last recorded turns are passes of (?P<listed>.+)$"))
def _last_turns(match: Match, listed: str) -> None:
    if listed == "all four colours":
        assert {turn.colour for turn in match.position.history[-4:]} == set(ORDER)
        assert passed_in_a_row(match.position) == 4
    else:
        expected = [(colour, None) for colour in names(listed)]
        assert [turn[:2] for turn in match.position.history[-len(expected) :]] == expected


@then("the game is not over")
def _not_over(match: Match) -> None:
    assert not match.position.is_over
    assert match.position.winners() == ()


@then("the game is over")
def _over(match: Match) -> None:
    assert match.position.is_over
    assert match.position.winners()


@then("it is the turn of the colour that passed first")
def _passed_first(match: Match) -> None:
    # Three passes, then the placement of the fourth.
    first = match.position.history[-4]
    assert (match.position.colour, first.placement) == (first.colour, None)


@then("four more passes in a row are needed to end the game")
def _four_more(match: Match) -> None:
    while not match.position.is_over:
        assert passed_in_a_row(match.position) < 4
        attempt = match.try_place if match.position.has_legal() else match.try_pass
        assert attempt(to_play(match)) == ()
    assert passed_in_a_row(match.position) == 4


@then(parsers.re("the colours played in the order (?P<listed>.+)$"))
def _order(match: Match, listed: str) -> None:
    assert [turn.colour for turn in match.position.history] == names(listed)


@then("the first player played Blue and Red, the second Yellow and Green")
def _players(match: Match) -> None:
    assert [match.player_of(colour) for colour in ORDER] == [0, 1, 0, 1]


@then("each colour is bound by its own cells only")
def _own_cells_only(match: Match) -> None:
    same = Position.start("blockyou-4")
    for colour, placement in placed(match):
        assert same.colour == colour
        same = same.play(placement)
    assert all(same.legal_ids(colour) == match.position.legal_ids(colour) for colour in ORDER)


@then("every colour has started in its corner")
def _corners(match: Match) -> None:
    corners = cells(match.position, "a1, t1, a20 and t20")
    assert tuple(match.position.owner(cell) for cell in corners) == ORDER


@then("Yellow has no turn, no piece and no corner")
def _yellow_is_out(match: Match) -> None:
    position = match.position
    assert "yellow" not in {*position.colours_in_play, *position.scores()}
    assert position.stock("yellow") == position.legal_placements("yellow") == ()
    # Its corner is a cell like any other: whoever comes near may cover it.
    near = Position.setup("blockyou-3", [("blue", Placement.parse("1:s5"))], "blue", ("green", "blue", "red"))
    near.check(Placement.parse("I4:t1,t2,t3,t4"))


@then("the colours in the game are bound by the same rules as among four")
def _same_rules(match: Match) -> None:
    four = Position.setup("blockyou-4", placed(match))
    for colour in match.position.colours_in_play:
        assert four.legal_ids(colour) == match.position.legal_ids(colour)


#: The steps are fixtures under names that are no identifiers; `import *` takes them along only if told.
__all__ = ["FEATURES", "Match", *(name for name in dict(globals()) if name.startswith("pytestbdd_stepdef_"))]
