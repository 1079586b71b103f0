"""B12: a socket whose other end no longer reads is dropped within 30 seconds, whatever it still says."""

import contextlib
import json
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from blockyou.processes.intake import PING_SECONDS, PONG_SECONDS
from tests.project.processes.test_restarts import Web, environment
from tests.project.traffic import PATIENCE

__all__ = ["environment"]
#: How often Daphne looks which sockets are silent, in seconds.
LOOKS_EVERY = 2
QUICK = """
import sys
import django
from django.core.management import execute_from_command_line
django.setup()
import blockyou.processes.draining as server
server.PING_SECONDS, server.PONG_SECONDS = 2, 1
execute_from_command_line(sys.argv)
"""
LOUD = """
import threading, time
from django.apps import apps

def talk():
    while not apps.ready:
        time.sleep(0.1)
    from games.realtime import groups, publish
    nudge = {"type": "nudge", "text": "{" + " " * 60 + "}"}
    while True:
        publish.send([(groups.LOBBY, nudge)] * 50)
        time.sleep(0.1)

threading.Thread(target=talk, daemon=True).start()
"""
HEARTBEAT = json.dumps({"type": "ping"}).encode()


class HurriedWeb(Web):
    """A web process that pings sooner, and waits for less long."""

    program = ("-c", QUICK)


class LoudWeb(HurriedWeb):
    """One that has 500 changes a second to tell to everybody who looks at the lobby."""

    program = ("-c", LOUD + QUICK)


@pytest.fixture(scope="module")
def web(environment: dict[str, str]) -> Iterator[Web]:
    process = HurriedWeb(environment)
    yield process
    process.process.kill()
    process.process.wait()


@contextlib.contextmanager
def deaf(web: Web) -> Iterator[socket.socket]:
    """Open a socket that answers no ping."""
    with socket.socket() as link:
        # What the kernel keeps is not the site's memory.
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.settimeout(PATIENCE)
        link.connect(("127.0.0.1", web.port))
        link.sendall(
            f"GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nOrigin: {web.url}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            "".encode()
        )
        assert link.recv(12) == b"HTTP/1.1 101"
        yield link


def is_over(link: socket.socket, seconds: float) -> bool:
    """Read for so long at most, and answer nothing; return whether the other end has hung up."""
    deadline = time.monotonic() + seconds
    with contextlib.suppress(TimeoutError):
        while (left := deadline - time.monotonic()) > 0:
            link.settimeout(left)
            try:
                if not link.recv(65_536):
                    return True
            except ConnectionError:
                return True
    return False


def test_the_time_until_a_socket_without_an_answer_is_dropped_is_at_most_thirty_seconds() -> None:
    assert PING_SECONDS + LOOKS_EVERY + PONG_SECONDS <= 30
    # The server knows the last ping alone: the one before has to be answered or over.
    assert PONG_SECONDS < PING_SECONDS


@pytest.mark.slow
def test_a_socket_that_answers_no_ping_is_dropped(web: Web) -> None:
    with deaf(web) as link:
        assert is_over(link, PATIENCE)


@pytest.mark.proof
def test_a_socket_that_speaks_and_answers_no_ping_is_dropped_too(web: Web) -> None:
    frame = bytes([0x81, 0x80 | len(HEARTBEAT), 0, 0, 0, 0]) + HEARTBEAT
    with deaf(web) as link:

        def is_dropped() -> bool:
            with contextlib.suppress(OSError):
                link.sendall(frame)
            return is_over(link, 0.7)

        assert any(is_dropped() for _ in range(20))


@pytest.mark.proof
def test_a_socket_that_answers_stays(web: Web) -> None:
    with connect(f"{web.url.replace('http', 'ws')}/ws/lobby/", origin=Origin(web.url), proxy=None) as page:
        page.recv(timeout=PATIENCE)
        with deaf(web) as one, deaf(web) as other:
            for link in (one, other):
                assert is_over(link, PATIENCE)
        page.send(HEARTBEAT.decode())
        assert json.loads(page.recv(timeout=PATIENCE))["type"] == "list"


@pytest.fixture
def loud_web(environment: dict[str, str]) -> Iterator[Web]:
    process = LoudWeb(environment)
    yield process
    process.process.kill()
    process.process.wait()


def memory(web: Web) -> int:
    """Return the resident memory of a web process, in bytes."""
    status = Path(f"/proc/{web.process.pid}/status").read_text()
    return int(status.partition("VmRSS:")[2].split()[0]) * 1024


def sockets_of(web: Web) -> int:
    """Return how many connections to a web process are open."""
    rows = Path("/proc/net/tcp").read_text().splitlines()[1:]
    return sum(row.split()[1].endswith(f":{web.port:04X}") and row.split()[3] == "01" for row in rows)


@pytest.mark.proof
@pytest.mark.skipif(not Path("/proc/net/tcp").exists(), reason="asks Linux how much memory a process holds")
def test_sockets_that_are_never_read_cost_at_most_a_mebibyte_each(loud_web: Web) -> None:
    with deaf(loud_web) as link:
        assert is_over(link, PATIENCE)
    before, most, links = memory(loud_web), 0, 10
    with contextlib.ExitStack() as stack:
        for _ in range(links):
            stack.enter_context(deaf(loud_web))
        deadline = time.monotonic() + PATIENCE
        while sockets_of(loud_web):
            assert time.monotonic() < deadline
            most = max(most, memory(loud_web))
            threading.Event().wait(0.1)
    assert most - before <= links * 2**20
