"""The environment of Gymnasium: one seat learns, bots play the others."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray

from games.arena.players import own_engine
from games.bots.engines.arguments import InvalidCallError, whole_number
from games.learning.batch import RANK, IllegalActionError
from games.learning.blockyou_v0 import ANSI, HUMAN, RGB_ARRAY, GameEnv, Observation
from games.rules import Position
from games.rules.errors import shown

#: Seeds of bots lie below this.
_SEEDS = 1 << 31


class SoloEnv(gymnasium.Env[Observation, np.int64]):
    """A game as one seat plays it: observations, actions and rewards are those of `GameEnv`.

    A step makes the seat's placement and then those of the bots, until the seat is to play again or the game is over.
    """

    metadata = {"render_modes": [HUMAN, ANSI, RGB_ARRAY], "render_fps": 2}

    def __init__(
        self,
        variant: str = "blockyou-4",
        opponents: str | Sequence[str] = "random",
        *,
        seat: int | None = None,
        scoring: str | None = None,
        render_mode: str | None = None,
        rewards: str = RANK,
        shaping: float = 0.0,
    ) -> None:
        """Make the environment.

        `opponents` are bots as `greedy` or `sage-5`, or addresses of engines as `module:Class`: one for all other
        seats, or one for each in the order of the seats. Without a `seat`, every game draws one.

        Raises:
            ArenaError: there is no such bot.
            UnknownVariant, UnknownScoring: the rules know none of that name.
            InvalidCallError: no such seat, rewards, shaping or way to render, or another number of opponents than other
                seats.

        """
        self.game = GameEnv(variant, scoring, render_mode, rewards=rewards, shaping=shaping)
        self.render_mode = render_mode
        seats = self.game.possible_agents
        if seat is not None:
            seat = whole_number("A seat", seat, 0, len(seats) - 1)
        if not isinstance(opponents, Sequence):
            raise InvalidCallError(f"Name the opponents in a list, not by a value {shown(opponents)}.")
        names = [opponents] * (len(seats) - 1) if isinstance(opponents, str) else list(opponents)
        if len(names) != len(seats) - 1:
            raise InvalidCallError(f"Name {len(seats) - 1} opponents, not {len(names)}.")
        for name in names:
            if not isinstance(name, str):
                raise InvalidCallError(f"Name each opponent by a text, not by a value {shown(name)}.")
        self._engines = [own_engine(name) for name in names]
        self._seat, self._seed = seat, 0
        self.agent = seats[seat or 0]
        self.observation_space: spaces.Space[Any] = self.game.observation_space(self.agent)
        self.action_space: spaces.Space[Any] = self.game.action_space(self.agent)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begin a game and return what the seat sees when it is first to play.

        The seed draws the seat, where none was chosen, and the luck of the bots; without one, they are drawn on.

        Raises:
            InvalidCallError: the seed is no whole number from 0 on.

        """
        if seed is not None:
            seed = whole_number("A seed", seed, 0)
        super().reset(seed=seed)
        self._seed = int(self.np_random.integers(_SEEDS))
        self.game.reset(seed=self._seed)
        seats = self.game.possible_agents
        self.agent = seats[int(self.np_random.integers(len(seats))) if self._seat is None else self._seat]
        self._let_others_play()
        return self.game.observe(self.agent), {}

    def step(self, action: np.int64) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """Place what the action says, and return what the seat sees next, its reward, and whether the game is over.

        Raises:
            IllegalActionError: the action is not legal, or the game is over; nothing has changed.
            InvalidCallError: the action is no whole number, or no game was begun.

        """
        game, number = self.game, whole_number("An action", action)
        if game.is_over:
            raise IllegalActionError(0, number)
        game.step(number)
        self._let_others_play()
        return game.observe(self.agent), game.earned(self.agent), game.is_over, False, {}

    def _let_others_play(self) -> None:
        game = self.game
        while not game.is_over and game.agent_selection != self.agent:
            game.step(self._answer(game.position, game.possible_agents.index(game.agent_selection)))

    def _answer(self, position: Position, seat: int) -> int:
        own = self.game.possible_agents.index(self.agent)
        engine = self._engines[seat - (seat > own)]
        answer = engine.think(position, seed=self._seed + seat, number=position.move_count + 1)
        placement_id = answer.placement.id
        if placement_id is None:
            raise ValueError(f"The bot of seat {seat} has placed what no board has room for.")
        return placement_id

    def sample(self) -> int:
        """Return a legal action of the seat, each as likely as the others, by the seed of `reset`.

        Raises:
            InvalidCallError: the game is over, or none was begun.

        """
        return self.game.sample()

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return the board as `GameEnv.render` does."""
        return self.game.render()
