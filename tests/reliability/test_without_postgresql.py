"""PostgreSQL away from a running site: answers come soon, the site is back with its database, no move is lost."""

import os
import re
import time
from collections.abc import Iterator
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

pytestmark = [
    pytest.mark.proof,
    pytest.mark.database,
    pytest.mark.skipif(connection.vendor != "postgresql", reason="takes PostgreSQL away"),
]
#: Seconds after which nothing is waited for any longer. Waiting for the pool took twenty, and more in a queue.
SOON = 10.0
PAGES = ["/lobby/"] * 12 + ["/rules/", "/healthz?only=database", "/healthz"] * 4


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


def test_without_its_database_every_answer_comes_soon_and_so_does_the_site_afterwards(
    wire_and_site: tuple[Wire, Site],
) -> None:
    wire, site = wire_and_site
    assert answer_of(site.port, "/lobby/")[1] == 200
    before = len(site.log.read_text().splitlines())
    wire.cut()
    with ThreadPoolExecutor(16) as visitors:
        answers = list(visitors.map(lambda path: answer_of(site.port, path), PAGES * 3))
    assert {(path, status) for path, status, _seconds in answers} == {
        ("/lobby/", 503), ("/rules/", 200), ("/healthz?only=database", 503), ("/healthz", 503),
    }  # fmt: skip
    wire.mend()
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    said = site.log.read_text().splitlines()[before:]
    lost = [line for line in said if "blockyou.postgresql" in line and "takes no connections" in line]
    assert len(lost) == 1, said


def test_a_move_that_was_refused_meanwhile_can_be_sent_again(wire_and_site: tuple[Wire, Site]) -> None:
    wire, site = wire_and_site
    player = Player(site.url)
    game = player.sit_down()
    _, pieces = player.wait_for_turn()
    page = player.get(f"{game}placements/?piece={pieces[0]}")
    found = {name: re.findall(rf'name="{name}"\s+value="([^"]+)"', page)[0] for name in ("placement", "number")}
    move = {name: unescape(value) for name, value in found.items()}
    wire.cut()
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
