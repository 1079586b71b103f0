"""What is special about a variant, told on boards as one would draw them."""

import pytest

from games.rules import VARIANTS, IllegalPlacement, Placement, Position, winners
from games.rules.errors import UnknownScoring, UnknownVariant
from games.rules.geometry import SQUARES, TriangleLattice
from games.rules.scoring import colour_score
from games.rules.text import ascii_board, read_board
from games.rules.variants import BASIC, COVERAGE, PENALTY, drawn_again, get_variant, sized_id
from tests.rules.games import random_positions


def refused(position: Position, text: str, colour: str | None = None) -> IllegalPlacement:
    with pytest.raises(IllegalPlacement) as caught:
        position.check(Placement.parse(text, position.variant), colour)
    return caught.value


def may(position: Position, text: str, colour: str | None = None) -> bool:
    return Placement.parse(text, position.variant) in position.legal_placements(colour)


# Triangles

#: The lower left of the smaller hexagon: h1 points down, i1 up. Blue has three in a row around j2.
TRIANGLES = """
    4 _ _ _ _ . . . . . . . . . .
    3 _ _ _ _ _ . . . . . . . . .
    2 _ _ _ _ _ _ . . B B . . . .
    1 _ _ _ _ _ _ _ . . B . . . .
      a b c d e f g h i j k l m n
"""


@pytest.mark.parametrize("cell", ["h2", "i3", "k2", "i1", "k1"])
def test_triangles_beside_an_own_one_are_barred(cell: str) -> None:
    refusal = refused(read_board(TRIANGLES, "trigon-3", "blue"), f"1:{cell}")
    assert "edge-contact" in refusal.reasons
    assert refusal.names["edge-contact"] == (cell,)


@pytest.mark.parametrize("cell", ["h1", "g2", "h3", "j3", "g3", "k3", "l2", "l1"])
def test_triangles_that_share_a_corner_only_may_be_next(cell: str) -> None:
    assert may(read_board(TRIANGLES, "trigon-3", "blue"), f"1:{cell}")


@pytest.mark.parametrize("cell", ["m2", "f3", "i4", "m1"])
def test_triangles_further_off_touch_no_corner(cell: str) -> None:
    assert refused(read_board(TRIANGLES, "trigon-3", "blue"), f"1:{cell}").reasons == ("no-corner-contact",)


def test_a_cell_has_its_vertices_in_order() -> None:
    assert SQUARES.outline((2, 3)) == ((2, 3), (3, 3), (3, 4), (2, 4))
    assert TriangleLattice().outline((2, 0)) == ((2, 0), (4, 0), (3, 1))
    assert TriangleLattice().outline((1, 0)) == ((2, 0), (3, 1), (1, 1))


def test_what_lies_beyond_the_hexagon_is_off_the_board() -> None:
    refusal = refused(read_board(TRIANGLES, "trigon-3", "blue"), "2:g1,h1")
    assert refusal.reasons == ("off-board",)
    assert refusal.names["off-board"] == ("g1",)


def test_a_drawing_of_a_hexagon_is_read_back() -> None:
    position = Position.start("trigon-4")
    for _ in range(8):
        position = position.play(position.legal_placements()[-1])
    again = read_board(ascii_board(position), "trigon-4")
    assert again.board == position.board
    assert "_" not in position.board


def test_up_and_down_are_different_placements_of_one_piece() -> None:
    up, down = (Placement.parse(f"1:{cell}", "trigon-3") for cell in ("i1", "h1"))
    assert (up.piece, down.piece) == ("1", "1")
    assert up.orientation != down.orientation


def test_any_start_cell_that_is_free_will_do_once() -> None:
    position = Position.start("trigon-4")
    starts = {"r15", "r4", "j12", "j7", "z12", "z7"}
    assert {position.variant.cells[cell] for cell in position.attach_points("blue")} == starts
    position = position.play(Placement.parse("1:r15", "trigon-4"))
    assert {position.variant.cells[cell] for cell in position.attach_points("yellow")} == starts - {"r15"}
    assert refused(position, "1:r15").reasons == ("overlap",)
    assert not may(position, "2:j12,k12", "blue")
    assert may(position, "2:j12,k12", "yellow")


def test_a_first_piece_may_cover_two_start_cells_no_more_than_it_can_reach() -> None:
    assert refused(Position.start("trigon-4"), "1:r14").reasons == ("start-cell",)


# A colour that is shared


def shared(*placements: str) -> Position:
    position = Position.start("classic-3")
    for text in placements:
        position = position.play(Placement.parse(text, "classic-3"))
    return position


def test_green_is_placed_by_one_seat_after_the_other() -> None:
    seats: list[int | None] = []
    position = Position.start("classic-3")
    while len(seats) < 7:
        if position.colour == "green":
            seats.append(position.seat)
        position = position.play(position.legal_placements()[-1])
    assert seats == [0, 1, 2, 0, 1, 2, 0]


def test_greens_points_are_told_and_count_for_nobody() -> None:
    position = shared("2:a19,a20", "I3:r20,s20,t20", "1:t1", "V3:a1,b1,a2")
    assert position.scores() == {"blue": -87, "yellow": -86, "red": -88, "green": -86}
    assert position.seat_scores() == (-87, -86, -88)
    assert position.seats == (("blue",), ("yellow",), ("red",))


def test_a_seat_that_has_retired_is_left_out_of_greens_turns() -> None:
    position = shared("2:a19,a20", "I3:r20,s20,t20", "1:t1").retire(0)
    assert (position.colour, position.seat) == ("green", 1)
    position = position.play(Placement.parse("V3:a1,b1,a2", "classic-3"))
    assert (position.colour, position.seat) == ("yellow", 1)
    assert position.seat_of("green") == 1
    assert position.retire(1).is_over
    assert position.retire(1).winners() == (2,)


# Two of each


def test_the_second_of_two_alike_pieces_is_placed_like_the_first() -> None:
    board = """
        6 . . . . . .
        5 . . . . . .
        4 . . . . . .
        3 . . . . . .
        2 G . . . . .
        1 G G . . . .
          a b c d e f
    """
    position = read_board(board, "junior", "green")
    assert position.stock("green").count("V3") == 1
    assert may(position, "V3:c2,d2,c3")
    both = position.play(Placement.parse("V3:c2,d2,c3", "junior"))
    assert refused(both, "V3:e1,f1,e2", "green").reasons[:2] == ("not-your-turn", "already-placed")
    assert VARIANTS["junior"].stock_cells == 88


def test_two_players_start_inside_the_board() -> None:
    position = Position.start("duo")
    assert refused(position, "1:j5").names["start-cell"] == ("e10",)
    assert may(position, "X:e9,d10,e10,f10,e11")


# Pieces that are drawn, and a board of any size


def test_three_players_open_the_first_two_with_a_piece_of_three_cells_at_most() -> None:
    position = Position.start("codingame-3")
    assert {placement.piece for placement in position.legal_placements()} == {"1", "2", "I3", "V3"}
    refusal = refused(position, "O:a12,b12,a13,b13")
    assert refusal.reasons == ("opening-piece",)
    assert refusal.names["opening-piece"] == ("a12", "b12", "a13", "b13")
    position = position.play(Placement.parse("1:a13", "codingame-3")).play(Placement.parse("1:m1", "codingame-3"))
    assert any(len(placement.cells) == 5 for placement in position.legal_placements())
    position = position.play(position.legal_placements()[0])
    assert any(len(placement.cells) == 4 for placement in position.legal_placements())


def test_a_piece_that_was_not_drawn_is_none() -> None:
    start = Position.start("codingame-4:13:1")
    assert "X" not in start.stock("blue")
    assert refused(start, "X:b11,a12,b12,c12,b13").reasons == ("unknown-piece", "start-cell")


def test_a_size_and_a_seed_make_another_variant_of_the_family() -> None:
    kind = get_variant("codingame-2:10:42")
    assert (kind.id, kind.family, kind.width, kind.height) == ("codingame-2:10:42", "codingame-2", 10, 10)
    assert kind.start_cells == {"blue": (90,), "yellow": (9,)}
    assert get_variant("codingame-2:13:0") is VARIANTS["codingame-2"]
    assert sized_id("codingame-2", 13, 0) == "codingame-2"


@pytest.mark.parametrize(
    "name",
    [
        *("codingame-2:6:1", "codingame-2:27:1", "codingame-2:07:1", "codingame-2:13", "codingame-2:13:-1"),
        *("codingame-2:13:4294967296", "codingame-2:13:01", "codingame-5:13:1", "duo:14:1", "codingame-2:13:1 "),
        *("codingame-2:13:\N{ARABIC-INDIC DIGIT ONE}", "codingame-2:" + "9" * 9999, ":", "codingame-2::"),
    ],
)
def test_a_size_or_a_seed_that_is_none_is_refused(name: str) -> None:
    with pytest.raises(UnknownVariant):
        get_variant(name)


def test_pieces_are_drawn_again_where_they_are_drawn_at_all() -> None:
    assert drawn_again("codingame-2:10:42", 7) == "codingame-2:10:7"
    assert drawn_again("codingame-2:10:42", 2**32 + 8) == "codingame-2:10:8"
    assert drawn_again("duo", 7) == "duo"


# A pass that ends the game


def ended_by_pass(seed: int, variant: str) -> tuple[Position, Position]:
    """Return the positions before and after the last turn of a game by chance."""
    *_, before, after = random_positions(seed, variant)
    return before, after


@pytest.mark.parametrize("variant", ["codingame-2:9:11", "codingame-3:9:11", "codingame-4:9:11"])
def test_only_a_pass_with_the_lowest_score_of_all_ends_the_game_early(variant: str) -> None:
    early = 0
    for seed in range(60):
        before, after = ended_by_pass(seed, variant)
        assert after.history[-1].placement is None
        if not after.has_all_passed:
            scores = list(before.seat_scores())
            mine = scores.pop(before.seat or 0)
            assert mine < min(scores)
            early += 1
    assert early > 0


@pytest.mark.parametrize("variant", ["codingame-2:9:11", "codingame-3:9:11", "codingame-4:9:11"])
def test_no_game_goes_on_after_a_pass_with_the_lowest_score(variant: str) -> None:
    went_on = 0
    for seed in range(40):
        for position in random_positions(seed, variant):
            if position.is_over or not position.history or position.history[-1].placement:
                continue
            scores = list(position.seat_scores())
            mine = scores.pop(position.variant.colour_number(position.history[-1].colour or ""))
            assert mine >= min(scores)
            went_on += 1
    assert went_on > 0


# Ways of scoring


@pytest.mark.parametrize(
    ("scoring", "left", "last", "cells", "bonus"),
    [
        (PENALTY, 17, 5, -17, 0),
        (PENALTY, 0, 5, 0, 15),
        (PENALTY, 0, 1, 0, 20),
        (BASIC, 17, 5, -17, 0),
        (BASIC, 0, 1, 0, 0),
        (COVERAGE, 17, 5, 72, 0),
        (COVERAGE, 0, 5, 89, 15),
        (COVERAGE, 0, 1, 89, 20),
        (COVERAGE, 89, 0, 0, 0),
    ],
)
def test_a_colours_score_is_made_of_cells_and_a_bonus(
    scoring: str, left: int, last: int, cells: int, bonus: int
) -> None:
    score = colour_score(VARIANTS["duo"], scoring, left, last)
    assert (score.cells, score.bonus, score.total) == (cells, bonus, cells + bonus)


def test_the_highest_scores_there_are() -> None:
    most = {id_: colour_score(kind, COVERAGE, 0, 1).total for id_, kind in VARIANTS.items()}
    assert (most["duo"], most["trigon-4"], most["junior"]) == (109, 130, 88)


def test_a_position_is_scored_in_the_way_it_was_begun() -> None:
    text = Placement.parse("2:a1,b1", "blockyou-4")
    ways = {way: Position.start("blockyou-4", scoring=way).play(text) for way in (PENALTY, BASIC, COVERAGE)}
    assert {way: position.scores()["blue"] for way, position in ways.items()} == {
        "penalty": -87,
        "basic": -87,
        "coverage": 2,
    }
    assert {position.scoring for position in ways.values()} == set(ways)
    assert Position.start("codingame-2").scoring == "coverage"


def test_the_bonus_decides_in_one_way_and_not_in_another() -> None:
    """Whoever places everything beats whoever has one cell left by 16, 1 or 16."""
    for way, ahead in ((PENALTY, 16), (BASIC, 1), (COVERAGE, 16)):
        everything, nearly = (colour_score(VARIANTS["duo"], way, left, 5).total for left in (0, 1))
        assert everything - nearly == ahead
        assert winners((everything, nearly)) == (0,)


def test_a_way_of_scoring_that_a_variant_has_not_is_refused() -> None:
    with pytest.raises(
        UnknownScoring, match=r"duo has no way of scoring called 'golf'. Choose from: penalty, basic, coverage"
    ):
        Position.start("duo", scoring="golf")
    with pytest.raises(UnknownScoring):
        Position.start("codingame-2", scoring="penalty")
