"""B19: two web processes behind deploy/nginx.conf, started again one after the other, with pages open at them.

`BLOCKYOU_RESTARTS` makes it longer.
"""

import itertools
import os
import shutil
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import connect
from websockets.typing import Origin

from games.realtime.frames import RESTARTING
from tests.browser.site import free_port
from tests.project.processes.test_restarts import Web, environment, wait_for
from tests.project.test_deploy import nginx_at, serving
from tests.project.traffic import PATIENCE, Traffic
from tests.reliability.hosts.servers import open_folder
from tests.reliability.visitor import Answer, Unanswered, Visitor

#: Pages with an open socket, and restarts of a process.
PAGES, RESTARTS = 60, int(os.environ.get("BLOCKYOU_RESTARTS", "4"))
#: nginx passes on the host without its port, which is the usual one elsewhere.
OWN = Origin("http://127.0.0.1")
pytestmark = [
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="serves from SQLite; run without DATABASE_URL"),
    pytest.mark.skipif(not shutil.which("nginx"), reason="there is no nginx here"),
    pytest.mark.proof,
]

__all__ = ["environment"]


class OpenPages:
    """Pages that open their socket again, at once, whenever it is closed, from `with` to its end.

    `closed` counts how it was: the code, or 1006 where none was said; `refused` tells of what was not let in.
    """

    def __init__(self, port: int, number: int) -> None:
        self.url = f"ws://127.0.0.1:{port}/ws/lobby/"
        self.number = number
        self.closed: Counter[int] = Counter()
        self.refused: list[str] = []
        self.opened = 0
        self.is_open: set[int] = set()
        self._is_over = threading.Event()
        self._lock = threading.Lock()
        self._threads = ThreadPoolExecutor(number)

    def __enter__(self) -> "OpenPages":
        self._pages = [self._threads.submit(self._stay, page) for page in range(self.number)]
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._threads.shutdown()
        for page in self._pages:
            page.result()

    def are_open(self) -> bool:
        """Return whether each has an open socket just now."""
        return len(self.is_open) == self.number

    def _stay(self, page: int) -> None:
        while not self._is_over.is_set():
            try:
                self._listen(page)
            except (OSError, InvalidHandshake) as error:
                with self._lock:
                    self.refused.append(repr(error))
                self._is_over.wait(0.5)

    def _listen(self, page: int) -> None:
        """Open the socket and hear what is said, until it is closed."""
        with connect(self.url, origin=OWN, open_timeout=PATIENCE, close_timeout=1) as socket:
            with self._lock:
                self.opened += 1
                self.is_open.add(page)
            try:
                while not self._is_over.is_set():
                    with suppress(TimeoutError):
                        socket.recv(timeout=0.5)
            except ConnectionClosed as end:
                with self._lock:
                    self.closed[end.rcvd.code if end.rcvd else 1006] += 1
            finally:
                with self._lock:
                    self.is_open.discard(page)


class Writer(Visitor):
    """Somebody at the site by its name without a port, as nginx passes it on."""

    def _send(self, request: urllib.request.Request) -> Answer:
        if request.has_header("Origin"):
            request.add_header("Origin", OWN)
        return super()._send(request)


@contextmanager
def writing(url: str) -> Iterator[Counter[object]]:
    """Change something again and again until the end of the block; yield how often which answer came."""
    visitor, answers, is_over = Writer(url), Counter[object](), threading.Event()
    visitor.get("/")

    def write() -> None:
        for language in itertools.cycle(("fr", "en")):
            if is_over.wait(0.5):
                return
            try:
                answers[visitor.post("/accounts/language/", language=language).status] += 1
            except Unanswered as error:
                answers[str(error)] += 1

    with ThreadPoolExecutor(1) as pool:
        written = pool.submit(write)
        try:
            yield answers
        finally:
            is_over.set()
            written.result()


def behind(port: int, folder: Path, processes: list[Web]) -> list[str | Path]:
    """Return the command that runs the proxy before several processes, as its file says in a comment."""
    first, *ports = (free_port(), *(web.port for web in processes))
    lines = {f"#server 127.0.0.1:800{number} ": f"server 127.0.0.1:{at} " for number, at in enumerate(ports, 1)}
    return nginx_at(port, folder, first, **{f"server 127.0.0.1:{first};": "", **lines})


def seconds_until(condition: Callable[[], bool]) -> float:
    """Return how long it takes until it is so."""
    began = time.monotonic()
    wait_for(condition)
    return time.monotonic() - began


def test_in_a_roll_behind_nginx_nothing_is_refused_and_every_page_is_back(environment: dict[str, str]) -> None:
    processes, port, back = [Web(environment), Web(environment)], free_port(), []
    try:
        with (
            # Those of nginx that serve are not the owner of pytest's folders.
            open_folder() as folder,
            serving(behind(port, folder, processes), port),
            OpenPages(port, PAGES) as pages,
            Traffic(port) as traffic,
            writing(f"http://127.0.0.1:{port}") as written,
        ):
            wait_for(pages.are_open)
            for web in itertools.islice(itertools.cycle(processes), RESTARTS):
                web.ask_to_end()
                web.wait_for_end()
                web.start()
                back.append(seconds_until(pages.are_open))
            closed, refused = Counter(pages.closed), list(pages.refused)
    finally:
        for web in processes:
            web.process.kill()
            web.process.wait()
    print(  # noqa: T201
        f"{RESTARTS} restarts: {traffic.answered} pages and {written.total()} writes answered, "
        f"{pages.opened} sockets opened, all there {max(back):.1f} s after a start at the latest"
    )
    assert traffic.failures == []
    assert {*written} == {302}
    assert refused == []
    assert {*closed} == {RESTARTING}
    assert closed.total() >= PAGES * RESTARTS / 4
