"""A database of each release comes along to today: every person, table, game, move and score is as it was."""

import contextlib
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.migrations.loader import MigrationLoader

from tests.browser.site import Site, new_site
from tests.project.backups.installation import audited, done, dropped, is_postgresql, manage
from tests.project.upgrades.kept import load, opened, own_tables
from tests.project.upgrades.schema import columns_of, rows, schema
from tests.project.upgrades.test_squashed import POINTS, bring_to

pytestmark = [pytest.mark.slow, pytest.mark.database]

#: The databases of releases, by their versions.
RELEASES = {path.stem: path for path in sorted(Path(__file__).parent.glob("[0-9]*.sql"))}
#: Of how many rows, so that nothing is compared with nothing.
COUNTS = {
    "1.0.0": {"accounts_user": 7, "accounts_apitoken": 1, "games_game": 21, "games_player": 58, "games_move": 393}
    | {"games_review": 1, "games_study": 1, "games_note": 1, "games_advice": 1, "games_thought": 1}
    | {"games_notification": 28, "games_companion": 12, "games_tally": 14, "games_botrecord": 1}
    | {"games_webhook": 1, "games_receiver": 1, "games_feed": 1, "games_pushsubscription": 1},
}
each_release = pytest.mark.parametrize("release", RELEASES)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site whose database is empty."""
    with dropped(new_site(tmp_path, is_empty=True)) as found:
        yield found


@each_release
def test_people_games_moves_and_scores_of_a_release_come_along(site: Site, release: str, tmp_path: Path) -> None:
    kept = RELEASES[release]
    if is_postgresql(site):
        bring_to(site, POINTS[release])
    load(site, kept)
    columns = {table: columns_of(site, table) for table in own_tables(kept)}
    before = {table: rows(site, table, named) for table, named in columns.items()}
    assert {table: len(before[table]) for table in COUNTS[release]} == COUNTS[release]
    done(manage(site, "migrate", "--verbosity", "0"))
    for table, named in columns.items():
        assert {*named} <= {*columns_of(site, table)}, table
        assert rows(site, table, named) == before[table], table
    assert audited(site) in done(manage(site, "audit_games"))
    with dropped(new_site(tmp_path / "new")) as new:
        done(manage(new, "migrate", "--verbosity", "0"))
        assert schema(site) == schema(new)


@each_release
def test_every_migration_of_a_release_is_kept_or_squashed(release: str) -> None:
    loader = MigrationLoader(None)
    known = {*loader.disk_migrations, *(old for each in loader.disk_migrations.values() for old in each.replaces)}
    with contextlib.closing(opened(RELEASES[release])) as database:
        applied = database.execute("SELECT app, name FROM django_migrations WHERE app IN ('accounts', 'games')")
        assert {*applied.fetchall()} <= known
