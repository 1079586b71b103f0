"""What a page costs its reader beside others who are slow (A12), beside what it costs on an idle site.

Starts the whole site as `make run` does, on SQLite, with a mail server that accepts and says nothing. The same pages
come at a steady rate five times: on the idle site; while forms that send mails are sent; while eight forms of one login
arrive a byte at a time; while another program holds the write lock that eight forms of others wait for; and while a
visitor without a cookie asks for eight pages at a time, again and again. Whoever is slow is at one address and the
reader at another: visitors of one address share half of the places, and wait for each other. Forms that wait too long
for the lock are answered 503; how many is printed.

The exit status is 1 where others' p95 is above 300 ms beside one of the slow, or more than 1.5 times that of the idle
site beside the visitor.

With `--floods` the same beside eight people at one address who send as fast as they can what is limited: lines of talk
at tables and among those who watch, reactions, follows, mutes, blocks, reports, appeals, groups and what they keep,
channels, invitations, notes, days, pauses, holidays, preferences, and what children ask for, each after the idle site
and so many times. The exit status is 1 then where others' p95 is more than 1.5 times that of the idle site, or a flood
came to no limit; of notes that is not asked, of which so many may be saved in an hour.

    python -m benchmarks.slow_neighbours --seconds 10 --rate 8
    python -m benchmarks.slow_neighbours --floods 3
"""

import argparse
import socket
import sqlite3
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import AbstractContextManager, closing, contextmanager, nullcontext
from itertools import count
from pathlib import Path
from urllib.error import HTTPError

from benchmarks.aims import judge
from benchmarks.floods import ALLOWED_LONG, DECLINED, FLOODS, REFUSED, Flood, Flooders
from benchmarks.whole_site import ELSEWHERE, HOST, LOOK, django, load, look, p95, serving
from tests.project.player import Player

#: How many are slow at once: twice as many requests as a process works on.
SLOW = 8
#: What a form is answered that could not be stored in time.
BUSY = 503
#: Seconds between two bytes of a form.
TRICKLE = 0.5
#: So many times that of an idle site others' p95 may be beside a flood.
RATIO = 1.5
#: Seconds that others' p95 may be beside a request that takes long.
LONGEST_P95 = 0.3
#: What asks for much instead of taking long.
VISITOR = "a visitor without a cookie"


def main() -> None:
    """Measure the idle site, then beside each kind of slow request."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--rate", type=float, default=8)
    parser.add_argument("--port", type=int, default=8161)
    parser.add_argument("--floods", type=int, default=0, help="how many times each flood (instead of the slow)")
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
            if options.floods:
                sys.exit(beside_floods(environment, path, options))
            kinds: dict[str, AbstractContextManager[None]] = {
                "idle": nullcontext(),
                "mails that are not taken": asking(site),
                "forms that trickle in": trickling(options.port),
                "a write lock held": waiting_for(database, site),
                VISITOR: browsing(options.port, path),
            }
            for name, beside in kinds.items():
                with beside:
                    taken[name] = load(options.port, path, options.rate, options.seconds, ELSEWHERE)
            asked = int(options.rate * options.seconds)
    for name, times in taken.items():
        if len(times) < asked:
            raise RuntimeError(f"{name}: {asked - len(times)} of {asked} pages failed")
        tell(name, times, taken["idle"])
    slow = [name for name in taken if name not in ("idle", VISITOR)]
    judge(
        {
            **{f"p95 beside {name} below {1000 * LONGEST_P95:g} ms": p95(taken[name]) < LONGEST_P95 for name in slow},
            f"p95 beside {VISITOR} at most {RATIO:g} x idle": p95(taken[VISITOR]) <= RATIO * p95(taken["idle"]),
        }
    )


def tell(name: str, times: list[float], idle: list[float], more: str = "") -> float:
    """Print how long pages took beside something, and return how many times as long as on the idle site, by p95."""
    median, slow, ratio = 1000 * statistics.median(times), 1000 * p95(times), p95(times) / p95(idle)
    print(f"{name:26} median {median:6.1f} ms  p95 {slow:6.1f} ms  {ratio:5.2f} x idle  ({len(times)} pages){more}")
    return ratio


def beside_floods(environment: dict[str, str], path: str, options: argparse.Namespace) -> int:
    """Measure the page beside each flood in turn with the idle site, and return 1 if one was felt or said nothing."""
    floods = {name: Flood(declined=DECLINED.get(name, REFUSED)) for name in FLOODS}
    taken = {name: list[float]() for name in ("idle", *FLOODS)}
    for turn in range(options.floods):
        # Whoever has come to a limit would only be refused: new people each time.
        people = Flooders(options.port, environment, SLOW, f"m{turn}n")
        for name in FLOODS:
            taken["idle"] += load(options.port, path, options.rate, options.seconds / 2, ELSEWHERE)
            with people.sending(name, floods[name]):
                found = load(options.port, path, options.rate, options.seconds, ELSEWHERE)
            if len(found) < int(options.rate * options.seconds):
                raise RuntimeError(f"{name}: {int(options.rate * options.seconds) - len(found)} pages failed")
            taken[name] += found
    is_felt = False
    for name, times in taken.items():
        told = f"  answers: {floods[name]}" if name in floods else ""
        is_felt |= tell(name, sorted(times), sorted(taken["idle"]), told) > RATIO
    if any(flood.silent or flood.has_errors for flood in floods.values()):
        raise RuntimeError("a flood was answered by an error, or refused without a sentence")
    return int(is_felt or not all(floods[name].answers[REFUSED] for name in floods.keys() - ALLOWED_LONG))


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
    """Send the requests of visitors for mails, all at once, and run the block once they have been answered."""
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
def browsing(port: int, path: str) -> Iterator[None]:
    """Ask for a page as fast as it comes, so many at once, from one address and without a cookie."""
    is_over, pages = threading.Event(), count()

    def browse() -> None:
        while not is_over.is_set():
            look(port, path)
            next(pages)

    with running([browse] * SLOW):
        try:
            yield
        finally:
            is_over.set()
    print(f"the visitor was sent {next(pages)} pages")


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
