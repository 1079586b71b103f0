"""What a page costs its reader beside others who are slow (A12), beside what it costs on an idle site.

Starts the whole site as `make run` does, on SQLite, with a mail server that accepts and says nothing. The same pages
come at a steady rate four times: on the idle site; while forms that send mails are sent; while eight forms of one login
arrive a byte at a time; and while another program holds the write lock that eight forms of others wait for. Whoever is
slow is at one address and the reader at another: visitors of one address share half of the places, and wait for each
other. Forms that wait too long for the lock are answered 503; how many is printed.

    python -m benchmarks.slow_neighbours --seconds 10 --rate 8
"""

import argparse
import socket
import sqlite3
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from urllib.error import HTTPError

from benchmarks.whole_site import ELSEWHERE, HOST, LOOK, django, load, p95, serving
from tests.project.player import Player

#: How many are slow at once: twice as many requests as a process works on.
SLOW = 8
#: What a form is answered that could not be stored in time.
BUSY = 503
#: Seconds between two bytes of a form.
TRICKLE = 0.5


def main() -> None:
    """Measure the idle site, then beside each kind of slow request."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=8)
    parser.add_argument("--port", type=int, default=8161)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder, silent_server() as mail:
        database = Path(folder, "db.sqlite3")
        environment = {
            "DATABASE_URL": f"sqlite:///{database}",
            "EMAIL_URL": f"smtp://{HOST}:{mail}",
            "PORT": str(options.port),
            "VAR_DIR": folder,
        }
        site = f"http://{HOST}:{options.port}"
        with serving(environment, options.port):
            path = f"/games/{django(LOOK, environment)}/"
            taken = {}
            load(options.port, path, options.rate, min(options.seconds, 3), ELSEWHERE)
            kinds: dict[str, AbstractContextManager[None]] = {
                "idle": nullcontext(),
                "mails that are not taken": asking(site),
                "forms that trickle in": trickling(options.port),
                "a write lock held": waiting_for(database, site),
            }
            for name, beside in kinds.items():
                with beside:
                    taken[name] = load(options.port, path, options.rate, options.seconds, ELSEWHERE)
            asked = int(options.rate * options.seconds)
    idle = taken["idle"]
    for name, times in taken.items():
        if len(times) < asked:
            raise RuntimeError(f"{name}: {asked - len(times)} of {asked} pages failed")
        median, slow = 1000 * statistics.median(times), 1000 * p95(times)
        ratio = p95(times) / p95(idle)
        print(f"{name:26} median {median:6.1f} ms  p95 {slow:6.1f} ms  {ratio:5.2f} x idle  ({len(times)} pages)")


@contextmanager
def silent_server() -> Iterator[int]:
    """Yield the port of a server that accepts connections and never says anything."""
    with socket.create_server((HOST, 0)) as server:
        yield server.getsockname()[1]


_people = count()


def ask(site: str) -> bool:
    """Ask for a reset of a password, which writes a row and sends a mail; return whether it was stored.

    A site that cannot write for long says so with 503.
    """
    visitor, path = Player(site), "/accounts/password/reset/"
    try:
        visitor.post(visitor.get(path), path, email=f"person{next(_people)}@example.org")
    except HTTPError as refused:
        if refused.code != BUSY:
            raise
        return False
    return True


@contextmanager
def asking(site: str) -> Iterator[None]:
    """Let visitors ask for mails, all at once, and go on with the block when they have been answered."""
    with ThreadPoolExecutor(SLOW) as visitors:
        stored = list(visitors.map(ask, [site] * SLOW))
        if not all(stored):
            raise RuntimeError("nobody holds the lock, yet a form was not stored")
        yield


@contextmanager
def trickling(port: int) -> Iterator[None]:
    """Send forms of one login that do not end before the block does."""
    is_over = threading.Event()

    def trickle() -> None:
        with socket.create_connection((HOST, port)) as link:
            link.sendall(
                f"POST /accounts/login/ HTTP/1.1\r\nHost: {HOST}\r\nCookie: sessionid=one\r\nContent-Length: 1000\r\n"
                "Content-Type: application/x-www-form-urlencoded\r\n\r\n".encode()
            )
            while not is_over.wait(TRICKLE):
                link.sendall(b"a")

    with running([trickle] * SLOW):
        yield
        is_over.set()


@contextmanager
def waiting_for(database: Path, site: str) -> Iterator[None]:
    """Hold the write lock of SQLite, as another program may, while visitors send forms that write."""
    with closing(sqlite3.connect(database, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        stored: list[bool] = []
        with running([lambda: stored.append(ask(site))] * SLOW):
            time.sleep(TRICKLE)
            yield
            other.execute("ROLLBACK")
        print(f"forms that waited for the lock: {stored.count(True)} stored, {stored.count(False)} told to come back")


@contextmanager
def running(tasks: list[Callable[[], None]]) -> Iterator[None]:
    """Run these in threads of their own, and wait for their end after the block."""
    with ThreadPoolExecutor(len(tasks)) as threads:
        begun = [threads.submit(task) for task in tasks]
        yield
    for each in begun:
        each.result()


if __name__ == "__main__":
    main()
