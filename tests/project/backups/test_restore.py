"""A copy is proved before it takes the place of the database, and what was there is kept."""

import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.browser.site import Site, new_site
from tests.project.backups.installation import (
    ask,
    audited,
    connected,
    demo_site,
    done,
    drop_databases,
    dropped,
    is_postgresql,
    manage,
    people,
    refusal,
)

pytestmark = [pytest.mark.proof, pytest.mark.database]
CAST = ["alice", "bob", "carol", "dave"]


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with dropped(demo_site(tmp_path_factory.mktemp("first"))) as site:
        yield site


@pytest.fixture(scope="module")
def copy(first: Site) -> Path:
    """Return a copy of the demo's people and games."""
    return Path(done(manage(first, "backup")).strip())


@pytest.fixture
def site(tmp_path: Path, copy: Path) -> Iterator[Site]:
    """Return another site with what is in the copy."""
    with dropped(new_site(tmp_path, is_empty=True)) as site:
        if is_postgresql(site):
            done(manage(site, "restore", str(copy), "--sample", "0"))
        else:
            shutil.copyfile(copy, tmp_path / "db.sqlite3")
        yield site


def databases(site: Site) -> set[str]:
    """Return the names of everything the restoring may have left, and of the database."""
    if not is_postgresql(site):
        return {path.name for path in site.folder.glob("db.sqlite3*")}
    name = site.environment["DATABASE_URL"].rpartition("/")[2]
    return {
        str(found) for (found,) in ask(site, f"SELECT datname FROM pg_database WHERE starts_with(datname, '{name}')")
    }


@contextmanager
def running(site: Site) -> Iterator[None]:
    """Keep a connection to the database open, as a process of the site does."""
    with closing(connected(site.environment["DATABASE_URL"])) as connection:
        if not is_postgresql(site):
            connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("SELECT count(*) FROM games_game").fetchone()
        yield


def test_what_was_there_is_kept_and_the_copy_is_in_its_place(site: Site, copy: Path) -> None:
    ask(site, "UPDATE accounts_user SET username = 'edith' WHERE username = 'dave'")
    said = done(manage(site, "restore", str(copy)))
    kept = said.rpartition("kept as ")[2].strip().rstrip(".")
    server = site.environment["DATABASE_URL"].rpartition("/")[0]
    assert people(site) == CAST
    assert people(site, f"{server}/{kept}" if is_postgresql(site) else f"sqlite:///{kept}") == [*CAST[:3], "edith"]
    assert f"{audited(site)} equal what is stored, 0 differ." in said


def test_a_copy_can_be_tried_out_while_the_site_runs(site: Site, copy: Path) -> None:
    before = databases(site)
    with running(site):
        said = done(manage(site, "restore", "--check", str(copy)))
    assert "can be restored. Nothing was changed." in said
    assert databases(site) == before


def test_it_refuses_while_anything_is_connected(site: Site, copy: Path) -> None:
    before = databases(site)
    with running(site):
        assert "The site is running" in refusal(manage(site, "restore", str(copy)))
    assert databases(site) == before


def test_it_refuses_while_a_sweep_holds_its_lease_on_sqlite(site: Site, copy: Path) -> None:
    if is_postgresql(site):
        return
    ask(site, "INSERT INTO games_lease (name, holder, until) VALUES ('sweep', 'host:1', '2999-01-01 00:00:00')")
    assert "wait half a minute" in refusal(manage(site, "restore", str(copy)))


def test_a_copy_of_an_earlier_release_is_brought_up_to_date(site: Site) -> None:
    ask(site, "DROP TABLE django_session")
    ask(site, "DELETE FROM django_migrations WHERE app = 'sessions'")
    earlier = Path(done(manage(site, "backup")).strip())
    assert "bringing it up to date (1 steps)" in done(manage(site, "restore", str(earlier)))
    assert ask(site, "SELECT count(*) FROM django_session") == [(0,)]


def test_a_copy_of_a_newer_release_is_refused_and_changes_nothing(site: Site, copy: Path) -> None:
    ask(site, "INSERT INTO django_migrations (app, name, applied) VALUES ('games', '9999_later', '2999-01-01')")
    newer = Path(done(manage(site, "backup")).strip())
    ask(site, "DELETE FROM django_migrations WHERE name = '9999_later'")
    before = databases(site)
    assert "newer release, with changes that this one does not know (games.9999_later)" in refusal(
        manage(site, "restore", str(newer))
    )
    assert databases(site) == before


def test_a_copy_whose_games_do_not_follow_from_their_moves_is_refused(site: Site) -> None:
    ask(site, "UPDATE games_game SET board = 'x' WHERE status = 'finished'")
    wrong = Path(done(manage(site, "backup")).strip())
    before = databases(site)
    assert "audit_games failed on the restored copy" in refusal(manage(site, "restore", str(wrong)))
    assert databases(site) == before


def test_a_damaged_copy_is_refused_and_changes_nothing(site: Site, copy: Path, tmp_path: Path) -> None:
    damaged = Path(shutil.copyfile(copy, tmp_path / f"damaged{copy.suffix}"))
    with damaged.open("r+b") as file:
        file.truncate(copy.stat().st_size * 2 // 3)
    before = databases(site)
    refusal(manage(site, "restore", str(damaged)))
    assert databases(site) == before
    assert people(site) == CAST


def test_what_is_no_copy_of_this_kind_of_database_is_refused(site: Site, tmp_path: Path) -> None:
    other = tmp_path / "other"
    if is_postgresql(site):
        sqlite3.connect(other).execute("CREATE TABLE anything (at)").connection.close()
    else:
        other.write_bytes(b"PGDMP and more")
    assert "`manage.py transfer`" in refusal(manage(site, "restore", str(other)))
    (tmp_path / "text").write_text("hello, this is a text and no database")
    assert "is neither" in refusal(manage(site, "restore", str(tmp_path / "text")))
    assert "is not a file" in refusal(manage(site, "restore", str(tmp_path / "absent")))


def test_a_database_that_is_gone_or_broken_can_be_restored(site: Site, copy: Path) -> None:
    if is_postgresql(site):
        drop_databases(site.environment["DATABASE_URL"])
    else:
        (site.folder / "db.sqlite3").write_bytes(b"\xff" * 10_000)
    done(manage(site, "restore", str(copy)))
    assert people(site) == CAST
