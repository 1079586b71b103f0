"""A backup holds every committed row, also while others write; a copy of the file does not."""

import shutil
import sqlite3
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from accounts.models import User
from blockyou.backups import back_up

sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="copies SQLite's file")


def people(path: Path) -> list[str]:
    """Return who is in the copy."""
    copy = sqlite3.connect(path)
    found = [name for (name,) in copy.execute("SELECT username FROM accounts_user ORDER BY username")]
    copy.close()
    return found


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_backup_holds_what_was_committed_last(tmp_path: Path, alice: User, bob: User) -> None:
    copy = back_up(connection, tmp_path / "backups")
    assert copy is not None
    assert people(copy) == ["alice", "bob"]
    assert copy.stat().st_mode & 0o777 == 0o600


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_copy_of_the_file_misses_what_a_backup_holds(tmp_path: Path, alice: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    User.objects.create_user("bob")
    plain = Path(shutil.copyfile(connection.settings_dict["NAME"], tmp_path / "plain.sqlite3"))
    backup = back_up(connection, tmp_path / "backups")
    assert backup is not None
    assert people(plain) == ["alice"]
    assert people(backup) == ["alice", "bob"]


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_only_the_last_backups_stay(tmp_path: Path) -> None:
    copies = [back_up(connection, tmp_path, kept=3) for _ in range(5)]
    assert sorted(tmp_path.iterdir()) == copies[2:]


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_backup_that_fails_leaves_nothing_half_done(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(self: Path, target: Path) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr(Path, "rename", refuse)
    with pytest.raises(OSError, match="no space"):
        back_up(connection, tmp_path)
    assert list(tmp_path.iterdir()) == []


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_the_command_prints_where_the_backup_is(tmp_path: Path, alice: User) -> None:
    output = StringIO()
    call_command("backup", folder=tmp_path, stdout=output)
    assert people(Path(output.getvalue().strip())) == ["alice"]


@pytest.mark.skipif(connection.vendor == "sqlite", reason="asks PostgreSQL")
@pytest.mark.django_db
def test_on_postgresql_the_command_names_the_tool_to_use(tmp_path: Path) -> None:
    assert back_up(connection, tmp_path) is None
    with pytest.raises(CommandError, match="pg_dump"):
        call_command("backup", folder=tmp_path)
