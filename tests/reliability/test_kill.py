"""A6: the plug is pulled again and again while moves are sent. What was acknowledged is there, and nothing by half.

`BLOCKYOU_KILLS` and `BLOCKYOU_KILL_MOVES` make the trial longer. SIGKILL proves that a crash loses nothing; for power
loss the test of the database's own settings stands (`blockyou.database`).
"""

import json
import os
import random
import secrets
import subprocess
import sys
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from games.rules import Position
from tests.browser.site import ROOT, Site, new_site
from tests.reliability.visitor import Unanswered, Visitor, arrive_as_guest, open_duel

KILLS = int(os.environ.get("BLOCKYOU_KILLS", "12"))
MOVES = int(os.environ.get("BLOCKYOU_KILL_MOVES", "150"))
DUELS = -(-MOVES // 25)
# Not the requirement, which is 5 s on a machine of its own, but the end of all patience.
READY_LIMIT = 60.0
BOT_LIMIT = 90.0

Acknowledged = tuple[str, str]


@dataclass
class Trial:
    """What the players and the one who pulls the plug know of each other."""

    rng: random.Random
    is_up: threading.Event = field(default_factory=threading.Event)
    changed: threading.Condition = field(default_factory=threading.Condition)
    acknowledged: dict[str, list[Acknowledged]] = field(default_factory=dict)
    #: Statuses after which a move is sent again: it was not stored, and the site says so.
    put_off_by: frozenset[int] = frozenset()
    asked_again: int = 0
    ready: list[float] = field(default_factory=list)

    @property
    def count(self) -> int:
        return sum(map(len, self.acknowledged.values()))

    def note(self, path: str, move: Acknowledged) -> None:
        with self.changed:
            self.acknowledged.setdefault(path, []).append(move)
            self.changed.notify_all()

    def wait_for(self, count: int) -> None:
        with self.changed:
            assert self.changed.wait_for(lambda: self.count >= count, timeout=READY_LIMIT), "the moves have stopped"


def play(trial: Trial, path: str, seats: tuple[Visitor, Visitor], moves: int) -> None:
    """Play a duel by chance, each move sent under a key of its own until it is answered."""
    position = Position.start("blockyou-2")
    for _ in range(moves):
        legal = position.legal_placements()
        placement = legal[trial.rng.randrange(len(legal) // 10 + 1)]
        number = str(position.move_count + 1)
        form = {"placement": str(placement), "number": number, "key": secrets.token_urlsafe(12)}
        answer_of(trial, seats[position.seat or 0], f"{path}place/", form)
        trial.note(path, (form["key"], form["placement"]))
        position = after_passes(position.play(placement))


def after_passes(position: Position) -> Position:
    """Return the position once every blocked colour that is due has passed, as it does by itself at these tables."""
    while not position.is_over and not position.legal_placements():
        position = position.pass_turn()
    return position


def answer_of(trial: Trial, visitor: Visitor, path: str, form: dict[str, str]) -> None:
    """Send a move until it is acknowledged; an unanswered one again under the same key, once the site is back."""
    while True:
        try:
            answer = visitor.post(path, **form)
        except Unanswered:
            trial.asked_again += 1
            assert trial.is_up.wait(READY_LIMIT), "the site did not come back"
            continue
        if answer.status in trial.put_off_by:
            trial.asked_again += 1
            threading.Event().wait(0.5)
            continue
        assert answer.status == 302, (answer.status, form, answer.body[:2000])
        return


def pull_the_plug(trial: Trial, site: Site, after: list[int]) -> None:
    """Kill the installation each time so many moves are acknowledged, at a random instant, and start it again."""
    for count in after:
        trial.wait_for(count)
        threading.Event().wait(trial.rng.uniform(0, 0.05))
        trial.is_up.clear()
        site.kill()
        trial.ready.append(site.start())
        trial.is_up.set()


def audit(site: Site) -> dict[str, Any]:
    """Return what stands in the site's database, read by a process of its own."""
    command = [sys.executable, "-m", "tests.reliability.audit"]
    environment = {**site.surroundings(), "SECRET_KEY": "a secret of no use, long enough for the settings of prod 123"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    report: dict[str, Any] = json.loads(done.stdout)
    return report


def wait_for_my_turn(visitor: Visitor, path: str) -> str:
    """Return the page of a game against bots once they have all played."""
    pause = threading.Event()
    for _ in range(int(BOT_LIMIT / 0.2)):
        page = visitor.get(path).body
        if "data-my-turn" in page:
            return page
        pause.wait(0.2)
    raise AssertionError("the bots do not play on")


@pytest.mark.proof
@pytest.mark.database
def test_no_acknowledged_move_is_lost_however_often_the_plug_is_pulled(
    tmp_path: Path, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    site = new_site(tmp_path)
    request.addfinalizer(site.kill)
    trial = Trial(random.Random(tmp_path.name))
    site.start()
    trial.is_up.set()
    alice, against_bots = arrive_as_guest(site.url)
    bob, _ = arrive_as_guest(site.url)
    paths = [open_duel(alice, bob) for _ in range(DUELS)]
    kills = sorted(trial.rng.sample(range(MOVES - 5), KILLS))

    with ThreadPoolExecutor(DUELS + 1) as pool:
        plug = pool.submit(pull_the_plug, trial, site, kills)
        shares = [pool.submit(play, trial, path, (alice, bob), -(-MOVES // DUELS)) for path in paths]
        for share in [*shares, plug]:
            share.result()
    wait_for_my_turn(alice, against_bots)
    site.stop()

    stored = audit(site)
    assert [(slug, game["faults"]) for slug, game in stored.items() if game["faults"]] == []
    for path in paths:
        moves = stored[path.split("/")[2]]["moves"]
        assert [(key, placement) for key, placement in moves if key] == trial.acknowledged[path]
    assert trial.count >= MOVES
    for name, value in {"moves": trial.count, "again": trial.asked_again, "ready": max(trial.ready)}.items():
        record_property(name, value)
    print(f"{KILLS} kills, {trial.count} moves, {trial.asked_again} asked again, ready {sorted(trial.ready)}")  # noqa: T201
