"""What is looked at before anything is restored: what the file is, which release it is of, whether the site runs."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from django.core.management import CommandError
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from blockyou.install.copies import check_copy
from blockyou.install.restoring import check_kind, check_migrations
from blockyou.install.restoring_sqlite import check_idle

#: How a file of each kind begins.
FILES = {"sqlite": b"SQLite format 3\0 and more", "postgresql": b"PGDMP and more"}


@pytest.fixture
def database(tmp_path: Path) -> Path:
    """Return a database that is left as a site leaves it."""
    path = tmp_path / "db.sqlite3"
    with closing(sqlite3.connect(path)) as made:
        made.execute("PRAGMA journal_mode = WAL")
        made.execute("CREATE TABLE games_lease (name, holder, until)")
    return path


def test_a_copy_of_the_other_kind_of_database_is_refused(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.write_bytes(FILES[connection.vendor])
    check_kind(copy)
    copy.write_bytes(FILES["sqlite" if connection.vendor == "postgresql" else "postgresql"])
    with pytest.raises(CommandError, match="is a copy of"):
        check_kind(copy)


def test_a_file_of_another_kind_is_refused(tmp_path: Path) -> None:
    (tmp_path / "copy").write_text("a letter")
    with pytest.raises(CommandError, match="is neither a SQLite database nor a dump"):
        check_kind(tmp_path / "copy")
    with pytest.raises(CommandError, match="cannot be read"):
        check_kind(tmp_path)


def test_a_copy_says_which_release_it_is_of() -> None:
    loader = MigrationLoader(None)
    known = {*loader.disk_migrations}
    squashed = {*loader.replacements}
    assert check_migrations(known) == 0
    assert check_migrations(known - {("sessions", "0001_initial")}) == 1
    # A copy of before some migrations were squashed lacks those alone that it had not.
    assert check_migrations(known - squashed) == 0
    assert check_migrations(known - squashed - {("games", "0043_review_done"), ("games", "0044_fill_review_done")}) == 2
    assert check_migrations({*loader.graph.nodes}) == 0
    with pytest.raises(CommandError, match="newer release"):
        check_migrations(known | {("games", "9999_later")})
    with pytest.raises(CommandError, match="no installation"):
        check_migrations(set())


def test_a_database_that_a_process_has_open_is_in_use(database: Path) -> None:
    with closing(sqlite3.connect(database)) as process:
        process.execute("SELECT count(*) FROM games_lease").fetchone()
        with pytest.raises(CommandError, match="The site is running on"):
            check_idle(database)
    check_idle(database)


@pytest.mark.parametrize(
    ("holder", "until", "is_running"), [("h", "2999", True), ("", "2999", False), ("h", "2020", False)]
)
def test_a_lease_that_has_not_run_out_tells_of_a_sweep(
    database: Path, holder: str, until: str, is_running: bool
) -> None:
    with closing(sqlite3.connect(database)) as process, process:
        process.execute("INSERT INTO games_lease VALUES ('sweep', ?, ?)", [holder, f"{until}-01-01 00:00:00.5"])
    if is_running:
        with pytest.raises(CommandError, match="wait half a minute"):
            check_idle(database)
    else:
        check_idle(database)


def test_a_database_that_is_gone_or_broken_is_idle(tmp_path: Path) -> None:
    check_idle(tmp_path / "absent")
    (tmp_path / "broken").write_bytes(b"\xff" * 9000)
    check_idle(tmp_path / "broken")
    assert not (tmp_path / "absent").exists()


def test_a_copy_with_fewer_moves_than_there_were_is_no_good(database: Path) -> None:
    with closing(sqlite3.connect(database)) as made, made:
        made.execute("CREATE TABLE games_move (id)")
        made.execute("INSERT INTO games_move VALUES (1)")
    check_copy(database, least_moves=1)
    with pytest.raises(CommandError, match="holds 1 moves; the database held 2"):
        check_copy(database, least_moves=2)
