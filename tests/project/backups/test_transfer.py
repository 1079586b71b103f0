"""D11: everything that stands in SQLite stands in PostgreSQL afterwards, and play goes on there."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import Site, fresh_postgresql, new_site
from tests.project.backups.installation import ask, audited, done, drop_databases, manage, people, refusal

DATABASE_URL = os.environ.get("DATABASE_URL", "")
pytestmark = [
    pytest.mark.proof,
    pytest.mark.database,
    pytest.mark.skipif(not DATABASE_URL.startswith("postgres"), reason="needs PostgreSQL (.ci/run starts it)"),
]
CAST = ["alice", "bob", "carol", "dave"]
TABLES = ("accounts_user", "games_game", "games_player", "games_move", "games_study", "auth_permission")


@pytest.fixture(scope="module")
def old(tmp_path_factory: pytest.TempPathFactory) -> Site:
    """Return a site on SQLite with the demo's people and games, and a session."""
    folder = tmp_path_factory.mktemp("old")
    site = new_site(folder, DATABASE_URL=f"sqlite:///{folder / 'db.sqlite3'}", REDIS_URL="")
    done(manage(site, "migrate", "--verbosity", "0"))
    done(manage(site, "seed_demo"))
    ask(site, "INSERT INTO accounts_session VALUES ('a key', 'its data', '2999-01-01 00:00:00', 1)")
    return site


@pytest.fixture
def new(tmp_path: Path) -> Iterator[Site]:
    """Return a site on an empty PostgreSQL database."""
    site = new_site(tmp_path, DATABASE_URL=fresh_postgresql(DATABASE_URL))
    yield site
    drop_databases(site.environment["DATABASE_URL"])


def counts(site: Site) -> dict[str, int]:
    return {table: ask(site, f"SELECT count(*) FROM {table}")[0][0] for table in TABLES}


def tables(site: Site) -> list[str]:
    return [str(name) for (name,) in ask(site, "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")]


def schema(site: Site) -> list[str]:
    """Return the indexes and constraints of the database."""
    found = ask(
        site,
        "SELECT indexdef FROM pg_indexes WHERE schemaname = 'public' UNION SELECT conrelid::regclass || conname ||"
        " pg_get_constraintdef(oid) FROM pg_constraint WHERE connamespace = 'public'::regnamespace ORDER BY 1",
    )
    return [str(line) for (line,) in found]


def test_every_row_is_there_and_every_game_equals_its_replay(old: Site, new: Site) -> None:
    said = done(manage(new, "transfer", old.environment["DATABASE_URL"]))
    assert f"{audited(old)} equal what is stored, 0 differ." in said
    assert f"games_move: {counts(old)['games_move']} rows" in said
    assert said.endswith("Everything is there, and equal.\n")
    assert counts(new) == counts(old)
    assert ask(new, "SELECT session_key FROM accounts_session") == [("a key",)]


def test_the_tables_have_what_migrations_give_them_and_take_new_rows(old: Site, new: Site, tmp_path: Path) -> None:
    other = new_site(tmp_path / "other", DATABASE_URL=fresh_postgresql(DATABASE_URL))
    done(manage(other, "migrate", "--verbosity", "0"))
    done(manage(new, "transfer", old.environment["DATABASE_URL"].removeprefix("sqlite:///")))
    assert schema(new) == schema(other)
    drop_databases(other.environment["DATABASE_URL"])
    # With a sequence that begins again at 1 the demo's rows could not be stored.
    keys = ", ".join(f"{key} = 'old ' || {key}" for key in ("name_key", "shape", "shape_of_six"))
    ask(new, f"UPDATE accounts_user SET username = 'old ' || username, {keys}, email = ''")
    ask(new, "UPDATE account_emailaddress SET email = 'old' || email")
    done(manage(new, "seed_demo"))
    assert counts(new)["games_game"] == 2 * counts(old)["games_game"]


def test_a_database_that_migrations_have_prepared_is_taken(old: Site, new: Site) -> None:
    done(manage(new, "migrate", "--verbosity", "0"))
    done(manage(new, "transfer", old.environment["DATABASE_URL"]))
    assert people(new) == CAST


def test_a_database_that_is_not_empty_is_refused(old: Site, new: Site) -> None:
    done(manage(new, "transfer", old.environment["DATABASE_URL"]))
    ask(new, "UPDATE accounts_user SET username = 'edith' WHERE username = 'dave'")
    assert "is not empty" in refusal(manage(new, "transfer", old.environment["DATABASE_URL"]))
    assert people(new) == [*CAST[:3], "edith"]


@pytest.mark.parametrize(
    ("statement", "sentence"),
    [
        ("UPDATE games_move SET kind = 'much too long'", "A row of games_move was refused"),
        ("DELETE FROM games_game WHERE id = 20", "SQLite held what PostgreSQL refuses"),
        ("UPDATE games_game SET board = 'x' WHERE board <> ''", "Some games differ from their moves"),
        ("DELETE FROM django_migrations WHERE app = 'games'", "is of an earlier release"),
        ("INSERT INTO django_migrations VALUES (999, 'games', '9999_later', '2999-01-01')", "of a newer release"),
        ("INSERT INTO games_lease VALUES ('sweep', 'host:1', '2999-01-01 00:00:00')", "The site is running"),
    ],
)
def test_what_is_wrong_with_the_source_is_a_sentence_and_leaves_nothing_behind(
    old: Site, new: Site, tmp_path: Path, statement: str, sentence: str
) -> None:
    copy = tmp_path / "db.sqlite3"
    copy.write_bytes(Path(old.environment["DATABASE_URL"].removeprefix("sqlite:///")).read_bytes())
    ask(new, statement, f"sqlite:///{copy}")
    assert sentence in refusal(manage(new, "transfer", str(copy)))
    assert "accounts_user" not in tables(new) or people(new) == []


def test_the_wrong_way_round_is_a_sentence(old: Site, tmp_path: Path) -> None:
    assert "DATABASE_URL names SQLite" in refusal(manage(old, "transfer", old.environment["DATABASE_URL"]))
    assert "There is no SQLite database at" in refusal(manage(old, "transfer", str(tmp_path / "absent")))
