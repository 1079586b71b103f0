"""D16: PostgreSQL away from a running site, or silent: answers come soon, the site is back with it, no move is lost."""

import itertools
import os
import random
import re
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from html import unescape
from http.client import HTTPConnection
from pathlib import Path
from urllib.error import HTTPError
from urllib.parse import urlsplit

import pytest
from django.db import connection

from tests.browser.site import Site, fresh_postgresql
from tests.browser.wire import Wire
from tests.project.player import Player
from tests.project.processes.test_serve import wait_for
from tests.reliability.test_kill import Trial, audit, play
from tests.reliability.visitor import arrive_as_guest, open_duel

pytestmark = [
    pytest.mark.proof,
    pytest.mark.database,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="takes PostgreSQL away"),
]
#: Seconds after which nothing is waited for any longer. Waiting for the pool took twenty, and more in a queue.
SOON = 10.0
#: Seconds of a long outage, how many ask all along, how long the slowest answer takes, and how long the site needs
#: once its server is back.
OUTAGE, VISITORS, LONGEST_ANSWER, LONGEST_RETURN = 60.0, 8, 2.0, 3.0
PAGES = ["/lobby/"] * 12 + ["/rules/", "/healthz?only=database", "/healthz"] * 4
#: A web process, three workers, the courier and the workers' sweep: each says once that its database is away, and so
#: does each that takes the place of another meanwhile.
PROCESSES = 6
#: How many lines such an outage has in the log: few of each process, however many questions there are.
MOST_LINES = 40
#: What is answered without a database.
REFUSED = {("/lobby/", 503), ("/rules/", 200), ("/healthz?only=database", 503), ("/healthz", 503)}
#: Duels that are played on whatever happens, moves of each, and how many are made before the outage.
DUELS, MOVES, BEFORE = 2, 25, 12


#: Its connections end and it takes none; or they stay and it takes more, and says nothing over any of them.
OUTAGES = pytest.mark.parametrize("take_away", [Wire.cut, Wire.silence])


@pytest.fixture(scope="module")
def wire_and_site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Wire, Site]]:
    """A site whose way to PostgreSQL can be cut."""
    place = urlsplit(fresh_postgresql(os.environ["DATABASE_URL"]))
    wire = Wire(place.port or 5432)
    account, _, _ = place.netloc.rpartition("@")
    end = wire.url.removeprefix("http://")
    folder: Path = tmp_path_factory.mktemp("away")
    address = place._replace(netloc=f"{account}@{end}").geturl()
    site = Site(folder, {"DATABASE_URL": address, "BOTS_COMPILED": "0"})
    try:
        site.start()
        yield wire, site
    finally:
        site.stop()
        wire.remove()


def answer_of(port: int, path: str) -> tuple[str, int, float]:
    """Return a path, the status of the answer and how many seconds it took."""
    began = time.monotonic()
    with closing(HTTPConnection("127.0.0.1", port, timeout=SOON)) as link:
        link.request("GET", path)
        answer = link.getresponse()
        answer.read()
        return path, answer.status, time.monotonic() - began


@OUTAGES
def test_without_its_database_every_answer_comes_soon_and_so_does_the_site_afterwards(
    wire_and_site: tuple[Wire, Site], take_away: Callable[[Wire], None]
) -> None:
    wire, site = wire_and_site
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    before = len(site.log.read_text().splitlines())
    take_away(wire)
    with ThreadPoolExecutor(16) as visitors:
        answers = list(visitors.map(lambda path: answer_of(site.port, path), PAGES * 3))
    assert {(path, status) for path, status, _seconds in answers} == REFUSED
    wire.mend()
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    said = site.log.read_text().splitlines()[before:]
    lost = [line for line in said if "blockyou.postgresql" in line and "takes no connections" in line]
    assert 1 <= len(lost) <= PROCESSES + sum("another takes its place" in line for line in said), said


def answers_of_visitors(port: int, seconds: float) -> list[tuple[str, int, float]]:
    """Return what many visitors are answered who ask for one page after another for so long."""
    end = time.monotonic() + seconds

    def visit(first: int) -> list[tuple[str, int, float]]:
        answers = []
        for path in itertools.islice(itertools.cycle(PAGES), first, None):
            if time.monotonic() >= end:
                break
            answers.append(answer_of(port, path))
            threading.Event().wait(0.2)
        return answers

    with ThreadPoolExecutor(VISITORS) as visitors:
        return [each for found in visitors.map(visit, range(0, 5 * VISITORS, 5)) for each in found]


@OUTAGES
def test_a_minute_without_its_database_is_answered_soon_all_along_and_costs_no_move(
    wire_and_site: tuple[Wire, Site], take_away: Callable[[Wire], None]
) -> None:
    wire, site = wire_and_site
    trial = Trial(random.Random(DUELS), put_off_by=frozenset({503}))
    trial.is_up.set()
    alice, bob = (arrive_as_guest(site.url)[0] for _ in range(2))
    paths = [open_duel(alice, bob) for _ in range(DUELS)]
    with ThreadPoolExecutor(DUELS) as pool:
        shares = [pool.submit(play, trial, path, (alice, bob), MOVES) for path in paths]
        trial.wait_for(BEFORE)
        lines = len(site.log.read_text().splitlines())
        take_away(wire)
        answers = answers_of_visitors(site.port, OUTAGE)
        said = site.log.read_text().splitlines()[lines:]
        wire.mend()
        began = time.monotonic()
        wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
        back = time.monotonic() - began
        for share in shares:
            share.result()
    slowest = max(answers, key=lambda answer: answer[2])
    print(f"{len(answers)} answers, the slowest {slowest}; back after {back:.2f} s; {len(said)} lines")  # noqa: T201
    assert {(path, status) for path, status, _seconds in answers} == REFUSED
    assert slowest[2] < LONGEST_ANSWER
    assert back < LONGEST_RETURN
    assert trial.asked_again > 0
    assert [line for line in said if "Traceback" in line] == []
    assert len(said) <= MOST_LINES, said
    stored = audit(site)
    for path in paths:
        game = stored[path.split("/")[2]]
        assert game["faults"] == []
        assert [(key, placement) for key, placement in game["moves"] if key] == trial.acknowledged[path]


@OUTAGES
def test_a_move_that_was_refused_meanwhile_can_be_sent_again(
    wire_and_site: tuple[Wire, Site], take_away: Callable[[Wire], None]
) -> None:
    wire, site = wire_and_site
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    player = Player(site.url)
    game = player.sit_down()
    _, pieces = player.wait_for_turn()
    page = player.get(f"{game}placements/?piece={pieces[0]}")
    found = {name: re.findall(rf'name="{name}"\s+value="([^"]+)"', page)[0] for name in ("placement", "number")}
    move = {name: unescape(value) for name, value in found.items()}
    take_away(wire)
    with pytest.raises(HTTPError, match="503"):
        player.post(page, f"{game}place/", **move)
    wire.mend()
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    assert player.post(page, f"{game}place/", **move) == game
    assert player.moves() >= 1


def test_bots_go_on_soon_after_an_outage_in_which_their_workers_ended(wire_and_site: tuple[Wire, Site]) -> None:
    wire, site = wire_and_site
    player = Player(site.url)
    game = player.sit_down()
    player.place_something()
    before = site.log.read_text().count("another takes its place")
    wire.cut()
    wait_for(lambda: site.log.read_text().count("another takes its place") > before, SOON)
    wire.mend()
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    wait_for(lambda: "?piece=" in player.get(f"{game}placements/"), SOON)
