"""An ASGI wrapper that lets few HTTP requests at a time into Django, and fewer of one kind or one person."""

import asyncio
import re
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack
from typing import Any

_Receive = Callable[[], Awaitable[Mapping[str, Any]]]
_Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], _Receive, _Send], Coroutine[Any, Any, None]]


#: Methods that write nothing.
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


#: What a request is answered that asks too often.
TOO_MANY = 429

#: Seconds after which such an answer is sent.
REST = 1.0


def turnstile(application: Application, width: int, cookie: str = "sessionid", rest: float = REST) -> Application:
    """Return the application with at most `width` requests inside, the others waiting in order of arrival.

    At most half of them write, at most half are one login's, known by the value of its `cookie`, and a quarter one
    token's: who waits for a lock that another program holds, or asks for much at once, leaves places to those who read.
    One that asks too often hears so `rest` seconds later, and waits outside: a program that asks again and again
    whatever it is answered costs little.

    Django gives every request inside a thread and a database connection, and they only take turns at one interpreter
    lock. With 100 clients on the play page four at a time cost 23 CPU ms a page and 123 MiB at the peak; all at once
    27 ms and 170 MiB. Two at a time cost 19 ms, but then two requests that wait for the database stop the site.
    """
    half = max(1, width // 2)
    gate, writing = asyncio.Semaphore(width), asyncio.Semaphore(half)
    quarter = max(1, width // 4)
    logins = dict[bytes, asyncio.Semaphore]()
    present: Counter[bytes] = Counter()
    value = re.compile(rb"(?:^|;)\s*%s=([^;]+)" % re.escape(cookie.encode()))

    async def guarded(scope: dict[str, Any], receive: _Receive, send: _Send) -> None:
        headers = dict(scope.get("headers", ()))
        found = value.search(headers.get(b"cookie", b""))
        token = headers.get(b"authorization", b"")
        login = token or (found[1] if found else b"")
        logins.setdefault(login, asyncio.Semaphore(quarter if token else half))
        present[login] += 1
        refusal: list[Mapping[str, Any]] = []

        async def answer(message: Mapping[str, Any]) -> None:
            if refusal or message.get("status") == TOO_MANY:
                refusal.append(message)
            else:
                await send(message)

        try:
            # Always in this order, so that no holder of one place waits for another that waits for it.
            async with AsyncExitStack() as places:
                if login:
                    await places.enter_async_context(logins[login])
                if scope.get("method", "GET") not in SAFE:
                    await places.enter_async_context(writing)
                await places.enter_async_context(gate)
                await application(scope, receive, answer)
            if refusal:
                await asyncio.sleep(rest)
            for message in refusal:
                await send(message)
        finally:
            present[login] -= 1
            if not present[login]:
                del present[login]
                logins.pop(login, None)

    return guarded
