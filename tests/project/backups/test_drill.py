"""D10, the drill: games are played and copied meanwhile, everything is destroyed, and the copy brings it all back."""

import random
import secrets
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.browser.site import Site, new_site
from tests.project.backups.installation import done, drop_databases, dropped, is_postgresql, manage
from tests.reliability.test_kill import Acknowledged, Trial, audit, play
from tests.reliability.visitor import Visitor, arrive_as_guest, open_duel

DUELS, MOVES = 3, 40
NAME, PASSWORD = "veronica", "every last piece, placed"

pytestmark = [pytest.mark.proof, pytest.mark.database]


def test_what_was_acknowledged_before_a_backup_is_there_once_everything_else_is_lost(tmp_path: Path) -> None:
    with dropped(new_site(tmp_path / "site", is_empty=True)) as site:
        site.start()
        try:
            sign_up(Visitor(site.url))
            before, copy = copied_while_moves_land(site, tmp_path / "elsewhere")
        finally:
            site.kill()
        destroy(site)
        assert "0 differ" in done(manage(site, "restore", str(copy)))
        site.start()
        try:
            log_in(Visitor(site.url))
        finally:
            site.stop()
        check(site, before)


def copied_while_moves_land(site: Site, folder: Path) -> tuple[dict[str, list[Acknowledged]], Path]:
    """Play, make a copy in the middle of it, and play on; return what was acknowledged before, and the copy."""
    trial = Trial(random.Random(DUELS))
    trial.is_up.set()
    alice, _ = arrive_as_guest(site.url)
    bob, _ = arrive_as_guest(site.url)
    paths = [open_duel(alice, bob) for _ in range(DUELS)]
    with ThreadPoolExecutor(DUELS) as pool:
        shares = [pool.submit(play, trial, path, (alice, bob), MOVES) for path in paths]
        trial.wait_for(DUELS * MOVES // 3)
        before = {path: [*moves] for path, moves in trial.acknowledged.items()}
        copy = Path(done(manage(site, "backup", "--folder", str(folder))).strip())
        for share in shares:
            share.result()
    assert trial.count == DUELS * MOVES
    return before, copy


def destroy(site: Site) -> None:
    """Leave nothing of the site but what lies elsewhere: the copy."""
    if is_postgresql(site):
        drop_databases(site.environment["DATABASE_URL"])
    for path in site.folder.glob("db.sqlite3*"):
        path.unlink()


def check(site: Site, before: dict[str, list[Acknowledged]]) -> None:
    """Every game follows from its moves, and has all that were acknowledged before the copy was begun."""
    stored = audit(site)
    assert [(slug, game["faults"]) for slug, game in stored.items() if game["faults"]] == []
    assert len(before) == DUELS
    for path, moves in before.items():
        kept = [(key, placement) for key, placement in stored[path.split("/")[2]]["moves"] if key]
        assert kept[: len(moves)] == moves


def sign_up(visitor: Visitor) -> None:
    """Create an account with a password."""
    visitor.get("/accounts/signup/")
    answer = visitor.post("/accounts/signup/", username=NAME, password1=PASSWORD)
    assert answer.status == 302, answer.body


def log_in(visitor: Visitor) -> None:
    """Log in with that name and password."""
    visitor.get("/accounts/login/")
    assert visitor.post("/accounts/login/", login=NAME, password=secrets.token_urlsafe(12)).status == 200
    answer = visitor.post("/accounts/login/", login=NAME, password=PASSWORD)
    assert answer.status == 302, answer.body
    assert visitor.get("/games/").status == 200
