"""D9: what came after the squashed migrations can be taken back, and brought again, without the loss of a game."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.browser.site import Site
from tests.project.backups.installation import ask, audited, demo_site, done, dropped, is_postgresql, manage
from tests.project.upgrades.schema import columns_of, rows, schema
from tests.project.upgrades.test_squashed import APPLIED, SQUASHED

pytestmark = [pytest.mark.slow, pytest.mark.database]

#: Terms and choices that are newer: what was said goes with the column, which says afterwards what is usual.
TERMS_THAT_GO = {"allows_takebacks", "is_rated", "own_mark", "own_tint", "shows_ratings", "dead_links"} | {
    *("written_by", "seen_by", "given_moves", "begun_from"),
    *("group_id", "plan", "is_planning", "caught_up", "has_archive", "keys_changed_at"),
    *("has_reactions", "is_sheltered", "guardian_id", "says_phrases"),
    *("alone_until", "alone_person", "changes"),
}
#: Tables that are newer: what stood in them goes with them, and no game with that.
NEWER = {"games_group", "games_membership", "games_standingtable", "games_archive", "games_archivepart"} | {
    *("games_mistake", "accounts_accountchange", "accounts_presence"),
    *("games_reaction", "games_allowedperson", "accounts_childlink"),
    *("games_dailypuzzle", "games_puzzletry", "games_seek"),
}
#: What follows from the games: counted again on the way, or by `manage.py rate`.
WORKED_OUT = {"games_headtohead", "games_playerrating", "games_ratedfamily", "games_ratedseat"}


@pytest.fixture
def site(tmp_path: Path) -> Iterator[Site]:
    """A site with people, and games in every state."""
    with dropped(demo_site(tmp_path)) as found:
        yield found


def test_every_game_outlives_the_way_back_and_forth(site: Site) -> None:
    if is_postgresql(site):
        pytest.skip("rows are compared on SQLite")
    tables = [name for (name,) in ask(site, "SELECT name FROM sqlite_master WHERE type = 'table'")]
    ours = [table for table in tables if table.startswith(("accounts_", "games_")) and table not in WORKED_OUT | NEWER]
    columns = {table: [name for name in columns_of(site, table) if name not in TERMS_THAT_GO] for table in ours}
    before, made = {table: rows(site, table, named) for table, named in columns.items()}, schema(site)
    assert len(before["games_move"]) > 200
    for app, name in SQUASHED:
        done(manage(site, "migrate", app, name, "--verbosity", "0"))
    assert ("accounts", "0019_login_name") not in ask(site, APPLIED)
    assert schema(site) != made
    done(manage(site, "migrate", "--verbosity", "0"))
    assert schema(site) == made
    assert {table: rows(site, table, named) for table, named in columns.items()} == before
    assert audited(site) in done(manage(site, "audit_games"))
