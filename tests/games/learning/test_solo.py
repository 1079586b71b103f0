"""One seat learns while bots play the others."""

from types import SimpleNamespace

import numpy as np
import pytest
from gymnasium.wrappers import PassiveEnvChecker

from games.arena.errors import ArenaError
from games.learning.batch import IllegalActionError
from games.learning.solo import SoloEnv
from games.rules import VARIANTS
from tests.games.learning.agreement import rank_rewards


def played(env: SoloEnv, seed: int) -> tuple[float, list[int]]:
    """Play a game with legal placements drawn by its seed; return the reward and the placements."""
    observation, _ = env.reset(seed=seed)
    actions, got, over = [], 0.0, False
    while not over:
        assert env.game.agent_selection == env.agent
        assert observation["action_mask"].any()
        actions.append(env.sample())
        observation, reward, over, _, _ = env.step(np.int64(actions[-1]))
        got += reward
    return got, actions


@pytest.mark.parametrize("variant", VARIANTS)
def test_a_seat_plays_a_whole_game_among_bots_and_is_rewarded_by_its_place(variant: str) -> None:
    seats = VARIANTS[variant].seats
    env = SoloEnv(variant, seat=seats - 1)
    got, _ = played(env, 3)
    position = env.game.position
    assert position.is_over
    assert got == pytest.approx(rank_rewards(position.places())[seats - 1])


def test_the_bots_play_their_own_seats_in_order() -> None:
    env = SoloEnv("classic-4", ["random", "greedy", "random"], seat=3)
    env.reset(seed=1)
    sizes = [len(turn.placement.cells) for turn in env.game.position.history if turn.placement]
    assert len(sizes) == 3
    assert sizes[1] == 5
    env = SoloEnv("classic-4", ["random", "random", "greedy"], seat=0)
    env.reset(seed=1)
    env.step(np.int64(env.sample()))
    assert [len(turn.placement.cells) for turn in env.game.position.history if turn.placement][3] == 5


def test_a_seat_opens_with_the_piece_that_is_named_for_it() -> None:
    env = SoloEnv("duo:I3:F", seat=0)
    observation, _ = env.reset(seed=1)
    legal = env.game.position.legal_placements()
    assert {placement.piece for placement in legal} == {"I3"}
    assert observation["action_mask"].sum() == len(legal)


def test_the_same_seed_plays_the_same_game_and_another_one_another() -> None:
    env = SoloEnv("junior")
    assert played(env, 5) == played(SoloEnv("junior"), 5)
    assert played(env, 5) != played(env, 6)


def test_without_a_seat_every_game_draws_one() -> None:
    env = SoloEnv("junior")
    env.reset(seed=2)
    drawn = {env.agent}
    for _ in range(20):
        env.reset()
        drawn.add(env.agent)
    assert drawn == {"seat_0", "seat_1"}


@pytest.mark.filterwarnings("ignore:.*render_fps")
def test_what_it_returns_is_what_gymnasium_expects() -> None:
    env = SoloEnv("junior", render_mode="ansi")
    checked = PassiveEnvChecker(env)
    checked.reset(seed=1)
    for _ in range(3):
        checked.step(np.int64(env.sample()))
    assert isinstance(checked.render(), str)


def test_an_illegal_action_and_one_after_the_end_are_refused() -> None:
    env = SoloEnv("junior", seat=0)
    env.reset(seed=1)
    with pytest.raises(IllegalActionError):
        env.step(np.int64(0))
    assert env.game.position.move_count == 0
    played(env, 1)
    with pytest.raises(IllegalActionError):
        env.step(np.int64(0))


def test_a_bot_that_places_what_no_board_has_room_for_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    env = SoloEnv("duo", "random", seat=0)
    env.reset(seed=1)
    nowhere = SimpleNamespace(placement=SimpleNamespace(id=None))
    monkeypatch.setattr(env, "_engines", [SimpleNamespace(think=lambda *_asked, **_more: nowhere)])
    with pytest.raises(ValueError, match="bot of seat 1 has placed what no board has room for"):
        env.step(np.int64(env.sample()))


def test_a_seat_a_number_of_opponents_and_a_bot_that_do_not_exist_are_refused() -> None:
    with pytest.raises(ValueError, match="A seat is a whole number from 0 to 1, not 2"):
        SoloEnv("duo", seat=2)
    with pytest.raises(ValueError, match="Name 3 opponents, not 1"):
        SoloEnv("blockyou-4", ["random"])
    for bot in ("oracle", "games.bots.engines.search:SearchEngine,simulations=("):
        with pytest.raises(ArenaError):
            SoloEnv("duo", bot)
