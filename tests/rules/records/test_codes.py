"""CodinGame's codes and shapes: there and back for every placement, and as the statement has them."""

import pytest

from games.rules import Placement, Position
from games.rules.codes import (
    code_at,
    code_of,
    codes_at,
    has_codes,
    parse_code,
    parse_shape,
    placement_of,
    shape_text,
    squares_of,
)
from games.rules.errors import UnreadablePlacement
from games.rules.placement import table_for
from games.rules.variants import get_variant
from games.rules.variants.codingame import LETTERS, of_letters
from tests.proof import proof
from tests.rules.games import random_positions


def test_the_first_moves_of_the_statement_are_those_of_its_q() -> None:
    position = Position.start(of_letters(2, 13, "ABCDQ"))
    found = [codes_at(each, position.variant, 156) for each in position.legal_placements() if each.piece == "T5"]
    assert sorted(sorted(map(str, codes)) for codes in found) == [["0 0 Q001", "0 0 Q113"], ["0 0 Q033", "0 0 Q101"]]


@pytest.mark.parametrize("variant", ["codingame-2:7:1", *proof("codingame-4:13:3", "codingame-2:26:9")])
def test_every_placement_is_read_back_from_each_of_its_codes(variant: str) -> None:
    kind = get_variant(variant)
    table = table_for(kind)
    for number in range(len(table)):
        placement = table.placement(number)
        for cell in placement.cells:
            codes = codes_at(placement, kind, cell)
            assert code_at(placement, kind, cell) == min(codes, key=lambda code: code[3:])
            assert {placement_of(parse_code(str(code)), kind) for code in codes} == {placement}


@pytest.mark.parametrize("letter", LETTERS)
def test_a_shape_is_read_back_from_its_text(letter: str) -> None:
    assert parse_shape(shape_text(letter)) == (letter, squares_of(letter))


def test_shapes_are_drawn_row_by_row_from_the_top() -> None:
    assert [shape_text(letter) for letter in "ADHQ"] == ["A 1 1 #", "D 2 2 #.##", "H 3 2 ###.#.", "Q 3 3 ###.#..#."]


@pytest.mark.parametrize("text", ["", "0 0", "0 0 V001", "0 0 Q006", "0 0 A002", "00 0 A001", "0 0 A001 ", "-1 0 A001"])
def test_what_is_no_code_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePlacement):
        parse_code(text)


@pytest.mark.parametrize("text", ["", "A 1 1 .#", "Z 1 1 #", "A 1 1"])
def test_what_is_no_shape_is_refused(text: str) -> None:
    with pytest.raises(UnreadablePlacement):
        parse_shape(text)


def test_a_code_beyond_the_board_or_of_a_piece_not_in_play_is_read_and_has_no_place() -> None:
    kind = get_variant("codingame-2:7:1")
    assert placement_of(parse_code("6 0 B001"), kind).id is None
    assert isinstance(placement_of(parse_code("99 99 A001"), kind), Placement)


def test_a_listed_code_lies_at_an_attach_point() -> None:
    for position in random_positions(1, "codingame-2:9:4"):
        for placement in position.legal_placements()[::9]:
            code = code_of(position, placement)
            assert placement_of(code, position.variant) == placement
            assert (8 - code.y) * 9 + code.x in position.attach_points(position.colour or "")


def test_only_codingames_boards_have_codes() -> None:
    assert has_codes(get_variant("codingame-3:13:5"))
    assert not has_codes(get_variant("duo"))
