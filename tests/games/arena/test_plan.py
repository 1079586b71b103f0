"""Which games a match consists of."""

from collections import Counter

import pytest

from games.arena.errors import ArenaError
from games.arena.plan import Match, seatings


@pytest.mark.parametrize(("players", "seats"), [(2, 2), (2, 3), (2, 4), (3, 3), (4, 4)])
def test_every_player_has_every_seat_equally_often_in_games_of_the_same_seeds(players: int, seats: int) -> None:
    for group in seatings(players, seats):
        for seat in range(seats):
            times = Counter(seating[seat] for seating in group)
            assert len(times) == players
            assert len(set(times.values())) == 1


@pytest.mark.parametrize(("variant", "different"), [("duo", 2), ("classic-3", 6), ("blockyou-4", 6)])
def test_two_players_share_the_seats_in_every_even_way(variant: str, different: int) -> None:
    fixtures = list(Match(variant, ("a", "b"), games=12).fixtures())
    assert len({fixture.seating for fixture in fixtures}) == different


def test_a_pair_of_games_has_the_same_seeds_and_no_other_game_has() -> None:
    fixtures = list(Match("duo", ("a", "b"), games=40).fixtures())
    pairs = list(zip(fixtures[::2], fixtures[1::2], strict=True))
    assert all(first.seeds == second.seeds and first.opening_seed == second.opening_seed for first, second in pairs)
    assert len({seed for first, _ in pairs for seed in (*first.seeds, first.opening_seed)}) == 60


def test_another_seed_is_another_match() -> None:
    assert next(Match("duo", ("a", "b"), seed=1).fixtures()) != next(Match("duo", ("a", "b"), seed=2).fixtures())


def test_a_longer_match_begins_as_the_shorter_one() -> None:
    short, long = (list(Match("duo", ("a", "b"), games=games).fixtures()) for games in (5, 20))
    assert long[:6] == short


@pytest.mark.parametrize(("variant", "players"), [("classic-4", 3), ("duo", 1), ("duo", 3)])
def test_seats_that_cannot_be_shared_fairly_are_refused(variant: str, players: int) -> None:
    with pytest.raises(ArenaError, match=f"not for {players}"):
        list(Match(variant, ("a",) * players).fixtures())
