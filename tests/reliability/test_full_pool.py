"""What a request holds of the database comes back to the pool whatever becomes of the request, or the process ends."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection

import pytest
from django.db import connection

from tests.browser.site import Site, new_site
from tests.project.traffic import PATIENCE
from tests.reliability.test_self_check import end_of

#: More than a pool has connections, and more than are asked at once.
FORMS = 50
#: A web process that finds out sooner whether it is stuck, and in which something keeps every connection of the pool.
STUCK = """
import sys
from blockyou.processes import self_check
self_check.EVERY_SECONDS, self_check.MISSED_AFTER_SECONDS = 0.2, 2.0
from django.core.management import execute_from_command_line
import django
django.setup()
from django.db import connection
connection.pool.open()
kept = [connection.pool.getconn() for _ in range(connection.settings_dict["OPTIONS"]["pool"]["max_size"])]
execute_from_command_line(sys.argv)
"""
pytestmark = [pytest.mark.proof, pytest.mark.database]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    site = new_site(tmp_path_factory.mktemp("pool"))
    try:
        site.start()
        yield site
    finally:
        site.stop()


def send_unreadable_form(port: int) -> int:
    """Return the status of a form in an encoding that no form is in."""
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as link:
        headers = {"Content-Type": "application/x-www-form-urlencoded; charset=utf-16"}
        link.request("POST", "/play-bots/", b"a=b", headers)
        return link.getresponse().status


def seconds_for_a_page(port: int) -> float:
    """Return how long the list of open tables takes, for which the database is asked."""
    began = time.monotonic()
    with closing(HTTPConnection("127.0.0.1", port, timeout=PATIENCE)) as link:
        link.request("GET", "/lobby/")
        answer = link.getresponse()
        assert answer.status == 200
        answer.read()
    return time.monotonic() - began


def test_after_fifty_forms_that_cannot_be_read_a_page_comes_at_once(site: Site) -> None:
    with ThreadPoolExecutor(4) as senders:
        statuses = set(senders.map(send_unreadable_form, [site.port] * FORMS))
    assert statuses == {400}
    # The best of three: other things on this machine may take a second.
    assert min(seconds_for_a_page(site.port) for _ in range(3)) < 1


@pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")
def test_a_process_whose_connections_never_come_back_ends_and_says_why(site: Site) -> None:
    told = end_of(STUCK, site.surroundings())
    assert told.returncode == 1
    assert "This process no longer answers, though its database does." in told.stderr
