"""Thumbnails, checked by drawing them again cell by cell."""

import re
from random import Random

import pytest

from games.drawing.thumbnails import paths, table_thumbnail
from games.rules import Position

COLOURS = ("blue", "yellow", "red", "green")
STROKE = re.compile(r"M(\d+) (\d+)([hv])(-?\d+)")


def rastered(drawing: tuple[tuple[str, str], ...], side: int = 20) -> str:
    """Return the board text that the strokes cover; no cell may be covered twice."""
    cells = ["."] * (side * side)
    for colour, path in drawing:
        assert STROKE.sub("", path) == ""
        for x, y, way, length in STROKE.findall(path):
            for step in range(0, abs(int(length)), 2):
                column = (int(x) + (step if way == "h" else -1)) // 2
                row = (int(y) - (step + 2 if way == "v" else 1)) // 2
                cell = (side - 1 - row) * side + column
                assert cells[cell] == "."
                cells[cell] = str(COLOURS.index(colour))
    return "".join(cells)


@pytest.mark.parametrize("seed", range(20))
def test_a_picture_covers_exactly_the_cells_of_the_board(seed: int) -> None:
    rng = Random(seed)
    position = Position.start("blockyou-4")
    while not position.is_over and position.has_legal() and position.move_count < 15 + 3 * seed:
        position = position.play(rng.choice(position.legal_placements()))
    assert rastered(paths(position.board, "blockyou-4")) == position.board


@pytest.mark.parametrize("seed", range(20))
def test_any_board_at_all_is_drawn_right(seed: int) -> None:
    rng = Random(seed)
    board = "".join(rng.choice(".01.23."[: 2 + seed % 6]) for _ in range(400))
    assert rastered(paths(board, "blockyou-4")) == board


def test_there_is_one_path_a_colour_and_none_for_colours_not_there() -> None:
    assert [colour for colour, _ in paths("02" + "." * 398, "blockyou-4")] == ["blue", "red"]
    assert paths("." * 400, "blockyou-4") == paths("", "blockyou-4") == ()


def test_a_table_shows_a_block_for_each_seat_taken_and_an_outline_for_each_free() -> None:
    picture = table_thumbnail("blockyou-2", ("blue", "red"), ("yellow", "green"))
    assert [colour for colour, _ in picture.paths] == ["blue", "red"]
    assert picture.free.count("z") == 2
    covered = rastered(tuple((colour, path) for colour, path in picture.paths))
    assert (covered.count("0"), covered.count("2")) == (36, 36)
