"""What a page costs its reader beside busy programs, beside what it costs on an idle site.

Starts the whole site as `make run` does, on SQLite. The same pages come at a steady rate in six ways: on the idle
site; while streams of the API are open; while clients of one person ask the API for as much as they can; while a
visitor of another address, without a cookie, asks for a page as often as it comes; while a learner trains on the same
machine, as politely as its document says; and beside all of these. The ways take turns for
several rounds, because a machine's speed drifts by more than they cost; the pages of all rounds are counted together.

    python -m benchmarks.busy_programs --rounds 3 --seconds 20 --rate 8
"""

import argparse
import os
import socket
import statistics
import subprocess
import sys
import tempfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext
from http.client import HTTPConnection
from pathlib import Path

from benchmarks.quiet_pages import HOST, LOOK, django, load, p95, serving
from benchmarks.slow_neighbours import running

#: Streams of one person, of whom the site lets have forty.
EACH = 20
#: Clients of one person, or connections of one visitor, that never rest.
CLIENTS = 4
#: Where that visitor comes from: another address of this machine, on Linux.
ELSEWHERE = "127.0.0.2"
#: Makes people with a token each, and prints the tokens.
TOKENS = """
from django.utils import timezone
from accounts.models import Scope
from accounts.tokens import make_token
for number in range({people}):
    print(make_token(person(f"p{{number}}")[0], "busy", [Scope.READ], timezone.now()))
"""


def main() -> None:
    """Measure the idle site, then beside each kind of program, then beside all."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--seconds", type=float, default=20, help="of each way in each round")
    parser.add_argument("--rate", type=float, default=8)
    parser.add_argument(
        "--streams", type=int, default=60, help="of one address; the site lets it have a hundred connections"
    )
    parser.add_argument("--port", type=int, default=8163)
    options = parser.parse_args()
    taken: dict[str, list[float]] = {}
    answers, pages = Counter[int](), Counter[int]()
    with tempfile.TemporaryDirectory() as folder:
        environment = {
            "DATABASE_URL": f"sqlite:///{Path(folder, 'db.sqlite3')}",
            "PORT": str(options.port),
            "VAR_DIR": folder,
        }
        with serving(environment, options.port):
            path = f"/games/{django(LOOK, environment)}/"
            people = 1 + -(-options.streams // EACH)
            greedy, *listeners = django(TOKENS.format(people=people), environment).split()
            load(options.port, path, options.rate, 3)

            def streams() -> AbstractContextManager[None]:
                return open_streams(options.port, listeners, options.streams)

            def flood() -> AbstractContextManager[None]:
                return flooding(options.port, "/api/v1/games", {"Authorization": f"Bearer {greedy}"}, answers)

            def visitor() -> AbstractContextManager[None]:
                return flooding(options.port, path, {}, pages, ELSEWHERE)

            def training() -> AbstractContextManager[None]:
                return learner(Path(folder, "learned.json"))

            kinds: dict[str, list[Callable[[], AbstractContextManager[None]]]] = {
                "idle": [nullcontext],
                "open streams": [streams],
                "clients that never rest": [flood],
                "a visitor that never rests": [visitor],
                "a learner": [training],
                "all of these": [streams, flood, visitor, training],
            }
            for name, programs in [*kinds.items()] * options.rounds:
                with ExitStack() as stack:
                    for program in programs:
                        stack.enter_context(program())
                    found = load(options.port, path, options.rate, options.seconds)
                taken[name] = sorted(taken.get(name, []) + found)
    for name, times in taken.items():
        median, slow = 1000 * statistics.median(times), 1000 * p95(times)
        ratio = p95(times) / p95(taken["idle"])
        print(f"{name:26} median {median:6.1f} ms  p95 {slow:6.1f} ms  {ratio:5.2f} x idle  ({len(times)} pages)")
    print(f"{options.streams} streams; the clients were answered {dict(sorted(answers.items()))}, the visitor {pages}")


@contextmanager
def open_streams(port: int, tokens: list[str], number: int) -> Iterator[None]:
    """Keep so many streams open until the block ends."""
    with ExitStack() as stack:
        for each in range(number):
            link = stack.enter_context(socket.create_connection((HOST, port)))
            token = tokens[each // EACH]
            link.sendall(
                f"GET /api/v1/stream HTTP/1.1\r\nHost: {HOST}\r\nAuthorization: Bearer {token}\r\n\r\n".encode()
            )
            if not link.recv(20).startswith(b"HTTP/1.1 200"):
                raise ConnectionError("A stream was refused.")
        yield


@contextmanager
def flooding(
    port: int, path: str, headers: dict[str, str], answers: Counter[int], address: str = HOST
) -> Iterator[None]:
    """Ask for something as often as it is answered, from several connections at once, until the block ends."""
    is_over = threading.Event()

    def ask() -> None:
        connection = HTTPConnection(HOST, port, timeout=30, source_address=(address, 0))
        while not is_over.is_set():
            connection.request("GET", path, headers=headers)
            answer = connection.getresponse()
            answer.read()
            answers[answer.status] += 1
        connection.close()

    with running([ask] * CLIENTS):
        yield
        is_over.set()


@contextmanager
def learner(file: Path) -> Iterator[None]:
    """Train on the same machine until the block ends, as docs/learning.md does it beside a site: last, on one core."""
    command = ["nice", "-n", "19", sys.executable, "-m", "games.learning.train", "duo", "--out", str(file)]
    surroundings = {**os.environ, "OMP_NUM_THREADS": "1", "NUMBA_NUM_THREADS": "1"}
    pipe, nothing = subprocess.PIPE, subprocess.DEVNULL
    with subprocess.Popen(command, stdout=pipe, stderr=nothing, env=surroundings) as process:
        # Its first line says that it is compiled and under way.
        assert process.stdout
        process.stdout.readline()
        yield
        process.kill()


if __name__ == "__main__":
    main()
