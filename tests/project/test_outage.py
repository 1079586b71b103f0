"""A PostgreSQL that takes no connections is not waited for, asked once a second, and told of in one line."""

import logging
import socket
import sys
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest
from django.db import OperationalError
from django.test import RequestFactory
from psycopg_pool import PoolTimeout

from blockyou.logs import without_known_outage
from blockyou.postgresql import outage
from blockyou.postgresql.outage import Absence, ServerAway, is_full, seconds_elsewhere, take_connection


class Line:
    """A connection, which its server may have ended."""

    made: list["Line"] = []

    def __init__(self, made_at: float = float("inf")) -> None:
        self.made.append(self)
        self.made_at = made_at
        self.here, self.there = socket.socketpair()
        self.closed = False

    def fileno(self) -> int:
        return self.here.fileno()

    def end(self) -> None:
        self.there.close()

    def close(self) -> None:
        self.closed = True
        self.here.close()


class Pool:
    """A pool with these connections, which waits for no other."""

    timeout = 20.0

    def __init__(self, *lines: Line) -> None:
        self.lines, self.returned, self.asked = list(lines), list[Line](), list[float]()

    def getconn(self, timeout: float) -> Line:
        self.asked.append(timeout)
        if not self.lines:
            raise PoolTimeout
        return self.lines.pop(0)

    def putconn(self, line: Line) -> None:
        self.returned.append(line)


@pytest.fixture(autouse=True)
def present(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let nothing be known of the server, and time pass only when a test says so."""
    monkeypatch.setattr(Absence, "is_on", False)
    monkeypatch.setattr(Absence, "ask_again_at", float("-inf"))
    monkeypatch.setattr(Absence, "is_silent", False)
    monkeypatch.setattr(Absence, "silent_at", float("-inf"))
    yield
    while Line.made:
        line = Line.made.pop()
        line.close()
        line.end()


def refuse() -> Any:
    raise psycopg.OperationalError("refused")


def take_from(pool: Any, connect: Callable[[], Any] = refuse, *, is_patient: bool = False) -> Any:
    return take_connection(pool, connect, is_patient=is_patient)


def test_a_living_connection_is_taken_at_once() -> None:
    line = Line()
    assert take_from(Pool(line)) is line


def test_connections_that_their_server_has_ended_are_given_back() -> None:
    dead, living = Line(), Line()
    dead.end()
    pool = Pool(dead, living)
    assert take_from(pool) is living
    assert (pool.returned, dead.closed) == ([dead], True)


def test_connections_from_before_a_silence_are_given_back_and_one_from_after_it_is_taken(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    before, after = Line(made_at=1.0), Line(made_at=3.0)
    monkeypatch.setattr(Absence, "silent_at", 2.0)
    pool = Pool(before, after)
    assert take_from(pool) is after
    assert (pool.returned, before.closed) == ([before], True)


def test_a_server_that_refuses_is_away_and_is_asked_by_one_alone_a_second_later(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    pool = Pool()
    for _ in range(5):
        with pytest.raises(ServerAway):
            take_from(pool)
    assert pool.asked == [pytest.approx(outage.FIRST_SECONDS, abs=0.1), *[outage.GLANCE_SECONDS] * 4]
    monkeypatch.setattr(Absence, "ask_again_at", 0.0)
    pool.asked.clear()
    for _ in range(3):
        with pytest.raises(ServerAway):
            take_from(pool)
    assert pool.asked == [pytest.approx(outage.FIRST_SECONDS, abs=0.1), *[outage.GLANCE_SECONDS] * 2]
    pool.lines.append(Line())
    take_from(pool)
    assert [record.getMessage() for record in caplog.records] == [
        "PostgreSQL takes no connections (OperationalError): what needs it is refused.",
        "PostgreSQL takes connections again.",
    ]


def test_a_server_that_says_nothing_is_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "ANSWER_SECONDS", 0.01)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        with pytest.raises(ServerAway):
            take_from(Pool(), lambda: psycopg.connect(f"host=127.0.0.1 port={port} connect_timeout=2"))


def test_a_server_behind_one_that_says_nothing_is_not_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "ANSWER_SECONDS", 0.01)
    pool: Any = Pool()
    answers = threading.Event()

    def connect() -> Line:
        # The first server has let the time pass that it is given; the second answers.
        answers.wait(0.2)
        pool.lines.append(Line())
        return Line()

    assert take_connection(pool, connect, is_patient=False, seconds_elsewhere=5.0) is Line.made[0]
    assert not Absence.is_on


def test_while_one_asks_servers_that_take_long_no_other_does(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Absence, "is_on", True)
    assert not Absence.is_not_to_be_asked(seconds_elsewhere=60.0)
    monkeypatch.setattr(outage, "SERVER_PAUSE_SECONDS", 0.0)
    assert Absence.is_not_to_be_asked(seconds_elsewhere=60.0)
    assert Absence.ask_again_at - time.monotonic() > 50


@pytest.mark.parametrize(
    ("parameters", "seconds"),
    [
        ({"host": "one", "connect_timeout": 2}, 0.0),
        ({"host": "one,two", "connect_timeout": "2"}, 2.0),
        ({"host": "one,two,three", "connect_timeout": 5}, 10.0),
        ({"connect_timeout": 2}, 0.0),
    ],
)
def test_each_server_but_one_may_use_up_its_time(parameters: dict[str, Any], seconds: float) -> None:
    assert seconds_elsewhere(parameters) == seconds


def test_a_pool_that_is_in_use_is_waited_for() -> None:
    pool = Pool()
    pool.timeout = 0.0
    with pytest.raises(PoolTimeout):
        take_from(pool, Line)
    assert not Absence.is_on


def test_who_is_patient_waits_as_long_as_the_pool_allows() -> None:
    pool = Pool()
    pool.timeout = 0.1
    with pytest.raises(ServerAway):
        take_from(pool, is_patient=True)
    assert len(pool.asked) > 1


def failure(cause: Exception) -> logging.LogRecord:
    try:
        raise OperationalError("what Django makes of it") from cause
    except OperationalError:
        return logging.LogRecord("django.request", logging.ERROR, "", 0, "Failed.", (), sys.exc_info())


def test_what_follows_from_an_outage_has_no_line_of_its_own() -> None:
    assert not without_known_outage(failure(ServerAway("away")))
    assert without_known_outage(failure(psycopg.OperationalError("another")))


def test_the_health_page_says_itself_what_is_wrong() -> None:
    record = logging.LogRecord("django.request", logging.ERROR, "", 0, "%s: %s", ("Unavailable", "/healthz"), None)
    record.request = RequestFactory().get("/healthz")
    assert not without_known_outage(record)
    record.request = RequestFactory().get("/lobby/")
    assert without_known_outage(record)


@pytest.mark.parametrize(
    ("said", "is_so"),
    [
        ("FATAL:  sorry, too many clients already", True),
        ("FATAL:  remaining connection slots are reserved for roles with the SUPERUSER attribute", True),
        ('FATAL:  too many connections for role "site"', True),
        ("FATAL:  no more connections allowed (max_client_conn)", True),
        ('FATAL:  password authentication failed for user "site"', False),
        ("Connection refused", False),
    ],
)
def test_a_server_without_connections_is_told_from_others_that_refuse(said: str, is_so: bool) -> None:
    assert is_full(psycopg.OperationalError(f"connection failed: {said}")) is is_so
    assert is_full(psycopg.errors.TooManyConnections("in any language"))
