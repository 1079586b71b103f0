"""The environment of PettingZoo: its own tests, and every game beside the rules."""

import random
from functools import partial

import numpy as np
import pytest
from pettingzoo.test.api_test import api_test
from pettingzoo.test.performance_benchmark import performance_benchmark
from pettingzoo.test.render_test import render_test
from pettingzoo.test.seed_test import seed_test

from games.learning import blockyou_v0
from games.learning.batch import IllegalActionError
from games.rules import VARIANTS, Position
from games.rules.text import ascii_board
from tests.games.learning.agreement import drawn, rank_rewards, seen_by

#: PettingZoo warns of observations that are no single array, and of masks after the end, unless it knows the name.
pytestmark = [
    pytest.mark.filterwarnings("ignore:Observation is not a NumPy array"),
    pytest.mark.filterwarnings("ignore:Observation space for each agent probably"),
    pytest.mark.filterwarnings("ignore:Action mask numpy array is all zeros"),
]


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_passes_the_api_test(variant: str) -> None:
    api_test(blockyou_v0.env(variant), num_cycles=100)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_passes_the_seed_test(variant: str) -> None:
    seed_test(partial(blockyou_v0.env, variant), num_cycles=8)


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_passes_the_render_test(variant: str) -> None:
    # It is annotated for environments of Gymnasium, and made for these.
    render_test(partial(blockyou_v0.env, variant))  # type: ignore[arg-type]


@pytest.mark.proof
@pytest.mark.parametrize("variant", VARIANTS)
def test_every_variant_takes_the_performance_benchmark(variant: str) -> None:
    performance_benchmark(blockyou_v0.env(variant))


@pytest.mark.parametrize("variant", VARIANTS)
def test_seats_take_their_turns_and_are_rewarded_as_the_rules_say(variant: str) -> None:
    env, position, rng = blockyou_v0.env(variant), Position.start(variant), random.Random(11)
    env.reset(seed=1)
    while not position.is_over:
        assert env.agent_selection == f"seat_{position.seat}"
        observation, reward, over, _, _ = env.last()
        assert observation is not None
        planes, stocks = seen_by(position, position.colour or "")
        assert tuple(np.flatnonzero(observation["action_mask"])) == position.legal_ids()
        assert observation["observation"].tobytes() == planes
        assert observation["stock"].tolist() == stocks
        assert (reward, over) == (0, False)
        env.step(drawn(position, rng))
        position = env.position
    assert env.terminations == dict.fromkeys(env.possible_agents, True)
    got = []
    for _agent in env.agent_iter():
        got.append(env.last()[1])
        env.step(None)
    assert got == pytest.approx(rank_rewards(position.places()))
    assert env.agents == []


def test_positions_are_played_by_the_rules_themselves() -> None:
    env, position, rng = blockyou_v0.env("codingame-3"), Position.start("codingame-3"), random.Random(2)
    env.reset()
    for _ in range(6):
        action = drawn(position, rng)
        env.step(action)
        position = blockyou_v0.with_passes(position.play_id(action))
    assert env.position == position


def test_a_seat_that_waits_sees_the_game_as_its_own_next_colour_and_may_place_nothing() -> None:
    env = blockyou_v0.env("blockyou-2")
    env.reset()
    env.step(env.sample())
    position = env.position
    assert (position.colour, env.agent_selection) == ("yellow", "seat_1")
    for agent, colour in (("seat_0", "red"), ("seat_1", "yellow")):
        observation = env.observe(agent)
        planes, stocks = seen_by(position, colour)
        assert observation["observation"].tobytes() == planes
        assert observation["stock"].tolist() == stocks
    assert not env.observe("seat_0")["action_mask"].any()


def test_what_was_observed_stays_as_it_was() -> None:
    env = blockyou_v0.env("duo")
    env.reset()
    before, *_ = env.last()
    assert before is not None
    kept = {name: array.copy() for name, array in before.items()}
    env.step(env.sample())
    assert all(np.array_equal(before[name], array) for name, array in kept.items())


def test_an_illegal_action_is_refused_and_changes_nothing() -> None:
    env = blockyou_v0.env("duo")
    env.reset()
    with pytest.raises(IllegalActionError, match=r"Action 0 is not legal in game 0\."):
        env.step(0)
    with pytest.raises(ValueError, match="seat_0 has to place"):
        env.step(None)
    assert env.position == Position.start("duo")
    assert env.agent_selection == "seat_0"


def test_shaping_rewards_the_seat_that_places_as_it_places() -> None:
    env = blockyou_v0.env("duo", shaping=1.0)
    env.reset()
    env.step(env.sample())
    placed = env.position.history[0].placement
    assert placed is not None
    assert env.rewards == pytest.approx({"seat_0": len(placed.cells) / 89, "seat_1": 0})


def test_a_scoring_and_rewards_may_be_chosen_and_others_are_refused() -> None:
    env = blockyou_v0.env("duo", "coverage", rewards="margin")
    env.reset()
    assert env.position.scoring == "coverage"
    with pytest.raises(ValueError, match="no rewards"):
        blockyou_v0.env("duo", rewards="fame")
    with pytest.raises(ValueError, match="no way to render called 'oil'"):
        blockyou_v0.env("duo", render_mode="oil")


def test_a_game_is_drawn_as_the_site_draws_it(capsys: pytest.CaptureFixture[str]) -> None:
    drawings = {}
    for mode in (None, "human", "ansi", "rgb_array"):
        env = blockyou_v0.env("trigon-2", render_mode=mode)
        env.reset(seed=3)
        env.step(env.sample())
        drawings[mode] = env.render()
        env.close()
    assert drawings[None] is drawings["human"] is None
    assert drawings["ansi"] == ascii_board(env.position)
    assert capsys.readouterr().out == f"{drawings['ansi']}\n"
    picture = drawings["rgb_array"]
    assert isinstance(picture, np.ndarray)
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 4


def test_the_state_is_the_game_as_the_first_colour_sees_it() -> None:
    env = blockyou_v0.env("duo")
    env.reset()
    env.step(env.sample())
    first = env.position.colours_in_play[0]
    assert env.state().tobytes() == seen_by(env.position, first)[0]
