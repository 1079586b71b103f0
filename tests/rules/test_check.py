"""Why a placement is refused: every reason, alone and in company, each with its cells."""

import copy
import pickle
from typing import Any

import pytest

from games.rules import VARIANTS, IllegalPlacement, Placement, Position
from games.rules.errors import REASONS, UnknownColour
from games.rules.text import read_board
from tests.rules.games import random_game, random_positions
from tests.rules.variants import DUO

START = Position.start("blockyou-4")

CORNER = """
    4 . . . . .
    3 . . . . .
    2 B . . . .
    1 B B . Y .
      a b c d e
"""


def refused(position: Position, text: str, colour: str | None = None) -> IllegalPlacement:
    with pytest.raises(IllegalPlacement) as caught:
        position.check(Placement.parse(text, position.variant), colour)
    return caught.value


@pytest.mark.parametrize(
    ("text", "reasons", "names"),
    [
        ("a1,c1", ("unknown-piece",), ("a1", "c1")),
        ("a1,a2,a3,a4,a5,a6", ("unknown-piece",), ("a1", "a2", "a3", "a4", "a5", "a6")),
        ("I3:a1,b1,a2", ("wrong-shape",), ("a1", "b1", "a2")),
        ("1:j10", ("start-cell",), ("a1",)),
        ("V3:t20,u20,t21", ("off-board", "start-cell"), ("u20", "t21")),
        ("aa27", ("off-board", "start-cell"), ("aa27",)),
    ],
)
def test_a_first_placement_is_refused(text: str, reasons: tuple[str, ...], names: tuple[str, ...]) -> None:
    refusal = refused(START, text)
    assert refusal.reasons == reasons
    assert refusal.names[reasons[0]] == names


@pytest.mark.parametrize(
    ("text", "reasons", "cells"),
    [
        ("V3:c2,d2,c3", ("already-placed",), "a1 b1 a2"),
        ("2:d1,e1", ("overlap", "no-corner-contact"), "d1"),
        ("I3:c2,d2,e2", (), ""),
        ("2:c1,c2", ("edge-contact",), "c1"),
        ("2:e4,e5", ("no-corner-contact",), "e4 e5"),
        ("2:a3,b3", ("edge-contact",), "a3"),
        ("1:c1", ("no-corner-contact", "edge-contact"), "c1"),
        ("O:a2,b2,a3,b3", ("overlap", "edge-contact"), "a2"),
    ],
)
def test_a_later_placement_is_refused(text: str, reasons: tuple[str, ...], cells: str) -> None:
    position = read_board(CORNER)
    if reasons:
        refusal = refused(position, text)
        assert refusal.reasons == reasons
        at_fault = tuple(sorted(map(position.variant.cell_index, cells.split())))
        assert refusal.cells[reasons[0]] == at_fault
    else:
        position.check(Placement.parse(text))


def test_all_reasons_that_hold_are_told_in_the_order_of_the_rules() -> None:
    position = read_board(CORNER)
    refusal = refused(position, "V3:t20,u20,t21", "blue")
    assert refusal.reasons == ("already-placed", "off-board", "no-corner-contact")
    refusal = refused(position, "I3:a1,b1,a2", "yellow")
    assert refusal.reasons == ("not-your-turn", "wrong-shape", "overlap", "no-corner-contact")
    assert list(REASONS).index("not-your-turn") < list(REASONS).index("wrong-shape")


def test_cells_beyond_the_board_have_names_but_no_index() -> None:
    refusal = refused(START, "V3:t20,u20,t21")
    assert refusal.cells["off-board"] == ()
    assert refusal.names["off-board"] == ("u20", "t21")


def test_another_colour_is_told_that_it_is_not_its_turn_and_what_else_is_wrong() -> None:
    assert refused(START, "1:t1", "yellow").reasons == ("not-your-turn",)
    assert refused(START, "1:a1", "yellow").reasons == ("not-your-turn", "start-cell")


def test_a_colour_that_is_not_in_the_game_has_no_turn() -> None:
    position = Position.start("blockyou-3", colours=("blue", "red", "green"))
    assert refused(position, "1:t1", "yellow").reasons == ("not-your-turn",)
    assert position.is_blocked("yellow")
    with pytest.raises(UnknownColour):
        position.check(Placement.parse("1:t1"), "purple")


def test_nothing_is_legal_once_the_game_is_over() -> None:
    game = random_game(1)
    assert refused(game, "1:a1").reasons[0] == "game-over"
    assert "not-your-turn" not in refused(game, "1:a1", "blue").reasons
    retired = Position.start("blockyou-2").retire(0)
    assert refused(retired, "1:t1", "yellow").reasons == ("game-over",)
    assert retired.legal_placements("yellow") == ()


def test_a_refused_placement_changes_nothing() -> None:
    position = read_board(CORNER)
    before = position.board, position.colour, position.legal_ids(), position.move_count
    for play in (position.play, position.check):
        with pytest.raises(IllegalPlacement):
            play(Placement.parse("1:c1"))
    with pytest.raises(IllegalPlacement):
        position.play_id(Placement.parse("1:c1").id or 0)
    assert (position.board, position.colour, position.legal_ids(), position.move_count) == before


def test_a_number_that_no_placement_has_is_an_error_of_the_caller() -> None:
    for number in (-1, 30_433):
        with pytest.raises(IndexError):
            START.play_id(number)


@pytest.mark.parametrize("duplicate", [copy.copy, lambda placement: pickle.loads(pickle.dumps(placement))])
def test_a_copy_of_a_placement_is_as_good_as_the_original(duplicate: Any) -> None:
    original = Placement.parse("V3:a1,b1,a2")
    again = duplicate(original)
    assert again is not original
    assert (again, hash(again), str(again)) == (original, hash(original), str(original))
    assert START.play(again).board == START.play(original).board


def test_a_placement_of_another_board_counts_by_its_cells() -> None:
    small = Placement.parse("V3:a1,b1,a2", DUO)
    assert small is not Placement.parse("V3:a1,b1,a2")
    assert START.play(small).history[-1].placement == Placement.parse("V3:a1,b1,a2")


def test_attach_points_are_start_cells_at_first_and_then_free_corners() -> None:
    assert START.attach_points("blue") == VARIANTS["blockyou-4"].start_cells["blue"] == (0,)
    position = read_board(CORNER)
    names = position.variant.cells
    assert [names[cell] for cell in position.attach_points("blue")] == ["c2", "b3"]
    assert [names[cell] for cell in position.beside_own("blue")] == ["c1", "b2", "a3"]
    assert [names[cell] for cell in position.attach_points("yellow")] == ["c2", "e2"]
    assert position.beside_own("green") == ()


def test_every_legal_placement_covers_an_attach_point_and_no_cell_beside_its_own() -> None:
    for position in list(random_positions(5))[::8]:
        for colour in position.colours_in_play:
            links, barred = set(position.attach_points(colour)), set(position.beside_own(colour))
            for placement in position.legal_placements(colour):
                assert links & set(placement.cells)
                assert not barred & set(placement.cells)
