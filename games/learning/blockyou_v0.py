"""The environment of PettingZoo for every variant: seats are agents, placement ids are actions."""

from functools import partial
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from games.bots.engines.arguments import InvalidCallError, whole_number
from games.learning.batch import RANK, Batch, Bytes, IllegalActionError
from games.learning.rendering import pixels
from games.rules import Position
from games.rules.errors import shown
from games.rules.text import ascii_board

ANSI, HUMAN, RGB_ARRAY = "ansi", "human", "rgb_array"

Observation = dict[str, Bytes]


def env(
    variant: str = "blockyou-4",
    scoring: str | None = None,
    render_mode: str | None = None,
    *,
    rewards: str = RANK,
    shaping: float = 0.0,
) -> "GameEnv":
    """Return an environment of one game, to be reset; docs/learning.md tells its observations, actions and rewards."""
    return GameEnv(variant, scoring, render_mode, rewards=rewards, shaping=shaping)


class GameEnv(AECEnv[str, Observation, int]):
    """One game after another, a turn at a time; `agent_selection` is the seat that places next, as `seat_0`.

    An observation holds `observation`, planes of 0 and 1: the cells of the colour to play, then those of the colours
    after it, then the attach points of the same, rows from the bottom; `stock`, the pieces in hand of the same colours;
    and `action_mask`. A seat that is not to play sees the game as its own next colour and has no legal action. Passes
    are forced in every variant, so none is asked for.
    """

    metadata = {
        "name": "blockyou_v0",
        "render_modes": [HUMAN, ANSI, RGB_ARRAY],
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        variant: str = "blockyou-4",
        scoring: str | None = None,
        render_mode: str | None = None,
        *,
        rewards: str = RANK,
        shaping: float = 0.0,
    ) -> None:
        """Make the environment; `rewards` and `shaping` are those of `Batch`.

        Raises:
            UnknownVariant, UnknownScoring: the rules know none of that name.
            InvalidCallError: no such rewards or way to render, or no such shaping.

        """
        super().__init__()
        if render_mode is not None and not (isinstance(render_mode, str) and render_mode in (HUMAN, ANSI, RGB_ARRAY)):
            raise InvalidCallError(f"There is no way to render called {shown(render_mode)}.")
        self.render_mode = render_mode
        self._batch = batch = Batch(variant, 1, scoring=scoring, rewards=rewards, shaping=shaping, autoreset=False)
        self._is_shaped = shaping != 0
        self.possible_agents = [f"seat_{seat}" for seat in range(len(batch.start.seats))]
        self._names = tuple(self.possible_agents)
        self._mask, self._planes, self._stock = batch.masks[0], batch.planes[0], batch.stocks[0]
        self._action = np.zeros(1, np.int64)
        self._observed = {name: _observation_space(batch) for name in self._names}
        self._acted = {name: spaces.Discrete(batch.actions) for name in self._names}
        self._played: list[int] = []
        self._position, self._caught_up = batch.start, 0
        self.agents = []

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's observations, always the same object.

        Raises:
            InvalidCallError: there is no such agent.

        """
        return self._observed[self._known(agent)]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """Return the space of an agent's actions, the placement ids; always the same object.

        Raises:
            InvalidCallError: there is no such agent.

        """
        return self._acted[self._known(agent)]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a game. Nothing in it is left to chance: the seed is that of `sample` alone.

        Raises:
            InvalidCallError: the seed is no whole number.

        """
        self._batch.reset(None if seed is None else [seed])
        self._played, self._position, self._caught_up = [], self._batch.start, 0
        self.agents = list(self._names)
        self.rewards = dict.fromkeys(self._names, 0.0)
        self._cumulative_rewards = dict.fromkeys(self._names, 0.0)
        self.terminations = dict.fromkeys(self._names, False)
        self.truncations = dict.fromkeys(self._names, False)
        self.infos = {name: {} for name in self._names}
        # Left over if seats of the game before have not all left; PettingZoo's own code keeps None here too.
        self._skip_agent_selection = None  # type: ignore[assignment]
        self.agent_selection = self._names[self._batch.seats[0]]

    def step(self, action: int | None) -> None:
        """Place what the action says for the seat to play; after the end, let a seat leave (None).

        Raises:
            IllegalActionError: it is not legal; nothing has changed.
            InvalidCallError: there is no action before the end, one after it, or one that is no whole number; no game
                was begun, or all seats have left it.

        """
        agent = self._selected()
        if self.terminations[agent]:
            if action is not None:
                raise InvalidCallError(f"{agent} leaves a game that is over: step with None.")
            self._was_dead_step(None)  # type: ignore[arg-type]
            return
        if action is None:
            raise InvalidCallError(f"{agent} has to place: the game is not over.")
        batch = self._batch
        number = action if type(action) is int else whole_number("An action", action)
        if not 0 <= number < batch.actions:
            raise IllegalActionError(0, number)
        self._action[0] = number
        batch.step(self._action)
        self._played.append(number)
        self._cumulative_rewards[agent] = 0.0
        if batch.ended[0]:
            self._reward()
            self.terminations = dict.fromkeys(self._names, True)
            self._deads_step_first()
            return
        if self._is_shaped:
            self._reward()
        self.agent_selection = self._names[batch.seats[0]]

    def _reward(self) -> None:
        self.rewards = dict(zip(self._names, self._batch.rewards[0].tolist(), strict=True))
        self._accumulate_rewards()

    @property
    def is_over(self) -> bool:
        """Return whether the game is over; seats may then still be there to leave."""
        return bool(self._batch.ended[0])

    def earned(self, agent: str) -> float:
        """Return an agent's reward since its last placement.

        Raises:
            InvalidCallError: there is no such agent in the game, or no game was begun.

        """
        self._known(agent)
        if agent not in self.agents:
            raise InvalidCallError(f"{agent} is in no game: call reset.")
        return self._cumulative_rewards[agent]

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """Return observation, reward, termination, truncation and info of the agent that steps next.

        Raises:
            InvalidCallError: no game was begun, or all seats have left it.

        """
        self._selected()
        return super().last(observe)

    def _known(self, agent: str) -> str:
        if not isinstance(agent, str) or agent not in self._names:
            raise InvalidCallError(f"There is no agent {shown(agent)}. Choose from: {', '.join(self._names)}.")
        return agent

    def _selected(self) -> str:
        if not self.agents:
            raise InvalidCallError("No game is being played: call reset.")
        return self.agent_selection

    def observe(self, agent: str) -> Observation:
        """Return an agent's observation, in new arrays.

        Raises:
            InvalidCallError: there is no such agent.

        """
        batch = self._batch
        self._known(agent)
        colour = int(batch.colours[0])
        if agent == self._names[batch.seats[0]] and colour >= 0:
            return {"observation": self._planes.copy(), "stock": self._stock.copy(), "action_mask": self._mask.copy()}
        planes, stock = batch.view(0, self._own_colour(agent, colour))
        return {"observation": planes, "stock": stock, "action_mask": np.zeros_like(self._mask)}

    def _own_colour(self, agent: str, now: int) -> int:
        """Return the number of the colour that an agent plays next after this one, shared colours left out."""
        own = self._batch.start.seats[self._names.index(agent)]
        numbers = [self._batch.variant.colour_number(colour) for colour in own]
        return min(numbers, key=lambda number: (number <= now, number))

    def sample(self) -> int:
        """Return a legal action of the seat to play, each as likely as the others, by the seed of `reset`.

        Raises:
            InvalidCallError: the game is over, or none was begun.

        """
        agent = self._selected()
        if self.terminations[agent]:
            raise InvalidCallError("The game is over: there is nothing to place.")
        return int(self._batch.sample()[0])

    @property
    def position(self) -> Position:
        """Return the game as the rules know it."""
        for action in self._played[self._caught_up :]:
            self._position = with_passes(self._position.play_id(action, trusted=True))
        self._caught_up = len(self._played)
        return self._position

    def state(self) -> Bytes:
        """Return the planes as the first colour in play sees them, whoever is to play."""
        first = self._batch.start.colours_in_play[0]
        return self._batch.view(0, self._batch.variant.colour_number(first))[0]

    def render(self) -> NDArray[np.uint8] | str | None:
        """Return the board as text (`ansi`) or pixels (`rgb_array`); write the text to standard output (`human`)."""
        if self.render_mode == RGB_ARRAY:
            return pixels(self.position)
        if self.render_mode == ANSI:
            return ascii_board(self.position)
        if self.render_mode == HUMAN:
            print(ascii_board(self.position))  # noqa: T201
        return None

    def close(self) -> None:
        """Do nothing: no resources are held."""


def with_passes(position: Position) -> Position:
    """Return the position after the passes that are forced now.

    Rule: R7, R8
    """
    while not position.is_over and not position.has_legal():
        position = position.pass_turn()
    return position


#: What PettingZoo's tools call an environment without wrappers: this one has none.
raw_env = partial(env)


def _observation_space(batch: Batch) -> spaces.Dict:
    return spaces.Dict(
        {
            "observation": spaces.Box(0, 1, batch.planes.shape[1:], np.int8),
            "stock": spaces.Box(0, batch.variant.copies, batch.stocks.shape[1:], np.int8),
            "action_mask": spaces.Box(0, 1, batch.masks.shape[1:], np.int8),
        }
    )
