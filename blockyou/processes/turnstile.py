"""An ASGI wrapper that lets few HTTP requests at a time into Django."""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

Receive = Callable[[], Awaitable[Mapping[str, Any]]]
Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], Receive, Send], Awaitable[None]]


def turnstile(application: Application, width: int) -> Application:
    """Return the application with at most `width` requests inside, the others waiting in order of arrival.

    Django gives every request inside a thread and a database connection, and they only take turns at one interpreter
    lock. With 100 clients on the play page four at a time cost 23 CPU ms a page and 123 MiB at the peak; all at once
    27 ms and 170 MiB. Two at a time cost 19 ms, but then two requests that wait for the database stop the site.
    """
    gate = asyncio.Semaphore(width)

    async def guarded(scope: dict[str, Any], receive: Receive, send: Send) -> None:
        async with gate:
            await application(scope, receive, send)

    return guarded
