"""What a worker commits reaches open pages of the web process: by SQLite's count of commits, or by Redis."""

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator

import pytest
from django.conf import settings

from accounts.models import User
from games.models import Game
from games.realtime import watch
from tests.games.realtime.sockets import PATIENCE, in_thread, live, opened
from tests.games.tables import running
from tests.games.tasks.workers import database_url

pytestmark = pytest.mark.django_db(transaction=True)

WITHIN, MOVES = 0.2, 10

PLAY = f"""
import django; django.setup()
import json, os, random, time
from django.conf import settings
settings.CHANNEL_LAYERS = json.loads(os.environ["LAYERS"])
from django.utils import timezone
from games.models import Game
from tests.games.tables import advance
game, rng, done = Game.objects.get(), random.Random(1), {{}}
for _ in range({MOVES}):
    time.sleep(0.1)
    game = advance(game, rng, now=timezone.now())
    done[game.version] = time.time()
print(json.dumps(done))
"""


@pytest.fixture
def watcher() -> Iterator[None]:
    """What the web process starts with its first request, where it is needed."""
    if not watch.is_needed():
        yield
        return
    thread = watch.Watcher(watch.announce_change)
    thread.start()
    try:
        assert thread.is_ready.wait(PATIENCE)
        yield
    finally:
        thread.stop()


def play_elsewhere() -> dict[int, float]:
    """Play some moves in another process; return when each version was committed."""
    # Under test the messages of two runs do not meet: the other process has to know this one's prefix.
    layers = json.dumps(settings.CHANNEL_LAYERS)
    environment = {
        **os.environ,
        "DATABASE_URL": database_url(),
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.test",
        "LAYERS": layers,
    }
    command = [sys.executable, "-c", PLAY]
    done = subprocess.run(command, env=environment, check=True, timeout=120, capture_output=True, text=True)
    return {int(version): at for version, at in json.loads(done.stdout).items()}


@pytest.mark.proof
@live
async def test_what_another_process_commits_reaches_pages_within_200_ms(
    alice: User, bob: User, watcher: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    game: Game = await in_thread(running)(alice, bob)
    async with opened(f"/ws/games/{game.slug}/") as page:
        assert (await page.receive_json_from())["version"] == game.version
        arrived = {}
        put = page.output_queue.put_nowait

        def note(message: dict[str, str]) -> None:
            arrived[json.loads(message["text"])["version"]] = time.time()
            put(message)

        monkeypatch.setattr(page.output_queue, "put_nowait", note)
        committed = await in_thread(play_elsewhere)()
        while max(arrived, default=0) < max(committed):
            await page.receive_json_from(timeout=5)
    assert statistics.median(arrived[version] - committed[version] for version in arrived) < WITHIN
    assert len(arrived) > MOVES / 2
