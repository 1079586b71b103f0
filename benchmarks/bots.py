"""Serving bots: how long quick turns wait, alone and beside long thinkers, what a game costs, how large workers get.

Plays games of quick bots to the end on a database of its own, several at once, first alone; then as many again while
other games are played by a bench-only engine that burns seconds of CPU a move. Linux only.

    python -m benchmarks.bots                                              # in under two minutes, as in `make bench`
    python -m benchmarks.bots --games 500 --at-once 16 --seconds 3600      # the figures of docs/operations.md
"""

import argparse
import os
import re
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
TICK_SECONDS = 0.1
GAMES, SECONDS = 40, 45
BURN_SECONDS = "3"


@dataclass(frozen=True)
class Options:
    """What is asked for on the command line."""

    games: int
    seconds: int
    workers: int
    at_once: int
    thinkers: int
    bot: str
    variant: str
    niceness: int


@dataclass(frozen=True)
class Phase:
    """What was measured while the quick games were played, and how many came to an end."""

    name: str
    delays: list[float]
    long_delays: list[float]
    seconds: float
    cpu: float
    moves: int
    ended: int
    moves_of_ended: int


def main() -> None:
    """Measure both, then print."""
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="block-you-bots-") as folder:
        os.environ.update(
            BURN_SECONDS=BURN_SECONDS,
            DATABASE_URL=f"sqlite:///{folder}/db.sqlite3",
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            EXTRA_BOTS="burner=benchmarks.burner:Burner",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        with serving(options.workers, options.niceness) as pool:
            alone = play("alone", options, pool, thinkers=0)
            beside = play(f"beside {options.thinkers} long thinkers", options, pool, thinkers=options.thinkers)
            tell(options, [alone, beside])
            tell_memory(pool)


def read_options() -> Options:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=GAMES)
    parser.add_argument("--seconds", type=int, default=SECONDS, help="after which a phase ends, whatever is unfinished")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--at-once", type=int, default=8)
    parser.add_argument("--thinkers", type=int, default=4)
    parser.add_argument("--bot", default="greedy")
    parser.add_argument("--variant", default="duo")
    parser.add_argument("--niceness", type=int, default=19, help="as `make run` has it; 0 beside other work")
    return Options(**vars(parser.parse_args()))


@contextmanager
def serving(workers: int, niceness: int) -> Iterator[int]:
    """Run workers and the sweep as `make run` does; yield the process id of the workers' pool."""
    work = ["work", "--processes", str(workers), "--niceness", str(niceness), "--no-reload", "--skip-checks"]
    commands = [work, ["sweep", "--skip-checks"]]
    with Path(os.environ["VAR_DIR"], "log.txt").open("w") as log:
        children = [
            subprocess.Popen(
                [sys.executable, "-m", "blockyou.processes.child", *command],
                cwd=ROOT,
                stdin=subprocess.PIPE,
                stderr=log,
                start_new_session=True,
            )
            for command in commands
        ]
        try:
            wait_for_workers(children[0].pid, workers)
            yield children[0].pid
        finally:
            for child in children:
                child.terminate()
            for child in children:
                child.wait(60)


def play(name: str, options: Options, pool: int, *, thinkers: int) -> Phase:
    """Play `quick` games, several at once, while `long` others are thought about at length."""
    from django.utils import timezone

    from accounts.models import User
    from games.models import Game, Move, Status

    user, _is_new = User.objects.get_or_create(username="bench")
    slow = [new_game(user, "burner", options.variant, number) for number in range(thinkers)]
    since, began, cpu = timezone.now(), time.monotonic(), cpu_seconds(pool)
    waiting, quick = options.games, set[int]()
    running = 0
    while (waiting or running) and time.monotonic() < began + options.seconds:
        for _ in range(min(waiting, options.at_once - running)):
            quick.add(new_game(user, options.bot, options.variant, waiting))
            waiting -= 1
        time.sleep(TICK_SECONDS)
        running = Game.objects.filter(pk__in=quick, status=Status.RUNNING).count()
    taken, cpu = time.monotonic() - began, cpu_seconds(pool) - cpu
    Game.objects.filter(pk__in=[*slow, *quick]).update(is_paused=True)
    ended = set(Game.objects.filter(pk__in=quick, status=Status.FINISHED).values_list("pk", flat=True))
    moves, last = (Move.objects.filter(game__in=games, is_automatic=False).count() for games in (quick, ended))
    return Phase(name, delays("bots", since), delays("thinkers", since), taken, cpu, moves, len(ended), last)


def new_game(user: object, bot: str, variant: str, seed: int) -> int:
    """Start a game of two such bots and return its key."""
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup

    seats = tuple(SeatSetup(kind="bot", bot=bot, seed=2 * seed + seat) for seat in range(2))
    return create_game(user, GameSetup(variant=variant, seats=seats)).pk  # type: ignore[arg-type]  # imported later


def delays(queue: str, since: datetime) -> list[float]:
    """Return the seconds from asking for a turn to its beginning, of every turn of this queue."""
    from games.jobs import find_jobs

    jobs = [job for job in find_jobs() if job.queue == queue and job.enqueued_at >= since]
    return sorted((job.started_at - job.enqueued_at).total_seconds() for job in jobs if job.started_at)


def wait_for_workers(pool: int, count: int) -> None:
    """Wait until the engines are ready and the workers are there: compiling is no part of a turn."""
    while len(workers_of(pool)) < count:
        time.sleep(TICK_SECONDS)


def workers_of(pool: int) -> list[int]:
    """Return the process ids of the pool's workers."""
    return [int(pid) for pid in Path(f"/proc/{pool}/task/{pool}/children").read_text().split()]


def thinkers_of(pool: int) -> list[int]:
    """Return the process ids of those who think for the pool's workers."""
    return [pid for worker in workers_of(pool) for pid in workers_of(worker)]


def cpu_seconds(pool: int) -> float:
    """Return the CPU time that the living workers, and those who think for them, have taken so far."""
    living = [*workers_of(pool), *thinkers_of(pool)]
    ticks = [Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[11:13] for pid in living]
    return sum(int(tick) for pair in ticks for tick in pair) / os.sysconf("SC_CLK_TCK")


def tell(options: Options, phases: list[Phase]) -> None:
    """Print the delays and the cost."""
    print(f"games of {options.bot} in {options.variant}, {options.at_once} at once, on {options.workers} workers")
    for phase in phases:
        pace = f"{phase.moves / phase.seconds:.0f} moves/s"
        print(f"{phase.name:24} {words(phase.delays)}; {pace}")
        print(f"{'':24} {phase.ended} of {options.games} games came to their end in {phase.seconds:.0f} s")
        if phase.long_delays:
            print(f"{'  the thinkers themselves':24} {words(phase.long_delays)}")
    alone = phases[0]
    if alone.ended:
        move = alone.cpu / alone.moves
        game = move * alone.moves_of_ended / alone.ended
        print(f"cost: {game:.2f} s of CPU a game, {1000 * move:.1f} ms a move, in all")


def words(found: list[float]) -> str:
    """Return what is to be known of the delays."""
    if not found:
        return "no turn has begun"
    late = found[int(0.95 * (len(found) - 1))]
    middle = statistics.median(found)
    return f"{len(found)} turns wait {1000 * middle:.0f} ms, p95 {1000 * late:.0f} ms, most {found[-1]:.2f} s"


def tell_memory(pool: int) -> None:
    """Print what the pool, its workers and those who think for them hold."""
    workers, thinkers = (("worker", pid) for pid in workers_of(pool)), (("thinker", pid) for pid in thinkers_of(pool))
    for name, pid in (("pool", pool), *workers, *thinkers):
        peak = int(re.findall(r"VmHWM:\s+(\d+)", Path(f"/proc/{pid}/status").read_text())[0])
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
        share = int(re.findall(r"^Pss:\s+(\d+)", rollup, re.MULTILINE)[0])
        print(f"{name:8} {peak / 1024:.0f} MiB resident at most, {share / 1024:.0f} MiB its share")


if __name__ == "__main__":
    main()
