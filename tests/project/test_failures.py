"""A11: a database that can store nothing for now is said to be so, with 503, and nothing has changed."""

from collections.abc import Iterator

import psycopg
import pytest
from django.db import OperationalError, connection
from django.test import Client

from accounts.models import User
from blockyou.failures import is_out_of_service
from blockyou.postgresql.outage import ServerAway
from tests.conftest import LogIn
from tests.games.tables import key, running
from tests.project.processes.test_health import sqlite_only

pytestmark = pytest.mark.database


@pytest.fixture
def read_only(db: None) -> Iterator[None]:
    """A database that refuses to write from when the test says so."""
    yield
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA query_only = OFF")


def stop_writing() -> None:
    with connection.cursor() as cursor:
        # PostgreSQL puts some checks off until the end of the transaction, where they would count as writing.
        on = "SET CONSTRAINTS ALL IMMEDIATE; SET TRANSACTION READ ONLY"
        cursor.execute("PRAGMA query_only = ON" if connection.vendor == "sqlite" else on)


def test_a_move_on_a_read_only_database_is_answered_503_and_can_be_sent_again(
    alice: User, bob: User, log_in: LogIn, read_only: None
) -> None:
    game = running(alice, bob)
    browser = log_in(alice)
    browser.raise_request_exception = False
    body = {"number": 1, "key": key(), "placement": "1:a1"}
    browser.get(f"/games/{game.slug}/")
    stop_writing()
    answer = browser.post(f"/games/{game.slug}/place/", body)
    assert (answer.status_code, answer["X-Error-Code"]) == (503, "out-of-service")
    assert int(answer["Retry-After"]) > 0
    assert "Nothing has changed, and your games are safe." in answer.content.decode()


@sqlite_only
def test_a_full_disk_is_answered_503(db: None) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA page_count")
        [pages] = cursor.fetchone()
        cursor.execute(f"PRAGMA max_page_count = {pages}")
    browser = Client(raise_request_exception=False)
    try:
        answers = [browser.post("/play-bots/").status_code for _ in range(20)]
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA max_page_count = 1073741823")
    assert answers[-1] == 503
    assert set(answers) <= {302, 503}


def failure(kind: type[psycopg.Error]) -> OperationalError:
    error = OperationalError("what Django makes of it")
    error.__cause__ = kind("what the driver says")
    return error


PASSING: tuple[type[psycopg.Error], ...] = (
    psycopg.errors.DiskFull,
    psycopg.errors.AdminShutdown,
    psycopg.errors.ConnectionFailure,
    psycopg.errors.ReadOnlySqlTransaction,
    psycopg.errors.TooManyConnections,
    psycopg.errors.QueryCanceled,
    psycopg.errors.IdleInTransactionSessionTimeout,
    ServerAway,
    psycopg.OperationalError,
)


@pytest.mark.parametrize("kind", PASSING)
def test_what_passes_on_postgresql_is_told_from_faults(kind: type[psycopg.Error]) -> None:
    assert is_out_of_service(failure(kind))


@pytest.mark.parametrize(
    "kind", [psycopg.errors.UndefinedColumn, psycopg.errors.UniqueViolation, psycopg.errors.SyntaxError]
)
def test_a_fault_of_ours_stays_one(kind: type[psycopg.Error]) -> None:
    assert not is_out_of_service(failure(kind))


def test_a_query_that_sqlite_does_not_understand_is_a_fault_of_ours(db: None) -> None:
    with pytest.raises(Exception, match="nowhere") as caught, connection.cursor() as cursor:
        cursor.execute("SELECT nowhere FROM accounts_user")
    assert not is_out_of_service(caught.value)


def test_other_errors_are_faults() -> None:
    assert not any(map(is_out_of_service, (None, ValueError("x"), OSError(28, "No space left"))))
