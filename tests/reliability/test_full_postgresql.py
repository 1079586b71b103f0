"""A PostgreSQL whose connections others have taken: answers come soon, and the site is back when they leave."""

import shutil
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, closing
from typing import NoReturn

import psycopg
import pytest

from tests.browser.site import Site, free_port
from tests.project.processes.test_serve import wait_for
from tests.reliability.hosts.servers import Server, open_folder, tool
from tests.reliability.test_without_postgresql import LONGEST_ANSWER, LONGEST_RETURN, PAGES, REFUSED, SOON, answer_of

#: Connections of the server, of which three are its owner's, and the role that the site has, which is not.
MOST, SITE = 40, "site"
#: What a full server says.
FULL = "connection slots are reserved|too many clients"

pytestmark = [
    pytest.mark.proof,
    pytest.mark.skipif(
        not (shutil.which(tool("initdb")) and shutil.which("redis-server")), reason="starts a PostgreSQL and a Redis"
    ),
]


@pytest.fixture(scope="module")
def server_and_site() -> Iterator[tuple[Server, Site]]:
    """A server with few connections, and a site on it."""
    with open_folder() as folder:
        server = Server(folder / "server", port=free_port(), settings={"max_connections": str(MOST)})
        database = f"postgres://{SITE}@127.0.0.1:{server.port}/{SITE}"
        port = free_port()
        redis = subprocess.Popen(
            ["redis-server", "--port", str(port), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)],
            stdout=subprocess.DEVNULL,
        )
        chosen = {"DATABASE_URL": database, "REDIS_URL": f"redis://127.0.0.1:{port}", "BOTS_COMPILED": "0"}
        site = Site(folder / "site", chosen)
        site.folder.mkdir()
        try:
            server.make()
            server.start()
            server.ask(f"CREATE ROLE {SITE} LOGIN", "CREATE ROLE others LOGIN", f"CREATE DATABASE {SITE} OWNER {SITE}")
            site.start()
            yield server, site
        finally:
            site.kill()
            server.kill()
            redis.kill()
            redis.wait()


def take_on(server: Server, taken: ExitStack) -> NoReturn:
    """Take one connection after the other, until there is none left."""
    while True:
        link = psycopg.connect(host="127.0.0.1", port=server.port, user="others", dbname="postgres")
        taken.enter_context(closing(link))


def take_the_rest(server: Server, taken: ExitStack) -> None:
    """Take every connection that the server still has for anybody."""
    with pytest.raises(psycopg.OperationalError, match=FULL):
        take_on(server, taken)


def take_all(server: Server, taken: ExitStack) -> None:
    """Take every connection, those that the site has too."""
    own = f"SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE usename = '{SITE}'"
    gone = 0
    for _ in range(MOST):
        take_the_rest(server, taken)
        gone = gone + 1 if server.ask(own) == "0" else 0
        # What ended since all was taken has left room.
        if gone > 1:
            return
    raise AssertionError("the site has connections again and again")


def ask_all(site: Site) -> list[tuple[str, int, float]]:
    """Return what many visitors are answered at once."""
    with ThreadPoolExecutor(16) as visitors:
        return list(visitors.map(lambda path: answer_of(site.port, path), PAGES * 3))


def test_while_others_have_all_connections_but_its_own_pages_go_on(server_and_site: tuple[Server, Site]) -> None:
    server, site = server_and_site
    with ExitStack() as taken:
        assert answer_of(site.port, "/lobby/")[1] == 200
        take_the_rest(server, taken)
        answers = ask_all(site)
    assert max(seconds for _path, _status, seconds in answers) < LONGEST_ANSWER
    assert {(path, status) for path, status, _seconds in answers if not path.startswith("/healthz")} == {
        ("/lobby/", 200),
        ("/rules/", 200),
    }


def test_without_a_connection_every_answer_comes_soon_and_so_does_the_site_afterwards(
    server_and_site: tuple[Server, Site],
) -> None:
    server, site = server_and_site
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    before = len(site.log.read_text().splitlines())
    with ExitStack() as taken:
        take_all(server, taken)
        answers = ask_all(site)
    began = time.monotonic()
    wait_for(lambda: answer_of(site.port, "/lobby/")[1] == 200, SOON)
    back = time.monotonic() - began
    assert back < LONGEST_RETURN
    assert {(path, status) for path, status, _seconds in answers} == REFUSED
    assert max(seconds for _path, _status, seconds in answers) < LONGEST_ANSWER
    said = site.log.read_text().splitlines()[before:]
    assert [line for line in said if "Traceback" in line] == []
