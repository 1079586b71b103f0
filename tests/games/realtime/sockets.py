"""Opening the site's sockets as a browser does, without a browser."""

import functools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from blockyou.asgi import routes
from games.realtime import publish

HOST = "testserver"
#: How long a frame may take to come, in seconds: as long as on a machine with much else to do.
PATIENCE = 20
in_thread = sync_to_async


def live(test: Any) -> Callable[..., None]:
    """Run an asynchronous test in an event loop of its own; database work happens in the test's thread."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async_to_sync(test)(*args, **kwargs)

    return run


class Page(WebsocketCommunicator):  # type: ignore[misc]  # channels has no types
    """A socket as a test holds it: it waits as long as a busy machine needs, and knows when there is nothing more."""

    async def receive_json_from(self, timeout: float = PATIENCE) -> Any:
        """Return the next frame."""
        return await super().receive_json_from(timeout)

    async def heard(self, group: str) -> list[Any]:
        """Return every frame that its group has been sent so far and that was not taken yet."""
        await in_thread(publish.send)([(group, {"type": "nudge", "text": '{"type":"fence"}'})])
        frames = []
        while (frame := await self.receive_json_from()) != {"type": "fence"}:
            frames.append(frame)
        return frames


def browser(path: str, client: Client | None = None, *, origin: str | None = f"http://{HOST}") -> Page:
    """Return a socket that is not open yet, as the browser of `client` would open it."""
    headers = [(b"host", HOST.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if client is not None:
        cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
        headers.append((b"cookie", cookie.encode()))
    return Page(routes, path, headers=headers)


@asynccontextmanager
async def opened(path: str, client: Client | None = None) -> AsyncIterator[Page]:
    """Open a socket, and close it after the block unless the site has."""
    socket = browser(path, client)
    is_open, _protocol = await socket.connect(timeout=PATIENCE)
    assert is_open
    yield socket
    if not socket.future.done():
        await socket.disconnect(timeout=PATIENCE)


async def close_code(socket: Page) -> int:
    """Return the code with which the site closes the socket."""
    message = await socket.receive_output(timeout=PATIENCE)
    assert message["type"] == "websocket.close", message
    await socket.wait()
    return message["code"]
