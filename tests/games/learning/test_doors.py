"""What does not fit is refused at the doors of `games.learning`, before compiled code reads it."""

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from games.bots.engines.arguments import InvalidCallError
from games.learning import blockyou_v0
from games.learning.batch import Batch, IllegalActionError
from games.learning.selfplay import SelfPlay
from games.learning.solo import SoloEnv
from games.rules.errors import UnknownScoring
from tests.games.learning.apart import printed

#: Calls that read or wrote where nothing of theirs lies: each is made in a process of its own.
REFUSED = """
import sys
import numpy as np
from games.bots.engines.arguments import InvalidCallError
from games.learning.batch import Batch
from games.learning.selfplay import SelfPlay
batch = Batch("duo", 4)
try:
    exec(sys.argv[1])
except InvalidCallError as refused:
    print(refused)
"""

PLAY = "SelfPlay('junior', 2, 2).play"


@pytest.mark.parametrize(
    ("call", "says"),
    [
        ("batch.sample(np.zeros(100))", "an array of 4 whole numbers in one row, an action for each game, not one of"),
        ("batch.sample(np.zeros(100_000, np.int64))", "of the shape (100000,)."),
        ("batch.view(100_000, 0)", "A game of this batch is a whole number from 0 to 3, not 100000."),
        ("batch.view(0, 100_000)", "There is no colour 100000. Choose from: [0, 1]."),
        ("batch.step(np.zeros(100_000, np.int64))", "of the shape (100000,)."),
        (f"{PLAY}(np.zeros(9), np.zeros(9), [1, 2], 0.0)", "as an array in one row."),
        (f"{PLAY}(np.zeros(544), np.zeros(0), [1, 2], 0.0)", "Give 9 numbers of a baseline as an array in one row."),
        (f"{PLAY}(np.zeros(544), np.zeros(9), [1], 0.0)", "There are 2 games and 1 seeds."),
    ],
)  # fmt: skip
def test_a_call_that_would_read_beyond_an_array_is_refused_in_a_sentence(call: str, says: str) -> None:
    assert says in printed(REFUSED, call)


@pytest.mark.parametrize("game", [-1, 4, 1.0, "0", None, 10**4000])
def test_a_game_that_a_batch_has_not_cannot_be_viewed(game: Any) -> None:
    with pytest.raises(InvalidCallError, match="A game of this batch is a whole number from 0 to 3"):
        Batch("duo", 4).view(game, 0)


def test_a_colour_that_is_not_in_play_sees_nothing() -> None:
    for colour in (-1, 2, 4, 0.5, "blue"):
        with pytest.raises(InvalidCallError):
            Batch("duo", 2).view(0, colour)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "unfit",
    [
        lambda actions: actions[:2],
        lambda actions: np.concatenate([actions, actions]),
        lambda actions: actions.reshape(2, 2),
        lambda actions: actions.astype(float),
        lambda actions: actions.astype(object),
        lambda actions: actions.astype(bool),
        lambda actions: actions.tolist(),
        lambda actions: None,
        lambda actions: 3,
    ],
)
def test_actions_of_another_shape_or_type_are_refused_and_nothing_changes(unfit: Callable[[Any], Any]) -> None:
    batch = Batch("duo", 4)
    before, actions = batch.masks.copy(), unfit(batch.sample())
    for call in (batch.step, batch.sample):
        if actions is None and call == batch.sample:
            continue
        with pytest.raises(InvalidCallError, match=r"Give (the actions as )?an array"):
            call(actions)
    assert np.array_equal(batch.masks, before)


@pytest.mark.parametrize(
    "alike",
    [
        lambda actions: actions.astype(">i8"),
        lambda actions: actions.astype(np.int32),
        lambda actions: actions.astype(np.uint64),
        lambda actions: np.stack([actions, actions], 1)[:, 0],
        lambda actions: np.ma.masked_array(actions),
    ],
)
def test_whole_numbers_are_actions_however_they_lie_in_memory(alike: Callable[[Any], Any]) -> None:
    batch, other = Batch("duo", 4), Batch("duo", 4)
    for _ in range(3):
        actions = batch.sample()
        batch.step(actions)
        other.step(alike(actions))
    assert np.array_equal(batch.masks, other.masks)


def test_placements_are_drawn_into_a_column_of_an_array_but_not_into_one_that_cannot_hold_them() -> None:
    batch, other, kept = Batch("duo", 4), Batch("duo", 4), np.full((4, 3), -7, np.int64)
    batch.sample(kept[:, 1])
    assert np.array_equal(kept[:, 1], other.sample())
    assert set(kept[:, [0, 2]].ravel().tolist()) == {-7}
    closed = np.zeros(4, np.int64)
    closed.flags.writeable = False
    unfitting: list[Any] = [np.zeros(4, np.int32), np.zeros(4, ">i8"), closed]
    for unfit in unfitting:
        with pytest.raises(InvalidCallError, match="of the type int64 that can be written to"):
            batch.sample(unfit)


def test_what_stands_for_a_game_that_is_over_is_ignored() -> None:
    batch, whole = Batch("junior", 3, autoreset=False), Batch("junior", 3)
    ends = np.zeros(3, int)
    for step in range(100):
        if batch.ended.all():
            break
        resting = batch.ended.copy()
        actions = batch.sample(np.full(3, (-1, 10**9)[step % 2], np.int64))
        batch.step(actions)
        assert not batch.rewards[resting].any()
        assert batch.ended[resting].all()
        going = ~resting
        actions[resting] = whole.sample()[resting]
        whole.step(actions)
        assert np.array_equal(batch.rewards[going], whole.rewards[going])
        ends += batch.ended & ~resting
    assert ends.tolist() == [1, 1, 1]
    assert (batch.colours.tolist(), batch.seats.tolist()) == ([-1] * 3, [-1] * 3)
    assert not batch.masks.any()
    scores = batch.scores.copy()
    batch.step(np.full(3, -5))
    assert np.array_equal(batch.scores, scores)


def test_an_illegal_action_is_refused_beside_a_game_that_is_over() -> None:
    batch = Batch("junior", 2, autoreset=False, seeds=[1, 2])
    while not batch.ended.any():
        batch.step(batch.sample())
    going = int(np.flatnonzero(~batch.ended)[0])
    with pytest.raises(IllegalActionError) as refused:
        batch.step(np.full(2, -1))
    assert refused.value.game == going


def test_what_a_learner_writes_over_makes_no_game_of_its_own() -> None:
    batch, other = Batch("junior", 2, autoreset=False), Batch("junior", 2)
    while not batch.ended.all():
        batch.step(batch.sample())
    batch.colours[:] = 1
    batch.ended[:] = False
    assert batch.sample(np.full(2, -3)).tolist() == [-3, -3]
    batch.reset()
    assert np.array_equal(batch.masks, other.masks)


@pytest.mark.parametrize(
    ("wrong", "says"),
    [
        ({"games": 1.5}, "The number of games of a batch is a whole number from 1 to"),
        ({"games": 10**9}, "The number of games of a batch is a whole number from 1 to"),
        ({"rewards": ["rank"]}, "Choose from: rank, margin"),
        ({"shaping": float("nan")}, "Shaping is a number"),
        ({"shaping": "much"}, "Shaping is a number"),
        ({"seeds": [0.5, 1]}, "A seed is a whole number"),
        ({"seeds": 7}, "Give the seeds as a list of 2 whole numbers"),
        ({"seeds": np.zeros((2, 1))}, "A seed is a whole number"),
        ({"has_planes": np.zeros(0)}, "Whether there are planes is True or False"),
        ({"autoreset": "no"}, "Whether games begin again is True or False"),
        ({"masks": [0, 1]}, "of the shape"),
        ({"masks": np.zeros((2, 13729), "S1")}, "of the shape"),
    ],
)  # fmt: skip
def test_a_batch_is_not_made_of_what_does_not_fit(wrong: dict[str, Any], says: str) -> None:
    with pytest.raises(InvalidCallError, match=says):
        Batch("duo", **{"games": 2} | wrong)


def test_a_scoring_of_another_type_is_an_unknown_one() -> None:
    with pytest.raises(UnknownScoring, match="no way of scoring called of type ndarray"):
        Batch("duo", 1, scoring=np.array(["basic", "penalty"]))  # type: ignore[arg-type]


def test_seeds_may_be_numbers_of_numpy_however_large() -> None:
    seeds = np.array([2**62 + 5, 3])
    assert Batch("duo", 2, seeds=seeds).sample().tolist() == Batch("duo", 2, seeds=seeds.tolist()).sample().tolist()  # type: ignore[arg-type]


def test_a_batch_cannot_be_copied() -> None:
    for copied in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(InvalidCallError, match="cannot be copied"):
            copied(Batch("junior", 1))


def test_before_a_game_is_begun_and_after_all_have_left_there_is_nothing_to_do() -> None:
    env = blockyou_v0.env("junior")
    for call in (lambda: env.step(0), env.last, env.sample, lambda: env.step(None)):
        with pytest.raises(InvalidCallError, match=r"No game is being played: call reset\."):
            call()
    with pytest.raises(InvalidCallError, match="seat_0 is in no game"):
        env.earned("seat_0")
    env.reset()
    while not env.is_over:
        env.step(env.sample())
    with pytest.raises(InvalidCallError, match="The game is over"):
        env.sample()
    with pytest.raises(InvalidCallError, match=r"seat_. leaves a game that is over: step with None"):
        env.step(5)
    for _ in env.possible_agents:
        env.step(None)
    for call in (lambda: env.step(None), env.last):
        with pytest.raises(InvalidCallError, match="No game is being played"):
            call()
    env.reset()
    env.step(env.sample())


@pytest.mark.parametrize("action", [1.5, "7", [3], np.array([3, 4]), float("nan")])
def test_an_action_that_is_no_whole_number_is_refused(action: Any) -> None:
    env, solo = blockyou_v0.env("duo"), SoloEnv("duo")
    env.reset()
    solo.reset(seed=1)
    before = solo.game.position
    for step in (env.step, solo.step):
        with pytest.raises(InvalidCallError, match="An action is a whole number"):
            step(action)
    assert env.position.move_count == 0
    assert solo.game.position == before


def test_an_action_beyond_all_numbers_is_not_legal() -> None:
    env = blockyou_v0.env("duo")
    env.reset()
    with pytest.raises(IllegalActionError, match="Action one of 16610 bits is not legal in game 0"):
        env.step(10**5000)


@pytest.mark.parametrize("agent", ["nobody", None, 0, [], np.array(["seat_0", "seat_1"])])
def test_an_agent_that_does_not_exist_is_refused(agent: Any) -> None:
    env = blockyou_v0.env("duo")
    env.reset()
    for call in (env.observe, env.earned, env.observation_space, env.action_space):
        with pytest.raises(InvalidCallError, match=r"There is no agent .*\. Choose from: seat_0, seat_1\."):
            call(agent)


def test_one_seat_among_bots_is_begun_first_and_with_what_fits() -> None:
    solo = SoloEnv("duo")
    for call in (lambda: solo.step(np.int64(0)), solo.sample):
        with pytest.raises(InvalidCallError, match="No game is being played"):
            call()
    for seed in (-1, 0.5, "x"):
        with pytest.raises(InvalidCallError, match="A seed is a whole number from 0 on"):
            solo.reset(seed=seed)  # type: ignore[arg-type]
    for opponents in (7, [7]):
        with pytest.raises(InvalidCallError, match="Name "):
            SoloEnv("duo", opponents)  # type: ignore[arg-type]
    with pytest.raises(InvalidCallError, match="A seat is a whole number from 0 to 1"):
        SoloEnv("duo", seat=1.0)  # type: ignore[arg-type]


def test_a_network_plays_itself_by_what_fits() -> None:
    for width in (0, 10**6, 2.0, "2"):
        with pytest.raises(InvalidCallError, match="The width of a network is a whole number from 1 to 256"):
            SelfPlay("junior", 1, width)  # type: ignore[arg-type]


THREADS = """
from concurrent.futures import ThreadPoolExecutor
import numpy as np
from games.learning.batch import Batch, IllegalActionError
batch = Batch("duo", 32)
def play(_):
    for _ in range(400):
        try:
            batch.step(batch.sample())
        except IllegalActionError:
            pass
with ThreadPoolExecutor(4) as pool:
    list(pool.map(play, range(4)))
for colours in (batch.colours, batch.masks.sum(1) > 0):
    assert len(colours) == 32
assert batch.masks.any(1).all()
print("played")
"""


def test_threads_may_step_one_batch() -> None:
    assert printed(THREADS) == "played\n"
