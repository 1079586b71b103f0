"""How long a move takes where many processes write: eight make 250 moves each in 50 games, as fast as they can.

On SQLite each opens its connection anew for every move, as a request does. What is measured is the action alone, from
the opening of the connection to the commit, with our way to wait for the lock (`blockyou.sqlite`) and then with
SQLite's own, in the same run. Moves for which another process was quicker are refused, and count for
nothing but how long that took.

The exit status is 1 where a move fails, or with our way the slowest of a hundred takes longer than it may.

    python -m benchmarks.movers --processes 8 --moves 250 --games 50
"""

import argparse
import json
import os
import random
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.aims import judge

ROOT = Path(__file__).resolve().parents[1]
#: Tells a process that moves to wait for the lock in SQLite's own way.
PLAINLY = "MOVERS_WAIT_PLAINLY"
#: Seconds that 99 of 100 moves may take, and any (A4).
MOST_P99, MOST_SECONDS = 0.25, 5.0


@dataclass
class Moved:
    """What one process has met: seconds of its moves, its refusals and its waits for the lock, and what was raised."""

    moves: list[float] = field(default_factory=list)
    waits: list[float] = field(default_factory=list)
    refused: list[float] = field(default_factory=list)
    errors: list[str] = field(default_factory=list)


def main() -> None:
    """Measure, and print; or be one of the processes."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--processes", type=int, default=8)
    parser.add_argument("--moves", type=int, default=250, help="of each process")
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--rounds", type=int, default=1, help="of both ways to wait")
    parser.add_argument("--mover", type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.mover is not None:
        print(json.dumps(asdict(play(options.mover, options.moves))))
        return
    ours: list[Moved] = []
    for _ in range(options.rounds):
        for way, waits_plainly in (("our way to wait", False), ("SQLite's own", True)):
            with tempfile.TemporaryDirectory(prefix="block-you-movers-") as folder:
                found = race(Path(folder), options.processes, options.moves, options.games, waits_plainly=waits_plainly)
            print(f"{way}:", flush=True)
            tell(found)
            ours += [] if waits_plainly else found
    judge(aims_of(ours))


def race(folder: Path, processes: int, moves: int, games: int, *, waits_plainly: bool = False) -> list[Moved]:
    """Return what so many processes meet, which all begin at the same moment, in a new database in that folder."""
    environment = os.environ | {
        "DATABASE_URL": f"sqlite:///{folder / 'db.sqlite3'}",
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
        "LOG_LEVEL": "ERROR",
        "SECRET_KEY": secrets.token_urlsafe(64),
        "VAR_DIR": str(folder),
        PLAINLY: str(int(waits_plainly)),
    }
    program = [sys.executable, "-m", "benchmarks.movers"]
    subprocess.run([sys.executable, "-c", PREPARE.format(games=games)], cwd=ROOT, env=environment, check=True)
    began = [
        subprocess.Popen(
            [*program, "--mover", str(number), "--moves", str(moves)],
            cwd=ROOT,
            env=environment,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        for number in range(processes)
    ]
    try:
        for process in began:
            # It is ready, and waits for the others.
            assert process.stdout
            process.stdout.readline()
        for process in began:
            assert process.stdin
            process.stdin.close()
        said = [process.stdout.read() for process in began if process.stdout]
    finally:
        for process in began:
            process.kill()
            # Its pipes are closed, too.
            process.__exit__(None, None, None)
    return [Moved(**json.loads(each)) for each in said]


#: Makes the tables, and opens games of two people, twenty of each pair.
PREPARE = """
import django
django.setup()
from django.core.management import call_command
call_command("migrate", verbosity=0)
from accounts.models import User
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.base.setup import GameSetup, SeatSetup
for number in range({games}):
    if number % 20 == 0:
        one, other = (User.objects.create_user(username=f"mover{{number + each}}") for each in range(2))
    game = create_game(one, GameSetup(variant="blockyou-2", seats=(SeatSetup(kind="me"), SeatSetup(kind="open"))))
    join_game(other, game.slug)
"""


def play(number: int, wanted: int) -> Moved:
    """Make so many moves, each in a game by chance, for whoever is due there."""
    import django

    django.setup()
    from django.db import connection

    from accounts.models import User
    from blockyou.sqlite import base
    from games.actions.moves.play_placement import play_placement
    from games.base.positions import position_of
    from games.errors import GameError
    from games.models import Game
    from games.queries.tables.turns import next_number

    if os.environ[PLAINLY] == "1":
        base.WRITES = ()
    rng, found = random.Random(number), Moved()

    def time_begin(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        began = time.perf_counter()
        answer = execute(sql, *rest)
        if sql.startswith("BEGIN"):
            found.waits.append(time.perf_counter() - began)
        return answer

    slugs = list(Game.objects.values_list("slug", flat=True))
    print("ready", flush=True)
    sys.stdin.read()
    while len(found.moves) < wanted and slugs:
        slug = rng.choice(slugs)
        game = Game.objects.get(slug=slug)
        position = position_of(game)
        if position.is_over or not position.has_legal():
            slugs.remove(slug)
            continue
        mover = User.objects.get(seats__game=game, seats__seat=game.turn_seat or 0)
        legal, due = position.legal_placements(), next_number(game)
        connection.close()
        began = time.perf_counter()
        taken = found.moves
        try:
            key = f"mover-{number}-{len(found.moves)}-{len(found.refused)}"
            with connection.execute_wrapper(time_begin):
                play_placement(mover, slug, placement=rng.choice(legal), number=due, key=key)
        except GameError:
            taken = found.refused
        except Exception as error:  # noqa: BLE001  # whatever it is, it is told
            found.errors.append(f"{type(error).__name__}: {error}")
            continue
        finally:
            connection.close()
        taken.append(time.perf_counter() - began)
    return found


def tell(found: list[Moved]) -> None:
    """Print what was met."""
    refused, errors = sum(len(each.refused) for each in found), [error for each in found for error in each.errors]
    moves = [seconds for each in found for seconds in each.moves]
    print(f"{len(moves)} moves of {len(found)} processes, {refused} refused, {len(errors)} failed: {words(moves)}")
    print(f"until a process had the lock: {words([seconds for each in found for seconds in each.waits])}")
    for error in errors:
        print(f"  {error}")


def aims_of(found: list[Moved]) -> dict[str, bool]:
    """Return what moves by our way to wait are to come to, and whether they do."""
    moves = [seconds for each in found for seconds in each.moves]
    return {
        "no move fails": not any(each.errors for each in found),
        f"p99 of moves at most {1000 * MOST_P99:.0f} ms": percentile(moves, 0.99) <= MOST_P99,
        f"no move longer than {MOST_SECONDS:g} s": max(moves) <= MOST_SECONDS,
    }


def percentile(taken: list[float], share: float) -> float:
    """Return what that share of the moves took at most."""
    return sorted(taken)[int(len(taken) * share)]


def words(taken: list[float]) -> str:
    """Return what so many seconds come to."""
    p95, p99 = (percentile(taken, share) for share in (0.95, 0.99))
    median = statistics.median(taken)
    return f"median {1000 * median:.0f} ms, p95 {1000 * p95:.0f}, p99 {1000 * p99:.0f}, longest {max(taken):.2f} s"


if __name__ == "__main__":
    main()
