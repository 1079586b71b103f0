"""Opening the site's sockets as a browser does, without a browser."""

import functools
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import async_to_sync, sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.models import User
from blockyou.asgi import routes

HOST = "testserver"


def live(test: Any) -> Callable[..., None]:
    """Run an asynchronous test in an event loop of its own; database work happens in the test's thread."""

    @functools.wraps(test)
    def run(*args: Any, **kwargs: Any) -> None:
        async_to_sync(test)(*args, **kwargs)

    return run


def logged_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def browser(path: str, client: Client | None = None, *, origin: str | None = f"http://{HOST}") -> WebsocketCommunicator:
    """Return a socket that is not open yet, as the browser of `client` would open it."""
    headers = [(b"host", HOST.encode())]
    if origin is not None:
        headers.append((b"origin", origin.encode()))
    if client is not None:
        cookie = f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"
        headers.append((b"cookie", cookie.encode()))
    return WebsocketCommunicator(routes, path, headers=headers)


@asynccontextmanager
async def opened(path: str, client: Client | None = None) -> AsyncIterator[WebsocketCommunicator]:
    """Open a socket, and close it after the block unless the site has."""
    socket = browser(path, client)
    is_open, _protocol = await socket.connect(timeout=5)
    assert is_open
    yield socket
    if not socket.future.done():
        await socket.disconnect(timeout=5)


async def close_code(socket: WebsocketCommunicator) -> int:
    """Return the code with which the site closes the socket."""
    message = await socket.receive_output(timeout=5)
    assert message["type"] == "websocket.close", message
    await socket.wait()
    return message["code"]


in_thread = sync_to_async
