"""Paths read back: what is drawn into pictures encloses what the board's geometry says."""

from itertools import pairwise

import pytest

from games.drawing import outline, svg
from games.drawing.raster.colours import colours, fill_of, glyph_of
from games.drawing.raster.paths import polylines
from games.rules import Position
from games.rules.variants import VARIANTS, get_variant
from tests.games.replay.pictures import token

COLOURS = ("blue", "yellow", "red", "green", "purple", "orange")


def area(line: tuple[tuple[float, float], ...]) -> float:
    """Return how much a closed line encloses, positive where it goes clockwise on the screen."""
    return sum(x * next_y - next_x * y for (x, y), (next_x, next_y) in pairwise(line)) / 2


@pytest.mark.parametrize(("variant", "cell"), [("blockyou-4", 100.0), ("trigon-4", 6 * 10.4)])
def test_the_outline_of_a_piece_encloses_its_cells(variant: str, cell: float) -> None:
    for placement in Position.start(variant).legal_placements()[:400]:
        lattice = get_variant(variant).grid.lattice
        lines = polylines(outline.piece_path(placement.points, 20, lattice))
        # A rounded corner takes less than a square unit, and a piece of six cells has at most fourteen.
        assert sum(map(area, lines)) == pytest.approx(len(placement.points) * cell, abs=14)
        assert all(line[0] == line[-1] for line in lines)


def test_lines_go_where_the_commands_say() -> None:
    assert polylines("M10 20m1-2h3v.5l-1.5 2z".replace(".5l", "0.5l")) == (
        ((11.0, 18.0), (14.0, 18.0), (14.0, 18.5), (12.5, 20.5), (11.0, 18.0)),
    )
    assert polylines("M0 0h2M5 5v-1") == (((0.0, 0.0), (2.0, 0.0)), ((5.0, 5.0), (5.0, 4.0)))


def test_a_rounded_corner_bends_and_two_half_circles_are_a_ring() -> None:
    (bend,) = polylines("M0 0q4 0 4 4")
    assert (bend[2], bend[-1]) == ((3.0, 1.0), (4.0, 4.0))
    (ring,) = polylines("M5 5" + outline.glyph("yellow"))
    assert {round(((x - 5) ** 2 + (y - 5) ** 2) ** 0.5, 6) for x, y in ring} == {2.0}
    assert area(ring) == pytest.approx(-12.42, abs=0.01)


@pytest.mark.parametrize("colour", [*COLOURS, "white"])
def test_every_glyph_lies_in_the_middle_of_its_cell(colour: str) -> None:
    for line in polylines("M0 0" + outline.glyph(colour)):
        assert max(max(abs(x), abs(y)) for x, y in line) <= 2.5


def test_the_lines_of_a_board_stay_on_it() -> None:
    frame = svg.frame_view("trigon-4")
    spots = [spot for line in polylines(frame.grid) for spot in line]
    assert min(x for x, _ in spots) >= 0
    assert max(x for x, _ in spots) <= frame.width
    assert [min(y for _, y in spots), max(y for _, y in spots)] == pytest.approx([0, frame.height], abs=12)


@pytest.mark.parametrize("variant", VARIANTS)
def test_beside_a_small_board_letters_are_readable(variant: str) -> None:
    # The narrowest boards of a page: 250 pixels on the smallest phone, 320 beside the words of a review.
    for letters, pixels in ((svg.FEW_LETTERS, 250), (svg.LARGE_LETTERS, 320)):
        frame = svg.frame_view(variant, letters)
        assert frame.letter_size * pixels / frame.width >= 9


def test_of_few_letters_the_first_stands_there_and_every_fifth() -> None:
    frame = svg.frame_view("blockyou-4", svg.FEW_LETTERS)
    assert (frame.letters, frame.digits) == ("aejot", "15101520")
    assert frame.letters_x == "5 45 95 145 195"


def test_large_letters_still_name_every_line() -> None:
    frame = svg.frame_view("blockyou-4", svg.LARGE_LETTERS)
    assert frame.letters == "abcdefghijklmnopqrst"
    assert frame.digits.startswith("123456789101112")


def test_colours_are_those_of_the_stylesheet() -> None:
    def read(colour: str) -> tuple[int, ...]:
        return tuple(bytes.fromhex(colour[1:]))

    for name in ("page", "card", "text", "board", "outline", *COLOURS):
        assert read(colours()[name]) == token(name)
    assert read(fill_of("red")) == token("red")
    assert read(glyph_of("red")) == token("glyph-on-red")
    assert read(fill_of("")) == token("soft")
