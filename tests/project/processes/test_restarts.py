"""A web process that is asked to end answers first: nobody who asks meanwhile is left without an answer.

`BLOCKYOU_RESTARTS` makes the long form longer.
"""

import contextlib
import itertools
import json
import os
import signal
import socket
import sqlite3
import subprocess
import sys
import threading
import time
import urllib.request
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import IO, Any

import pytest
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from tests.browser.site import ROOT, Site, descendants, free_port, parents
from tests.project.traffic import PATIENCE, Balancer, Traffic, status_of
from tests.reliability.visitor import Visitor, arrive_as_guest

#: Seconds in which a process that is asked to end has ended.
LIMIT = 5.0
RESTARTS = int(os.environ.get("BLOCKYOU_RESTARTS", "12"))
pytestmark = [
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="serves from SQLite; run without DATABASE_URL"),
    pytest.mark.proof,
]


class Web:
    """A web process with a port of its own, as it stands behind a balancer."""

    #: What Python runs, and where its log goes: with that of the tests, or into a file.
    program: tuple[str, ...] = ("manage.py",)
    log: IO[str] | None = None

    def __init__(self, environment: dict[str, str]) -> None:
        self.environment = environment
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.start()

    def start(self) -> None:
        """Start it and wait until it answers."""
        command = [sys.executable, *self.program, "web", "--port", str(self.port)]
        self.process = subprocess.Popen(command, cwd=ROOT, env=self.environment, stdout=self.log, stderr=self.log)
        try:
            wait_for(lambda: accepts(self.port))
            assert status_of(self.port, "/healthz?only=database") == 200
        except BaseException:
            self.process.kill()
            self.process.wait()
            raise

    def ask_to_end(self) -> None:
        self.process.send_signal(signal.SIGTERM)

    def wait_for_end(self) -> float:
        """Return how many seconds it takes to end, which it does by itself."""
        began = time.monotonic()
        assert self.process.wait(LIMIT) == 0
        return time.monotonic() - began


def wait_for(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not condition():
        assert time.monotonic() < deadline, "it did not happen in time"
        threading.Event().wait(0.05)


def accepts(port: int) -> bool:
    """Return whether a process listens at the port."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return the environment of an installation that is ready to serve."""
    var = tmp_path_factory.mktemp("restarts")
    chosen = {**Site(var).surroundings(), "SECRET_KEY": "a secret of no use, long enough for the settings of prod 123"}
    subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, env=chosen, check=True, timeout=PATIENCE * 3)
    return chosen


@pytest.fixture
def web(environment: dict[str, str]) -> Iterator[Web]:
    process = Web(environment)
    yield process
    process.process.kill()
    process.process.wait()


@pytest.fixture
def locked(environment: dict[str, str]) -> Iterator[sqlite3.Connection]:
    """Return a connection that holds the database's one write lock, for which writing requests wait."""
    path = Path(environment["VAR_DIR"]) / "db.sqlite3"
    with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
        yield other


def answer_of(connection: socket.socket) -> str:
    """Return the whole answer to the request that was sent, up to the end of the connection."""
    return b"".join(iter(lambda: connection.recv(65536), b"")).decode("latin-1")


def test_a_process_with_nothing_to_do_ends_at_once(web: Web) -> None:
    web.ask_to_end()
    assert web.wait_for_end() < LIMIT / 2


def test_a_request_of_which_only_a_part_has_arrived_is_answered(web: Web) -> None:
    body = b"language=fr"
    head = f"POST /accounts/language/ HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: {len(body)}\r\n\r\n"
    with socket.create_connection(("127.0.0.1", web.port), PATIENCE) as connection:
        connection.sendall(head.encode() + body[:4])
        # An answer to another one says that this one has been read so far.
        assert status_of(web.port, "/lobby/") == 200
        web.ask_to_end()
        wait_for(lambda: not accepts(web.port))
        connection.sendall(body[4:])
        answer = answer_of(connection)
    # Refused as a forgery, but by the site.
    assert answer.startswith("HTTP/1.1 403 ")
    assert "\r\nconnection: close\r\n" in answer.lower()
    web.wait_for_end()


def test_a_request_that_waits_for_the_database_is_answered(web: Web, locked: sqlite3.Connection) -> None:
    visitor, _ = arrive_as_guest(web.url)
    with ThreadPoolExecutor() as pool:
        locked.execute("BEGIN IMMEDIATE")
        answer = pool.submit(visitor.post, "/accounts/language/", language="fr")
        wait_for(lambda: answer.running() and accepts(web.port))
        threading.Event().wait(0.3)
        web.ask_to_end()
        wait_for(lambda: not accepts(web.port))
        locked.execute("ROLLBACK")
        assert answer.result().status == 302
    web.wait_for_end()


def test_a_request_that_takes_too_long_holds_up_nothing(web: Web, locked: sqlite3.Connection) -> None:
    visitor, _ = arrive_as_guest(web.url)
    locked.execute("BEGIN IMMEDIATE")
    asking = threading.Thread(target=ask_in_vain, args=(visitor,))
    asking.start()
    threading.Event().wait(0.3)
    web.ask_to_end()
    assert web.process.wait(LIMIT) == 1
    asking.join()


def ask_in_vain(visitor: Visitor) -> None:
    with pytest.raises(Exception, match=r"."):
        visitor.post("/accounts/language/", language="fr")


def test_an_open_page_is_asked_to_connect_again(web: Web) -> None:
    with connect(f"{web.url.replace('http', 'ws')}/ws/lobby/", origin=Origin(web.url)) as page:
        page.recv(timeout=PATIENCE)
        web.ask_to_end()
        with pytest.raises(ConnectionClosed) as end:
            page.recv(timeout=PATIENCE)
    assert end.value.rcvd is not None
    assert end.value.rcvd.code == 4012
    web.wait_for_end()


def test_a_process_that_ends_has_no_line_in_its_log_for_each_open_page(
    environment: dict[str, str], tmp_path: Path
) -> None:
    path = tmp_path / "log.txt"
    with path.open("w") as written, contextlib.ExitStack() as pages:

        class Noted(Web):
            log = written

        web = Noted(environment)
        pages.callback(web.process.kill)
        for _ in range(12):
            page = pages.enter_context(connect(f"{web.url.replace('http', 'ws')}/ws/lobby/", origin=Origin(web.url)))
            page.recv(timeout=PATIENCE)
        before = path.read_text()
        web.ask_to_end()
        web.wait_for_end()
        assert len(path.read_text().removeprefix(before).splitlines()) < 3


def test_an_open_stream_ends_as_an_answer_does(web: Web) -> None:
    host, _ = arrive_as_guest(web.url)
    form = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "seat-1": "link"}
    table = host.post("/games/new/", **form, **{"seat-0": "me"}).location
    with urllib.request.urlopen(f"{web.url}/api/v1{table}stream", timeout=PATIENCE) as stream:
        assert json.loads(stream.readline())["status"] == "open"
        web.ask_to_end()
        # Whole: a connection that is cut off within an answer is an error.
        assert stream.read() == b""
    assert web.wait_for_end() < LIMIT / 2


@pytest.mark.parametrize("restarts", [3, RESTARTS])
def test_nothing_is_lost_behind_a_balancer(
    environment: dict[str, str], locked: sqlite3.Connection, restarts: int
) -> None:
    processes = [Web(environment), Web(environment)]
    ends = []
    try:
        with Balancer([each.port for each in processes]) as balancer, Traffic(balancer.port) as traffic:
            for web in itertools.islice(itertools.cycle(processes), restarts):
                ends.append(end_during_a_write(web, locked))
                web.start()
    finally:
        for web in processes:
            web.process.kill()
            web.process.wait()
    print(f"{restarts} restarts: {traffic.answered} answered, ends in {max(ends):.2f} s at most")  # noqa: T201
    assert traffic.failures == []
    assert traffic.answered > 6 * restarts


def end_during_a_write(web: Web, locked: sqlite3.Connection) -> float:
    """Ask a process to end while a guest's change waits for the database; return the seconds that it takes."""
    visitor, _ = arrive_as_guest(web.url)
    with ThreadPoolExecutor() as pool:
        locked.execute("BEGIN IMMEDIATE")
        answer = pool.submit(visitor.post, "/accounts/language/", language="fr")
        threading.Event().wait(0.3)
        began = time.monotonic()
        web.ask_to_end()
        threading.Event().wait(0.5)
        locked.execute("ROLLBACK")
        assert answer.result().status == 302
        web.wait_for_end()
    return time.monotonic() - began


def child(site: Site, command: str) -> int:
    """Return the process of `make run` that runs this command, 0 while there is none."""
    assert site.process
    for pid in descendants(site.process.pid):
        with contextlib.suppress(OSError):
            if Path(f"/proc/{pid}/cmdline").read_text().split("\0")[4:5] == [command]:
                return pid
    return 0


def has_ended(pid: int) -> bool:
    return pid not in parents()


def test_nothing_is_lost_when_the_supervisor_starts_a_web_process_again(tmp_path: Path) -> None:
    site = Site(tmp_path / "var")
    site.folder.mkdir()
    site.start()
    try:
        with Traffic(site.port) as traffic:
            for _ in range(RESTARTS):
                before = child(site, "web")
                os.kill(before, signal.SIGTERM)
                wait_for(partial(has_ended, before))
                assert status_of(site.port, "/lobby/") == 200
    finally:
        site.stop()
    print(f"{RESTARTS} restarts by the supervisor: {traffic.answered} answered")  # noqa: T201
    assert traffic.failures == []
    assert site.log.read_text().count("The web process ended (status 0)") == RESTARTS


def test_nothing_is_lost_when_systemd_holds_the_port_and_all_of_it_starts_again(environment: dict[str, str]) -> None:
    with socket.create_server(("127.0.0.1", 0), backlog=256) as held:
        with Traffic(held.getsockname()[1]) as traffic:
            for _ in range(max(2, RESTARTS // 6)):
                run = by_systemd(environment, held)
                assert status_of(traffic.port, "/lobby/") == 200
                run.send_signal(signal.SIGTERM)
                assert run.wait(8) == 0
            run = by_systemd(environment, held)
            status_of(traffic.port, "/lobby/")
        run.send_signal(signal.SIGTERM)
        run.wait(8)
    assert traffic.failures == []


def by_systemd(environment: dict[str, str], held: socket.socket) -> "subprocess.Popen[bytes]":
    """Start what `make run` starts, as a service whose port is held by its `.socket` unit."""
    script = f'exec 3<&{held.fileno()}; LISTEN_PID=$$ LISTEN_FDS=1 exec "$@"'
    command = ["bash", "-c", script, "bash", sys.executable, "-m", "blockyou.processes.serve"]
    return subprocess.Popen(command, cwd=ROOT, env=environment, pass_fds=[held.fileno()])
