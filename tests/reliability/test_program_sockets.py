"""The streams over WebSocket at a running site: the example of docs/api.md, another site's pages, and a restart."""

import json
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from games.realtime.streams import End
from tests.project.processes.test_restarts import Web, environment
from tests.project.traffic import PATIENCE
from tests.reliability.test_programs import GUIDE, ask, token_of_newcomer, web

__all__ = ["environment", "web"]
pytestmark = pytest.mark.proof


@contextmanager
def stream(web: Web, path: str, token: str = "", origin: str = "") -> Iterator[ClientConnection]:
    """Open a stream as a program does that knows of no origin, or as a page of one."""
    headers = {"Authorization": f"Bearer {token}"} if token else {}
    address = f"{web.url.replace('http', 'ws')}/api/v1/{path}"
    own = Origin(origin) if origin else None
    with connect(address, origin=own, additional_headers=headers, open_timeout=PATIENCE, proxy=None) as socket:
        yield socket


def line(socket: ClientConnection) -> dict[str, object]:
    found: dict[str, object] = json.loads(socket.recv(timeout=PATIENCE))
    return found


def close_code(socket: ClientConnection) -> int:
    with pytest.raises(ConnectionClosed) as closed:
        socket.recv(timeout=PATIENCE)
    assert closed.value.rcvd is not None
    return closed.value.rcvd.code


def table(web: Web, token: str) -> str:
    seats = [{"kind": "me"}, {"kind": "open"}]
    return str(ask(web, token, "games", {"variant": "duo", "seats": seats})["slug"])


def test_the_example_of_the_guide_hears_what_happens(web: Web) -> None:
    token = token_of_newcomer(web, "listener")
    blocks = re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)
    [source] = [block for block in blocks if "websockets" in block]
    surroundings = {"SITE": web.url, "TOKEN": token, "PYTHONUNBUFFERED": "1"}
    example = subprocess.Popen([sys.executable, "-c", source], env=surroundings, stdout=subprocess.PIPE, text=True)
    try:
        assert example.stdout is not None
        assert example.stdout.readline() == "games\n"
        slug = table(web, token)
        ask(web, token_of_newcomer(web, "partner"), f"games/{slug}/join", {})
        assert [example.stdout.readline() for _ in range(2)] == ["started\n", "my_turn\n"]
    finally:
        example.kill()
        example.communicate()


def test_pages_of_other_sites_and_programs_without_a_token_are_refused(web: Web) -> None:
    token = token_of_newcomer(web, "stranger")
    with pytest.raises(InvalidStatus) as foreign, stream(web, "stream", token, "https://evil.example.com"):
        pass
    assert foreign.value.response.status_code == 403
    with stream(web, "stream") as socket:
        assert (line(socket)["code"], close_code(socket)) == ("token", End.TOKEN_ENDED)


def test_a_stream_is_ended_by_what_is_said_and_by_a_restart(web: Web) -> None:
    token = token_of_newcomer(web, "speaker")
    slug = table(web, token)
    with stream(web, f"games/{slug}/stream") as speaks, stream(web, f"games/{slug}/stream") as listens:
        assert [line(socket)["slug"] for socket in (speaks, listens)] == [slug] * 2
        speaks.send("hello")
        assert close_code(speaks) == End.UNEXPECTED_INPUT
        web.ask_to_end()
        assert close_code(listens) == End.RESTARTING
    web.wait_for_end()
