"""Cells and placements as text: what is written, what is read, and what nobody can read."""

import string
from collections.abc import Callable
from typing import Any, TypeVar

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import Placement, UnreadablePlacement
from games.rules.errors import RulesError
from games.rules.notation import LONGEST_PLACEMENT, format_cell, format_column, parse_cell
from games.rules.placement import table_for
from games.rules.variants import VARIANTS

Read = TypeVar("Read")
TABLE = table_for(VARIANTS["blockyou-4"])


@pytest.mark.parametrize(
    ("point", "name"),
    [((0, 0), "a1"), ((19, 19), "t20"), ((25, 0), "z1"), ((26, 8), "aa9"), ((27, 8), "ab9"), ((51, 98), "az99")],
)
def test_cells_are_named_by_column_and_row_from_the_lower_left(point: tuple[int, int], name: str) -> None:
    assert format_cell(point) == name
    assert parse_cell(name) == parse_cell(name.upper()) == point


def test_columns_go_on_after_z() -> None:
    assert [format_column(x) for x in (0, 25, 26, 51, 52, 701, 702)] == ["a", "z", "aa", "az", "ba", "zz", "aaa"]


@pytest.mark.parametrize(
    "text",
    [
        "V3:a1,b1,a2",
        "v3:A1,B1,A2",
        "V3 a1,b1,a2",
        "V3: a2 , b1 ,a1",
        "  V3 :\ta2,a1,b1  ",
        "a1,b1,a2",
        "A2,b1,a1",
        "v3  b1,a1,a2",
    ],
)
def test_people_may_write_a_placement_in_several_ways(text: str) -> None:
    assert str(Placement.parse(text)) == "V3:a1,b1,a2"


@pytest.mark.parametrize("text", ["i3,i4,i5", "I3 , i4,i5", "I3:i3,i4,i5", "I3 i3,i4,i5"])
def test_a_cell_that_reads_like_a_piece_is_a_cell_where_a_comma_follows(text: str) -> None:
    assert str(Placement.parse(text)) == "I3:i3,i4,i5"


def test_a_single_cell_is_the_monomino() -> None:
    assert str(Placement.parse("o7")) == str(Placement.parse("1 o7")) == "1:o7"
    assert str(Placement.parse("o o7,p7,o8,p8")) == "O:o7,p7,o8,p8"


@pytest.mark.parametrize(
    ("text", "place", "expected"),
    [
        ("", 0, "a cell"),
        ("V3:", 3, "a cell"),
        ("V3:a1,b1,", 9, "a cell"),
        ("V3:a1;b1", 5, "a comma"),
        ("V3:a1 b1", 6, "a comma"),
        ("V9:a1,b1", 0, "the name of a piece"),
        (" e5 f5", 1, "the name of a piece"),
        ("a0", 0, "a cell"),
        ("a01", 0, "a cell"),
        ("a100", 0, "a cell"),
        ("abc1", 0, "a cell"),
        ("1", 0, "a cell"),
        ("a1,A1", 3, "each cell once"),
        ("a1\n", 2, "a comma"),
        ("a1\x00", 2, "a comma"),
        ("\x00", 0, "a cell"),
        ("\ud800", 0, "a cell"),
        ("a\u0661", 0, "a cell"),
        ("\uff41\uff11", 0, "a cell"),
        ("\u212a1", 0, "a cell"),
        ("a" + "1" * 5000, LONGEST_PLACEMENT, "the end"),
        ("a1," * 5000, LONGEST_PLACEMENT, "the end"),
        ("a" + "9" * 150, 0, "a cell"),
        ("pass", 0, "a cell"),
    ],
)
def test_what_is_no_placement_is_told_where_and_what_was_expected(text: str, place: int, expected: str) -> None:
    with pytest.raises(UnreadablePlacement) as caught:
        Placement.parse(text)
    assert (caught.value.place, caught.value.expected[: len(expected)]) == (place, expected)
    assert str(caught.value).startswith(f"At character {place + 1}: expected {expected}")


@pytest.mark.parametrize("text", [None, 3, b"a1", ["a1"]])
def test_what_is_no_text_is_no_placement(text: Any) -> None:
    with pytest.raises(UnreadablePlacement):
        Placement.parse(text)


@settings(deadline=None)
@given(st.text(max_size=300) | st.text(string.ascii_letters + string.digits + ":, \t\x00é١", max_size=60))
def test_any_text_is_either_read_or_refused_with_a_place(text: str) -> None:
    read = attempt(Placement.parse, text)
    if isinstance(read, UnreadablePlacement):
        assert 0 <= read.place <= len(text)
    else:
        assert Placement.parse(str(read)) == read


@settings(deadline=None)
@given(st.text(max_size=8))
def test_one_cell_is_read_or_refused(text: str) -> None:
    read = attempt(parse_cell, text)
    assert isinstance(read, RulesError) or format_cell(read) == text.strip(" \t").lower()


def attempt(read: Callable[[str], Read], text: str) -> Read | UnreadablePlacement:
    """Return what was read, or the refusal; any other exception fails the test."""
    try:
        return read(text)
    except UnreadablePlacement as refusal:
        return refusal


def test_two_cells_are_not_one() -> None:
    with pytest.raises(UnreadablePlacement):
        parse_cell("a1,b1")


@settings(deadline=None)
@given(st.integers(0, len(TABLE) - 1))
def test_every_placement_reads_back_from_its_text_and_from_its_cells_alone(number: int) -> None:
    placement = TABLE.placement(number)
    text = str(placement)
    assert placement.id == number
    assert Placement.parse(text) is Placement.parse(text.partition(":")[2]) is placement
    assert TABLE.id_of_text(text) == number
    assert TABLE.cells_of(number) == placement.cells == tuple(sorted(placement.cells))


NOT_CANONICAL = ["V3:a1,c1", "I3:a1,b1,a2", "V3:b1,a1,a2", "v3:a1,b1,a2", "V3:t1,u1,t2", "a1", ""]


@pytest.mark.parametrize("text", NOT_CANONICAL)
def test_the_quick_reading_takes_canonical_text_only(text: str) -> None:
    with pytest.raises(KeyError):
        TABLE.id_of_text(text)


def test_ids_are_dense_and_ascend_by_anchor_then_by_shape() -> None:
    placements = [TABLE.placement(number) for number in range(len(TABLE))]
    anchors = [(p.anchor[1], p.anchor[0]) for p in placements]
    shapes = [[(x - p.anchor[0], y - p.anchor[1]) for x, y in p.points] for p in placements]
    keys = list(zip(anchors, shapes, strict=True))
    assert keys == sorted(keys)
    assert len({p.cells for p in placements}) == len(placements) == 30_433
    some = placements[::101]
    assert sorted(sorted(some, key=str)) == some
    assert not some[0] < some[0]


@pytest.mark.parametrize(
    ("text", "piece", "orientation", "written"),
    [
        ("V3:t20,u20,t21", "V3", 0, "V3:t20,u20,t21"),
        ("u20,t20,t21", "V3", 0, "V3:t20,u20,t21"),
        ("I3:a1,b1,a2", "I3", None, "I3:a1,b1,a2"),
        ("c1,a1", "", None, "a1,c1"),
        ("F:c1,a1", "F", None, "F:a1,c1"),
    ],
)
def test_what_no_board_has_room_for_is_a_placement_without_an_id(
    text: str, piece: str, orientation: int | None, written: str
) -> None:
    placement = Placement.parse(text)
    assert (placement.id, placement.piece, placement.orientation) == (None, piece, orientation)
    assert str(placement) == written
    assert Placement.parse(written) == placement


def test_placements_are_values_that_never_change() -> None:
    placement = Placement.parse("V3:a1,b1,a2")
    with pytest.raises(AttributeError):
        placement.piece = "I3"
    assert placement != "V3:a1,b1,a2"
    assert len({placement, Placement.parse("a2,b1,a1")}) == 1
    assert repr(placement) == f"<Placement {placement.id} V3:a1,b1,a2>"
    assert (placement.anchor, placement.orientation, placement.cells) == ((0, 0), 0, (0, 1, 20))
