"""A9: ten clients read and place while the site is killed and stands still: every game's history could have been.

`BLOCKYOU_LINEAR_SECONDS` makes the trial longer: 300 for what docs/reliability.md asks.
"""

import os
import random
import signal
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from tests.browser.site import Site, descendants
from tests.browser.site import new_site as site_in
from tests.reliability.linear import Seen, Table, Trial, misfits
from tests.reliability.test_kill import audit
from tests.reliability.visitor import arrive_as_guest, open_duel

SECONDS = float(os.environ.get("BLOCKYOU_LINEAR_SECONDS", "40"))
#: Seconds between two faults at most, and for which the site stands still.
BETWEEN_FAULTS, STILL = 6.0, 3.0
LOG = [("one", "a"), ("two", "b"), ("", "pass"), ("three", "c")]


@pytest.mark.parametrize(
    "seen",
    [
        [],
        [Seen(0, 1, 0), Seen(0, 1, 1, stored="one"), Seen(0.5, 1.5, 0, ())],
        [Seen(0, 9, 4, ("a", "b", "pass", "c")), Seen(1, 2, 2, ("a", "b"))],
        [
            Seen(0, 1, 1, stored="one"),
            Seen(2, 3, 1, ("a",)),
            Seen(2, 3, 2, refused="other"),
            Seen(2, 4, 2, stored="two"),
        ],
        [Seen(0, 1, 4, stored="three"), Seen(1, 2, 3, ("a", "b", "pass"))],
        # Who is refused may have looked long ago.
        [Seen(0, 1, 4, stored="three"), Seen(2, 3, 1, refused="other")],
    ],
)
def test_what_could_have_happened_one_after_the_other_fits(seen: list[Seen]) -> None:
    assert misfits(seen, LOG) == []


@pytest.mark.parametrize(
    ("seen", "sentence"),
    [
        ([Seen(0, 1, 1, ("b",))], "not there"),
        ([Seen(0, 1, 5, ("a", "b", "pass", "c", "d"))], "not there"),
        ([Seen(0, 1, 1, stored="lost")], "not where it was"),
        ([Seen(0, 1, 2, stored="one")], "not where it was"),
        ([Seen(0, 1, 2, refused="two")], "refused move is there"),
        # Somebody was shown less than had been shown before.
        ([Seen(0, 1, 2, ("a", "b")), Seen(2, 3, 1, ("a",))], "had been seen"),
        # An acknowledged move was not there for who looked later.
        ([Seen(0, 1, 2, stored="two"), Seen(2, 3, 1, ("a",))], "had been seen"),
        # A move was there before it was sent.
        ([Seen(0, 1, 2, ("a", "b")), Seen(2, 3, 2, stored="two")], "had been seen"),
    ],
)
def test_what_could_not_is_found(seen: list[Seen], sentence: str) -> None:
    wrong = misfits(seen, LOG)
    assert len(wrong) == 1
    assert sentence in wrong[0]


def kill_all(site: Site) -> None:
    """Pull the plug, and start the site again."""
    site.kill()
    site.start()


def kill_web(site: Site) -> None:
    """Kill the web process, which its supervisor starts again."""
    os.kill(web_of(site), signal.SIGKILL)
    site.wait_until_ready()


def stand_still(site: Site) -> None:
    """Let everything stand still for a while, in the middle of whatever it does."""
    assert site.process
    everything = [site.process.pid, *descendants(site.process.pid)]
    for pid in everything:
        os.kill(pid, signal.SIGSTOP)
    try:
        threading.Event().wait(STILL)
    finally:
        for pid in everything:
            os.kill(pid, signal.SIGCONT)


def web_of(site: Site) -> int:
    assert site.process
    children = descendants(site.process.pid)
    [web, *_others] = [pid for pid in children if "web" in Path(f"/proc/{pid}/cmdline").read_text().split("\0")[2:]]
    return web


def disturb(site: Site, trial: Trial, ends_at: float) -> list[str]:
    """Do one of these now and then; return which."""
    done: list[str] = []
    ways: tuple[Callable[[Site], None], ...] = (kill_all, kill_web, stand_still)
    try:
        while time.monotonic() < ends_at:
            threading.Event().wait(trial.rng.uniform(0.5, BETWEEN_FAULTS))
            way = ways[len(done) % len(ways)]
            way(site)
            done.append(way.__name__)
    finally:
        trial.is_over.set()
    return done


@pytest.mark.proof
@pytest.mark.database
def test_a9_all_that_ten_clients_saw_could_have_happened_one_after_the_other(
    tmp_path: Path, request: pytest.FixtureRequest, record_property: Callable[[str, object], None]
) -> None:
    site = site_in(tmp_path)
    request.addfinalizer(site.kill)
    site.start()
    trial = Trial(random.Random(tmp_path.name))
    tables = []
    for _ in range(2):
        players = (arrive_as_guest(site.url)[0], arrive_as_guest(site.url)[0])
        tables.append(Table(players, open_duel(*players)))
    ends_at = time.monotonic() + SECONDS
    with ThreadPoolExecutor(11) as pool:
        # Two devices of each player, and one that only looks at each table.
        clients = [pool.submit(trial.play, table, seat) for table in tables for seat in (0, 0, 1, 1)]
        clients += [pool.submit(trial.look, table) for table in tables]
        done = pool.submit(disturb, site, trial, ends_at).result()
        for client in clients:
            client.result()
    site.stop()

    stored = audit(site)
    games = {path: stored[path.split("/")[2]] for path in trial.seen}
    assert trial.faults == []
    assert [game["faults"] for game in games.values() if game["faults"]] == []
    logs = {path: [(key, text) for key, text in game["moves"]] for path, game in games.items()}
    assert [wrong for path, seen in trial.seen.items() for wrong in misfits(seen, logs[path])] == []
    answers = [each for seen in trial.seen.values() for each in seen]
    counts = {
        "faults": len(done),
        "answers": len(answers),
        "stored": sum(bool(each.stored) for each in answers),
        "refused": sum(bool(each.refused) for each in answers),
        "again": trial.tries - len(answers),
    }
    assert min(counts["stored"], counts["faults"]) > 3
    for name, value in counts.items():
        record_property(name, value)
    print(counts)  # noqa: T201
