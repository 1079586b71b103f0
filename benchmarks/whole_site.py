"""A whole site as `make run` starts it, and pages that are asked for at a steady rate."""

import os
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPException

HOST, SITE_READY_SECONDS = "127.0.0.1", 90
#: Another address of this machine, for requests that are to come from elsewhere.
ELSEWHERE = "127.0.0.2"

PLAY = """
import django; django.setup()
from accounts.models import User
from benchmarks.push_games import new_game, person
from games.actions.tables.create_game import create_game
from games.base.setup import GameSetup, SeatSetup
{make}
"""
LOOK = "print(new_game()[0].slug)"


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
    end = time.monotonic() + SITE_READY_SECONDS
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


def look(port: int, path: str, address: str = HOST) -> float:
    """Return the seconds that a page takes a visitor from this address."""
    connection = HTTPConnection(HOST, port, timeout=30, source_address=(address, 0))
    began = time.perf_counter()
    connection.request("GET", path)
    answer = connection.getresponse()
    answer.read()
    connection.close()
    if answer.status != 200:
        raise HTTPException(f"{path}: {answer.status}")
    return time.perf_counter() - began


def load(port: int, path: str, rate: float, seconds: float, address: str = HOST) -> list[float]:
    """Return the seconds that pages take which are asked for at a steady rate, however long each takes.

    One that fails is left out.
    """
    taken: list[float] = []
    threads = []
    began = time.monotonic()
    for number in range(int(rate * seconds)):
        time.sleep(max(0.0, began + number / rate - time.monotonic()))
        threads.append(threading.Thread(target=lambda: taken.append(look(port, path, address))))
        threads[-1].start()
    for thread in threads:
        thread.join()
    return sorted(taken)


def p95(taken: list[float]) -> float:
    """Return the time that 95 of 100 do not exceed."""
    return taken[int(0.95 * (len(taken) - 1))]
