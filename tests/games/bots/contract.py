"""What every engine keeps: the contract of `games.bots.engines.protocol`, asked of an engine on random positions."""

import random
from collections.abc import Callable, Iterator
from dataclasses import fields, is_dataclass, replace
from functools import lru_cache
from itertools import count
from typing import Any, cast

from games.bots.engines.protocol import Answer, Engine
from games.rules import VARIANTS, Position

#: Every variant on offer, and one of a chosen size.
BOARDS = (*VARIANTS, "codingame-2:10:42")

#: Positions of each variant. Every so-manieth is looked at closely.
COUNT, CLOSELY = 500, 5

#: What an engine that searches may think of at a move while it is tested: less than it thinks of at a stretch, and, of
#: every so-manieth position, more than that but no multiple of it.
BUDGET, AMPLE, AMPLY = 8, 41, 50


def lawful_answers(make: Callable[[], Engine], board: str, count: int = COUNT) -> int:
    """Let an engine think about the first positions of a variant; return how many.

    Fails where the engine breaks its contract.
    """
    engine, budget = small(make()), budget_of(small(make()))
    number = 0
    for number, position in enumerate(positions(board)[:count], start=1):
        if budget and number % AMPLY == 0:
            assert small(make(), AMPLE).think(position, seed=9, number=number).simulations <= AMPLE
        before = facts(position) if number % CLOSELY == 0 else None
        answer = engine.think(position, seed=9, number=number)
        position.check(answer.placement)
        assert 0 <= answer.simulations <= budget
        if before:
            assert_sensible(answer, position)
            # Another engine, which has thought about nothing yet: what was thought before changes no answer.
            assert small(make()).think(position, seed=9, number=number) == answer
            assert facts(position) == before, "the position was changed"
    return number


def assert_sensible(answer: Answer, position: Position) -> None:
    """Fail unless what an engine tells of its thoughts can be shown to people."""
    assert len(answer.values) in (0, len(position.seats))
    assert not answer.values or abs(sum(answer.values) - 1) < 0.01
    assert all(0 <= value <= 1 for value in answer.values)
    assert not any(value for seat, value in enumerate(answer.values) if seat in position.retired)
    assert len({candidate.placement for candidate in answer.candidates}) == len(answer.candidates)
    for candidate in answer.candidates:
        position.check(candidate.placement)
        assert 0 <= candidate.share <= 1
        assert 0 <= candidate.value <= 1


def small(engine: Engine, budget: int = BUDGET) -> Engine:
    """Return the engine with a small budget, where it has one."""
    made: Any = engine
    has_budget = is_dataclass(made) and "simulations" in {each.name for each in fields(made)}
    return cast("Engine", replace(made, simulations=budget)) if has_budget else engine


def budget_of(engine: Engine) -> int:
    """Return how many simulations an engine may report at a move."""
    return int(getattr(engine, "simulations", 0))


@lru_cache(maxsize=2)
def positions(board: str) -> tuple[Position, ...]:
    """Return 500 positions of games by chance in which somebody can place.

    Of three seats and more, somebody has resigned in every third game, after some placements.
    """
    return tuple(position for position, _ in zip(_endless(board), range(COUNT), strict=False))


def _endless(board: str) -> Iterator[Position]:
    rng = random.Random(5)
    for game in count():
        position = Position.start(board)
        seats = len(position.seats)
        leaves = rng.randrange(4 * seats) if game % 3 == 1 and seats > 2 else None
        while not position.is_over:
            if position.move_count == leaves:
                position = position.retire(rng.randrange(seats))
            drawn = position.pick_legal_id(rng.random())
            if drawn is not None:
                yield position
            position = position.pass_turn() if drawn is None else position.play_id(drawn)


def facts(position: Position) -> dict[str, Any]:
    """Return all that a position can be asked."""
    colours = position.colours_in_play
    return {
        "history": position.history,
        "board": position.board,
        "to play": (position.colour, position.seat, position.is_over),
        "retired": position.retired,
        "stocks": [position.stock(colour) for colour in colours],
        "legal": [position.legal_ids(colour) for colour in colours],
        "attach points": [position.attach_points(colour) for colour in colours],
        "beside": [position.beside_own(colour) for colour in colours],
        "scores": (position.scores(), position.seat_scores()),
    }
