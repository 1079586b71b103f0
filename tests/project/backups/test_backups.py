"""A backup holds every committed row, also while others write; a copy of the file does not."""

import os
import shutil
import sqlite3
import subprocess
import sys
from io import StringIO
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.core.management import BaseCommand, CommandError, call_command
from django.db import connection
from pytest_django import Settings

from accounts.models import User
from blockyou.install.backups import back_up
from blockyou.install.dumps import check_dump, write_dump
from blockyou.install.rotation import finished_copies
from blockyou.management.commands.prepare import keep_copy

MANAGE = Path(__file__).parents[3] / "manage.py"
sqlite_only = pytest.mark.skipif(connection.vendor != "sqlite", reason="copies SQLite's file")
#: Opens a database, reads of it and closes it.
VISIT = """
import sqlite3, sys
visitor = sqlite3.connect(sys.argv[1])
visitor.execute("SELECT count(*) FROM accounts_user").fetchone()
visitor.close()
"""


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
    assert people(copy) == ["alice", "bob"]
    assert copy.stat().st_mode & 0o777 == 0o600


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_copy_of_the_file_misses_what_a_backup_holds(tmp_path: Path, alice: User) -> None:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    User.objects.create_user("bob")
    plain = tmp_path / "plain.sqlite3"
    subprocess.run(["cp", connection.settings_dict["NAME"], plain], check=True)
    backup = back_up(connection, tmp_path / "backups")
    assert people(plain) == ["alice"]
    assert people(backup) == ["alice", "bob"]


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_another_process_that_closes_the_database_leaves_this_one_its_log(tmp_path: Path, alice: User) -> None:
    database = Path(connection.settings_dict["NAME"])
    with pytest.raises(RuntimeError, match="would lose its locks"):
        shutil.copyfile(database, tmp_path / "plain.sqlite3")
    subprocess.run([sys.executable, "-c", VISIT, database], check=True)
    assert database.with_name(f"{database.name}-wal").exists()
    User.objects.create_user("bob")
    assert people(database) == ["alice", "bob"]


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
    with pytest.raises(CommandError, match=r"could not be written to .*: no space"):
        back_up(connection, tmp_path)
    assert list(tmp_path.iterdir()) == []


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_the_command_prints_where_the_backup_is(tmp_path: Path, alice: User) -> None:
    output = StringIO()
    call_command("backup", folder=tmp_path, stdout=output)
    assert people(Path(output.getvalue().strip())) == ["alice"]


@pytest.mark.django_db(transaction=True)
def test_an_empty_database_is_refused_and_pushes_no_copy_out(tmp_path: Path) -> None:
    (tmp_path / "db-2026.sqlite3").write_text("a good one")
    with pytest.raises(CommandError, match="holds no account and no game"):
        call_command("backup", folder=tmp_path, keep=1)
    assert [path.name for path in tmp_path.iterdir()] == ["db-2026.sqlite3"]


def test_a_database_that_is_not_there_is_refused_and_not_made(tmp_path: Path) -> None:
    environment = {**os.environ, "VAR_DIR": str(tmp_path), "DATABASE_URL": "", "REDIS_URL": ""}
    environment["DJANGO_SETTINGS_MODULE"] = "blockyou.settings.dev"
    ran = subprocess.run([sys.executable, MANAGE, "backup"], env=environment, capture_output=True, text=True)
    assert (ran.returncode, list(tmp_path.iterdir())) == (1, [])
    assert "db.sqlite3 does not exist" in ran.stderr


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_copy_that_is_damaged_is_no_backup_and_removes_none(
    tmp_path: Path, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = back_up(connection, tmp_path)

    def flip(path: Path) -> None:
        """Overwrite a page in the middle, as a failing disk may."""
        with path.open("r+b") as file:
            file.seek(path.stat().st_size // 2)
            file.write(b"\xff" * 4096)

    monkeypatch.setattr("blockyou.install.copies.settle_on_disk", flip)
    with pytest.raises(CommandError, match=r"is damaged|cannot be read"):
        back_up(connection, tmp_path, kept=1)
    assert list(tmp_path.iterdir()) == [good]


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_a_full_disk_is_noticed_before_anything_is_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda folder: SimpleNamespace(free=1000))
    with pytest.raises(CommandError, match=r"has 0 MiB free; .* needed"):
        back_up(connection, tmp_path)
    assert list(tmp_path.iterdir()) == []


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_what_a_killed_backup_has_left_is_removed_after_a_day(tmp_path: Path) -> None:
    old, new = tmp_path / "db-20200101T000000_000000.unfinished", tmp_path / "db-20260101T000000_000000.unfinished"
    old.touch()
    new.touch()
    os.utime(old, (0, 0))
    copy = back_up(connection, tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([new, copy])


@pytest.mark.skipif(connection.vendor == "sqlite", reason="asks PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_on_postgresql_a_backup_is_a_dump_that_its_tools_can_read(tmp_path: Path, alice: User) -> None:
    output = StringIO()
    call_command("backup", folder=tmp_path, stdout=output)
    copy = Path(output.getvalue().strip())
    check_dump(connection, copy)
    assert copy.suffix == ".dump"
    assert copy.stat().st_mode & 0o777 == 0o600


@pytest.mark.skipif(connection.vendor == "sqlite", reason="asks PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_a_dump_that_breaks_off_is_noticed(tmp_path: Path, alice: User) -> None:
    copy = back_up(connection, tmp_path)
    os.truncate(copy, copy.stat().st_size - 500)
    with pytest.raises(CommandError, match="pg_restore failed"):
        check_dump(connection, copy)


@pytest.mark.skipif(connection.vendor == "sqlite", reason="asks PostgreSQL")
@pytest.mark.django_db(transaction=True)
def test_where_the_tools_are_missing_the_command_names_them(
    tmp_path: Path, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.which", lambda tool: None)
    monkeypatch.setattr("blockyou.install.dumps.DEBIAN", tmp_path)
    with pytest.raises(CommandError, match=r"pg_dump is not installed .* apt install postgresql-client"):
        call_command("backup", folder=tmp_path / "backups")


def test_a_dump_lets_other_programs_go_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for tool in ("pg_dump", "pg_restore"):
        (tmp_path / tool).write_text(f"#!/bin/sh\nnice >> {tmp_path}/said\n")
        (tmp_path / tool).chmod(0o755)
    monkeypatch.setenv("PATH", f"{tmp_path}:{os.environ['PATH']}")
    write_dump(connection, tmp_path / "copy")
    assert (tmp_path / "said").read_text().split() == [str(min(19, os.nice(0) + 10))] * 2


@sqlite_only
@pytest.mark.django_db(transaction=True)
def test_copies_before_upgrades_and_regular_ones_do_not_push_each_other_out(
    tmp_path: Path, settings: Settings, alice: User
) -> None:
    settings.VAR_DIR = tmp_path
    call_command("backup", folder=tmp_path / "backups", keep=1, stdout=StringIO())
    for _ in range(2):
        keep_copy(BaseCommand(stdout=StringIO()))
    assert len(finished_copies(tmp_path / "backups")) == 1
    assert len(finished_copies(tmp_path / "backups" / "before-upgrades")) == 2
