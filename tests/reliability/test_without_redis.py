"""Redis away from everything that uses it: no request fails for it, and what cannot go on says so with 503."""

import asyncio
import os
import subprocess
import sys
from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from channels.layers import get_channel_layer
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.utils import timezone
from django_tasks import task_backends
from pytest_django import Settings
from redis import TimeoutError as RedisTimeoutError

from accounts.models import User
from blockyou.cache import Outage
from games import tasks
from games.actions.notices.keep_device import Device, keep_device
from games.actions.notices.set_game_channel import set_game_channel
from games.background.sweep import sweep
from games.jobs import enqueue
from games.jobs.redis_backend import QueueSilence, RedisBackend
from games.models import Player, PushSubscription, TalkMessage
from games.realtime import publish
from games.realtime.publish import LayerSilence
from tests.conftest import LogIn
from tests.games.tables import ME, bot, invited, key, open_table, running
from tests.games.tasks.workers import run_jobs
from tests.reliability.outage import silence
from tests.reliability.walk import doors
from tests.reliability.world import BODIES, World

NOBODY_LISTENS = "redis://127.0.0.1:1"
#: Seconds that no request waits longer for a Redis that hangs, all it asks of it together.
MOST_SECONDS = 2.0
#: What a web process of an installation with Redis waits for: its limits, its jobs, and what it tells open pages.
WAITS = """
import sys
sys.argv = ["manage.py", "web"]
import django
django.setup()
from django.conf import settings
from games.realtime import publish
limits = settings.CACHES["default"]["OPTIONS"]
print(limits["socket_timeout"], limits["socket_connect_timeout"], settings.QUEUE_SECONDS, publish.PUBLISH_SECONDS)
"""

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(autouse=True)
def without_redis(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the limits, the jobs and the messages to open pages be in a Redis that is not there."""
    before = task_backends["redis"] if "redis" in settings.TASKS else None
    let_redis_be_at(NOBODY_LISTENS, settings)
    monkeypatch.setattr(Outage, "is_on", False)
    monkeypatch.setattr(QueueSilence, "ends_at", 0.0)
    monkeypatch.setattr(LayerSilence, "ends_at", 0.0)
    # A server that is away is waited for, at every message.
    monkeypatch.setattr(publish, "PUBLISH_SECONDS", 0.05)
    yield
    if before is None:
        del task_backends["redis"]
    else:
        task_backends["redis"] = before


def let_redis_be_at(url: str, settings: Settings) -> None:
    options = {"url": url, "prefix": "nobody"}
    backend: Any = RedisBackend("redis", {"QUEUES": settings.QUEUES, "OPTIONS": options})
    layer = "games.realtime.redis_layer.RedisLayer"
    task_backends["redis"] = backend
    settings.JOB_QUEUE, settings.REDIS_URL, settings.REDIS_OPTIONS = "redis", url, options
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": layer, "CONFIG": {"hosts": [url]}}}
    limits = {"BACKEND": "blockyou.cache.ForgivingCache", "LOCATION": url, "OPTIONS": {"socket_timeout": 0.02}}
    settings.CACHES = {"default": limits}


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.slow
def test_no_address_fails(method: str) -> None:
    assert failures(World(), method) == ({"health": 503} if method == "GET" else {})


@pytest.mark.parametrize("method", ["GET", "POST"])
@pytest.mark.slow
@pytest.mark.skipif("DATABASE_URL" in os.environ, reason="asks SQLite; run without DATABASE_URL")
def test_no_address_fails_where_redis_hangs(method: str, settings: Settings) -> None:
    world = World()
    with silence() as url:
        settings.QUEUE_SECONDS = 0.02
        let_redis_be_at(url, settings)
        assert failures(world, method) == ({"health": 503} if method == "GET" else {})


def test_a_request_waits_for_two_seconds_at_most_for_a_redis_that_hangs() -> None:
    surroundings = os.environ | {"REDIS_URL": NOBODY_LISTENS, "DJANGO_SETTINGS_MODULE": "blockyou.settings.prod"}
    surroundings |= {"SECRET_KEY": "a secret of no use, long enough for the settings of prod 123"}
    command = [sys.executable, "-c", WAITS]
    said = subprocess.run(command, env=surroundings, capture_output=True, text=True, check=True, timeout=60).stdout
    limits, connecting, jobs, pages = map(float, said.split())
    assert limits == connecting
    assert limits + jobs + pages <= MOST_SECONDS


def test_one_job_and_one_message_wait_for_a_redis_that_hangs_and_the_next_do_not(
    alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def put(*given: Any) -> None:
        asked.append("job")
        raise RedisTimeoutError

    async def tell(*given: Any) -> None:
        asked.append("message")
        await asyncio.Event().wait()

    monkeypatch.setattr(RedisBackend, "_put", put)
    monkeypatch.setattr(get_channel_layer(), "group_send", tell)
    for _ in range(3):
        with pytest.raises(RedisTimeoutError):
            enqueue(tasks.play_bot_turn, 1, 1)
        with pytest.raises(TimeoutError):
            publish.check_logins(alice.pk)
    assert asked == ["job", "message"]
    # Both are asked again later.
    monkeypatch.setattr(QueueSilence, "ends_at", 0.0)
    monkeypatch.setattr(LayerSilence, "ends_at", 0.0)
    with pytest.raises(TimeoutError):
        publish.check_logins(alice.pk)
    with pytest.raises(RedisTimeoutError):
        enqueue(tasks.play_bot_turn, 1, 1)
    assert asked == ["job", "message", "message", "job"]


def failures(world: World, method: str) -> dict[str, int]:
    """Return which addresses fail, and how. The health page says what is missing."""
    failed = {}
    for door in doors(world):
        cache.clear()
        answer = door.knock(world, method)
        if answer.status_code >= 500:
            failed[door.name] = answer.status_code
    return failed


def test_a_notice_on_trial_is_not_promised(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.raise_request_exception = False
    device = Device(**BODIES["device"])
    keep_device(alice, browser.session.session_key or "", device, language="en", now=timezone.now())
    answer = browser.post("/device/test/")
    assert (answer.status_code, answer["X-Error-Code"]) == (503, "out-of-service")
    assert int(answer["Retry-After"]) > 0
    assert "Nothing has changed, and your games are safe." in answer.content.decode()


def test_a_message_on_trial_is_not_promised(alice: User, bob: User, log_in: LogIn) -> None:
    game, browser = running(alice, bob), log_in(alice)
    browser.raise_request_exception = False
    set_game_channel(alice, game.slug, "https://discord.com/api/webhooks/1/a-secret", now=timezone.now())
    answer = browser.post(f"/games/{game.slug}/channel/test/")
    assert (answer.status_code, answer["X-Error-Code"]) == (503, "out-of-service")
    assert "on its way" not in browser.get(f"/games/{game.slug}/channel/").content.decode()


def test_a_move_is_kept_although_nobody_can_be_told(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot(), now=timezone.now())
    answer = log_in(alice).post(f"/games/{game.slug}/place/", {"number": 1, "key": key(), "placement": "1:a1"})
    game.refresh_from_db()
    assert (answer.status_code < 400, game.move_count) == (True, 1)


def test_what_is_said_is_kept_although_nobody_can_be_told(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, now=timezone.now())
    assert log_in(alice).post(f"/games/{game.slug}/talk/", {"phrase": "hello"}).status_code < 400
    assert [line.phrase for line in TalkMessage.objects.all()] == ["hello"]
    seat = Player.objects.get(game=game, user=bob)
    assert seat.unread_messages == 1


def test_two_people_are_apart_although_no_page_can_be_told(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, invited("bob"))
    browser = log_in(bob)
    assert browser.get(f"/games/{table.slug}/").status_code == 200
    assert log_in(alice).post("/players/bob/block/").status_code < 400
    assert not Player.objects.filter(game=table, invitee=bob).exists()
    assert browser.post(f"/games/{table.slug}/join/").status_code >= 400


def test_an_invitation_is_on_its_persons_page_and_mailed_once_redis_is_back(
    alice: User, bob: User, log_in: LogIn, settings: Settings, mailoutbox: list[EmailMessage]
) -> None:
    terms = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
    form = {**terms, "seat-0": "me", "seat-1": "named", "seat-1-name": "bob"}
    assert log_in(alice).post("/games/new/", form).status_code == 302
    bob.refresh_from_db()
    assert bob.unread_notices == 1
    # The jobs that could not be asked for are found by the sweep, here on the other queue.
    settings.JOB_QUEUE = "database"
    sweep(timezone.now() + timedelta(minutes=1))
    run_jobs()
    assert [mail.to for mail in mailoutbox] == [[bob.email]]


def test_a_device_is_sent_nothing_after_a_logout_of_which_no_page_can_be_told(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    device = Device(**BODIES["device"])
    keep_device(alice, browser.session.session_key or "", device, language="en", now=timezone.now())
    assert browser.post("/accounts/logout/").status_code == 302
    assert not PushSubscription.objects.exists()
