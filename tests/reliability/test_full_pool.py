"""What a request holds of the database comes back to the pool, whatever becomes of the request."""

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection

import pytest

from tests.browser.site import Site, new_site
from tests.project.traffic import PATIENCE

#: More than a pool has connections, and more than are asked at once.
FORMS = 50
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
