"""What a variant tells about itself."""

import pytest

from games.rules import VARIANTS, UnreadablePlacement
from games.rules.errors import UnknownColour, UnknownVariant
from games.rules.pieces import by_name
from games.rules.variants import get_variant
from tests.rules.variants import DUO, JUNIOR


def test_these_variants_are_offered() -> None:
    families = {"blockyou": "432", "classic": "432", "duo": "", "junior": "", "trigon": "432", "codingame": "234"}
    assert list(VARIANTS) == [f"{name}-{n}" if n else name for name, seats in families.items() for n in seats or [""]]
    assert all(variant.id == variant.family == name for name, variant in VARIANTS.items())


def test_block_you_has_a_board_of_20_by_20_and_four_corners() -> None:
    for variant in (VARIANTS[f"blockyou-{seats}"] for seats in (4, 3, 2)):
        assert (variant.width, variant.height, variant.cell_count) == (20, 20, 400)
        assert variant.colours == ("blue", "yellow", "red", "green")
        assert variant.start_cells == {"blue": (0,), "yellow": (19,), "red": (380,), "green": (399,)}
        assert (variant.stock_cells, variant.copies, len(variant.pieces)) == (89, 1, 21)


def test_cells_are_numbered_row_by_row_from_a1() -> None:
    variant = VARIANTS["blockyou-4"]
    assert [variant.cells[cell] for cell in (0, 1, 19, 20, 399)] == ["a1", "b1", "t1", "a2", "t20"]
    assert [variant.cell_index(name) for name in ("a1", "B1", "t20")] == [0, 1, 399]
    assert DUO.cells[14] == "a2"


def test_a_cell_that_the_board_has_not_is_told_apart_from_no_cell() -> None:
    with pytest.raises(KeyError):
        VARIANTS["blockyou-4"].cell_index("u1")
    with pytest.raises(UnreadablePlacement):
        VARIANTS["blockyou-4"].cell_index("1a")


@pytest.mark.parametrize(
    ("name", "seats", "choosable", "colours"),
    [
        ("blockyou-4", 4, 0, (("blue",), ("yellow",), ("red",), ("green",))),
        ("blockyou-3", 3, 3, (("blue",), ("yellow",), ("red",))),
        ("blockyou-2", 2, 0, (("blue", "red"), ("yellow", "green"))),
    ],
)
def test_seats_and_their_colours(name: str, seats: int, choosable: int, colours: tuple[tuple[str, ...], ...]) -> None:
    variant = VARIANTS[name]
    assert (variant.seats, variant.choosable_colours, variant.seat_colours()) == (seats, choosable, colours)


def test_a_variant_is_known_by_its_id() -> None:
    assert get_variant("blockyou-2") is get_variant(VARIANTS["blockyou-2"]) is VARIANTS["blockyou-2"]
    assert repr(JUNIOR) == "<Variant junior>"
    assert len({*VARIANTS.values(), JUNIOR, DUO}) == len(VARIANTS) == 14
    with pytest.raises(UnknownVariant, match=r"Choose from: blockyou-4, blockyou-3, blockyou-2"):
        get_variant("classic")


def test_an_unknown_colour_is_named_with_those_there_are() -> None:
    with pytest.raises(UnknownColour, match=r"no colour 'purple'.*blue, yellow, red, green"):
        VARIANTS["blockyou-4"].colour_number("purple")


def test_pieces_can_be_had_by_name() -> None:
    pieces = by_name(VARIANTS["blockyou-4"].pieces)
    assert pieces["W"].size == 5
    assert len(pieces) == 21
