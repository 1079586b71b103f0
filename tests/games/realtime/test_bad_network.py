"""B1: what the site says of real games, over a network that drops, doubles and delays, to the site's own scripts."""

import hashlib
import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from accounts.models import User
from games import events
from games.models import Game, Move
from games.realtime.publish import messages_for
from tests.games.tables import play_out, running
from tests.proof import proof

ROOT = Path(__file__).parents[3]
NETWORK = ROOT / "tests" / "js" / "realtime" / "bad_network.js"
NODE = shutil.which("node")


def as_stored(game: Game) -> str:
    """Return what tells the game's board from every other of it."""
    moves = Move.objects.filter(game=game).order_by("number").values_list("number", "placement")
    return hashlib.sha256(str(list(moves)).encode()).hexdigest()[:12]


class Recorder:
    """Hears the events of a game, and keeps what its pages are told and what the database holds at that moment."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.steps = [self.step(json.dumps({"type": "version", "game": game.slug, "version": game.version}))]

    def step(self, frame: str) -> dict[str, Any]:
        return {"version": json.loads(frame)["version"], "frame": frame, "part": as_stored(self.game)}

    def hear(self, event: events.GameEvent) -> None:
        """Keep the frame of an event, once a version."""
        frame = str(messages_for(event)[0][1]["text"])
        if json.loads(frame)["version"] > self.steps[-1]["version"]:
            self.steps.append(self.step(frame))


def recorded(alice: User, bob: User, seed: int) -> dict[str, Any]:
    """Play a game at the site, every tenth to its end and the others for ten turns; return what its pages are told."""
    game = running(alice, bob, variant="duo")
    recorder = Recorder(game)
    events.subscribe(events.GameEvent, recorder.hear)
    try:
        play_out(game, seed, turns=10 if seed % 10 else 1000)
    finally:
        events.unsubscribe(events.GameEvent, recorder.hear)
    return {"slug": game.slug, "steps": recorder.steps}


@pytest.mark.slow
@pytest.mark.skipif(NODE is None, reason="needs node")
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("number", [20, *proof(1000)])
def test_pages_are_as_the_server_says_soon_after_a_bad_network(alice: User, bob: User, number: int) -> None:
    games = [recorded(alice, bob, seed) for seed in range(number)]
    assert min(len(game["steps"]) for game in games) >= 10
    assert max(len(game["steps"]) for game in games) > 20
    command = [str(NODE), "--require", str(ROOT / "tests" / "js" / "browser.cjs"), str(NETWORK)]
    done = subprocess.run(command, input=json.dumps(games), capture_output=True, text=True, check=True, timeout=300)
    found = json.loads(done.stdout)
    assert len(found) == number
    assert [page["slug"] for page in found if not page["isEqual"]] == []
    assert [page["slug"] for page in found if page["twice"]] == []
    # Milliseconds of the scripts' own time since the network is back.
    assert max(page["back"] for page in found) <= 2000
