"""Endings that can be played out in every way: the search finds what is best where each seat wants the most for itself.

Each is a position of a game by chance, by the seed and the turns played.
"""

from collections.abc import Callable

import pytest

from games.bots.engines.protocol import Answer
from games.bots.engines.search import SearchEngine
from games.bots.engines.weights import weights_for
from games.rules import Placement, Position
from tests.games.bots.test_search import some_way_on

#: By how much each seat is ahead of the best other.
Leads = tuple[int, ...]
#: What the seat to play makes as large as it can.
Aim = Callable[[int, Leads], int]

#: To these weights all placements are alike: the policy leaves none out, and the search is on its own.
INDIFFERENT = [[0.0] * len(row) for row in weights_for(Position.start("duo").variant)]

#: Who hopes that the others help chooses wrongly here.
NOBODY_HELPS = [
    ("junior", 47, 29), ("duo", 21, 25), ("codingame-2:10:42", 49, 13), ("blockyou-2", 38, 58),
    ("codingame-3:10:42", 41, 16), ("codingame-3:10:42", 67, 16),
    ("codingame-4:10:42", 110, 15), ("codingame-4:10:42", 141, 14), ("codingame-4:10:42", 195, 17),
]  # fmt: skip

#: Who fears that the others harm, whatever that costs them, chooses wrongly here.
NOBODY_HARMS = [
    ("codingame-3:10:42", 17, 12), ("codingame-3:10:42", 48, 15),
    ("codingame-4:10:42", 280, 15), ("codingame-4:10:42", 341, 17), ("codingame-4:10:42", 468, 14),
]  # fmt: skip


def best_for_all(position: Position, aim: Aim) -> Leads:
    """Return what comes of a position if whoever is to play has that aim, by trying everything."""
    if position.is_over:
        scores = position.seat_scores()
        return tuple(score - max(scores[:seat] + scores[seat + 1 :]) for seat, score in enumerate(scores))
    if not position.has_legal():
        return best_for_all(position.pass_turn(), aim)
    seat = position.seat or 0
    outcomes = (best_for_all(position.play_id(placed), aim) for placed in position.legal_ids())
    return max(outcomes, key=lambda leads: aim(seat, leads))


def leads_of(position: Position, aim: Aim) -> dict[Placement, int]:
    """Return how far ahead each placement brings the seat to play."""
    seat = position.seat or 0
    return {placed: best_for_all(position.play(placed), aim)[seat] for placed in position.legal_placements()}


def for_itself(seat: int, leads: Leads) -> int:
    return leads[seat]


def result(lead: int) -> str:
    return "tied" if lead == 0 else "won" if lead > 0 else "lost"


def answer(position: Position) -> Answer:
    return SearchEngine(1000, weights=INDIFFERENT).think(position, seed=1, number=position.move_count + 1)


def assert_seen_through(position: Position, trap: Aim) -> None:
    """Fail unless the search gives no result away that this other belief about the others would have given away."""
    leads, believed = leads_of(position, for_itself), leads_of(position, trap)
    best = result(max(leads.values()))
    assert result(leads[max(believed, key=believed.__getitem__)]) != best
    assert result(leads[answer(position).placement]) == best


@pytest.mark.parametrize(("board", "seed", "turns"), NOBODY_HELPS)
def test_the_others_are_not_counted_on(board: str, seed: int, turns: int) -> None:
    position = some_way_on(board, turns, seed)
    me = position.seat or 0
    assert_seen_through(position, lambda _seat, leads: leads[me])


@pytest.mark.parametrize(("board", "seed", "turns"), NOBODY_HARMS)
def test_the_others_are_not_held_to_harm_at_their_own_cost(board: str, seed: int, turns: int) -> None:
    position = some_way_on(board, turns, seed)
    me = position.seat or 0
    assert_seen_through(position, lambda seat, leads: leads[me] if seat == me else -leads[me])


@pytest.mark.parametrize(("board", "seed", "turns"), NOBODY_HELPS + NOBODY_HARMS)
def test_the_chances_are_told_seat_by_seat(board: str, seed: int, turns: int) -> None:
    position = some_way_on(board, turns, seed)
    leads, values = best_for_all(position, for_itself), answer(position).values
    assert len(values) == len(position.seats)
    assert leads[values.index(max(values))] == max(leads)
