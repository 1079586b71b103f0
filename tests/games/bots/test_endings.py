"""Endings are played perfectly: beside a search by the rules alone that tries everything.

Each is a position of a game by chance, by the seed and the turns played.
"""

import random
from collections.abc import Iterator

import pytest

from games.bots.engines.endings import MOST_PLACEMENTS, Solved, solve
from games.bots.engines.search import SHORT_STRETCH, FollowingEngine, SearchEngine
from games.bots.engines.state import rules_of, state_of
from games.bots.engines.tables import tables_of
from games.rules import Position
from tests.games.bots.test_search import some_way_on

#: Positions that trying everything may take: more would take minutes.
MOST_TRIED = 4000

#: Boards for two, and the turns of a game by chance after which few placements are left on each.
ENDINGS = [
    ("duo", 22), ("duo", 25), ("duo", 28), ("junior", 31), ("blockyou-2", 56), ("blockyou-2", 60), ("blockyou-2", 64),
    ("trigon-2", 66), ("codingame-2:10:42", 13), ("codingame-2:10:42", 15), ("codingame-2", 20),
]  # fmt: skip


class TooManyError(Exception):
    """An ending is too large to be tried in every way."""


class Everything:
    """How far ahead a seat ends if all play well, by trying all there is."""

    def __init__(self, seat: int) -> None:
        self.seat = seat
        self.tried = 0
        self._known: dict[object, int] = {}

    def margin(self, position: Position) -> int:
        if position.is_over:
            scores = [score for seat, score in enumerate(position.seat_scores()) if seat not in position.retired]
            mine = position.seat_scores()[self.seat]
            scores.remove(mine)
            return mine - max(scores)
        self.tried += 1
        if self.tried > MOST_TRIED:
            raise TooManyError
        if not position.has_legal():
            return self.margin(position.pass_turn())
        known = position.key
        if known not in self._known:
            aim = max if position.seat == self.seat else min
            self._known[known] = aim(self.margin(position.play_id(placed)) for placed in position.legal_ids())
        return self._known[known]


def solved(position: Position, most: int = 200_000) -> Solved | None:
    rules = rules_of(position)
    return solve(position, rules, state_of(position, tables_of(position), rules), most)


def left(position: Position) -> int:
    """Return how many placements could be made if each colour had corners everywhere."""
    return sum(position.open_mask(colour).bit_count() for colour in position.colours_in_play)


def endings(board: str, turns: int, seeds: range) -> Iterator[tuple[Position, int]]:
    """Yield endings that can be tried in every way, with how far the seat to play is then ahead."""
    for seed in seeds:
        position = some_way_on(board, turns, seed)
        if not position.is_over and left(position) <= MOST_PLACEMENTS:
            try:
                yield position, Everything(position.seat or 0).margin(position)
            except TooManyError:
                continue


def assert_perfect(position: Position, margin: int) -> None:
    found = solved(position)
    assert found is not None
    assert found.margin == margin
    assert Everything(position.seat or 0).margin(position.play_id(found.placement)) == margin


@pytest.mark.parametrize(("board", "turns"), ENDINGS)
def test_the_best_placement_of_an_ending_is_found(board: str, turns: int) -> None:
    tried = 0
    for position, margin in endings(board, turns, range(12)):
        assert_perfect(position, margin)
        tried += 1
    assert tried >= 2


@pytest.mark.proof
def test_no_placement_that_loses_points_is_played_in_five_hundred_endings() -> None:
    tried = 0
    for board, turns in ENDINGS:
        for position, margin in endings(board, turns, range(100, 250)):
            assert_perfect(position, margin)
            tried += 1
    assert tried >= 500


def test_bots_play_what_is_best_and_say_what_it_brings() -> None:
    for position, margin in endings("duo", 25, range(20, 40)):
        seat = position.seat or 0
        answer = SearchEngine(1000).think(position, seed=1, number=position.move_count + 1)
        assert Everything(seat).margin(position.play(answer.placement)) == margin
        assert answer.simulations == 0
        assert answer.values[seat] == (1 if margin > 0 else 0.5 if margin == 0 else 0)
        assert sum(answer.values) == 1
        assert answer.candidates[0].placement == answer.placement
        assert FollowingEngine(1000).think(position, seed=1, number=9).placement == answer.placement


def large_ending() -> Position:
    """Return an ending that takes more than fifty thousand positions."""
    position = some_way_on("trigon-2", 62, 4)
    assert solved(position, 50_000) is None
    return position


class Clock:
    """A clock that shows a tenth of a second more each time that it is asked."""

    def __init__(self) -> None:
        self.shows = 0.0

    def __call__(self) -> float:
        self.shows += 0.1
        return self.shows


@pytest.mark.parametrize("make", [SearchEngine, FollowingEngine])
def test_of_its_seconds_a_bot_looks_through_an_ending_for_half_and_simulates_for_the_rest(
    make: type[SearchEngine | FollowingEngine],
) -> None:
    position, clock = large_ending(), Clock()
    # So many simulations, that they allow for more positions than it takes.
    answer = make(10_000, seconds=1, clock=clock, stops_early=False).think(position, seed=1, number=63)
    assert not answer.is_proved
    # Asked ten times in a second: about half of them after eight simulated games.
    assert 4 * SHORT_STRETCH <= answer.simulations <= 6 * SHORT_STRETCH
    assert clock.shows <= 1.3


def test_an_ending_that_ends_within_half_of_the_seconds_is_played_perfectly() -> None:
    for position, margin in endings("duo", 25, range(20, 30)):
        answer = SearchEngine(10_000, seconds=2, clock=Clock()).think(position, seed=1, number=26)
        assert answer.is_proved
        assert Everything(position.seat or 0).margin(position.play(answer.placement)) == margin


def test_an_ending_is_looked_through_as_far_and_as_well_in_one_piece_as_in_many() -> None:
    position = large_ending()
    rules = rules_of(position)
    state = state_of(position, tables_of(position), rules)
    asked: list[bool] = []

    def is_time_up() -> bool:
        asked.append(True)
        return False

    found = solve(position, rules, state, 2_000_000, is_time_up)
    assert found == solved(position, 2_000_000)
    assert found is not None
    assert len(asked) >= 16
    # The same number of positions is enough.
    enough = next(most for most in range(500 * len(asked), 500 * len(asked) + 501, 50) if solved(position, most))
    assert solve(position, rules, state, enough, lambda: False) == found
    assert solve(position, rules, state, enough - 51, lambda: False) is None


def test_an_engine_that_is_told_so_simulates_games_to_the_last() -> None:
    position, _margin = next(endings("duo", 25, range(20, 40)))
    assert SearchEngine(50, solves_endings=False).think(position, seed=1, number=9).simulations > 0


@pytest.mark.parametrize(
    ("board", "turns"), [("blockyou-4", 50), ("codingame-4:10:42", 14), ("codingame-3:10:42", 12), ("trigon-3", 50)]
)
def test_at_more_than_two_seats_what_one_alone_can_place_is_placed_best(board: str, turns: int) -> None:
    alone = 0
    for seed in range(25):
        position = some_way_on(board, turns, seed)
        while not position.is_over:
            able = [colour for colour in position.colours_in_play if not position.is_blocked(colour)]
            if len({position.seat_of(colour) for colour in able}) == 1:
                break
            position = position.play_id(position.legal_ids()[0]) if position.has_legal() else position.pass_turn()
        while not position.is_over and not position.has_legal():
            position = position.pass_turn()
        found = None if position.is_over else solved(position)
        if found is not None:
            try:
                margin = Everything(position.seat or 0).margin(position)
            except TooManyError:
                continue
            assert found.margin == margin
            assert Everything(position.seat or 0).margin(position.play_id(found.placement)) == margin
            alone += 1
    assert alone >= 3


def test_a_seat_that_has_retired_counts_for_nothing() -> None:
    found = 0
    for seed in range(30):
        position = some_way_on("codingame-3:10:42", 14, seed)
        if position.is_over:
            continue
        position = position.retire(((position.seat or 0) + 1) % 3)
        while not position.is_over and not position.has_legal():
            position = position.pass_turn()
        if position.is_over or solved(position) is None:
            continue
        try:
            assert_perfect(position, Everything(position.seat or 0).margin(position))
        except TooManyError:
            continue
        found += 1
    assert found >= 3


def test_what_is_no_ending_is_left_to_simulated_games() -> None:
    start = Position.start("duo")
    assert solved(start) is None
    midgame = some_way_on("duo", 12, 1)
    assert left(midgame) > MOST_PLACEMENTS
    assert solved(midgame) is None
    assert solved(some_way_on("blockyou-4", 40, 1)) is None
    # A shared colour is nobody's alone.
    assert solved(some_way_on("classic-3", 60, 1)) is None


def test_an_ending_that_takes_too_long_to_look_through_is_given_up() -> None:
    position = next(position for position, _margin in endings("duo", 22, range(12)))
    assert solved(position) is not None
    assert solved(position, most=1) is None
    assert SearchEngine(1).think(position, seed=1, number=9).placement in position.legal_placements()


@pytest.mark.parametrize("board", ["duo", "junior", "trigon-3", "codingame-4"])
def test_what_a_colour_could_place_with_corners_everywhere_never_grows_and_holds_what_is_legal(board: str) -> None:
    position, luck = Position.start(board), random.Random(3)
    before = {colour: position.open_mask(colour) for colour in position.colours_in_play}
    while not position.is_over:
        for colour in position.colours_in_play:
            now = position.open_mask(colour)
            assert now & ~before[colour] == 0
            assert position.legal_mask(colour) & ~now == 0
            before[colour] = now
        ids = position.legal_ids()
        position = position.play_id(luck.choice(ids)) if ids else position.pass_turn()
