"""A message server that hangs or is gone holds nobody up for long: the move stands, and the failure is logged."""

import asyncio
import random
import time
from typing import Any

import pytest

from accounts.models import User
from games.realtime import publish
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
    monkeypatch.setattr(publish, "PATIENCE", 0.1)
    monkeypatch.setattr(publish, "get_channel_layer", layer)
    began = time.monotonic()
    advance(game, random.Random(1))
    assert time.monotonic() - began < publish.PATIENCE + 5
    assert fresh(game).move_count == 1
    assert "Error calling tell in on_commit()" in caplog.text
