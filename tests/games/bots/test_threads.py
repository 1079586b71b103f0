"""Engines that search think in several threads at once, and refuse what does not fit."""

import random
import threading
from collections.abc import Callable
from typing import Any

import pytest

from games.bots.engines.arguments import InvalidCallError
from games.bots.engines.search import FollowingEngine, PriorEngine, SearchEngine, board_of
from games.bots.engines.tree import Tuning
from games.bots.learned import LearnedEngine
from games.rules import Position
from tests.games.learning.apart import printed

THINKING = """
from concurrent.futures import ThreadPoolExecutor
from games.bots.engines.search import FollowingEngine, SearchEngine
from games.rules import Position
positions = [Position.start(variant) for variant in ("duo", "blockyou-4", "junior", "trigon-2")]
following = FollowingEngine(40)
def think(number):
    position = positions[number % 4]
    engine = following if number % 3 == 0 else SearchEngine(100 + number % 2)
    return engine.think(position, seed=number, number=1)
alone = [think(number) for number in range(24)]
with ThreadPoolExecutor(6) as pool:
    for _ in range(4):
        together = list(pool.map(think, range(24)))
print([a == b for n, (a, b) in enumerate(zip(alone, together)) if n % 3])
"""

SOLO = """
import threading
from games.learning.solo import SoloEnv
failed = []
def play(seed):
    try:
        env = SoloEnv("duo", "sage-4", seat=0)
        env.reset(seed=seed)
        for _ in range(12):
            if env.game.is_over:
                break
            env.step(env.sample())
    except Exception as error:
        failed.append(repr(error))
threads = [threading.Thread(target=play, args=(seed,)) for seed in range(6)]
for each in threads: each.start()
for each in threads: each.join()
print(failed)
"""


def test_threads_think_at_once_and_answer_as_each_does_alone() -> None:
    assert printed(THINKING) == f"{[True] * 16}\n"


def test_games_against_bots_are_played_in_threads() -> None:
    assert printed(SOLO) == "[]\n"


def test_a_search_within_a_search_leaves_it_its_tree() -> None:
    position, inner = Position.start("duo"), list[Any]()

    def clock() -> float:
        inner.append(SearchEngine(60).think(Position.start("junior"), seed=1, number=1))
        return 0.0

    within = SearchEngine(60, clock=clock, seconds=9).think(position, seed=2, number=1)
    assert within == SearchEngine(60, clock=lambda: 0.0, seconds=9).think(position, seed=2, number=1)
    assert inner[0] == inner[-1]


def test_a_thread_that_has_ended_leaves_no_tree_behind() -> None:
    from games.bots.engines import search

    kept: list[int] = []

    def think() -> None:
        for simulations in (20, 21, 22):
            SearchEngine(simulations).think(Position.start("junior"), seed=1, number=1)
        kept.append(len(search._workspaces._free))

    thread = threading.Thread(target=think)
    thread.start()
    thread.join()
    # Two trees, and a game of the one board.
    assert kept == [3]


def over(variant: str) -> Position:
    luck, position = random.Random(1), Position.start(variant)
    while not position.is_over:
        drawn = position.pick_legal_id(luck.random())
        position = position.pass_turn() if drawn is None else position.play_id(drawn)
    return position


def blocked(variant: str) -> Position:
    luck, position = random.Random(1), Position.start(variant)
    while position.has_legal():
        drawn = position.pick_legal_id(luck.random())
        position = position.play_id(drawn or 0)
    assert not position.is_over
    return position


@pytest.mark.parametrize("engine", [SearchEngine(20), PriorEngine(), FollowingEngine(20), LearnedEngine()])
@pytest.mark.parametrize(
    ("position", "says"),
    [
        (lambda: over("duo"), "The game is over"),
        (lambda: blocked("duo"), "can place nothing: pass first"),
        (lambda: "duo", "An engine thinks about a position"),
    ],
)
def test_an_engine_is_asked_only_where_something_can_be_placed(
    engine: Any, position: Callable[[], Any], says: str
) -> None:
    with pytest.raises(InvalidCallError, match=says):
        engine.think(position(), seed=1, number=1)


ROW = [0.0] * 10


@pytest.mark.parametrize(
    "made",
    [
        lambda: SearchEngine(0),
        lambda: SearchEngine(-5),
        lambda: SearchEngine(2.5),  # type: ignore[arg-type]
        lambda: SearchEngine("90"),  # type: ignore[arg-type]
        lambda: SearchEngine(9, told=-1),
        lambda: SearchEngine(9, seconds=float("nan")),
        lambda: SearchEngine(9, clock=3),  # type: ignore[arg-type]
        lambda: SearchEngine(9, tuning=(1, 2)),  # type: ignore[arg-type]
        lambda: SearchEngine(9, tuning=Tuning(children=0)),
        lambda: SearchEngine(9, tuning=Tuning(visits=-1)),
        lambda: SearchEngine(9, tuning=Tuning(rave=0.0)),
        lambda: SearchEngine(9, tuning=Tuning(explore=float("inf"))),
        lambda: FollowingEngine(0),
        lambda: PriorEngine(temperature=-1.0),
        lambda: PriorEngine(temperature=1e-9),
        lambda: PriorEngine(temperature=1e12),
        lambda: board_of(Position.start("duo"), [ROW]),
        lambda: board_of(Position.start("duo"), (), 0.0),
    ],
)
def test_an_engine_is_not_made_of_numbers_out_of_bounds(made: Callable[[], Any]) -> None:
    with pytest.raises(InvalidCallError):
        made()


@pytest.mark.parametrize("rows", [[ROW], [ROW] * 3, [[1e30] * 500] * 3, 5, "abc", [[float("nan")] * 500] * 3])
def test_weights_that_no_policy_has_are_refused(rows: Any) -> None:
    for engine in (SearchEngine(9, weights=rows), SearchEngine(9, bias=rows), PriorEngine(weights=rows)):
        with pytest.raises(InvalidCallError, match="are 3 rows of"):
            engine.think(Position.start("duo"), seed=1, number=1)
