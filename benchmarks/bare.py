"""The least a Channels app can do for a move: one insert under a lock, one push, stock layer and stock consumer.

Run by daphne as `benchmarks.bare:application` on a database file named in BARE_DATABASE; POST /<group>/ is a move.
"""

import asyncio
import json
import os
import sqlite3
from typing import Any

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from channels.routing import ProtocolTypeRouter, URLRouter
from django.conf import settings
from django.urls import re_path

if not settings.configured:
    settings.configure(
        CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
        INSTALLED_APPS=["channels"],
        USE_TZ=True,
    )
    import django

    django.setup()

INSERT = "INSERT INTO move (room, number) SELECT ?, count(*) + 1 FROM move WHERE room = ? RETURNING number"


class Watcher(AsyncWebsocketConsumer):  # type: ignore[misc]  # channels has no types
    """A socket that is told of moves."""

    async def connect(self) -> None:
        """Join the group."""
        self.group = self.scope["url_route"]["kwargs"]["group"]
        await self.channel_layer.group_add(self.group, self.channel_name)
        await self.accept()

    async def disconnect(self, _code: int) -> None:
        """Leave the group."""
        await self.channel_layer.group_discard(self.group, self.channel_name)

    async def moved(self, event: dict[str, Any]) -> None:
        """Pass the move on."""
        await self.send(text_data=event["text"])


def insert(room: str) -> int:
    """Record a move and return its number."""
    database = sqlite3.connect(os.environ["BARE_DATABASE"], timeout=20, isolation_level=None)
    database.execute("PRAGMA journal_mode=WAL")
    database.execute("CREATE TABLE IF NOT EXISTS move (room TEXT, number INTEGER, UNIQUE (room, number))")
    database.execute("BEGIN IMMEDIATE")
    [(number,)] = database.execute(INSERT, (room, room)).fetchall()
    database.execute("COMMIT")
    database.close()
    return int(number)


async def move(scope: dict[str, Any], _receive: Any, send: Any) -> None:
    """Record a move, tell the group, answer."""
    group = scope["path"].strip("/")
    number = await asyncio.to_thread(insert, group)
    layer: Any = get_channel_layer()
    await layer.group_send(group, {"type": "moved", "text": json.dumps({"version": number})})
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"0")]})
    await send({"type": "http.response.body", "body": b""})


application = ProtocolTypeRouter(
    {"http": move, "websocket": URLRouter([re_path(r"^(?P<group>[a-z0-9]+)/$", Watcher.as_asgi())])}
)
