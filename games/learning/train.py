"""Learn to play a variant by self-play: `python -m games.learning.train duo --out var/duo.json` (docs/learning.md).

A network begins at chance and plays against itself, a number of games at once; after each round its weights change so
that what won is played more often. It goes on where it stopped: beside the file of the engine lies a checkpoint. Ended
at any moment and begun again, it learns the very same.
"""

import argparse
import signal
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path
from typing import Any, NamedTuple
from zipfile import BadZipFile

import numpy as np

from games.arena.plan import Match
from games.arena.run import run
from games.arena.standings import points
from games.bots.engines.gradients import BASELINE
from games.bots.engines.policy import PHASES
from games.bots.learned import WIDEST, write_learned
from games.drawing.raster.chart import Curve, chart_png
from games.learning.selfplay import Gradient, Reals, SelfPlay
from games.rules.errors import UnknownVariant
from games.rules.variants import get_variant

ENGINE = "games.bots.learned:LearnedEngine"

#: Whom the network meets while it learns.
OPPONENTS = ("random", "greedy")

# Adam's decay of the mean gradient and of the mean square, and what keeps it from dividing by nothing.
_MEAN, _SQUARE, _LEAST = 0.9, 0.999, 1e-8

#: How many times as fast as the network the baseline learns.
_BASELINE_RATE = 2.0

#: What the rate has come down to in the last round.
_LAST_RATE = 0.1


class TrainError(Exception):
    """The training cannot run as asked; the message says what to change."""


@dataclass(frozen=True)
class TrainPlan:
    """The settings of a run: all that decides what is learned.

    `rounds` of so many `games` each; `width` of the network's vectors; `rate` is Adam's, and falls evenly to a tenth;
    `surprise` weighs the entropy bonus: what an unlikely choice is worth, as part of a win.
    """

    variant: str = "duo"
    rounds: int = 1000
    games: int = 128
    width: int = 16
    rate: float = 0.01
    surprise: float = 0.01
    seed: int = 1


@dataclass
class Learner:
    """The network as it stands after some rounds. `means` and `squares` are Adam's, for weights and then baseline.

    `history` has a row of each measurement: rounds, CPU seconds, the share of the points against each of `OPPONENTS`.
    """

    plan: TrainPlan
    weights: Reals
    baseline: Reals
    means: Reals
    squares: Reals
    rounds: int = 0
    seconds: float = 0.0
    history: list[tuple[float, ...]] = field(default_factory=list)

    @classmethod
    def begin(cls, plan: TrainPlan) -> "Learner":
        """Return a network that plays at random: its heads are 0, and so is every score."""
        play = SelfPlay(plan.variant, 1, plan.width)
        weights = np.random.default_rng(plan.seed).normal(0.0, 0.1, play.size)
        weights[-PHASES * plan.width :] = 0.0
        count = play.size + BASELINE
        return cls(plan, weights, np.zeros(BASELINE), np.zeros(count), np.zeros(count))

    @property
    def about(self) -> dict[str, Any]:
        """The metadata in the engine's file: the plan, how many of its rounds are done, and their seconds of CPU."""
        return {**asdict(self.plan), "rounds_done": self.rounds, "cpu_seconds": round(self.seconds)}

    def learn(self, play: SelfPlay) -> Gradient:
        """Play a round and change the weights."""
        plan = self.plan
        first = (plan.seed * plan.rounds + self.rounds) * plan.games
        taught = play.play(self.weights, self.baseline, range(first, first + plan.games), plan.surprise)
        self.rounds += 1
        gradient = np.concatenate([taught.weights, taught.baseline])
        self.means += (1 - _MEAN) * (gradient - self.means)
        self.squares += (1 - _SQUARE) * (gradient * gradient - self.squares)
        mean = self.means / (1 - _MEAN**self.rounds)
        square = self.squares / (1 - _SQUARE**self.rounds)
        rate = plan.rate * (1 - (1 - _LAST_RATE) * self.rounds / plan.rounds)
        step = rate * mean / (np.sqrt(square) + _LEAST)
        self.weights += step[: play.size]
        self.baseline += _BASELINE_RATE * step[play.size :]
        return taught

    def save(self, path: Path) -> None:
        """Write a checkpoint, all or nothing."""
        new = path.with_name(f"{path.name}.new")
        with new.open("wb") as file:
            np.savez(
                file,
                plan=np.array([f"{name}={value!r}" for name, value in asdict(self.plan).items()]),
                weights=self.weights,
                baseline=self.baseline,
                means=self.means,
                squares=self.squares,
                rounds=self.rounds,
                seconds=self.seconds,
                history=np.array(self.history, np.float64).reshape(-1, 2 + len(OPPONENTS)),
            )
        new.replace(path)

    @classmethod
    def load(cls, path: Path, plan: TrainPlan) -> "Learner":
        """Return the learner stored in a checkpoint of this plan.

        Raises:
            TrainError: it is none, it is damaged, or it is of another plan.

        """
        try:
            # Opened here: numpy leaves a file open that it cannot read.
            with path.open("rb") as file, np.load(file, allow_pickle=False) as held:
                found = {name: held[name] for name in held.files}
            written = [str(line) for line in found["plan"]]
            made = cls(
                plan, found["weights"], found["baseline"], found["means"], found["squares"],
                int(found["rounds"]), float(found["seconds"]), [tuple(map(float, row)) for row in found["history"]],
            )  # fmt: skip
        except (OSError, ValueError, KeyError, TypeError, EOFError, BadZipFile) as error:
            raise TrainError(f"{path} is no checkpoint of this program. Move it away to begin anew.") from error
        wanted = [f"{name}={value!r}" for name, value in asdict(plan).items()]
        if written != wanted:
            raise TrainError(
                f"{path} is the checkpoint of another run ({', '.join(sorted({*written} - {*wanted}))})."
                " Repeat its options, or move it away to begin anew."
            )
        return made


class Files(NamedTuple):
    """What a run writes: the engine, and beside it its checkpoint and the picture of its curves."""

    engine: Path

    @property
    def checkpoint(self) -> Path:
        """The file from which the run continues."""
        return self.engine.with_suffix(".checkpoint.npz")

    @property
    def picture(self) -> Path:
        """The file with the curves."""
        return self.engine.with_suffix(".png")


def train(
    plan: TrainPlan, files: Files, *, every: int, games: int, say: Callable[[str], None], until: int | None = None
) -> Learner:
    """Learn what is left of a plan, or of its rounds up to that number, and return the learner.

    The files are written after `every` so many rounds and at the end; then the engine also plays so many `games`
    against each of `OPPONENTS`, 0 for none.

    Raises:
        TrainError: the checkpoint cannot be gone on from, or the variant has not two seats.
        UnknownVariant: the rules know none of that name.

    """
    if get_variant(plan.variant).seats != 2:
        raise TrainError(f"{plan.variant} is not for two players, and only such variants are learned here.")
    files.engine.parent.mkdir(parents=True, exist_ok=True)
    if files.checkpoint.exists():
        learner = Learner.load(files.checkpoint, plan)
        say(f"Going on after {learner.rounds} of {plan.rounds} rounds.")
    else:
        learner = Learner.begin(plan)
        _measure(learner, files, games, None, say)
    play = SelfPlay(plan.variant, plan.games, plan.width)
    last = plan.rounds if until is None else min(until, plan.rounds)
    while learner.rounds < last:
        began = time.process_time()
        taught = learner.learn(play)
        learner.seconds += time.process_time() - began
        if learner.rounds % every == 0 or learner.rounds == last:
            _measure(learner, files, games, taught, say)
    return learner


def _measure(learner: Learner, files: Files, games: int, taught: Gradient | None, say: Callable[[str], None]) -> None:
    """Write the engine, measure it, and write the curves and the checkpoint."""
    plan = learner.plan
    write_learned(files.engine, plan.width, learner.weights.tolist(), learner.about)
    shares = [_share(plan, files.engine, opponent, games) for opponent in OPPONENTS] if games else []
    if shares:
        learner.history.append((learner.rounds, learner.seconds, *shares))
        files.picture.write_bytes(_curves(learner))
    learner.save(files.checkpoint)
    told = [f"{learner.rounds} rounds, {learner.rounds * plan.games} games, {learner.seconds:.0f} s of CPU"]
    told += [f"{share:.0%} against {opponent}" for opponent, share in zip(OPPONENTS, shares, strict=False)]
    if taught:
        told.append(f"entropy {taught.entropy:.2f}")
    say("; ".join(told))


def _share(plan: TrainPlan, engine: Path, opponent: str, games: int) -> float:
    """Return the share of the points that the engine takes in a match."""
    match = Match(plan.variant, (f"{ENGINE},file={str(engine)!r}", opponent), games, plan.seed)
    played = run(match)
    return sum(points(game, 0) for game in played) / len(played)


def _curves(learner: Learner) -> bytes:
    rows = learner.history
    lines = [
        Curve(f"against {opponent}", [(row[1] / 60, 100 * row[2 + number]) for row in rows])
        for number, opponent in enumerate(OPPONENTS)
    ]
    return chart_png(f"{learner.plan.variant}: % of the points, by minutes of CPU", lines, top=100.0)


def main(arguments: Sequence[str] | None = None) -> int:
    """Run the command line; return the exit status: 1 for what cannot be done, 130 when interrupted."""
    options = train_parser().parse_args(arguments)
    if arguments is None:
        signal.signal(signal.SIGTERM, signal.default_int_handler)
    chosen: Mapping[str, Any] = {each.name: getattr(options, each.name) for each in fields(TrainPlan)}
    try:
        train(
            TrainPlan(**chosen),
            Files(options.out),
            every=options.every,
            games=options.measure,
            say=_say,
            until=options.until,
        )
    except (TrainError, UnknownVariant) as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except KeyboardInterrupt:
        sys.stderr.write("Interrupted. The same command goes on from the checkpoint.\n")
        return 130
    return 0


def _say(line: str) -> None:
    sys.stdout.write(f"{line}\n")
    sys.stdout.flush()


def train_parser() -> argparse.ArgumentParser:
    """Return the parser of the command line."""
    made = argparse.ArgumentParser("python -m games.learning.train", description=__doc__)
    plan = TrainPlan()
    made.add_argument("variant", nargs="?", default=plan.variant)
    made.add_argument("--out", type=Path, default=Path("var/learned.json"), help="the file of the engine")
    for name, kind in (("rounds", _positive), ("games", _positive), ("width", _width), ("seed", _number)):
        made.add_argument(f"--{name}", type=kind, default=getattr(plan, name))
    for name in ("rate", "surprise"):
        made.add_argument(f"--{name}", type=float, default=getattr(plan, name))
    made.add_argument("--until", type=_positive, help="stop after that round; the same command without goes on")
    made.add_argument("--every", type=_positive, default=100, help="rounds between two measurements and checkpoints")
    made.add_argument("--measure", type=_number, default=40, help="games of a measurement against each opponent")
    return made


def _positive(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(f"{text} is less than 1")
    return number


def _number(text: str) -> int:
    number = int(text)
    if number < 0:
        raise argparse.ArgumentTypeError(f"{text} is less than 0")
    return number


def _width(text: str) -> int:
    number = _positive(text)
    if number > WIDEST:
        raise argparse.ArgumentTypeError(f"{text} is more than {WIDEST}")
    return number


if __name__ == "__main__":
    sys.exit(main())
