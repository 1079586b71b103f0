"""A release that changes large tables does not keep people from playing: it waits for no table for long."""

import io
from typing import Any

import pytest
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection, models
from django.db.migrations.loader import MigrationLoader
from django.test.utils import CaptureQueriesContext

from blockyou.management.commands import prepare
from games.migrations._concurrently import AddIndexConcurrently

pytestmark = pytest.mark.django_db(transaction=True)
postgresql_only = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no such locks")


class LockNotAvailableError(Exception):
    """What a driver says where a lock was not to be had in time."""

    sqlstate = "55P03"


@pytest.fixture(autouse=True)
def no_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("time.sleep", lambda _seconds: None)


def migrated(monkeypatch: pytest.MonkeyPatch, failures: int, cause: Exception) -> str:
    """Return what is told of a migration that fails so many times first."""
    tries = iter([True] * failures + [False] * 99)

    def migrate(*_args: Any, **_options: Any) -> None:
        if next(tries):
            raise OperationalError from cause

    monkeypatch.setattr(prepare, "call_command", migrate)
    told = io.StringIO()
    prepare.migrate(BaseCommand(stdout=told))
    return told.getvalue()


def test_a_table_in_use_is_tried_again_and_every_try_has_a_line(monkeypatch: pytest.MonkeyPatch) -> None:
    assert migrated(monkeypatch, 2, LockNotAvailableError()).splitlines() == [
        "A table was in use for 2 seconds (try 1 of 20). Trying again in 5 seconds.",
        "A table was in use for 2 seconds (try 2 of 20). Trying again in 5 seconds.",
    ]


def test_after_the_last_try_it_says_what_helps(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(CommandError, match="Run this again when less is going on"):
        migrated(monkeypatch, 99, LockNotAvailableError())


def test_other_errors_are_not_tried_again(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(OperationalError):
        migrated(monkeypatch, 1, ValueError())


@postgresql_only
def test_what_migrates_waits_for_no_lock_for_long_and_afterwards_as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    seen = []

    def look(*_args: Any, **_options: Any) -> None:
        seen.append(timeout())

    before = timeout()
    monkeypatch.setattr(prepare, "call_command", look)
    prepare.migrate(BaseCommand(stdout=io.StringIO()))
    assert seen == ["2s"]
    assert timeout() == before


def timeout() -> str:
    with connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        return str(cursor.fetchone()[0])


def indexes() -> set[str]:
    with connection.cursor() as cursor:
        return {*connection.introspection.get_constraints(cursor, "games_player")}


def test_an_index_is_built_and_taken_away_again() -> None:
    index = models.Index(fields=["score"], name="player_by_score")
    operation = AddIndexConcurrently("player", index)
    before = MigrationLoader(connection).project_state()
    after = before.clone()
    operation.state_forwards("games", after)
    with CaptureQueriesContext(connection) as asked, connection.schema_editor(atomic=False) as editor:
        operation.database_forwards("games", editor, before, after)
        assert "player_by_score" in indexes()
        # A try that broke off leaves an index of the name.
        if connection.vendor == "postgresql":
            operation.database_forwards("games", editor, before, after)
        operation.database_backwards("games", editor, after, before)
        assert "player_by_score" not in indexes()
    built = [each["sql"] for each in asked.captured_queries if each["sql"].startswith("CREATE INDEX")]
    assert built
    assert all(("CONCURRENTLY" in sql) == (connection.vendor == "postgresql") for sql in built)
