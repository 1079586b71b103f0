"""A message server that hangs or is gone holds nobody up for long: the move stands, and the failure is logged."""

import asyncio
import random
import time
from typing import Any

import pytest
from channels.layers import get_channel_layer
from pytest_django import Settings
from redis import RedisError

from accounts.models import User
from games.realtime import groups, publish
from games.realtime.consumers import NOT_NOW
from tests.conftest import logged_in
from tests.games.realtime.sockets import PATIENCE, browser, in_thread, live, opened
from tests.games.tables import advance, fresh, running


class Hanging:
    async def group_send(self, _group: str, _message: Any) -> None:
        await asyncio.Event().wait()


class Gone:
    async def group_send(self, _group: str, _message: Any) -> None:
        raise ConnectionRefusedError


@pytest.mark.parametrize("layer", [Hanging, Gone])
@pytest.mark.django_db(transaction=True)
def test_a_move_stands_without_the_server_that_passes_messages_on(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, layer: Any
) -> None:
    game = running(alice, bob)
    monkeypatch.setattr(publish, "PUBLISH_SECONDS", 0.1)
    monkeypatch.setattr(publish.LayerSilence, "ends_at", 0.0)
    monkeypatch.setattr(publish, "get_channel_layer", layer)
    began = time.monotonic()
    advance(game, random.Random(1))
    assert time.monotonic() - began < publish.PUBLISH_SECONDS + 5
    assert fresh(game).move_count == 1
    assert "Error calling tell in on_commit()" in caplog.text


NOBODY_LISTENS = "redis://127.0.0.1:1"


@pytest.fixture
def without_redis(settings: Settings) -> None:
    layer = "games.realtime.redis_layer.RedisLayer"
    settings.CHANNEL_LAYERS = {"default": {"BACKEND": layer, "CONFIG": {"hosts": [NOBODY_LISTENS]}}}
    settings.REDIS_URL, settings.REDIS_OPTIONS = NOBODY_LISTENS, {"url": NOBODY_LISTENS, "prefix": "nobody"}


@pytest.mark.django_db(transaction=True)
@live
async def test_a_page_that_opens_meanwhile_is_told_to_try_again(
    without_redis: None, caplog: pytest.LogCaptureFixture
) -> None:
    socket = browser("/ws/lobby/")
    assert await socket.connect(timeout=PATIENCE) == (False, NOT_NOW)
    await socket.wait()
    assert [record.getMessage() for record in caplog.records if "try again" in record.getMessage()] == [
        "Redis does not answer (ConnectionError): a page is told to try again."
    ]
    assert "Traceback" not in caplog.text


@pytest.mark.django_db(transaction=True)
@live
async def test_a_page_that_closes_meanwhile_leaves_all_its_groups(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    left = []

    async def discard(group: str, _channel: str) -> None:
        left.append(group)
        raise RedisError

    async with opened("/ws/me/", await in_thread(logged_in)(alice)) as page:
        await page.receive_json_from()
        monkeypatch.setattr(get_channel_layer(), "group_discard", discard)
    assert left == [groups.user_group(alice.pk), groups.login_group(alice.pk)]
