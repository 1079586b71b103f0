"""Who has waited long for SQLite's lock asks for it more and more often, and nobody longer than is said."""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing

import pytest
from django.db import DatabaseError, connection, transaction

from accounts.models import User
from blockyou.sqlite import locking

pytestmark = [
    pytest.mark.skipif(connection.vendor != "sqlite", reason="asks about SQLite's lock"),
    pytest.mark.django_db(transaction=True),
]


class Clock:
    """Time that passes only while somebody pauses; at some pause something happens."""

    def __init__(self) -> None:
        self.now = 0.0
        self.pauses: list[float] = []
        self.events: dict[int, Callable[[], object]] = {}

    def monotonic(self) -> float:
        return self.now

    def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.pauses.append(seconds)
        self.events.pop(len(self.pauses), int)()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(locking, "time", clock)
    return clock


@pytest.fixture
def other() -> Iterator[sqlite3.Connection]:
    """Another process's connection, which holds the lock."""
    with closing(sqlite3.connect(connection.settings_dict["NAME"], timeout=0, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        yield other


def begin_transaction() -> None:
    with transaction.atomic():
        User.objects.create_user(username="Late")


def begin_one_statement() -> None:
    # Without a transaction around it.
    User.objects.filter(username="alice").update(is_active=True)


def timeout() -> int:
    with connection.cursor() as cursor:
        return int(cursor.execute("PRAGMA busy_timeout").fetchone()[0])


@pytest.mark.parametrize("write", [begin_transaction, begin_one_statement])
def test_pauses_become_shorter_the_longer_one_waits(
    alice: User, clock: Clock, other: sqlite3.Connection, write: Callable[[], None]
) -> None:
    clock.events[200] = lambda: other.execute("COMMIT")
    write()
    assert len(clock.pauses) == 200
    assert clock.pauses == sorted(clock.pauses, reverse=True)
    assert clock.pauses[0] > 5 * clock.pauses[-1]
    assert max(clock.pauses) <= 0.005
    assert timeout() == 20_000


@pytest.mark.parametrize("write", [begin_transaction, begin_one_statement])
def test_nobody_waits_for_longer_than_the_connection_says(
    alice: User, clock: Clock, other: sqlite3.Connection, write: Callable[[], None]
) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout=300")
    with pytest.raises(DatabaseError, match="locked"):
        write()
    assert clock.now == pytest.approx(0.3, abs=0.006)
    assert timeout() == 300


def test_what_only_reads_waits_for_nothing(alice: User, clock: Clock, other: sqlite3.Connection) -> None:
    assert User.objects.filter(username="alice").exists()
    assert clock.pauses == []


def test_what_fails_for_another_reason_is_not_tried_again(alice: User, clock: Clock) -> None:
    with connection.cursor() as cursor, pytest.raises(DatabaseError, match="no such table"):
        cursor.execute("DELETE FROM nothing_of_that_name")
    assert clock.pauses == []


def test_an_error_of_pythons_own_module_is_told_as_it_is() -> None:
    connection.ensure_connection()

    def write() -> None:
        raise sqlite3.OperationalError("Could not decode to UTF-8 column")

    with pytest.raises(sqlite3.OperationalError, match="decode"):
        locking.retry_while_locked(connection.connection, write)
