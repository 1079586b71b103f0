"""The bot of docs/api.md at a running site: it plays to the end, and after a kill it goes on where it was."""

import json
import os
import re
import shutil
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.project.processes.test_restarts import Web, environment, wait_for
from tests.project.traffic import PATIENCE
from tests.reliability.visitor import Visitor, found

__all__ = ["environment"]
pytestmark = pytest.mark.proof
ROOT = Path(__file__).resolve().parents[2]
GUIDE, CLIENT = (ROOT / "docs" / "api.md").read_text(), ROOT / "clients" / "python" / "blockyou.py"
PASSWORD = "diagonals touch, sides never"
#: A minute has room for a hundred requests; a game in a hurry needs more.
UNLIMITED = """
import sys, threading, time
from django.apps import apps

def open_the_door():
    while not apps.ready:
        time.sleep(0.05)
    import games.api.door as door
    door.REQUESTS_A_MINUTE = 100_000

threading.Thread(target=open_the_door, daemon=True).start()
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""


class UnlimitedWeb(Web):
    """A web process that lets programs ask as often as they like."""

    program = ("-c", UNLIMITED)


@pytest.fixture
def web(environment: dict[str, str]) -> Iterator[Web]:
    process = UnlimitedWeb(environment)
    yield process
    process.process.kill()
    process.process.wait()


def token_of_newcomer(web: Web, name: str) -> str:
    """Return a token that somebody new has made on the pages."""
    person = Visitor(web.url)
    person.get("/accounts/signup/")
    assert person.post("/accounts/signup/", username=name, email="", password1=PASSWORD).status == 302
    person.post("/accounts/reauthenticate/", password=PASSWORD)
    page = person.post("/accounts/tokens/", name="a bot", scopes=["read", "play", "tables"])
    return found(r"(blockyou_[\w-]{32})", page.body)


def ask(web: Web, token: str, path: str, body: object = None) -> Any:
    data = None if body is None else json.dumps(body).encode()
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    with urllib.request.urlopen(urllib.request.Request(f"{web.url}/api/v1/{path}", data, headers)) as answer:
        return json.load(answer)


def start(web: Web, token: str, folder: Path) -> "subprocess.Popen[str]":
    """Start the bot for the person of the token."""
    file = folder / "bot.py"
    # As its author would: the client is copied beside it.
    shutil.copy(CLIENT, folder / "blockyou.py")
    file.write_text(re.findall(r"```python\n(.*?)```", GUIDE, re.DOTALL)[0])
    surroundings = {**os.environ, "SITE": web.url, "TOKEN": token, "PAUSE": "0.05"}
    return subprocess.Popen([sys.executable, str(file)], env=surroundings, stderr=subprocess.PIPE, text=True)


def test_two_bots_play_a_game_and_one_that_is_killed_goes_on_where_it_was(web: Web, tmp_path: Path) -> None:
    tokens = [token_of_newcomer(web, name) for name in ("programmer", "tinkerer")]
    table = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}]}
    slug = ask(web, tokens[0], "games", table)["slug"]
    ask(web, tokens[1], f"games/{slug}/join", {})
    bots = [start(web, token, tmp_path) for token in tokens]
    wait_for(lambda: ask(web, tokens[0], f"games/{slug}")["number"] > 8)
    bots[0].kill()
    bots[0].communicate()
    bots[0] = start(web, tokens[0], tmp_path)
    for bot in bots:
        _output, errors = bot.communicate(timeout=3 * PATIENCE)
        assert (bot.returncode, errors) == (0, "")
    assert ask(web, tokens[0], f"games/{slug}")["reason"] == "played-out"
