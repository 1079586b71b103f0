"""The queue of jobs: what idle workers cost, how soon a job begins, how many jobs and turns are done a minute.

On SQLite, or on a database of its own beside the one that DATABASE_URL names. Linux only.

    python -m benchmarks.jobs                                                   # as in `make bench`
    eval "$(.ci/servers start /tmp/servers)"; python -m benchmarks.jobs --workers 4 --jobs 10000 --games 200
"""

import argparse
import os
import secrets
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from benchmarks.bots import cpu_seconds, workers_of

ROOT = Path(__file__).resolve().parents[1]
TICK_SECONDS = 0.1
NO_GAME = 0


def main() -> None:
    """Measure one after the other, and print as it goes."""
    options = read_options()
    with tempfile.TemporaryDirectory(prefix="block-you-jobs-") as folder, database(folder) as url:
        os.environ.update(
            DATABASE_URL=url,
            DJANGO_SETTINGS_MODULE="blockyou.settings.prod",
            SECRET_KEY=secrets.token_urlsafe(64),
            VAR_DIR=folder,
        )
        import django

        django.setup()
        from django.core.management import call_command

        call_command("migrate", verbosity=0)
        print(f"{os.environ.get('JOB_QUEUE', 'database')} queue, {url.partition(':')[0]}, {options.workers} workers")
        with working(options.workers) as pool:
            tell_idle(pool, options.idle)
            tell_latency(options.latencies)
            tell_throughput(pool, options.jobs, options.seconds)
            tell_turns(pool, options.games, options.seconds)


def read_options() -> argparse.Namespace:
    """Return what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--idle", type=int, default=5, help="seconds in which nothing is asked for")
    parser.add_argument("--latencies", type=int, default=20, help="jobs asked for one by one")
    parser.add_argument("--jobs", type=int, default=300, help="jobs without work asked for at once")
    parser.add_argument("--games", type=int, default=8, help="games of bots that place anything anywhere")
    parser.add_argument("--seconds", type=int, default=60, help="after which a count ends, whatever is unfinished")
    return parser.parse_args()


@contextmanager
def database(folder: str) -> Iterator[str]:
    """Yield the address of an empty database: a file in that folder, or one beside that of DATABASE_URL."""
    url = os.environ.get("DATABASE_URL", "")
    if not url:
        yield f"sqlite:///{folder}/db.sqlite3"
        return
    import psycopg

    name = f"bench_{secrets.token_hex(6)}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        try:
            yield f"{url.rpartition('/')[0]}/{name}"
        finally:
            server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@contextmanager
def working(workers: int) -> Iterator[int]:
    """Run that many workers; yield the process id of their pool once all have begun."""
    command = [sys.executable, "manage.py", "work", "--processes", str(workers), "--no-reload", "--skip-checks"]
    pool = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "KEEP_CONNECTION": "on"}, stderr=subprocess.DEVNULL)
    try:
        while len(workers_of(pool.pid)) < workers:
            time.sleep(TICK_SECONDS)
        # PostgreSQL counts what a connection did when that has rested for a while.
        time.sleep(12 if os.environ["DATABASE_URL"].startswith("postgres") else 1)
        yield pool.pid
    finally:
        pool.terminate()
        pool.wait(60)


def tell_idle(pool: int, seconds: int) -> None:
    """Print what the workers cost while there is nothing to do, a worker and second or minute."""
    count = len(workers_of(pool))
    asked, cpu = transactions(), cpu_seconds(pool)
    time.sleep(seconds)
    asked, cpu = transactions() - asked, cpu_seconds(pool) - cpu
    queries = f"{asked / count / seconds:.1f} transactions a second, " if asked else ""
    print(f"idle: {queries}{1000 * cpu / count / seconds * 60:.0f} ms of CPU a minute for each worker")


def transactions() -> int:
    """Return how many transactions this database has seen; 0 where it does not count them."""
    from django.db import connection

    if connection.vendor != "postgresql":
        return 0
    with connection.cursor() as cursor:
        cursor.execute("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = current_database()")
        return int(cursor.fetchone()[0])


def tell_latency(number: int) -> None:
    """Print how long after the asking a job begins when the workers have nothing else to do."""
    from games.jobs import enqueue, find_jobs
    from games.tasks import play_bot_turn

    for index in range(number):
        # Not in step with workers that ask at fixed intervals.
        time.sleep(0.1 + 0.0137 * (index % 10))
        enqueue(play_bot_turn, NO_GAME, index)
    time.sleep(0.5)
    waits = [(job.started_at - job.enqueued_at).total_seconds() * 1000 for job in find_jobs() if job.started_at]
    tail = statistics.quantiles(waits, n=20)[-1]
    print(f"latency: {statistics.median(waits):.1f} ms, 95 of 100 within {tail:.1f} ms, {max(waits):.1f} ms at most")


def tell_throughput(pool: int, number: int, seconds: int) -> None:
    """Print how many jobs without work are asked for and done a minute."""
    from games.jobs import enqueue, find_jobs, waiting_since
    from games.tasks import play_bot_turn

    began, cpu, before = time.monotonic(), cpu_seconds(pool), len(find_jobs("SUCCESSFUL"))
    for index in range(number):
        enqueue(play_bot_turn, NO_GAME, index)
    asked = time.monotonic() - began
    while waiting_since() and time.monotonic() < began + seconds:
        time.sleep(TICK_SECONDS)
    done, taken, cpu = len(find_jobs("SUCCESSFUL")) - before, time.monotonic() - began, cpu_seconds(pool) - cpu
    rate = f"{done / taken * 60:,.0f} a minute, {1000 * cpu / max(done, 1):.1f} ms of CPU each"
    print(f"jobs without work: {done:,} in {taken:.1f} s, {rate} (asking took {1000 * asked / number:.2f} ms each)")


def tell_turns(pool: int, number: int, seconds: int) -> None:
    """Print how many bots' turns are played a minute by an engine that costs next to nothing."""
    from accounts.models import User
    from games.actions.tables.create_game import create_game
    from games.base.setup import GameSetup, SeatSetup
    from games.models import Game, Move, Status

    user = User.objects.create_user("bench")
    for seed in range(number):
        seats = tuple(SeatSetup(kind="bot", bot="random", seed=2 * seed + seat) for seat in range(2))
        create_game(user, GameSetup(variant="duo", seats=seats))
    began, cpu, before = time.monotonic(), cpu_seconds(pool), Move.objects.count()
    while Game.objects.filter(status=Status.RUNNING).exists() and time.monotonic() < began + seconds:
        time.sleep(TICK_SECONDS)
    moves, taken, cpu = Move.objects.count() - before, time.monotonic() - began, cpu_seconds(pool) - cpu
    rate = f"{moves / taken * 60:,.0f} a minute, {1000 * cpu / max(moves, 1):.1f} ms of CPU each"
    print(f"bots' turns: {moves:,} in {taken:.1f} s, {rate}")


if __name__ == "__main__":
    main()
