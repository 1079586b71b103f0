"""A PostgreSQL that takes connections and says nothing is given up soon, and one that only takes long is waited for."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from types import SimpleNamespace
from typing import Any

import pytest

from blockyou.postgresql import base, outage, silence
from blockyou.postgresql.outage import Absence, ServerAway, connect_within
from blockyou.postgresql.silence import WatchedConnection

#: What a server says that lets everybody in, and that it is ready for the next statement.
WELCOME, READY = b"R\0\0\0\x08\0\0\0\0", b"Z\0\0\0\x05I"
#: What it answers to a statement, and how it refuses a connection.
DONE = b"I\0\0\0\x04" + READY
REFUSAL = b"SFATAL\0VFATAL\0C53300\0Msorry, too many clients already\0\0"
FULL = b"E" + (len(REFUSAL) + 4).to_bytes(4) + REFUSAL


class Server:
    """A server as libpq hears one. What it does about the connections is told by name, one by one; the last goes on."""

    def __init__(self, *behaviour: str) -> None:
        self.behaviour = behaviour or ("silent",)
        self.is_over, self.threads, self.number = threading.Event(), list[threading.Thread](), 0
        #: Once it has said something over another connection than a slow one.
        self.is_asked = threading.Event()
        #: Once any connection has come.
        self.has_come = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.start(self.accept)

    @property
    def address(self) -> dict[str, Any]:
        port = self.listener.getsockname()[1]
        # However long a busy machine takes to let a connection come about.
        ways = {"sslmode": "disable", "gssencmode": "disable", "connect_timeout": 60}
        return {"host": "127.0.0.1", "port": port, "user": "site", "password": "secret", "dbname": "site", **ways}

    def start(self, target: Callable[..., None], *arguments: Any) -> None:
        self.threads.append(threading.Thread(target=target, args=arguments))
        self.threads[-1].start()

    def accept(self) -> None:
        while True:
            try:
                link, _who = self.listener.accept()
            except OSError:
                return
            self.number += 1
            self.has_come.set()
            self.start(self.speak, link, self.behaviour[: self.number][-1])

    def speak(self, link: socket.socket, behaviour: str) -> None:
        # Those who have given it up hear nothing of it.
        with link, suppress(OSError):
            if behaviour == "full":
                link.recv(4096)
                link.sendall(FULL)
                self.is_asked.set()
            elif behaviour != "silent":
                link.recv(4096)
                link.sendall(WELCOME + READY)
                while link.recv(4096) and behaviour != "hangs":
                    if behaviour == "slow":
                        self.is_asked.wait(300)
                    link.sendall(DONE)
                    if behaviour == "quick":
                        self.is_asked.set()
            self.is_over.wait(300)

    def end(self) -> None:
        self.is_over.set()
        self.is_asked.set()
        # Closing it alone would not end the wait for a connection.
        self.listener.shutdown(socket.SHUT_RDWR)
        for thread in self.threads:
            thread.join()
        self.listener.close()


@contextmanager
def server(*behaviour: str) -> Iterator[Server]:
    there = Server(*behaviour)
    try:
        yield there
    finally:
        there.end()


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let nothing be known of the server, and no silence last long."""
    for name, value in {"is_on": False, "ask_again_at": float("-inf"), "is_silent": False, "silent_at": 0.0}.items():
        monkeypatch.setattr(Absence, name, value)
    monkeypatch.setattr(silence, "SILENT_SECONDS", 0.0)
    monkeypatch.setattr(outage, "SERVER_PAUSE_SECONDS", 300.0)
    answer_within(0.3, monkeypatch)


def answer_within(seconds: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a server that is asked whether it is there have so long."""
    for module in (outage, silence, base):
        monkeypatch.setattr(module, "ANSWER_SECONDS", seconds)


def connect(there: Server) -> Any:
    return WatchedConnection.connect(**there.address, autocommit=True)


@pytest.mark.parametrize("next_one", ["silent", "hangs"])
def test_a_statement_is_given_up_where_the_server_answers_no_other_connection_either(next_one: str) -> None:
    with server("hangs", next_one) as there, closing(connect(there)) as line:
        with pytest.raises(ServerAway):
            line.execute("SELECT pg_sleep(60)")
        assert line.closed
        assert (Absence.is_on, Absence.is_silent) == (True, True)


@pytest.mark.parametrize("next_one", ["quick", "full"])
def test_a_statement_that_takes_long_is_waited_for_where_the_server_is_there(
    next_one: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_within(300.0, monkeypatch)
    with server("slow", next_one) as there, closing(connect(there)) as line:
        line.execute("SELECT pg_sleep(60)")
        assert there.number >= 2
        assert not Absence.is_on


def test_a_statement_that_is_answered_at_once_asks_nothing_else(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(silence, "SILENT_SECONDS", 60.0)
    with server("quick") as there, closing(connect(there)) as line:
        for _ in range(3):
            line.execute("SELECT 1")
        line.commit()
        assert there.number == 1


def test_the_server_is_asked_ever_less_often_while_a_statement_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, asked = [0.0], list[float]()
    monkeypatch.setattr(silence, "SILENT_SECONDS", 0.5)
    monkeypatch.setattr(silence, "time", SimpleNamespace(monotonic=lambda: clock[0]))

    def steps() -> Iterator[str]:
        for _ in range(100):
            yield "read"

    waiting = silence.watched(steps(), lambda: asked.append(clock[0]))  # type: ignore[arg-type]
    next(waiting)
    for _ in range(80):
        clock[0] += 0.125
        waiting.send(0)
    assert asked == [0.5, 1.5, 3.5, 7.5]


def test_a_connection_of_ones_own_is_asked_for_once_and_then_given_up_at_once() -> None:
    with server() as there:
        for _ in range(3):
            with pytest.raises(ServerAway):
                base.connect_alone(there.address)
        assert there.has_come.wait(300)
        assert there.number == 1


def test_a_connection_of_ones_own_that_comes_about_is_watched(monkeypatch: pytest.MonkeyPatch) -> None:
    answer_within(300.0, monkeypatch)
    with server("quick") as there, closing(base.connect_alone({**there.address, "autocommit": True})) as line:
        assert isinstance(line, WatchedConnection)
        line.execute("SELECT 1")


def test_a_connection_that_comes_too_late_is_closed() -> None:
    is_late, is_closed = threading.Event(), threading.Event()

    class Late:
        def close(self) -> None:
            is_closed.set()

    def attempt() -> Late:
        is_late.wait(300)
        return Late()

    with pytest.raises(TimeoutError):
        connect_within(attempt, 0.01)
    is_late.set()
    assert is_closed.wait(300)


def test_a_host_that_takes_no_packet_counts_as_one_that_says_nothing() -> None:
    with ExitStack() as stack:
        full = stack.enter_context(closing(socket.socket()))
        full.bind(("127.0.0.1", 0))
        full.listen(0)
        # Once its queue is full the system drops what else comes.
        for _ in range(4):
            waiting = stack.enter_context(closing(socket.socket()))
            waiting.setblocking(False)
            waiting.connect_ex(full.getsockname())
        host, port = full.getsockname()
        with pytest.raises(ServerAway):
            base.connect_alone({"host": host, "port": port, "connect_timeout": 2})
        assert Absence.is_silent
