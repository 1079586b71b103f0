"""How quick the environments of `games.learning` are, with random legal placements: `python -m benchmarks.learning`.

Games a second of CPU time of this process, as the median of several rounds, in which all of them take turns. They stand
beside the same games by the bots' own lists (`games.bots.engines.state.legal`), which make no mask, by the rules, and
in the environment of blokus-rl where it is installed.
"""

import argparse
from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from random import Random
from statistics import median
from time import process_time
from typing import Any

import numpy as np
from pettingzoo import AECEnv

from games.bots.engines.compiled import Numbers, compiled, numbers
from games.bots.engines.playout import PlayoutGame, begin, make, new_playout_game
from games.bots.engines.policy import roll
from games.bots.engines.state import TO_PLAY, Rules, SearchState, blank, copy, rules_of, state_of
from games.bots.engines.tables import Tables, tables_of
from games.bots.engines.tree import to_mover
from games.learning import blockyou_v0
from games.learning.batch import Batch
from games.rules import Position

#: Plays about as long as asked and returns how many games that were.
Player = Callable[[float], float]


def main() -> None:
    """Print games a second, and how many times those of the bots' lists they are."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="blockyou-4")
    parser.add_argument("--games", type=int, default=64, help="of a batch")
    parser.add_argument("--seconds", type=float, default=1.0, help="of each round")
    parser.add_argument("--rounds", type=int, default=5)
    options = parser.parse_args()
    variant, length = options.variant, mean_length(options.variant)
    players: dict[str, Player] = {
        "the bots' lists": listed(variant),
        "batch, masks": batched(Batch(variant, options.games, has_planes=False), length),
        "batch, masks, planes, stocks": batched(Batch(variant, options.games), length),
        "AEC, env.sample()": sampled(variant),
        "AEC, drawn from the mask": masked(blockyou_v0.env(variant)),
        "the rules": by_rules(variant),
    }
    if find_spec("blokus_rl") is not None and variant in ("blockyou-4", "classic-4"):
        players["blokus-rl, drawn from the mask"] = masked(import_module("blokus_rl").BlokusEnv())
    rates: dict[str, list[float]] = {name: [] for name in players}
    for _ in range(options.rounds):
        for name, player in players.items():
            began = process_time()
            played = player(options.seconds)
            rates[name].append(played / (process_time() - began))
    base = median(rates["the bots' lists"])
    print(f"{variant}, {length:.1f} placements a game")
    print(f"{'':32}{'games/s':>10}{'ratio':>8}{'best round':>12}")
    for name, found in rates.items():
        print(f"{name:32}{median(found):>10,.0f}{median(found) / base:>7.2f}x{max(found):>12,.0f}")


def mean_length(variant: str) -> float:
    """Return the placements of a random game, by a thousand of them."""
    batch, ended = Batch(variant, 250, has_planes=False), 0
    steps = 0
    while ended < 1000:
        batch.step(batch.sample())
        steps += batch.games
        ended += int(batch.ended.sum())
    return steps / ended


def batched(batch: Batch, length: float) -> Player:
    """Play in a batch; its games are counted by their placements, as some are under way at any time."""
    actions = np.zeros(batch.games, np.int64)

    def play(seconds: float) -> float:
        end, steps = process_time() + seconds, 0
        while process_time() < end:
            for _ in range(20):
                batch.step(batch.sample(actions))
            steps += 20 * batch.games
        return steps / length

    return play


def sampled(variant: str) -> Player:
    """Play in the AEC environment, observed at every turn, by its own dice."""
    env = blockyou_v0.env(variant)

    def play(seconds: float) -> float:
        end, games = process_time() + seconds, 0
        while process_time() < end:
            env.reset(seed=games)
            for _ in env.agent_iter():
                _, _, over, _, _ = env.last()
                env.step(None if over else env.sample())
            games += 1
        return games

    return play


def masked(env: AECEnv[str, Any, Any]) -> Player:
    """Play in an AEC environment, observed at every turn, by what its masks allow."""
    luck = Random(1)

    def play(seconds: float) -> float:
        end, games = process_time() + seconds, 0
        while process_time() < end:
            env.reset()
            for _ in env.agent_iter():
                seen, _, over, _, _ = env.last()
                if over or seen is None:
                    env.step(None)
                    continue
                legal = np.flatnonzero(seen["action_mask"].view(np.bool_))
                env.step(int(legal[luck.randrange(len(legal))]))
            games += 1
        return games

    return play


def by_rules(variant: str) -> Player:
    """Play by the rules, with no array of anything."""
    start, luck = Position.start(variant), Random(1)

    def play(seconds: float) -> float:
        end, games = process_time() + seconds, 0
        while process_time() < end:
            position = start
            while not position.is_over:
                action = position.pick_legal_id(luck.random())
                position = position.pass_turn() if action is None else position.play_id(action, trusted=True)
            games += 1
        return games

    return play


@compiled
def play_listed(
    tables: Tables,
    rules: Rules,
    start: SearchState,
    state: SearchState,
    game: PlayoutGame,
    luck: Numbers,
    games: int,
) -> None:
    """Play random games from a state, listing the legal placements of every turn anew."""
    for _ in range(games):
        copy(state, start)
        begin(game)
        while True:
            found = to_mover(tables, rules, state, game)
            if not found:
                break
            make(tables, rules, state, game, state.about[TO_PLAY], game.found[roll(luck, found)])


def listed(variant: str) -> Player:
    """Play by the lists that the bots make anew at every turn, within compiled code, with no mask."""
    position = Position.start(variant)
    tables, rules = tables_of(position), rules_of(position)
    start, state = state_of(position, tables, rules), blank(rules)
    game: PlayoutGame = new_playout_game(len(tables.piece))
    luck = numbers([12345], 64)
    play_listed(tables, rules, start, state, game, luck, 1)

    def play(seconds: float) -> float:
        end, games = process_time() + seconds, 0
        while process_time() < end:
            play_listed(tables, rules, start, state, game, luck, 50)
            games += 50
        return games

    return play


if __name__ == "__main__":
    main()
