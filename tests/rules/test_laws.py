"""Laws that hold for every game: symmetry, monotony, commuting, and reading back what was written."""

from collections.abc import Callable
from functools import cache
from itertools import pairwise

import pytest

from games.rules import VARIANTS, Placement, Position, winners
from games.rules.placement import table_for
from games.rules.record import Record
from games.rules.text import ascii_board, read_board
from games.rules.variants import Variant
from tests.rules.games import random_game, random_positions
from tests.rules.variants import CLOCKWISE

FOUR = VARIANTS["blockyou-4"]
LAST = 19

#: The eight symmetries of the square, as maps of (x, y).
SYMMETRIES: dict[str, Callable[[int, int], tuple[int, int]]] = {
    "identity": lambda x, y: (x, y),
    "quarter": lambda x, y: (y, LAST - x),
    "half": lambda x, y: (LAST - x, LAST - y),
    "three quarters": lambda x, y: (LAST - y, x),
    "left to right": lambda x, y: (LAST - x, y),
    "bottom to top": lambda x, y: (x, LAST - y),
    "diagonal": lambda x, y: (y, x),
    "antidiagonal": lambda x, y: (LAST - y, LAST - x),
}


@cache
def moved_ids(symmetry: str) -> tuple[int, ...]:
    """Return, by id, the id of the placement that the symmetry makes of it."""
    table, move = table_for(FOUR), SYMMETRIES[symmetry]
    moved = (tuple(move(x, y) for x, y in table.placement(number).points) for number in range(len(table)))
    return tuple(table.resolve(points).id or 0 for points in moved)


def moved_colours(variant: Variant, symmetry: str) -> dict[str, str]:
    """Return, by colour, the colour whose corner the symmetry makes of its corner."""
    move, points = SYMMETRIES[symmetry], variant.grid.points
    corners = {points[cells[0]]: colour for colour, cells in variant.start_cells.items()}
    return {colour: corners[move(*point)] for point, colour in corners.items()}


@pytest.mark.parametrize("symmetry", SYMMETRIES)
@pytest.mark.slow
def test_legal_sets_follow_the_symmetries_of_the_board(symmetry: str) -> None:
    ids, colours, compared = moved_ids(symmetry), moved_colours(FOUR, symmetry), 0
    for seed in range(4):
        mirror = Position.start(FOUR)
        for position in random_positions(seed):
            if position.history and position.history[-1].placement:
                mirror = mirrored(mirror, position, ids, colours)
            for colour, other in colours.items():
                assert {ids[number] for number in position.legal_ids(colour)} == set(mirror.legal_ids(other))
            compared += 1
    assert compared >= 250


def mirrored(mirror: Position, position: Position, ids: tuple[int, ...], colours: dict[str, str]) -> Position:
    """Return the mirrored position after the mirrored last placement."""
    colour, placement, _ = position.history[-1]
    number = FOUR.colour_number(colours[colour or ""])
    return mirror._placed(number, ids[(placement and placement.id) or 0])


@pytest.mark.parametrize(
    ("variant", "symmetry"),
    [
        (FOUR, "identity"),
        (FOUR, "bottom to top"),
        (CLOCKWISE, "identity"),
        (CLOCKWISE, "quarter"),
        (CLOCKWISE, "half"),
        (CLOCKWISE, "three quarters"),
    ],
    ids=str,
)
def test_whole_games_replay_under_the_symmetries_that_keep_the_order_of_turns(variant: Variant, symmetry: str) -> None:
    ids, colours = moved_ids(symmetry), moved_colours(variant, symmetry)
    for seed in range(5):
        game = random_game(seed, variant)
        mirror = Position.setup(variant, (), to_play=colours["blue"])
        for turn in game.history:
            assert mirror.colour == colours[turn.colour or ""]
            mirror = mirror.play_id(ids[turn.placement.id or 0]) if turn.placement else mirror.pass_turn()
        assert mirror.is_over
        assert {colours[colour]: score for colour, score in game.scores().items()} == mirror.scores()


@pytest.mark.parametrize("symmetry", ["half", "left to right"])
def test_half_a_turn_and_left_to_right_reverse_the_order_of_turns(symmetry: str) -> None:
    colours = moved_colours(FOUR, symmetry)
    order = [colours[colour] for colour in FOUR.colours]
    start = FOUR.colours.index(order[0])
    assert order == [FOUR.colours[(start - step) % 4] for step in range(4)]


@pytest.mark.parametrize("seed", range(20, 28))
def test_a_foreign_placement_never_adds_a_legal_one(seed: int) -> None:
    for before, after in pairwise(random_positions(seed)):
        for colour in before.colours_in_play:
            if colour != before.colour:
                assert after.legal_mask(colour) & ~before.legal_mask(colour) == 0


@pytest.mark.parametrize("seed", range(20, 28))
def test_a_pass_changes_neither_board_nor_stock_nor_legal_set(seed: int) -> None:
    passes = [(a, b) for a, b in pairwise(random_positions(seed)) if b.history[-1].placement is None]
    assert passes
    for before, after in passes:
        assert after.board == before.board
        for colour in before.colours_in_play:
            assert after.stock(colour) == before.stock(colour)
            assert after.legal_ids(colour) == before.legal_ids(colour)


@pytest.mark.parametrize("seed", range(20, 28))
def test_a_blocked_colour_stays_blocked(seed: int) -> None:
    blocked: set[str] = set()
    for position in random_positions(seed):
        now = {colour for colour in position.colours_in_play if position.is_blocked(colour)}
        assert blocked <= now
        blocked = now


@pytest.mark.parametrize("seed", range(30, 36))
def test_placements_of_two_colours_that_do_not_meet_commute(seed: int) -> None:
    for position in list(random_positions(seed))[::5]:
        one, other = position.colours_in_play[:2]
        pairs = zip(position.legal_placements(one)[::9], position.legal_placements(other)[::7], strict=False)
        for first, second in pairs:
            if not set(first.cells) & set(second.cells):
                assert both(position, (one, first), (other, second)) == both(position, (other, second), (one, first))


def both(position: Position, *added: tuple[str, Placement]) -> tuple[object, ...]:
    """Return all that can be asked about the position after two more placements."""
    placed = [(turn.colour or "", turn.placement) for turn in position.history if turn.placement]
    after = Position.setup(FOUR, [*placed, *added])
    return after.board, [(after.stock(colour), after.legal_ids(colour)) for colour in after.colours_in_play]


@pytest.mark.parametrize("variant", ["blockyou-4", "blockyou-3", "blockyou-2"])
@pytest.mark.parametrize("seed", range(5))
def test_what_is_written_is_read_back(variant: str, seed: int) -> None:
    game = random_game(seed, variant)
    record = Record.of(game)
    for again in (record.replay(), record.replay(validate=False), Record.from_json(record.to_json()).replay()):
        assert again.history == game.history
        assert again.board == game.board
        assert again.scores() == game.scores()
        assert again.is_over
    assert read_board(ascii_board(game), variant).board == game.board


@pytest.mark.parametrize("seed", range(40, 50))
def test_covered_cells_and_bonus_minus_the_stock_make_the_score(seed: int) -> None:
    """Count from the other end: +1 a covered cell, +15 for all, +5 for the monomino last."""
    for position in list(random_positions(seed))[::10]:
        for colour, score in position.scores().items():
            covered = sum(position.owner(cell) == colour for cell in range(400))
            bonus = (15 + 5 * (position.last_piece(colour) == "1")) if covered == 89 else 0
            assert covered + bonus - 89 == score


@pytest.mark.parametrize("seed", range(50, 60))
def test_the_winners_are_the_seats_with_the_highest_score(seed: int) -> None:
    game = random_game(seed, "blockyou-2")
    first, second = game.seat_scores()
    expected = (0, 1) if first == second else (0,) if first > second else (1,)
    assert game.winners() == winners(game.seat_scores()) == expected
