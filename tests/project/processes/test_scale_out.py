"""Two web processes and two workers on PostgreSQL and Redis are one site."""

import json
import os
import secrets
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.browser.site import free_port
from tests.project.player import Player

ROOT = Path(__file__).resolve().parents[3]
PATIENCE = 60.0
DATABASE_URL = os.environ.get("DATABASE_URL", "")
REDIS_URL = os.environ.get("REDIS_URL", "")
pytestmark = [
    pytest.mark.proof,
    pytest.mark.database,
    pytest.mark.skipif(
        not (DATABASE_URL.startswith("postgres") and REDIS_URL),
        reason="needs PostgreSQL and Redis (.ci/run starts them)",
    ),
]
WORKERS = ["work", "--processes", "2", "--no-reload"]


@pytest.fixture(scope="module")
def environment(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """Return the environment of an installation with an empty database of its own."""
    import psycopg

    name = f"trial_{secrets.token_hex(6)}"
    with psycopg.connect(DATABASE_URL, autocommit=True) as server:
        server.execute(f'CREATE DATABASE "{name}"')
        yield {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod",
            "DATABASE_URL": f"{DATABASE_URL.rpartition('/')[0]}/{name}",
            "REDIS_URL": f"{REDIS_URL.rstrip('/')}/9",
            "SECRET_KEY": secrets.token_urlsafe(64),
            "VAR_DIR": str(tmp_path_factory.mktemp("var")),
        }
        server.execute(f'DROP DATABASE "{name}" WITH (FORCE)')


@pytest.fixture(scope="module")
def sites(environment: dict[str, str]) -> Iterator[tuple[str, str]]:
    """Return the addresses of two web processes that share everything, with two workers and the sweep behind them."""
    subprocess.run([sys.executable, "manage.py", "prepare"], cwd=ROOT, env=environment, check=True, timeout=120)
    ports = free_port(), free_port()
    commands = [*(["web", "--port", str(port)] for port in ports), WORKERS, ["sweep"]]
    processes = [
        subprocess.Popen([sys.executable, "manage.py", *command], cwd=ROOT, env=environment) for command in commands
    ]
    try:
        for port in ports:
            wait_until_up(port)
        yield f"http://127.0.0.1:{ports[0]}", f"http://127.0.0.1:{ports[1]}"
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait(PATIENCE)


def test_a_move_made_at_one_process_reaches_a_page_open_at_the_other(sites: tuple[str, str]) -> None:
    here, there = sites
    player = Player(here)
    with look_on(there, player) as page:
        before = shown_version(player)
        player.place_something()
        # What happened while the socket opened may be told twice; five messages are more than that.
        assert any(version(page) > before for _message in range(5))


def test_a_bots_reply_from_a_worker_reaches_pages_at_both_processes(sites: tuple[str, str]) -> None:
    here, there = sites
    player = Player(here)
    with look_on(here, player) as near, look_on(there, player) as far:
        player.place_something()
        player.wait_for_turn()
        shown = shown_version(player)
        assert told_of(near, shown) == told_of(far, shown) == shown


def test_a_game_begun_at_one_process_goes_on_at_the_other(sites: tuple[str, str]) -> None:
    here, there = sites
    player = Player(here)
    player.sit_down()
    player.wait_for_turn()
    before = player.moves()
    for site in (there, here, there, here):
        player.site = site
        player.place_something()
    player.wait_for_turn()
    assert player.moves() - before == 16


def look_on(site: str, player: Player) -> ClientConnection:
    """Open the socket of the player's game at a process; sit down first where no game is yet."""
    if not player.game:
        player.sit_down()
    slug = player.game.split("/")[2]
    return connect(
        f"{site.replace('http', 'ws')}/ws/games/{slug}/",
        origin=Origin(site),
        additional_headers={"Cookie": player.cookies()},
        open_timeout=PATIENCE,
    )


def version(page: ClientConnection) -> int:
    """Wait for the next message and return the version it tells of."""
    message: Any = json.loads(page.recv(timeout=PATIENCE))
    assert message["type"] == "version", message
    return int(message["version"])


def told_of(page: ClientConnection, wanted: int) -> int:
    """Return the first version told of by itself that is not older than the one wanted."""
    while True:
        if (latest := version(page)) >= wanted:
            return latest


def shown_version(player: Player) -> int:
    """Return the version that a page shows once it is this player's turn: nobody else can change it then."""
    player.wait_for_turn()
    return int(player.get(player.game).partition('data-version="')[2].partition('"')[0])


def wait_until_up(port: int) -> None:
    """Wait until the process at the port says that it is well."""
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        try:
            connection.request("GET", "/healthz?only=database")
            if connection.getresponse().status == 200:
                return
        except ConnectionError:
            threading.Event().wait(0.1)
        finally:
            connection.close()
    raise AssertionError(f"nothing answers at port {port}")
