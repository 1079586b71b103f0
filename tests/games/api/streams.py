"""Reading a stream of the API as a program does, without a server."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from asgiref.testing import ApplicationCommunicator
from channels.testing import WebsocketCommunicator

from accounts.models import Scope, User
from accounts.tokens import make_token
from blockyou.asgi import routes
from games.realtime import publish
from tests.games.api.conftest import ROOT
from tests.games.realtime.sockets import HOST, PATIENCE, in_thread
from tests.games.tables import NOON


class Reader(ApplicationCommunicator):
    """A request that stays open: its status and headers once it is answered, then its lines."""

    def __init__(self, path: str, secret: str = "", **headers: str) -> None:
        address, _, query = path.partition("?")
        if secret:
            headers["authorization"] = f"Bearer {secret}"
        raw = [(b"host", HOST.encode()), *((name.encode(), value.encode()) for name, value in headers.items())]
        scope: dict[str, Any] = {"type": "http", "http_version": "1.1", "method": "GET", "path": ROOT + address}
        scope |= {"query_string": query.encode(), "headers": raw, "client": ("127.0.0.1", 1)}
        super().__init__(routes, scope)
        self.status, self.rest = 0, b""
        self.headers: dict[str, str] = {}

    async def message(self) -> Any:
        """Return what the site sends next."""
        return await self.receive_output(timeout=PATIENCE)

    async def ask(self) -> "Reader":
        """Send the request, and wait until its answer begins."""
        await self.send_input({"type": "http.request"})
        start = await self.message()
        self.status = start["status"]
        self.headers = {name.decode().lower(): value.decode() for name, value in start["headers"]}
        return self

    async def line(self) -> Any:
        """Return the next line: what it says, None for an empty one, "" after the last."""
        while b"\n" not in self.rest:
            message = await self.message()
            self.rest += message.get("body", b"")
            if not message.get("more_body"):
                assert not self.rest
                await self.wait(PATIENCE)
                return ""
        text, _, self.rest = self.rest.partition(b"\n")
        return json.loads(text) if text else None

    async def hang_up(self) -> None:
        """Go, and wait until the site has noticed."""
        await self.send_input({"type": "http.disconnect"})
        await self.wait(PATIENCE)


@asynccontextmanager
async def following(path: str, secret: str = "", **headers: str) -> AsyncIterator[Reader]:
    """Open a stream, and hang up after the block unless the site has ended it."""
    reader = await Reader(path, secret, **headers).ask()
    assert reader.status == 200, reader.status
    try:
        yield reader
    finally:
        if not reader.future.done():
            await reader.hang_up()


async def answered(path: str, secret: str = "") -> tuple[int, dict[str, str], Any]:
    """Return status, headers and content of an answer that does not go on."""
    reader = await Reader(path, secret).ask()
    content = (await reader.message())["body"]
    await reader.wait(PATIENCE)
    return reader.status, reader.headers, json.loads(content)


class Listener(WebsocketCommunicator):  # type: ignore[misc]  # channels has no types
    """A stream over a socket: the program says who it is in the handshake, and then only listens."""

    def __init__(self, path: str, secret: str = "", **headers: str) -> None:
        if secret:
            headers["authorization"] = f"Bearer {secret}"
        raw = [(b"host", HOST.encode()), *((name.encode(), value.encode()) for name, value in headers.items())]
        super().__init__(routes, ROOT + path, headers=raw)
        self.scope["client"] = ("127.0.0.1", 1)

    async def line(self) -> Any:
        """Return the next line: what it says, None for an empty one, the close code after the last."""
        message = await self.receive_output(timeout=PATIENCE)
        if message["type"] == "websocket.close":
            await self.wait(PATIENCE)
            return message["code"]
        text = message["text"]
        assert text.endswith("\n")
        return json.loads(text) if text.strip() else None


@asynccontextmanager
async def listening(path: str, secret: str = "", **headers: str) -> AsyncIterator[Listener]:
    """Open a stream over a socket, and close it after the block unless the site has."""
    socket = Listener(path, secret, **headers)
    is_open, _protocol = await socket.connect(timeout=PATIENCE)
    assert is_open
    try:
        yield socket
    finally:
        if not socket.future.done():
            await socket.disconnect(timeout=PATIENCE)
            await socket.wait(PATIENCE)


async def token_for(user: User, *scopes: Scope) -> str:
    """Return the secret of a new token of this person."""
    return str(await in_thread(make_token)(user, "a stream", scopes or tuple(Scope), NOON))


async def nudge(*people: str) -> None:
    """Tell groups that something has changed though nothing has."""
    await in_thread(publish.send)([(group, {"type": "nudge", "text": "{}"}) for group in people])
