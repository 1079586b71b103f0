"""Every variant against a second engine and the numbers that are known: boards, pieces, games, lines of play."""

import gc
from collections import Counter
from itertools import pairwise

import pytest

from games.rules import VARIANTS, Position, placement
from games.rules.geometry import TriangleLattice
from games.rules.perft import perft
from games.rules.placement import MOST_TABLES, table_for
from games.rules.variants import codingame as drawing
from games.rules.variants import get_variant
from tests.proof import mostly_proof
from tests.rules.games import legal_points, random_positions
from tests.rules.naive import Board, Cell, NaiveGame, connected_sets, kind_of, shapes, touching
from tests.rules.naive_variants import DRAWN, LARGE, RULES, SMALL


@pytest.mark.parametrize("variant", RULES)
def test_cells_are_neighbours_if_they_share_corners(variant: str) -> None:
    grid, board = get_variant(variant).grid, RULES[variant].board
    assert set(grid.points) == set(board.corners)
    near = touching(board)
    for cell in board.corners:
        assert set(grid.lattice.edge_neighbours(cell)) & set(grid.points) == near[2][cell]
        assert set(grid.lattice.corner_neighbours(cell)) & set(grid.points) == near[1][cell]
        assert frozenset(grid.lattice.outline(cell)) == board.corners[cell]


@pytest.mark.parametrize("variant", mostly_proof(RULES, "duo", "codingame-3"))
def test_a_table_has_every_connected_set_of_cells_that_is_a_piece_and_nothing_else(variant: str) -> None:
    rules, table = RULES[variant], table_for(get_variant(variant))
    simple = {kind_of(rules.board, form.shape) for form in table.forms} if len(table.pieces) == 12 else None
    expected = {
        cells for cells in connected_sets(rules.board) if simple is None or kind_of(rules.board, cells) in simple
    }
    assert {frozenset(table.placement(number).points) for number in range(len(table))} == expected
    assert len(table) == len(expected)


@pytest.mark.proof
def test_a_stock_is_what_is_listed() -> None:
    for variant, rules in RULES.items():
        kind = get_variant(variant)
        table = table_for(kind)
        lying = {each.piece: each.points for each in map(table.placement, range(len(table)))}
        found = Counter(kind_of(rules.board, lying[piece.name]) for piece in kind.pieces)
        assert found == Counter(kind_of(rules.board, shape) for shape in rules.stock)
        assert kind.copies == rules.copies


@pytest.mark.proof
@pytest.mark.parametrize("board", [LARGE, SMALL], ids=lambda board: board.name)
def test_there_are_22_polyiamonds_of_110_triangles_in_155_forms(board: Board) -> None:
    variant = VARIANTS["trigon-4" if board is LARGE else "trigon-3"]
    assert Counter(len(cells) for cells in shapes(board).values()) == {1: 1, 2: 1, 3: 1, 4: 3, 5: 4, 6: 12}
    assert (len(variant.pieces), variant.stock_cells) == (22, 110)
    assert sum(len(piece.orientations) for piece in variant.pieces) == 155


@pytest.mark.parametrize(
    ("variant", "cells", "placements", "first"),
    [
        ("classic-4", 400, 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        ("classic-3", 400, 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        ("classic-2", 400, 30_433, {1: 1, 2: 2, 3: 5, 4: 13, 5: 37}),
        ("duo", 196, 13_729, {1: 1, 2: 4, 3: 18, 4: 76, 5: 315}),
        ("junior", 196, 7_217, {1: 1, 2: 4, 3: 18, 4: 76, 5: 90}),
        ("trigon-4", 486, 32_131, {1: 6, 2: 18, 3: 54, 4: 168, 5: 540, 6: 1692}),
        ("trigon-3", 384, 24_859, {1: 6, 2: 18, 3: 54, 4: 168, 5: 540, 6: 1692}),
        ("trigon-2", 486, 32_131, {1: 6, 2: 18, 3: 54, 4: 168, 5: 540, 6: 1692}),
    ],
)
def test_placements_on_the_board_and_first_placements_by_size(
    variant: str, cells: int, placements: int, first: dict[int, int]
) -> None:
    position = Position.start(variant)
    assert (position.variant.cell_count, len(table_for(position.variant))) == (cells, placements)
    for colour in position.colours_in_play:
        assert Counter(len(each.cells) for each in position.legal_placements(colour)) == first


#: Lines of play, as both engines count them where the second one is quick enough, and as the first one does deeper.
LINES = {
    "classic-4": (58, 3_364, 195_112, 11_316_496),
    "classic-3": (58, 3_364, 195_112, 11_316_496),
    "classic-2": (58, 3_364, 195_112, 11_316_496),
    "duo": (414, 171_396, 89_204_762),
    "junior": (189, 35_721, 8_665_264),
    "trigon-4": (2_478, 5_117_070),
    "trigon-3": (2_478, 5_117_070),
    "trigon-2": (2_478, 5_117_070),
    "codingame-2": (48, 2_304, 307_920, 41_152_225),
    "codingame-3": (8, 64, 2_432, 169_632, 11_831_832),
    "codingame-4": (28, 784, 21_952, 614_656),
}


@pytest.mark.parametrize("variant", mostly_proof(LINES, "codingame-4"))
def test_lines_of_play_counted_one_by_one(variant: str) -> None:
    lines = LINES[variant]
    assert tuple(perft(Position.start(variant), depth) for depth in range(1, len(lines) + 1)) == lines


@pytest.mark.parametrize("variant", mostly_proof(LINES, "codingame-3", "codingame-4"))
def test_the_second_engine_counts_the_same_lines_two_deep(variant: str) -> None:
    start = NaiveGame(RULES[variant])
    first = start.legal(str(start.colour))
    assert len(first) == LINES[variant][0]
    # Where a first placement takes no cell that matters to the second colour, it need not be tried one by one.
    second = start.legal(start.rules.colours[1])
    reach: set[Cell] = set()
    for cells in second:
        reach |= cells
    free = [cells for cells in first if cells.isdisjoint(reach)]
    near = [sum(cells.isdisjoint(other) for other in second) for cells in first if not cells.isdisjoint(reach)]
    assert len(free) * len(second) + sum(near) == LINES[variant][1]


#: How deep the second engine is asked to go where boards are small.
DEEPER = {"codingame-2": 3, "codingame-3": 4, "codingame-4": 3}


@pytest.mark.parametrize("variant", DEEPER)
def test_the_second_engine_counts_the_same_lines_deeper_on_small_boards(variant: str) -> None:
    assert lines_of(NaiveGame(RULES[variant]), DEEPER[variant]) == LINES[variant][DEEPER[variant] - 1]


def lines_of(game: NaiveGame, depth: int) -> int:
    """Return the number of lines of so many placements; on these boards nobody has to pass so soon."""
    legal = game.legal(str(game.colour))
    assert legal
    return sum(lines_of(game.after(cells), depth - 1) for cells in legal) if depth > 1 else len(legal)


#: Games by chance of each variant that is not Block-You's own: 3,000 positions and more.
GAMES = {
    "classic-4": 5,
    "classic-3": 5,
    "classic-2": 5,
    "duo": 10,
    "junior": 10,
    "trigon-4": 5,
    "trigon-3": 3,
    "trigon-2": 2,
    "codingame-2": 10,
    "codingame-3": 10,
    "codingame-4": 9,
    "codingame-2:10:42": 14,
    "codingame-4:7:1": 20,
}


@pytest.mark.parametrize("variant", mostly_proof(GAMES, "codingame-2", "codingame-3"))
def test_both_engines_see_the_same_game(variant: str) -> None:
    compared = 0
    for seed in range(500, 500 + GAMES[variant]):
        positions = list(random_positions(seed, variant))
        naive = NaiveGame(RULES[variant])
        for before, after in pairwise(positions):
            compare(before, naive, in_full=compared % 5 == 0)
            placed = after.history[-1].placement
            if placed is None:
                naive.pass_turn()
            else:
                naive.play(frozenset(placed.points))
            compared += 1
        compare(positions[-1], naive, in_full=False)
    assert compared >= 120


def compare(position: Position, naive: NaiveGame, in_full: bool) -> None:
    """Compare turn, seat, end, scores, and the legal set of the colour to play or of every colour."""
    assert (position.colour, position.seat) == (naive.colour, naive.seat)
    assert position.scores() == {colour: naive.score(colour) for colour in naive.rules.colours}
    for colour in naive.rules.colours if not position.is_over else ():
        if in_full or colour == position.colour:
            assert legal_points(position, colour) == naive.legal(colour)


def test_a_hexagons_rows_have_as_many_cells_as_its_edges_say() -> None:
    rows = Counter(y for _x, y in VARIANTS["trigon-4"].grid.points)
    assert [rows[y] for y in range(18)] == [19, 21, 23, 25, 27, 29, 31, 33, 35, 35, 33, 31, 29, 27, 25, 23, 21, 19]


@pytest.mark.parametrize("phase", [0, 1])
def test_six_turns_or_two_flips_lead_back(phase: int) -> None:
    lattice = TriangleLattice(phase)
    shape = lattice.normalise([(2, 0), (3, 0), (4, 0), (4, 1)])
    turned = [shape]
    for _ in range(6):
        turned.append(lattice.turn(turned[-1]))
    assert turned[6] == shape
    assert len(set(turned)) == 6
    assert lattice.flip(lattice.flip(shape)) == shape
    assert not lattice.can_shift((1, 0))


# Drawing


@pytest.mark.parametrize(("players", "seed"), DRAWN)
def test_a_seed_draws_the_same_pieces_for_ever(players: int, seed: int) -> None:
    assert drawing.drawn_letters(players, seed) == DRAWN[players, seed]


def test_every_letter_but_the_first_four_is_drawn_about_equally_often() -> None:
    drawn = Counter(letter for seed in range(2000) for letter in drawing.drawn_letters(4, seed))
    assert {drawn.pop(letter) for letter in "ABCD"} == {2000}
    assert len(drawn) == 17
    # Six of seventeen are drawn: 706 of 2,000 games, give or take five standard deviations.
    assert 600 < min(drawn.values()) <= max(drawn.values()) < 812


@pytest.mark.proof
def test_many_sizes_keep_few_tables() -> None:
    usual = {variant: table_for(variant) for variant in VARIANTS.values()}
    # A position that somebody keeps keeps its table too: what other tests left behind is not counted.
    before = _living_tables()
    for size in range(7, 27):
        assert Position.start(f"codingame-2:{size}:5").legal_count() > 10
    assert sum(all(table is not old for old in before) for table in _living_tables()) <= MOST_TABLES
    assert all(table_for(variant) is table for variant, table in usual.items())
    assert table_for(get_variant("codingame-4:20:5")) is usual[VARIANTS["classic-4"]]


def _living_tables() -> list[placement.PlacementTable]:
    gc.collect()
    return [each for each in gc.get_objects() if type(each) is placement.PlacementTable]
