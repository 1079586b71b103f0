"""A8: no process works on a database that could lose an acknowledged move."""

import os
import re
import sqlite3
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connection
from django.db.backends.signals import connection_created

from accounts.models import User
from blockyou.database import check_connection, weaknesses
from tests.conftest import empty_tables

ROOT = Path(__file__).resolve().parents[2]
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="asks about SQLite's own settings")
postgresql_only = pytest.mark.skipif(connection.vendor != "postgresql", reason="asks about PostgreSQL's own settings")


def ask(question: str) -> Any:
    """Return the one value the database answers."""
    with connection.cursor() as cursor:
        cursor.execute(question)
        return cursor.fetchone()[0]


@pytest.mark.django_db
def test_the_database_of_the_tests_is_as_safe_as_the_real_one() -> None:
    assert weaknesses(connection) == []


@sqlite_only
@pytest.mark.django_db
def test_sqlite_is_set_as_the_reliability_plan_says() -> None:
    assert ask("PRAGMA journal_mode") == "wal"
    assert ask("PRAGMA synchronous") == 2
    assert ask("PRAGMA foreign_keys") == 1
    assert ask("PRAGMA busy_timeout") == 20_000


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_an_atomic_block_on_sqlite_holds_the_write_lock_from_its_start() -> None:
    from django.db import transaction

    other = sqlite3.connect(connection.settings_dict["NAME"], timeout=0, isolation_level=None)
    with transaction.atomic(), pytest.raises(sqlite3.OperationalError, match="locked"):
        other.execute("BEGIN IMMEDIATE")
    other.close()


@sqlite_only
@pytest.mark.skipif(not Path("/proc/self/fd").exists(), reason="this system does not show which files are open")
@pytest.mark.django_db(transaction=True)
def test_a_test_whose_connection_breaks_leaves_the_next_one_another_and_empty_tables(alice: User) -> None:
    log, nothing = f"{connection.settings_dict['NAME']}-wal", os.open(os.devnull, os.O_RDONLY)
    for opened in [each for each in Path("/proc/self/fd").iterdir() if os.path.realpath(each) == log]:
        os.dup2(nothing, int(opened.name))
    os.close(nothing)
    with pytest.raises(OperationalError, match="disk I/O error"):
        alice.save()
    with pytest.raises(OperationalError, match="disk I/O error"):
        empty_tables(SimpleNamespace(_databases_names=lambda **_: ["default"]))
    assert not User.objects.exists()


@postgresql_only
@pytest.mark.django_db
def test_postgresql_waits_for_the_disk() -> None:
    assert (ask("SHOW fsync"), ask("SHOW synchronous_commit")) == ("on", "on")


@sqlite_only
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("weakening", "sentence"),
    [
        ("PRAGMA synchronous=NORMAL", "synchronous is 1, not 2"),
        ("PRAGMA foreign_keys=OFF", "foreign_keys is 0, not 1"),
        ("PRAGMA busy_timeout=5000", "busy_timeout is 5000 ms, less than 20000"),
    ],
)
def test_a_weaker_connection_is_refused(weakening: str, sentence: str) -> None:
    ask_nothing(weakening)
    with pytest.raises(ImproperlyConfigured, match=sentence):
        check_connection(connection=connection)


@postgresql_only
@pytest.mark.django_db(transaction=True)
def test_a_hurried_postgresql_is_refused() -> None:
    ask_nothing("SET synchronous_commit TO off")
    with pytest.raises(ImproperlyConfigured, match="synchronous_commit is off, not on"):
        check_connection(connection=connection)


def test_every_process_checks_its_first_connection(tmp_path: Path) -> None:
    """Start a process whose settings weaken SQLite, and let it ask anything."""
    program = (
        "import django; from django.conf import settings; from blockyou.settings import test\n"
        "test.DATABASES['default']['OPTIONS']['init_command'] = 'PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;'\n"
        "django.setup(); from django.db import connection; connection.ensure_connection()\n"
    )
    environment = {
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
        "VAR_DIR": str(tmp_path),
        "PATH": "/usr/bin:/bin",
    }
    result = subprocess.run(
        [sys.executable, "-c", program],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert result.returncode != 0
    assert "The database may lose moves: synchronous is" in result.stderr


@pytest.mark.django_db
def test_the_check_costs_one_connection_only() -> None:
    connection_created.connect(check_connection, dispatch_uid="blockyou.database")
    check_connection(connection=connection)
    assert not connection_created.disconnect(check_connection, dispatch_uid="blockyou.database")


def ask_nothing(statement: str) -> None:
    """Run a statement that has no answer."""
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_processes_that_ask_over_and_over_keep_their_connection_and_web_processes_do_not() -> None:
    ages = []
    for keeps in ("on", "off"):
        script = "from blockyou.settings import test; print(test.DATABASES['default']['CONN_MAX_AGE'])"
        surroundings = {**os.environ, "KEEP_CONNECTION": keeps, "DATABASE_URL": "sqlite:////tmp/never-opened.sqlite3"}
        ages.append(subprocess.check_output([sys.executable, "-c", script], env=surroundings, text=True).strip())
    assert ages == ["None", "0"]


def setting_of(expression: str, *arguments: str, **settings: str) -> str:
    """Return a setting of a process with these arguments on PostgreSQL, as text; connects to nothing."""
    script = f"import sys; sys.argv = sys.argv[1:]; from blockyou.settings import test\nprint({expression})"
    surroundings = {**os.environ, "DATABASE_URL": "postgres://a@nowhere.invalid/b", **settings}
    command = [sys.executable, "-c", script, *arguments]
    return subprocess.check_output(command, cwd=ROOT, env=surroundings, text=True).strip()


def limits_of(*arguments: str, **settings: str) -> dict[str, str]:
    """Return what a process with these arguments asks PostgreSQL to end, and after how long; connects to nothing."""
    told = setting_of("test.DATABASES['default']['OPTIONS'].get('options', '')", *arguments, **settings)
    return dict(re.findall(r"-c (\w+)=(\w+)", told))


@pytest.mark.parametrize(
    ("arguments", "waits"),
    [
        (("manage.py", "web"), False),
        (("child.py", "19", "work"), False),
        (("manage.py", "sweep"), False),
        (("manage.py", "prepare"), True),
        (("manage.py", "migrate"), True),
    ],
)
def test_only_commands_wait_for_a_database_that_is_away(arguments: tuple[str, ...], waits: bool) -> None:
    assert setting_of("test.WAITS_FOR_DATABASE", *arguments) == str(waits)


@pytest.mark.parametrize("arguments", [("manage.py", "web"), ("child.py", "19", "work"), ("manage.py", "sweep")])
def test_what_serves_people_holds_nothing_for_long(arguments: tuple[str, ...]) -> None:
    assert limits_of(*arguments) == {"statement_timeout": "30s", "idle_in_transaction_session_timeout": "30s"}
    chosen = limits_of(*arguments, STATEMENT_SECONDS="5", IDLE_TRANSACTION_SECONDS="0")
    assert chosen == {"statement_timeout": "5s", "idle_in_transaction_session_timeout": "0s"}


@pytest.mark.parametrize("command", ["prepare", "migrate", "backup", "restore", "transfer", "audit_games"])
def test_migrations_copies_and_audits_take_their_time(command: str) -> None:
    assert limits_of("manage.py", command) == {}


def test_limits_come_beside_what_the_address_of_the_database_asks_for() -> None:
    url = "postgres://a@nowhere.invalid/b?options=-c%20lock_timeout%3D1s"
    assert limits_of("manage.py", "web", DATABASE_URL=url).keys() == {
        "lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout",
    }  # fmt: skip


@pytest.mark.parametrize(("command", "is_off"), [("web", True), ("work", False), ("backup", False)])
def test_pages_keep_no_cursor_beyond_a_transaction_which_a_pooler_would_lose(command: str, is_off: bool) -> None:
    asked = "test.DATABASES['default']['DISABLE_SERVER_SIDE_CURSORS']"
    assert setting_of(asked, "manage.py", command) == str(is_off)


def test_a_server_that_falls_silent_is_given_up_within_seconds() -> None:
    names = ("keepalives_idle", "keepalives_interval", "tcp_user_timeout")
    asked = f"*(test.DATABASES['default']['OPTIONS'].get(name) for name in {names})"
    assert setting_of(asked, "manage.py", "web") == "5 5 10000"
    url = "postgres://a@nowhere.invalid/b?tcp_user_timeout=60000"
    assert setting_of(asked, "manage.py", "web", DATABASE_URL=url) == "5 5 60000"


@postgresql_only
def test_postgresql_is_told_of_the_limits() -> None:
    script = (
        "import sys; sys.argv = ['manage.py', 'work']; import django; django.setup()\n"
        "from django.db import connection; cursor = connection.cursor()\n"
        "for name in ('statement_timeout', 'idle_in_transaction_session_timeout'):\n"
        "    cursor.execute(f'SHOW {name}'); print(cursor.fetchone()[0])\n"
    )
    surroundings = {**os.environ, "DJANGO_SETTINGS_MODULE": "blockyou.settings.test"}
    told = subprocess.check_output([sys.executable, "-c", script], cwd=ROOT, env=surroundings, text=True)
    assert told.split() == ["30s", "30s"]
