"""Hearing of commits made elsewhere, by SQLite's count of them."""

import random
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from queue import Empty, Queue
from typing import Any

import pytest
from django.db import OperationalError, connection
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games.events import GameEvent
from games.queries.site.versions import changed_after
from games.realtime import publish, watch
from games.realtime.groups import game_group
from games.realtime.watch import Watcher, is_needed
from tests.games.realtime.sockets import PATIENCE
from tests.games.tables import advance, change, fresh, running

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(
        "connection.vendor != 'sqlite'", reason="PostgreSQL comes with Redis, which tells all processes"
    ),
]

WITHIN = 0.2


@pytest.fixture
def heard() -> Iterator[Queue[Any]]:
    """What a watcher hears, with the time at which it did."""
    queue: Queue[Any] = Queue()
    watcher = Watcher(lambda event: queue.put((time.monotonic(), event)))
    watcher.start()
    try:
        assert watcher.is_ready.wait(PATIENCE)
        yield queue
    finally:
        # Or it would keep its connection for as long as this process lives.
        watcher.stop()


def heard_version(queue: Queue[Any], version: int) -> float:
    """Return when the watcher heard of that version; what was overtaken by it does not matter."""
    while True:
        at, event = queue.get(timeout=5)
        if event.version == version:
            return at


def test_what_another_process_changed_is_told_once_and_what_this_one_told_is_not(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(publish, "send", sent.append)
    game = running(alice, bob)
    elsewhere = GameEvent(game_id=game.pk, slug=game.slug, version=game.version + 1, is_public=True)
    told = len(sent)
    for event in (elsewhere, elsewhere, replace(elsewhere, version=game.version)):
        watch.announce_change(event)
    assert len(sent) == told + 1
    assert next(iter(sent[-1]))[0] == game_group(game.slug)


def test_a_commit_is_heard_with_all_that_pages_need(alice: User, bob: User, heard: Queue[Any]) -> None:
    game = running(alice, bob, now=timezone.now())
    event = None
    while event is None or event.version < game.version:
        event = heard.get(timeout=5)[1]
    assert (event.game_id, event.slug, event.is_public) == (game.pk, game.slug, True)
    assert event.users == tuple(sorted((alice.pk, bob.pk)))


@pytest.mark.proof
def test_commits_are_heard_within_200_ms(alice: User, bob: User, heard: Queue[Any]) -> None:
    game, rng, delays = running(alice, bob, now=timezone.now()), random.Random(1), []
    for number in range(20):
        if number % 2:
            change(game, now=timezone.now())
            game = fresh(game)
        else:
            game = advance(game, rng, now=timezone.now())
        committed = time.monotonic()
        delays.append(heard_version(heard, game.version) - committed)
    assert statistics.median(delays) < WITHIN


PLAY = """
import django; django.setup()
from django.conf import settings
settings.DATABASES["default"]["NAME"] = {name!r}
from django.utils import timezone
from games.models import Game
from tests.games.tables import advance
import random
advance(Game.objects.get(), random.Random(1), now=timezone.now())
"""


def test_another_process_is_heard(alice: User, bob: User, heard: Queue[Any]) -> None:
    game = running(alice, bob, now=timezone.now())
    heard_version(heard, game.version)
    code = PLAY.format(name=str(connection.settings_dict["NAME"]))
    subprocess.run([sys.executable, "-c", code], check=True, timeout=60)
    heard_version(heard, fresh(game).version)
    assert fresh(game).version == game.version + 1


def test_each_version_is_heard_once(alice: User, bob: User, carol: User, dave: User, heard: Queue[Any]) -> None:
    first, second = running(alice, bob, now=timezone.now()), running(carol, dave, now=timezone.now())
    heard_version(heard, second.version)
    first = advance(first, random.Random(1), now=timezone.now())
    heard_version(heard, first.version)
    with pytest.raises(Empty):
        heard.get(timeout=WITHIN)


def test_a_writer_that_waited_for_the_lock_is_heard(alice: User, bob: User, heard: Queue[Any]) -> None:
    game = running(alice, bob, now=timezone.now())
    began = time.monotonic()
    game = advance(game, random.Random(1), now=timezone.now() - timedelta(seconds=20))
    assert heard_version(heard, game.version) > began


def test_what_this_process_has_told_itself_is_not_repeated(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    sent: list[Any] = []
    monkeypatch.setattr(publish, "send", sent.append)
    game = running(alice, bob, now=timezone.now())
    known, new = (GameEvent(game_id=1, slug=game.slug, version=v, is_public=True) for v in (game.version, 99))
    assert publish.was_told(known)
    assert not publish.was_told(new)
    assert sent


def test_the_watcher_begins_again_after_a_failure_of_the_database(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    monkeypatch.setattr("games.realtime.watch.AFTER_FAILURE", 0.01)
    real, failures = changed_after, [OperationalError("disk I/O error")]
    monkeypatch.setattr(
        watch, "changed_after", lambda moment: (_ for _ in ()).throw(failures.pop()) if failures else real(moment)
    )
    watcher = Watcher(lambda event: None)
    watcher.start()
    try:
        assert watcher.is_ready.wait(PATIENCE)
    finally:
        watcher.stop()
    assert "begins again" in caplog.text


def test_the_watcher_is_needed_without_redis(settings: Settings) -> None:
    assert is_needed() is (not settings.REDIS_URL)
