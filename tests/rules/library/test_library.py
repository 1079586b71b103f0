"""The rules as a library: numbers and texts from elsewhere, errors of its own, and what programs that learn ask for."""

from collections.abc import Callable
from dataclasses import replace
from itertools import islice
from typing import Any

import numpy as np
import pytest

from games.rules import (
    VARIANTS,
    IllegalPlacement,
    Placement,
    Position,
    RulesError,
    action_count,
    get_variant,
    places,
    symmetries,
    winners,
)
from games.rules.errors import (
    UnknownColour,
    UnknownSeat,
    UnknownVariant,
    UnreadablePlacement,
    UnreadableRecord,
    UnsuitableColours,
    UnwritableRecord,
)
from games.rules.geometry import rectangle
from games.rules.perft import perft
from games.rules.record import Record, replay
from games.rules.records import GameRecord
from games.rules.symmetry import boards_alike
from tests.rules.games import random_game, random_positions

#: What no type checker would let pass.
WRONG: dict[str, Any] = {"five": 5, "a number": [5], "nothing": [None], "a mixture": [[], {}, 1]}

KINDS = [np.int64, np.int32, np.uint16, np.intp]


@pytest.mark.parametrize("kind", KINDS)
def test_numbers_of_numpy_are_numbers(kind: Callable[[int], Any]) -> None:
    # A size that no other test uses, so that no placement of its table has been made yet.
    position = Position.start("codingame-2:8:77")
    legal = position.legal_ids()
    assert position.placement(kind(2)).id == 2
    assert type(position.placement(kind(2)).id) is int
    assert position.play_id(kind(legal[1])) == position.play_id(legal[1])
    assert position.play_id(kind(legal[1]), trusted=True) == position.play_id(legal[1])
    assert (position.allows_id(kind(legal[0])), position.allows_id(kind(11))) == (True, position.allows_id(11))
    assert type(position.nth_legal_id(kind(1))) is int
    assert position.retire(kind(1)) == position.retire(1)
    assert perft(position, kind(1)) == len(legal)


def test_numbers_of_numpy_leave_nothing_behind_in_the_tables() -> None:
    position = Position.start("codingame-2:9:78")
    for number in np.arange(action_count("codingame-2:9:78")):
        position.placement(number)
    assert all(type(key) is int for key in position._game.table._made)
    assert str(position.placement(2)) == str(Position.start("codingame-2:9:78").placement(2))
    after = position.play(position.legal_placements()[0])
    assert all(type(entry) is int for turn in after._history for entry in turn)
    assert after.legal_placements()


@pytest.mark.parametrize("number", [-1, 13_729, 10**30])
def test_an_id_that_no_placement_has_is_an_index_error(number: int) -> None:
    position = Position.start("duo")
    assert not position.allows_id(number)
    for ask in (position.placement, position.play_id):
        with pytest.raises(IndexError):
            ask(number)


@pytest.mark.parametrize("number", [1.0, "1", None, np.float64(1.0), np.bool_(True)])
def test_what_is_no_whole_number_is_no_id(number: Any) -> None:
    position = Position.start("duo")
    for ask in (position.placement, position.play_id, position.allows_id, position.nth_legal_id):
        with pytest.raises(TypeError):
            ask(number)
    with pytest.raises(UnknownSeat):
        position.retire(number)


def test_a_turn_may_be_played_and_checked_as_text() -> None:
    start = Position.start("blockyou-4")
    assert start.play("1:a1") == start.play(Placement.parse("1:a1"))
    assert start.play("B1,a1,a2") == start.play("V3:a1,b1,a2")
    start.check("1:a1")
    with pytest.raises(IllegalPlacement):
        start.check("1:b2")
    with pytest.raises(UnreadablePlacement):
        start.play("1:")
    laid = Position.setup("blockyou-4", [("blue", "1:a1")])
    assert laid.owner(0) == "blue"


@pytest.mark.parametrize(
    ("ask", "kind"),
    [
        (lambda: Record.from_json([]), UnreadableRecord),
        (lambda: Record.from_json(None), UnreadableRecord),
        (lambda: Record.from_json("duo"), UnreadableRecord),
        (lambda: replay("duo", WRONG["a number"]), UnreadableRecord),
        (lambda: replay("duo", WRONG["nothing"], validate=False), UnreadableRecord),
        (lambda: Position.start("blockyou-3", WRONG["five"]), UnsuitableColours),
        (lambda: Position.start("duo", WRONG["five"]), UnsuitableColours),
        (lambda: Position.start("blockyou-3", WRONG["a mixture"]), UnsuitableColours),
        (lambda: Position.start(WRONG["five"]), UnknownVariant),
        (lambda: action_count("chess"), UnknownVariant),
        (lambda: symmetries("chess"), UnknownVariant),
        (lambda: Position.setup("blockyou-4", (), "purple"), UnknownColour),
        (lambda: Position.setup("blockyou-4", (), ""), UnknownColour),
        (lambda: Position.setup("blockyou-3", (), "green"), UnknownColour),
        (lambda: Position.setup("blockyou-3", [("green", "1:t20")]), UnknownColour),
        (lambda: Position.setup("blockyou-4", [("blue", "1")]), UnreadablePlacement),
        (lambda: Position.start("duo").play(WRONG["five"]), UnreadablePlacement),
    ],
)
def test_what_the_library_refuses_is_an_error_of_its_own(ask: Callable[[], object], kind: type[RulesError]) -> None:
    with pytest.raises(kind) as caught:
        ask()
    assert str(caught.value).endswith(".")


def test_a_position_that_was_set_up_is_no_record() -> None:
    laid = Position.setup("duo", [("purple", "1:e10")], "orange")
    for position in (laid, laid.play("1:j5"), Position.setup("duo", (), "orange")):
        for write in (Record.of, GameRecord.of):
            with pytest.raises(UnwritableRecord, match="was set up"):
                write(position)
    assert Record.of(Position.setup("duo", (), "purple")).moves == ()


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("1:b2", "The first placement has to cover a start cell: a1."),
        ("a1,c1", "These cells form no piece of this variant: a1, c1."),
        ("a0", None),
        ("2:t21,t20", "These cells are not on the board: t21. The first placement has to cover a start cell: a1."),
    ],
)
def test_a_refusal_is_told_in_sentences(text: str, sentence: str | None) -> None:
    with pytest.raises(RulesError) as caught:
        Position.start("blockyou-4").play(text)
    assert sentence is None or str(caught.value) == str(caught.value.phrase) == sentence


def test_a_pass_that_is_refused_says_why() -> None:
    with pytest.raises(IllegalPlacement, match=r"^A colour that can place a piece cannot pass\.$") as caught:
        Position.start("blockyou-4").pass_turn()
    assert caught.value.names == {"must-place": ("a1",)}


@pytest.mark.parametrize(
    ("laid", "entry", "reasons"),
    [
        ([("blue", "1:a1"), ("blue", "1:c3")], 1, ("already-placed",)),
        ([("yellow", "1:a1"), ("red", "2:a1,a2"), ("yellow", "a1,c1")], 2, ("unknown-piece",)),
        ([("green", "1:z1")], 0, ("off-board",)),
        ([("green", "2:a1,a2,a3")], 0, ("wrong-shape",)),
        ([("green", "1:a1"), ("green", "1:z1")], 1, ("already-placed", "off-board")),
    ],
)
def test_setting_up_is_refused_for_reasons_that_apply_alone(
    laid: list[tuple[str, str]], entry: int, reasons: tuple[str, ...]
) -> None:
    with pytest.raises(IllegalPlacement) as caught:
        Position.setup("blockyou-4", laid)
    assert (caught.value.entry, caught.value.reasons) == (entry, reasons)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_action_of_a_variant_is_a_placement_and_there_are_no_more(variant: str) -> None:
    position, count = Position.start(variant), action_count(variant)
    assert position.placement(count - 1).id == count - 1
    with pytest.raises(IndexError):
        position.placement(count)
    assert action_count(get_variant(variant)) == count


@pytest.mark.parametrize("variant", ["blockyou-3", "junior", "codingame-3", "trigon-3"])
def test_the_stock_as_counts_is_the_stock_by_name(variant: str) -> None:
    for position in list(random_positions(11, variant))[::6]:
        for colour in position.variant.colours:
            counts = zip(position.variant.pieces, position.stock_counts(colour), strict=True)
            assert sorted(position.stock(colour)) == sorted(name.name for name, count in counts for _ in range(count))


@pytest.mark.parametrize("variant", ["blockyou-4", "blockyou-3", "trigon-3", "codingame-3"])
def test_sets_of_cells_tell_the_board_and_where_to_go_on(variant: str) -> None:
    for position in random_positions(12, variant):
        for colour in position.variant.colours:
            covered = [cell for cell in range(position.variant.cell_count) if position.owner(cell) == colour]
            assert position.cell_mask(colour) == sum(1 << cell for cell in covered)
            assert position.attach_mask(colour) == sum(1 << cell for cell in position.attach_points(colour))


@pytest.mark.parametrize("variant", ["blockyou-3", "trigon-3", "codingame-2:7:0"])
def test_planes_show_each_colours_cells_in_the_box_around_the_board(variant: str) -> None:
    *_, position, _, _, _ = random_positions(13, variant)
    kind = position.variant
    planes = np.stack([np.frombuffer(plane, np.uint8) for plane in position.planes()])
    planes = planes.reshape(len(kind.colours), kind.height, kind.width)
    for cell, (x, y) in enumerate(kind.grid.points):
        held = [colour for number, colour in enumerate(kind.colours) if planes[number, y, x]]
        assert held == ([position.owner(cell)] if position.owner(cell) else [])
    assert planes.sum() == sum(cell != "." for cell in position.board)
    assert sum(kind.grid.plane((1 << kind.cell_count) - 1)) == kind.cell_count


@pytest.mark.parametrize(("variant", "number"), [("blockyou-4", 8), ("duo", 8), ("trigon-3", 12), ("codingame-3", 8)])
def test_legal_sets_follow_every_symmetry_of_a_board(variant: str, number: int) -> None:
    found = symmetries(variant)
    assert (len(found), len({symmetry.cells for symmetry in found})) == (number, number)
    positions = list(random_positions(14, variant))
    for symmetry in found:
        assert sorted(symmetry.placements) == list(range(action_count(variant)))
        for position in positions[::9]:
            legal = [position.placement(placement_id) for placement_id in position.legal_ids()[::40]]
            for placement in legal:
                moved = position.placement(symmetry.placements[placement.id or 0])
                assert sorted(symmetry.cells[cell] for cell in placement.cells) == list(moved.cells)
                assert moved.piece == placement.piece


def test_a_board_that_is_no_square_has_four_symmetries() -> None:
    found = symmetries(replace(VARIANTS["codingame-2"], id="narrow", grid=rectangle(13, 14)))
    assert [(symmetry.turns, symmetry.is_flipped) for symmetry in found] == [
        (0, False),
        (2, False),
        (0, True),
        (2, True),
    ]
    assert found[1].cells == tuple(range(13 * 14))[::-1]


@pytest.mark.parametrize("variant", ["blockyou-4", "duo", "classic-3", "trigon-2"])
@pytest.mark.slow
def test_colours_follow_the_symmetries_that_keep_start_cells(variant: str) -> None:
    kind, kept = get_variant(variant), [one for one in symmetries(variant) if one.colours is not None]
    for symmetry in kept:
        for number, colour in enumerate(kind.colours):
            other = kind.colours[(symmetry.colours or ())[number]]
            assert {symmetry.cells[cell] for cell in kind.start_cells[colour]} == set(kind.start_cells[other])
    assert len(kept) == {"blockyou-4": 8, "duo": 4, "classic-3": 8, "trigon-2": 12}[variant]
    assert kept[0].cells == tuple(range(kind.cell_count))
    assert [repr(symmetries("duo")[n]) for n in (0, 5)] == ["<Symmetry of 0 turns>", "<Symmetry of 1 turns, flipped>"]


@pytest.mark.parametrize(
    ("variant", "colours", "number"),
    [
        ("duo", None, 2),
        ("duo:N:W", None, 2),
        ("codingame-2:9:5", None, 2),
        ("codingame-3", None, 1),
        ("blockyou-2", None, 1),
        ("blockyou-3", ("blue", "yellow", "green"), 2),
        ("blockyou-3", ("blue", "yellow", "red"), 1),
        ("classic-4", None, 1),
        ("trigon-2", None, 12),
    ],
)
def test_a_position_lies_on_every_board_on_which_it_can_be_played_with_its_moves_turned_and_mirrored(
    variant: str, colours: tuple[str, ...] | None, number: int
) -> None:
    kind = get_variant(variant)
    position = next(islice(random_positions(15, variant, colours), 9, None))
    playing = sorted(map(kind.colour_number, position.colours_in_play))
    expected = []
    for symmetry in symmetries(variant):
        moved = [symmetry.colours[each] for each in playing] if symmetry.colours else []
        if not moved or moved != sorted(moved):
            continue
        image = Position.start(variant, tuple(kind.colours[each] for each in moved) if colours else None)
        for turn in position.history:
            assert turn.placement is not None
            image = image.play(image.placement(symmetry.placements[turn.placement.id or 0]))
        expected.append(image.board)
    assert list(boards_alike(variant, position.board, position.colours_in_play)) == expected
    assert (expected[0], len(set(expected))) == (position.board, number)


@pytest.mark.parametrize(
    ("scores", "expected"),
    [([], ()), ([3], (1,)), ([7, 9, 7], (2, 1, 2)), ([5, 5, 5, 1], (1, 1, 1, 4)), ([-3, -9, 2, -3], (2, 4, 1, 2))],
)
def test_places_count_from_one_and_ties_share_them(scores: list[int], expected: tuple[int, ...]) -> None:
    assert places(scores) == expected


def test_a_position_tells_places_with_retired_seats_last() -> None:
    for seed in range(6):
        game = random_game(seed, "blockyou-4")
        assert [seat for seat, place in enumerate(game.places()) if place == 1] == list(game.winners())
        assert game.places() == places(game.seat_scores())
    start = Position.start("blockyou-4").play("1:a1")
    assert start.places() == (1, 2, 2, 2)
    assert start.retire(0).places() == (4, 1, 1, 1)
    assert winners(start.seat_scores()) == (0,)
