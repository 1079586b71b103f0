"""Calls by chance of everything public in `games.learning`, the search engines and learned files.

`python -m tests.games.learning.fuzz SEED CALLS` makes that number of calls: in an order that fits and in one that does
not, with what fits and with what does not. It prints how many were answered and how many were refused, by their kind;
it ends with a traceback at the first error that is not declared, and by a signal where the process crashes.
"""

import os
import random
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from games.arena.errors import ArenaError
from games.bots.engines.arguments import InvalidCallError
from games.bots.engines.gradients import BASELINE
from games.bots.engines.scorer import weight_count
from games.bots.engines.search import FollowingEngine, PriorEngine, SearchEngine, board_of
from games.bots.engines.tree import Tuning
from games.bots.engines.weights import weights_for
from games.bots.learned import SHIPPED, LearnedEngine, LearnedFileError, read_learned, write_learned
from games.learning import blockyou_v0
from games.learning.batch import Batch, IllegalActionError
from games.learning.selfplay import SelfPlay
from games.learning.solo import SoloEnv
from games.learning.train import Learner, TrainError, TrainPlan
from games.rules import Position
from games.rules.errors import RulesError

#: What a call may raise: its docstring says when.
DECLARED = (InvalidCallError, IllegalActionError, RulesError, ArenaError, LearnedFileError, TrainError)

VARIANTS = ("duo", "junior", "codingame-2:7:3", "codingame-3:7:1")

#: Things of every kind, of which few fit anywhere.
ODD: tuple[Any, ...] = (
    None, True, False, -1, 0, 1, 2, 7, 99, 10**5, 2**31, 2**63, -(2**63), 2**64, 10**5000, 0.0, 0.5, -2.5, 1e300,
    float("nan"), float("inf"), 1j, "", "duo", "seat_0", "seat_9", "nobody", "\0", "\ud800", "x" * 10_000, b"", b"ab",
    (), [], {}, set(), [None], [0], [1, 2], [[0]], {"a": 1}, object(), int, print, range(3), range(10**12),
    np.int8(3), np.float32(1.5), np.bool_(True), np.array(5), np.array("x"), np.zeros(0), np.zeros(0, np.int64),
    np.array([None, 1], object), np.array(["a", "b"]), np.zeros((2, 2)), np.datetime64("2026-01-01"),
    np.ma.masked_array([1, 2]), np.matrix([[1, 2]]), np.zeros(3, [("a", np.int64)]),
)  # fmt: skip

TYPES = (
    "i1",
    "i2",
    "<i8",
    ">i8",
    "u1",
    "u8",
    ">u2",
    "f4",
    "f8",
    ">f8",
    "?",
    "O",
    "U3",
    "S1",
    "c8",
    "M8[s]",
    "i4",
    "V1",
)


class Fuzz:
    """Games, engines and files under way, and the dice that decide what is called next with what."""

    def __init__(self, seed: int, folder: Path) -> None:
        self.luck, self.folder = random.Random(seed), folder
        self.batch, self.env, self.solo = Batch("duo", 4), blockyou_v0.env("junior"), SoloEnv("junior")
        self.play = SelfPlay("junior", 2, 1)
        self.engine: Any = SearchEngine(3)
        self.following = FollowingEngine(3)
        self.position = Position.start("junior")
        self.file = folder / "engine.json"
        self.checkpoint = folder / "checkpoint.npz"
        Learner.begin(TrainPlan("junior", 2, 2, 1)).save(self.checkpoint)
        self.saved = self.checkpoint.read_bytes()

    def odd(self) -> Any:
        """Return anything at all."""
        return self.luck.choice(ODD) if self.luck.random() < 0.7 else self.array()

    def array(self, near: int = 4) -> Any:
        """Return an array of any type and shape, filled with anything, some of it read-only or with gaps."""
        luck = self.luck
        length = luck.choice((0, 1, near - 1, near, near, near, near + 1, 100, 100_000))
        shape: tuple[int, ...] = luck.choice(
            ((length,), (length,), (length,), (length, 1), (1, length), (length, 2), ())
        )
        made = np.zeros(shape, luck.choice(TYPES))
        if made.dtype.kind in "iu" and made.size:
            bounds = np.iinfo(made.dtype)
            made[...] = luck.choice((0, 1, int(bounds.max), int(bounds.min), luck.randrange(128)))
        if luck.random() < 0.2:
            made = made[::-1] if made.ndim and luck.random() < 0.5 else np.broadcast_to(made, made.shape)
        if luck.random() < 0.1:
            made = made.copy()
            made.flags.writeable = False
        return made

    def often(self, fits: Any) -> Any:
        """Return what fits, or else anything."""
        return fits if self.luck.random() < 0.6 else self.odd()

    def whole(self, most: int) -> Any:
        """Return a number that fits, or one about the bounds, or anything."""
        return self.often(self.luck.randrange(-1, most + 2))

    def one(self, *values: Any) -> Any:
        """Return one of these values, or anything."""
        return self.often(self.luck.choice(values))

    # A batch.

    def new_batch(self) -> None:
        luck = self.luck
        games = luck.choice((1, 2, 4, 9))
        options: dict[str, Any] = {
            "scoring": self.one(None, "basic", "advanced", "coverage"),
            "rewards": self.one("rank", "margin"),
            "shaping": self.one(0.0, 0.5),
            "seeds": self.one(None, range(games), [3] * games, np.arange(games)),
            "masks": self.one(None, np.zeros((games, 13729), np.bool_), np.zeros((games, 13729), np.int8).T),
            "planes": self.one(None, np.zeros((games, 4, 14, 14), np.uint8)),
            "stocks": self.array(games),
            "has_planes": self.odd() if luck.random() < 0.1 else luck.random() < 0.7,
            "autoreset": luck.random() < 0.5,
        }  # fmt: skip
        kept = {name: value for name, value in options.items() if luck.random() < 0.3}
        self.batch = Batch(self.one(*VARIANTS), self.often(games), **kept)

    def step_batch(self) -> None:
        if self.luck.random() < 0.3:
            self.batch.step(self.often(self.array(self.batch.games)))
            return
        for _ in range(self.luck.randrange(1, 30)):
            self.batch.step(self.batch.sample())

    def sample_batch(self) -> None:
        self.batch.sample(self.often(self.array(self.batch.games)))

    def view_batch(self) -> None:
        self.batch.view(self.whole(self.batch.games), self.whole(4))

    def reset_batch(self) -> None:
        games = self.batch.games
        self.batch.reset(self.one(None, range(games), [10**30] * games, [0.5] * games, self.array(games)))

    def spoil_batch(self) -> None:
        """Write over what is shown, which nothing may depend on."""
        batch = self.batch
        shown = (batch.masks, batch.planes, batch.stocks, batch.colours, batch.seats, batch.rewards, batch.ended)
        self.luck.choice(shown)[...] = self.luck.choice((-1, 0, 1, 99))

    # Environments.

    def new_env(self) -> None:
        self.env = blockyou_v0.env(
            self.one(*VARIANTS),
            self.one(None, "basic"),
            self.one(None, "ansi", "rgb_array"),
            rewards=self.one("rank", "margin"),
            shaping=self.one(0.0, 1, 0.5),
        )

    def use_env(self) -> None:
        env, luck = self.env, self.luck
        agent = self.one(*env.possible_agents)
        luck.choice((
            lambda: env.observe(agent), lambda: env.earned(agent), lambda: env.observation_space(agent),
            lambda: env.action_space(agent), env.last, env.sample, env.state, lambda: env.position, lambda: env.is_over,
            lambda: env.last(observe=False), env.render if luck.random() < 0.1 else env.state, lambda: str(env),
            lambda: env.reset(self.one(None, 1, 2**70), self.odd()) if luck.random() < 0.2 else None,
            lambda: env.step(self.one(None, 0, 5, len(env.observe("seat_0")["action_mask"]))),
            lambda: list(env.agent_iter(2))[:1],
        ))()  # fmt: skip

    def play_env(self) -> None:
        for _ in range(self.luck.randrange(60)):
            self.env.step(None if self.env.is_over else self.env.sample())

    def new_solo(self) -> None:
        opponents = self.one(
            "random", "greedy", "sage-1", ["random"], ["random", "greedy"], "oracle", "a:b", "a.b:c,d=("
        )
        self.solo = SoloEnv(
            self.one(*VARIANTS),
            opponents,
            seat=self.one(None, 0, 1, 2),
            scoring=self.one(None, "basic"),
            render_mode=self.one(None, "ansi"),
            rewards=self.one("rank", "margin"),
            shaping=self.one(0.0, 0.5),
        )

    def use_solo(self) -> None:
        solo = self.solo
        self.luck.choice((
            lambda: solo.reset(seed=self.one(None, 1, 2**40), options=self.odd()), solo.sample, solo.render,
            lambda: solo.step(self.one(0, 5, np.int64(3))), lambda: solo.step(np.int64(solo.sample())), solo.close,
        ))()  # fmt: skip

    # Learning.

    def new_play(self) -> None:
        self.play = SelfPlay(self.one("junior", "codingame-2:7:3"), self.one(1, 2), self.one(1, 2, 0, 257))

    def use_play(self) -> None:
        size, games = self.play.size, self.play.batch.games
        weights: Any = self.one(np.zeros(size), np.ones(size, np.float32), np.zeros(size - 1), self.array(size))
        baseline: Any = self.one(np.zeros(BASELINE), np.zeros(BASELINE, int), self.array(BASELINE))
        self.play.play(weights, baseline, self.one([1] * games, range(games), [2]), self.one(0.0, 0.01, 5))

    # Engines.

    def new_engine(self) -> None:
        kind = self.luck.choice((SearchEngine, SearchEngine, FollowingEngine, PriorEngine, LearnedEngine))
        if kind is LearnedEngine:
            self.engine = LearnedEngine(self.one("", str(SHIPPED), str(self.file)))
            return
        weights = [list(row) for row in weights_for(Position.start("duo").variant)]
        options: dict[str, Any] = {
            "bias": self.one((), weights, weights[:2], [row[:-1] for row in weights], np.array(weights)),
            "weights": self.one((), weights, [[number * 1e9 for number in row] for row in weights]),
        }
        if kind is PriorEngine:
            options["temperature"] = self.one(0, 0.0, 1.0, 0.01, 1e-5, 100)
        else:
            options |= {
                "tuning": self.one(
                    Tuning(), Tuning(0.5, 10.0, 0.1, self.whole(3), self.whole(8)), Tuning(rave=self.odd())
                ),
                "told": self.one(0, 1, 8),
                "stops_early": self.one(True, False),
                "solves_endings": self.one(True, False),
                "seconds": self.one(0.0, 0, 1.5),
                "clock": self.one(None, lambda: 0.0),
            }
        kept = {name: value for name, value in options.items() if self.luck.random() < 0.3}
        self.engine = kind(**kept) if kind is PriorEngine else kind(self.one(1, 3, 40, 0), **kept)

    def new_position(self) -> None:
        position = Position.start(self.luck.choice(VARIANTS))
        for _ in range(self.luck.randrange(80)):
            if position.is_over:
                break
            drawn = position.pick_legal_id(self.luck.random())
            if drawn is None and self.luck.random() < 0.2:
                break
            position = position.pass_turn() if drawn is None else position.play_id(drawn)
            if self.luck.random() < 0.01 and not position.is_over:
                position = position.retire(self.luck.randrange(len(position.seats)))
        self.position = position

    def think(self) -> None:
        position, seed, number = self.one(self.position), self.luck.randrange(99), self.luck.randrange(9)
        if self.luck.random() < 0.2:
            self.following.forget()
        answer = self.luck.choice((self.engine, self.following)).think(position, seed=seed, number=number)
        position.check(answer.placement)

    def think_in_threads(self) -> None:
        if not self.position.has_legal():
            return
        answers = []
        engine, position = self.luck.choice((SearchEngine(40), self.following)), self.position
        threads = [
            threading.Thread(target=lambda: answers.append(engine.think(position, seed=1, number=1))) for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(answers) == len(threads)

    def see_board(self) -> None:
        board_of(self.one(self.position), self.one(weights_for(self.position.variant)), self.one(1.0, 0.5))

    # Files.

    def write_file(self) -> None:
        width = self.luck.choice((1, 1, 2, 4))
        write_learned(self.file, self.often(width), self.one([0.5] * weight_count(width)), self.one({}, {"a": [1]}))

    def spoil_file(self) -> None:
        luck = self.luck
        whole = bytearray((self.file.read_bytes() if self.file.is_file() else b"") or SHIPPED.read_bytes())
        for _ in range(luck.randrange(1, 4)):
            whole[luck.randrange(len(whole))] = luck.randrange(256)
        deep = luck.choice((b"[", b'{"a":', b'[{"format":')) * luck.choice((900, 5_000, 100_000))
        self.file.write_bytes(
            luck.choice((bytes(whole), bytes(whole[: luck.randrange(len(whole))]), deep, b"", b'{"format": 1}'))
        )

    def read_file(self) -> None:
        read_learned(self.one(str(self.file), self.file, str(SHIPPED), str(self.folder)))

    def load_checkpoint(self) -> None:
        luck, held = self.luck, bytearray(self.saved)
        if luck.random() < 0.8:
            for _ in range(luck.randrange(1, 6)):
                held[luck.randrange(len(held))] = luck.randrange(256)
        if luck.random() < 0.2:
            del held[luck.randrange(len(held)) :]
        self.checkpoint.write_bytes(held)
        learner = Learner.load(self.checkpoint, TrainPlan("junior", 2, 2, 1))
        learner.learn(SelfPlay("junior", 2, 1))


#: What is called, and how often of a hundred or so.
CALLS: tuple[tuple[Callable[[Fuzz], None], int], ...] = (
    (Fuzz.new_batch, 6), (Fuzz.step_batch, 12), (Fuzz.sample_batch, 8), (Fuzz.view_batch, 8), (Fuzz.reset_batch, 4),
    (Fuzz.spoil_batch, 2), (Fuzz.new_env, 3), (Fuzz.use_env, 14), (Fuzz.play_env, 2), (Fuzz.new_solo, 3),
    (Fuzz.use_solo, 6), (Fuzz.new_play, 2), (Fuzz.use_play, 3), (Fuzz.new_engine, 6), (Fuzz.new_position, 3),
    (Fuzz.think, 10), (Fuzz.think_in_threads, 1), (Fuzz.see_board, 2), (Fuzz.write_file, 3), (Fuzz.spoil_file, 2),
    (Fuzz.read_file, 3), (Fuzz.load_checkpoint, 1),
)  # fmt: skip


def main(arguments: Sequence[str]) -> None:
    """Make the calls that the command line asks for and print what became of them."""
    seed, count = map(int, arguments)
    became: Counter[str] = Counter()
    with tempfile.TemporaryDirectory() as folder:
        fuzz = Fuzz(seed, Path(folder))
        kinds = fuzz.luck.choices([call for call, _ in CALLS], [weight for _, weight in CALLS], k=count)
        for number, call in enumerate(kinds):
            try:
                call(fuzz)
            except DECLARED as refused:
                if not 9 < len(str(refused)) < 700:
                    raise AssertionError("A refusal is a sentence.") from refused
                became[type(refused).__name__] += 1
            except BaseException:
                sys.stderr.write(f"Call {number} of seed {seed}: {call.__name__}\n")
                raise
            else:
                became["answered"] += 1
    for name, times in sorted(became.items()):
        sys.stdout.write(f"{name} {times}\n")
    sys.stdout.flush()


if __name__ == "__main__":
    os.environ.setdefault("PYTHONWARNINGS", "ignore")
    main(sys.argv[1:])
