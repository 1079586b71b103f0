"""A new database runs the squashed migrations alone; one that is there comes along from wherever it stands."""

import secrets
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import ROOT, Site, new_site
from tests.project.backups.installation import ask, audited, connected, done, dropped, is_postgresql, manage
from tests.project.upgrades.schema import columns_of, rows, schema

FIRST = Path(__file__).with_name("first.sql")
SQUASHED = {("accounts", "0001_squashed_0018_chat_by_tables"), ("games", "0001_squashed_0044_fill_review_done")}
APPLIED = "SELECT app, name FROM django_migrations WHERE app IN ('accounts', 'games')"
#: Where databases stood before: at commit dda8360, between, where those that were squashed end, and at each release.
POINTS = {
    "dda8360": {"accounts": "0002_colour_names", "games": "0007_advice"},
    "between": {"accounts": "0010_quiet_hours", "games": "0024_table_changes"},
    "the last": {"accounts": "0018_chat_by_tables", "games": "0044_fill_review_done"},
    "1.0.0": {"accounts": "0019_login_name", "games": "0049_pattern_indexes"},
}
#: What migrations have changed on purpose: 0019 stops the clocks of people who keep no one waiting.
CHANGED = {("games_game", "deadline")}
#: Migrates to a point by the migrations as they were, one after the other.
AS_IT_WAS = """
import sys
import django
django.setup()
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
executor = MigrationExecutor(connection)
executor.loader = MigrationLoader(connection, replace_migrations=False)
executor.migrate([*zip(sys.argv[1::2], sys.argv[2::2])])
"""

pytestmark = [pytest.mark.slow, pytest.mark.database]


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site whose database is empty."""
    with dropped(new_site(tmp_path, is_empty=True)) as found:
        yield found


@pytest.fixture(scope="module")
def new(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site whose database was made by the migrations of today."""
    with dropped(new_site(tmp_path_factory.mktemp("new"), is_empty=True)) as found:
        done(manage(found, "migrate", "--verbosity", "0"))
        yield found


def bring_to(site: Site, point: dict[str, str]) -> None:
    """Migrate the site's database as before to a point, and forget what only a squashed migration would write down."""
    targets = [word for target in point.items() for word in target]
    command = [sys.executable, "-c", AS_IT_WAS, *targets]
    surroundings = {"SECRET_KEY": secrets.token_urlsafe(64), **site.surroundings()}
    subprocess.run(command, cwd=ROOT, env=surroundings, check=True)
    ask(site, "DELETE FROM django_migrations WHERE name LIKE '0001_squashed%'")


def test_a_new_database_runs_the_squashed_migrations_alone(new: Site) -> None:
    found = {*ask(new, APPLIED)}
    assert found >= SQUASHED
    assert done(manage(new, "showmigrations", "accounts", "games", "--plan")).count("squashed") == len(SQUASHED)


@pytest.mark.parametrize("point", POINTS)
def test_an_older_database_gets_the_same_tables_as_a_new_one(site: Site, new: Site, point: str) -> None:
    bring_to(site, POINTS[point])
    done(manage(site, "migrate", "--verbosity", "0"))
    assert schema(site) == schema(new)
    # What the squashed ones stand for has been applied, so they count as applied too.
    assert {*ask(site, APPLIED)} >= SQUASHED
    done(manage(site, "migrate", "--check"))
    done(manage(site, "makemigrations", "--check", "--dry-run"))


def test_the_games_of_the_first_databases_come_along(site: Site) -> None:
    if is_postgresql(site):
        pytest.skip("the text is SQLite's")
    database = connected(site.environment["DATABASE_URL"])
    database.executescript(FIRST.read_text("utf-8"))
    database.close()
    names = [name for (name,) in ask(site, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    own = [name for name in names if name.startswith(("accounts_", "games_"))]
    columns = {table: [name for name in columns_of(site, table) if (table, name) not in CHANGED] for table in own}
    before = {table: rows(site, table, named) for table, named in columns.items()}
    assert len(before["games_move"]) > 200
    done(manage(site, "migrate", "--verbosity", "0"))
    for table, named in columns.items():
        assert {*named} <= {*columns_of(site, table)}
        assert rows(site, table, named) == before[table]
    assert audited(site) in done(manage(site, "audit_games"))
