"""The feature about scores, on positions whose stocks are laid out as the scenarios say."""

import re

import pytest
from pytest_bdd import given, parsers, scenarios, then, when

from games.rules import VARIANTS, Placement, Position, winners

scenarios("scoring.feature")

COLOURS = ("blue", "yellow", "red", "green")
NAMES = tuple(piece.name for piece in VARIANTS["blockyou-4"].pieces)


@pytest.fixture
def left() -> dict[str, set[str]]:
    """Return the pieces that each colour has left; none unless a step says so."""
    return {colour: set() for colour in COLOURS}


@pytest.fixture
def last() -> dict[str, str]:
    """Return the piece that each colour places last, where a step says so."""
    return {}


def laid_out(
    left: dict[str, set[str]], last: dict[str, str], variant: str = "blockyou-4", colours: tuple[str, ...] | None = None
) -> Position:
    """Return a position in which each colour has placed all but what it has left.

    Where the pieces lie is of no consequence here, so they lie one upon the other.
    """
    seated = Position.start(variant, colours).colours_in_play
    placed = [
        (colour, Placement.parse(f"{name}:{','.join(anywhere(name))}"))
        for colour in seated
        for name in sorted(set(NAMES) - left[colour], key=lambda name: name == last.get(colour, "I5"))
    ]
    return Position.setup(variant, placed, colours=colours)


def anywhere(name: str) -> list[str]:
    piece = next(piece for piece in VARIANTS["blockyou-4"].pieces if piece.name == name)
    return [f"{'abcde'[x]}{y + 1}" for x, y in piece.cells]


@given("the pieces left at the end are")
def _pieces_left(left: dict[str, set[str]], datatable: list[list[str]]) -> None:
    for colour, pieces in datatable[1:]:
        left[colour.lower()] = set(pieces.split())


@given("Yellow placed the monomino before its last piece")
def _monomino_before(last: dict[str, str]) -> None:
    last["yellow"] = "I5"


@given(parsers.re("(?P<colour>[A-Z][a-z]+) has placed all 21 pieces, and the last was (?P<negated>not )?the monomino"))
def _placed_all(last: dict[str, str], colour: str, negated: str | None) -> None:
    last[colour.lower()] = "W" if negated else "1"


@given("the same colours with the same pieces left, in games for two, three and four", target_fixture="tables")
def _same_pieces(left: dict[str, set[str]], last: dict[str, str]) -> dict[str, Position]:
    left |= {"blue": {"X"}, "red": {"1", "2"}, "green": {"I4"}}
    last["yellow"] = "1"
    return {
        "blockyou-4": laid_out(left, last),
        "blockyou-2": laid_out(left, last, "blockyou-2"),
        "blockyou-3": laid_out(left, last, "blockyou-3", ("yellow", "red", "green")),
    }


@when("the scores are counted", target_fixture="position")
def _counted(left: dict[str, set[str]], last: dict[str, str]) -> Position:
    return laid_out(left, last)


@when(parsers.re("the final scores are (?P<listed>.+)"), target_fixture="won")
def _final(listed: str) -> tuple[str, ...]:
    return winners({name.lower(): int(score) for name, score in re.findall(r"(\w+) ([-+]\d+)", listed)})


@then(parsers.re(r"(?P<colour>\w+) has (?P<points>-?\d+) points, of which (?P<bonus>\w+) (?:is a|are a) bonus"))
def _points(position: Position, colour: str, points: str, bonus: str) -> None:
    score = position.scores()[colour.lower()]
    cells = sum(piece.size for piece in position.variant.pieces if piece.name in position.stock(colour.lower()))
    assert score == int(points)
    assert score + cells == (0 if bonus == "nothing" else int(bonus))


@then("Yellow has no cell left, which is 0 before its bonus")
def _yellow(position: Position) -> None:
    assert position.stock("yellow") == ()
    assert position.scores()["yellow"] - position.variant.bonus.all_placed == 0


@then(parsers.re("the winners? (?:is|are) (?P<listed>.+)"))
def _winners(won: tuple[str, ...], listed: str) -> None:
    assert won == tuple(listed.lower().split(" and "))


@then("each colour has the same points in all of them")
def _same_points(tables: dict[str, Position]) -> None:
    four = {"blue": -5, "yellow": 20, "red": -3, "green": -4}
    assert tables["blockyou-4"].scores() == tables["blockyou-2"].scores() == four
    assert tables["blockyou-3"].scores() == {"yellow": 20, "red": -3, "green": -4}


@then("a player's points are the sum over the colours of the seat")
def _summed(tables: dict[str, Position]) -> None:
    assert tables["blockyou-2"].seat_scores() == (-8, 16)
    assert tables["blockyou-3"].seat_scores() == (20, -3, -4)
    assert tables["blockyou-4"].seat_scores() == (-5, 20, -3, -4)
