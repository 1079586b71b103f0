"""The features about what may be placed: setup, first placement, contact, stock, corners, blocking."""

from collections.abc import Callable
from itertools import combinations
from types import SimpleNamespace

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from games.rules import IllegalPlacement, Placement, Position
from games.rules.geometry import SQUARES, Point
from tests.rules.games import Points
from tests.rules.table import Table, cells, everything

scenarios(
    "setup.feature",
    "first_placement.feature",
    "contact.feature",
    "stock.feature",
    "corners.feature",
    "blocking.feature",
    "no_other_rules.feature",
)

COLOUR: dict[str, Callable[[str], object]] = {"colour": str.lower, "other": str.lower}


def step(text: str) -> parsers.re:
    """Return a pattern in which <colour> and <other> are names of colours and <…> one word."""
    pattern = text.replace("<text>", r"(?P<text>[\w:,]+)").replace("<rest>", "(?P<rest>.+)")
    for name in COLOUR:
        pattern = pattern.replace(f"<{name}>", f"(?P<{name}>Blue|Yellow|Red|Green)")
    return parsers.re(pattern + "$")


@pytest.fixture
def table() -> Table:
    return Table()


# Given


@given("a new game for four")
def _new_game(table: Table) -> None:
    table.position = Position.start("blockyou-4")


@given(step("a new game for four in which it is <colour>'s turn"), converters=COLOUR)
def _new_game_at(table: Table, colour: str) -> None:
    table.position = Position.setup("blockyou-4", (), to_play=colour)


@given(step("<colour> has placed <text>"), converters=COLOUR)
def _has_placed(table: Table, colour: str, text: str) -> None:
    table.lay(colour, text)


# When


@when(step("<colour> places <text>"), converters=COLOUR)
def _places(table: Table, colour: str, text: str) -> None:
    table.place(colour, text)


@when(step("<colour> tries to place <text>"), converters=COLOUR)
def _tries(table: Table, colour: str, text: str) -> None:
    table.attempt(colour, text)


@when("Blue considers its piece F in the corner a1", target_fixture="considered")
def _considers(table: Table) -> set[Points]:
    legal = table.now().legal_placements("blue")
    return {frozenset(placement.points) for placement in legal if placement.piece == "F"}


@when(step("<colour> claims <rest>"), converters=COLOUR, target_fixture="claim")
def _claims(table: Table, colour: str, rest: str) -> SimpleNamespace:
    return SimpleNamespace(before=everything(table.now()), words=rest.split()[1])


# Then


@then("the placement is accepted")
def _accepted(table: Table) -> None:
    assert table.position.move_count == table.before.move_count + 1
    assert table.position.history[-1].placement == table.tried


@then("nothing speaks against it")
def _legal(table: Table) -> None:
    assert table.refusal is None


@then(step("it is refused for: <rest>"))
def _refused(table: Table, rest: str) -> None:
    assert table.refusal is not None
    assert table.refusal.reasons == tuple(rest.split(", "))
    assert table.tried not in table.now().legal_placements()


@then(step("one reason for the refusal is <rest>"))
def _refused_among_others(table: Table, rest: str) -> None:
    assert table.refusal is not None
    assert rest in table.refusal.reasons
    assert table.tried not in table.now().legal_placements()


@then(step("the cells? at fault (?:is|are) <rest>"))
def _at_fault(table: Table, rest: str) -> None:
    assert table.refusal is not None
    (reason,) = table.refusal.reasons
    assert table.refusal.names[reason] == tuple(rest.split(", "))


@then("nothing has changed")
def _unchanged(table: Table) -> None:
    before = everything(table.before)
    with pytest.raises(IllegalPlacement):
        table.before.play(table.tried)
    assert everything(table.before) == before


@then("the board has 400 cells and all of them are free")
def _empty(table: Table) -> None:
    assert table.position.board == "." * 400


@then("each of Blue, Yellow, Red and Green has 21 different pieces of 1 to 5 cells")
def _stocks(table: Table) -> None:
    names = {piece.name for piece in table.position.variant.pieces}
    assert {piece.size for piece in table.position.variant.pieces} == {1, 2, 3, 4, 5}
    for colour in ("blue", "yellow", "red", "green"):
        assert len(table.position.stock(colour)) == 21
        assert set(table.position.stock(colour)) == names


@then("together the pieces of a colour have 89 cells")
def _stock_cells(table: Table) -> None:
    assert table.position.variant.stock_cells == 89


@then("every turned or flipped form of F that covers a1 on the board is a legal placement")
def _every_form(table: Table, considered: set[Points]) -> None:
    assert considered == forms_over_a1({(1, 0), (0, 1), (1, 1), (1, 2), (2, 2)})


@then("nothing else covering a1 with F is one")
def _nothing_else(considered: set[Points]) -> None:
    assert all((0, 0) in shape for shape in considered)


def forms_over_a1(shape: set[tuple[int, int]]) -> set[Points]:
    """Return the forms of a shape that have a cell in their own lower left corner."""
    found = set()
    for flipped in (shape, {(-x, y) for x, y in shape}):
        for _ in range(4):
            flipped = {(y, -x) for x, y in flipped}
            left, low = min(x for x, _ in flipped), min(y for _, y in flipped)
            found.add(frozenset((x - left, y - low) for x, y in flipped))
    return {form for form in found if (0, 0) in form}


@then(step("the cells of <text> belong to <colour>"), converters=COLOUR)
def _belong(table: Table, text: str, colour: str) -> None:
    assert {table.position.owner(cell) for cell in table.parse(text).cells} == {colour}


@then(step("<text> is no longer in the stock of <colour>"), converters=COLOUR)
def _not_in_stock(table: Table, text: str, colour: str) -> None:
    assert text in table.before.stock(colour)
    assert text not in table.position.stock(colour)


@then(step("no legal placement of <colour> uses <text>"), converters=COLOUR)
def _unused(table: Table, colour: str, text: str) -> None:
    legal = table.position.legal_placements(colour)
    assert legal
    assert text not in {placement.piece for placement in legal}


@then(step("<colour> now has (?P<contact>an edge|a corner) in common with <other>"), converters=COLOUR)
def _in_common(table: Table, colour: str, contact: str, other: str) -> None:
    near = SQUARES.edge_neighbours if contact == "an edge" else SQUARES.corner_neighbours
    mine, theirs = owned(table.position, colour), owned(table.position, other)
    assert any(point in theirs for cell in mine for point in near(cell))


def owned(position: Position, colour: str) -> set[tuple[int, int]]:
    points = position.variant.grid.points
    return {points[cell] for cell in range(400) if position.owner(cell) == colour}


@then(step("<colour>'s pieces touch at exactly one corner"), converters=COLOUR)
@then(step("the new piece touches <colour> at exactly one corner"), converters=COLOUR)
def _one_corner(table: Table, colour: str) -> None:
    mine = [placement for who, placement in table.placed if who == colour]
    touching = [pair for old in mine for pair in corner_pairs(old, table.tried)]
    assert len(touching) == 1


def corner_pairs(one: Placement, other: Placement) -> list[tuple[Point, Point]]:
    """Return the pairs of cells of two placements that are diagonal to each other."""
    pairs = [(a, b) for a in one.points for b in other.points]
    return [(a, b) for a, b in pairs if abs(a[0] - b[0]) == abs(a[1] - b[1]) == 1]


@then(step("no legal placement of any colour covers <rest>"))
def _never_covered(table: Table, rest: str) -> None:
    wanted = set(cells(table.position, rest))
    for colour in table.position.colours_in_play:
        assert all(wanted.isdisjoint(placement.cells) for placement in table.position.legal_placements(colour))


@then("there is no action that moves or removes a piece")
@then("there is no such action")
def _no_such_action(table: Table) -> None:
    assert actions(table.position) == {"play", "play_id", "pass_turn", "retire"}


def actions(position: Position) -> set[str]:
    """Return the names of everything that makes another position out of this one."""
    public = {name for name in dir(position) if not name.startswith("_")}
    hints = {name: getattr(getattr(Position, name), "__annotations__", {}) for name in public}
    made = {name for name, hint in hints.items() if hint.get("return") in {Position, "Position"}}
    return made - {"start", "setup"}


@then("the legal placements of every colour are what they were before the claim")
def _claim_changes_nothing(table: Table, claim: SimpleNamespace) -> None:
    assert everything(table.position) == claim.before


@then(step("<colour> still owns <rest>"), converters=COLOUR)
def _still_owns(table: Table, colour: str, rest: str) -> None:
    assert {table.position.owner(cell) for cell in cells(table.position, rest)} == {colour}


@then(step("<colour> has fewer legal placements than before, and still some"), converters=COLOUR)
def _fewer(table: Table, colour: str) -> None:
    before, after = table.before.legal_ids(colour), table.position.legal_ids(colour)
    assert set(after) < set(before)
    assert after


@then(step("<colour> has no legal placement"), converters=COLOUR)
def _blocked(table: Table, colour: str) -> None:
    assert table.now(colour).legal_placements(colour) == ()


@then(step("<colour> has to pass"), converters=COLOUR)
def _has_to_pass(table: Table, colour: str) -> None:
    position = table.now()
    assert position.colour == colour
    table.position = position.pass_turn()


@then(step("<colour> has no legal placement after that either"), converters=COLOUR)
def _stays_blocked(table: Table, colour: str) -> None:
    position = table.position
    for _ in range(4):
        assert position.is_blocked(colour)
        position = position.play_id(position.legal_ids()[0]) if position.has_legal() else position.pass_turn()


def test_no_two_pieces_of_the_stock_have_a_form_in_common() -> None:
    pieces = Position.start("blockyou-4").variant.pieces
    for one, other in combinations(pieces, 2):
        assert not set(one.orientations) & set(other.orientations)
