"""Quiet pages: what a page costs its reader while bots think hard, beside what it costs while nothing happens.

Starts the whole site as `make run` does, on a database of its own. The same requests come twice at a steady rate:
first idle, then while four games are played by a bench-only engine that burns five seconds of CPU a move.

    python -m benchmarks.quiet_pages --workers 4 --seconds 30 --rate 8
"""

import argparse
import os
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path

HOST, READY_SECONDS = "127.0.0.1", 90

PLAY = """
import django; django.setup()
from accounts.models import User
from benchmarks.push_games import new_game, person
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup, SeatSetup
{make}
"""
LOOK = "print(new_game()[0].slug)"
BURN = """
user, _session = person("b")
seats = tuple(SeatSetup(kind="bot", bot="burner") for _ in range(4))
for _ in range(4): create_game(user, GameSetup(variant="blockyou-4", seats=seats))
"""
THINKING = """
from games.jobs import find_jobs
print(len(find_jobs("RUNNING")))
"""


@contextmanager
def serving(environment: dict[str, str], port: int) -> Iterator[None]:
    """Run the whole site until the block ends."""
    process = subprocess.Popen(
        [sys.executable, "-m", "blockyou.processes.serve"], env={**os.environ, **environment}, stdout=subprocess.DEVNULL
    )
    try:
        _wait(port)
        yield
    finally:
        process.terminate()
        process.wait(30)


def _wait(port: int) -> None:
    end = time.monotonic() + READY_SECONDS
    while time.monotonic() < end:
        try:
            look(port, "/healthz")
        except (OSError, HTTPException):
            time.sleep(0.2)
        else:
            return
    raise TimeoutError(port)


def django(code: str, environment: dict[str, str]) -> str:
    """Return what a piece of code prints in a process of its own on the site's database."""
    command = [sys.executable, "-c", PLAY.format(make=code)]
    surroundings = {**os.environ, **environment, "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod"}
    return subprocess.run(command, env=surroundings, check=True, capture_output=True, text=True).stdout.strip()


def look(port: int, path: str) -> float:
    """Return the seconds that a page takes."""
    connection = HTTPConnection(HOST, port, timeout=30)
    began = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise HTTPException(f"{path}: {answer.status}")
    return time.perf_counter() - began


def load(port: int, path: str, rate: float, seconds: float) -> list[float]:
    """Return the seconds that pages take which are asked for at a steady rate, however long each takes."""
    taken: list[float] = []
    threads = []
    began = time.monotonic()
    for number in range(int(rate * seconds)):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        threads.append(threading.Thread(target=lambda: taken.append(look(port, path))))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return sorted(taken)


def p95(taken: list[float]) -> float:
    """Return the time that 95 of 100 do not exceed."""
    return taken[int(0.95 * (len(taken) - 1))]


def main() -> None:
    """Measure idle, then with bots thinking."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--seconds", type=float, default=30)
    parser.add_argument("--rate", type=float, default=8)
    parser.add_argument("--port", type=int, default=8159)
    options = parser.parse_args()
    # Of several workers one takes no long thinks; four games have no more than four.
    thinkers = min(4, max(1, options.workers - 1))
    with tempfile.TemporaryDirectory() as name:
        environment = {
            "BURN_SECONDS": "5",
            "DATABASE_URL": f"sqlite:///{Path(name) / 'db.sqlite3'}",
            "EXTRA_BOTS": "burner=benchmarks.burner:Burner",
            "JOB_WORKERS": str(options.workers),
            "PORT": str(options.port),
            "VAR_DIR": name,
        }
        with serving(environment, options.port):
            path = f"/games/{django(LOOK, environment)}/"
            load(options.port, path, options.rate, 5)
            idle = load(options.port, path, options.rate, options.seconds)
            django(BURN, environment)
            while int(django(THINKING, environment)) < thinkers:
                time.sleep(1)
            busy = load(options.port, path, options.rate, options.seconds)
    for what, taken in (("idle", idle), ("bots thinking", busy)):
        median, slow = 1000 * statistics.median(taken), 1000 * p95(taken)
        print(f"{what:14} median {median:6.1f} ms  p95 {slow:6.1f} ms  ({len(taken)} pages)")
    print(f"p95 with {thinkers} niced workers thinking is {p95(busy) / p95(idle):.2f} x idle")


if __name__ == "__main__":
    main()
