"""Numbers that are known from elsewhere: lines of play, placements on a board, first placements."""

from collections import Counter
from dataclasses import replace

import pytest

from games.rules import VARIANTS, Position
from games.rules.geometry import SQUARES, Grid
from games.rules.perft import factorised_perft, lines_alone, perft
from games.rules.placement import table_for
from games.rules.variants import Variant
from tests.rules.situations import situation
from tests.rules.variants import CLOCKWISE, DUO, JUNIOR

LINES = [
    (1, 58),
    (2, 3_364),
    (3, 195_112),
    (4, 11_316_496),
    (5, 1_898_244_648),
    (6, 318_414_175_524),
    (7, 53_411_232_994_362),
    (8, 8_959_273_893_140_481),
]


@pytest.mark.parametrize(("depth", "lines"), LINES[:3])
def test_lines_of_play_counted_one_by_one(depth: int, lines: int) -> None:
    assert perft(Position.start("blockyou-4"), depth) == lines


@pytest.mark.parametrize(("depth", "lines"), LINES)
def test_lines_of_play_counted_colour_by_colour(depth: int, lines: int) -> None:
    assert factorised_perft("blockyou-4", depth) == lines


@pytest.mark.parametrize("colour", ["blue", "yellow", "red", "green"])
def test_a_colour_alone_has_9729_lines_of_two_placements(colour: str) -> None:
    assert lines_alone("blockyou-4", colour, 2) == 9_729


def test_after_two_placements_no_colour_can_have_met_another() -> None:
    """Check what the factorised count rests on: nothing beyond the ninth row or column."""
    start = Position.start("blockyou-4")
    for first in start.legal_placements("blue"):
        alone = Position.setup("blockyou-4", [("blue", first)])
        for second in alone.legal_placements("blue"):
            assert all(x <= 8 and y <= 8 for x, y in second.points)


def test_a_line_goes_on_through_passes_and_stops_at_the_end() -> None:
    ended = Position.start("blockyou-2").retire(0)
    assert [perft(ended, depth) for depth in (0, 1)] == [1, 0]
    closing = situation("Green is to play and nobody can place").replay()
    assert [perft(closing, depth) for depth in range(6)] == [1, 1, 1, 1, 1, 0]


def test_a_board_may_have_any_outline() -> None:
    """Count on a ring, 5 by 5 without its middle, against plain enumeration."""
    cells = tuple((x, y) for y in range(5) for x in range(5) if (x, y) != (2, 2))
    ring = replace(DUO, id="ring", grid=Grid(SQUARES, cells), starts={"purple": ("a1",), "orange": ("e5",)})
    shapes = [frozenset(form) for piece in ring.pieces for form in piece.orientations]
    moved = (frozenset((x + dx, y + dy) for x, y in shape) for shape in shapes for dx, dy in (*cells, (2, 2)))
    fitting = {shape for shape in moved if shape <= set(cells)}
    table = table_for(ring)
    assert {frozenset(table.placement(number).points) for number in range(len(table))} == fitting
    assert len(table) == len(fitting)


@pytest.mark.parametrize(
    ("variant", "placements", "first"),
    [
        (VARIANTS["blockyou-4"], 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        (VARIANTS["blockyou-3"], 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        (VARIANTS["blockyou-2"], 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        (CLOCKWISE, 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        (DUO, 13_729, {1: 1, 2: 4, 3: 18, 4: 76, 5: 315}),
        (JUNIOR, 7_217, {1: 1, 2: 4, 3: 18, 4: 76, 5: 90}),
    ],
    ids=lambda value: getattr(value, "id", None),
)
def test_placements_on_the_board_and_first_placements_by_size(
    variant: Variant, placements: int, first: dict[int, int]
) -> None:
    position = Position.start(variant)
    assert len(table_for(variant)) == placements
    for colour in position.colours_in_play:
        legal = position.legal_placements(colour)
        assert Counter(len(placement.cells) for placement in legal) == first


def test_a_stock_of_two_copies_gives_out_only_after_the_second() -> None:
    position = Position.start(JUNIOR)
    assert position.stock("green").count("P") == 2
    assert JUNIOR.stock_cells == 88
    for left in (1, 0):
        placement = next(p for p in position.legal_placements("green") if p.piece == "P")
        position = Position.setup(JUNIOR, [*placed(position), ("green", placement)])
        assert position.stock("green").count("P") == left
    assert all(placement.piece != "P" for placement in position.legal_placements("green"))


def placed(position: Position) -> list:
    return [(turn.colour, turn.placement) for turn in position.history]
