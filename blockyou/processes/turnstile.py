"""An ASGI wrapper that lets few HTTP requests at a time into Django, and fewer of one kind or one person."""

import asyncio
from collections import Counter, OrderedDict
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any

from django.http.cookie import parse_cookie

_Receive = Callable[[], Awaitable[Mapping[str, Any]]]
_Send = Callable[[Mapping[str, Any]], Awaitable[None]]
Application = Callable[[dict[str, Any], _Receive, _Send], Coroutine[Any, Any, None]]


#: Methods that write nothing.
SAFE = frozenset({"GET", "HEAD", "OPTIONS", "TRACE"})


#: What a request is answered that asks too often.
TOO_MANY = 429

#: Seconds after which such an answer is sent.
REST = 1.0

#: In the scope of a request that was answered: whether its login, or its token, is a person's; absent if that was not
#: found out.
IS_LOGIN, IS_TOKEN = "blockyou.is_login", "blockyou.is_token"
#: So many logins and tokens are known to be a person's: those that came last.
MOST_KNOWN = 10_000

#: Where monitors and balancers ask whether the site is well.
HEALTH = "/healthz"
#: In the scope of a question for the site's health that goes the way of all pages.
INSIDE = "blockyou.inside"


def turnstile(
    application: Application,
    width: int,
    cookie: str = "sessionid",
    rest: float = REST,
    address: Callable[[Mapping[str, Any]], str] = lambda scope: "",
) -> Application:
    """Return the application with at most `width` requests inside, the others waiting in order of arrival.

    At most half of them write, at most half are one login's, known by the value of its `cookie`, or one visitor's,
    known by what `address` says of a request, and a quarter one token's: who waits for a lock that another program
    holds, or asks for much at once, leaves places to those who read. One address never has all of the places. An empty
    address is not counted.
    Logins and tokens cost nothing to make up, so each counts as a visitor too until the application has said in the
    scope (`IS_LOGIN`, `IS_TOKEN`) that it is a person's. Nothing is asked for that: a process that has just started,
    and the first request of a login, share places with the visitors of their address.
    One that asks too often hears so `rest` seconds later, and waits outside: a program that asks again and again
    whatever it is answered costs little.

    Django gives every request inside a thread and a database connection, and they only take turns at one interpreter
    lock. With 100 clients on the play page four at a time cost 23 CPU ms a page and 123 MiB at the peak; all at once
    27 ms and 170 MiB. Two at a time cost 19 ms, but then two requests that wait for the database stop the site.
    """
    places = _Places(width)

    async def guarded(scope: dict[str, Any], receive: _Receive, send: _Send) -> None:
        login, token = _login_in(scope, cookie), _token_in(scope)
        refusal = _Refusal(send)
        is_writing = scope.get("method", "GET") not in SAFE
        async with places.taken(login, token, address(scope), is_writing=is_writing):
            await application(scope, receive, refusal.answer)
        places.note("login", login, scope.get(IS_LOGIN))
        places.note("token", token, scope.get(IS_TOKEN))
        await refusal.tell(rest)

    return guarded


def _login_in(scope: Mapping[str, Any], cookie: str) -> str:
    """Return what Django takes for the value of the cookie, however it is written; empty where there is none."""
    return parse_cookie(_header_in(scope, b"cookie")).get(cookie, "")


def _token_in(scope: Mapping[str, Any]) -> str:
    """Return the secret that a program shows, whatever is before it; empty where there is none."""
    return "".join(_header_in(scope, b"authorization").split()[-1:])


def _header_in(scope: Mapping[str, Any], name: bytes) -> str:
    """Return what Django reads in a header."""
    return ",".join(value.decode("latin-1") for each, value in scope.get("headers", ()) if each == name)


def is_for_health(scope: Mapping[str, Any]) -> bool:
    """Return whether a request asks for the health of the site from outside."""
    is_read = scope.get("method") in ("GET", "HEAD")
    return scope.get("path") == HEALTH and is_read and not scope.get(INSIDE)


def beside(health: Application, pages: Application) -> Application:
    """Return the application that has its health asked by a way of its own, and all else by that of pages."""

    async def sorted_out(scope: dict[str, Any], receive: _Receive, send: _Send) -> None:
        await (health if is_for_health(scope) else pages)(scope, receive, send)

    return sorted_out


class _Places:
    """The places inside: how many in all, for those that write, and for one login, token, visitor or address."""

    def __init__(self, width: int) -> None:
        self.half, self.quarter, self.most = max(1, width // 2), max(1, width // 4), max(1, width - 1)
        self.gate, self.writing = asyncio.Semaphore(width), asyncio.Semaphore(self.half)
        self.names = dict[tuple[str, str], asyncio.Semaphore]()
        self.present: Counter[tuple[str, str]] = Counter()
        self.known = OrderedDict[tuple[str, str], None]()

    def note(self, kind: str, value: str, is_known: bool | None) -> None:
        """Note whether a login or a token is a person's; None where that was not found out."""
        if not value or is_known is None:
            return
        self.known.pop((kind, value), None)
        if is_known:
            self.known[kind, value] = None
            if len(self.known) > MOST_KNOWN:
                self.known.popitem(last=False)

    @asynccontextmanager
    async def taken(self, login: str, token: str, address: str, *, is_writing: bool) -> AsyncIterator[None]:
        """Wait for a place and keep it; a token counts alone where a request has a login too."""
        name = ("token", token) if token else ("login", login)
        # Always in this order, so that no holder of one place waits for another that waits for it.
        async with AsyncExitStack() as places:
            if token or login:
                await places.enter_async_context(self._own(name, self.quarter if token else self.half))
            if address and name not in self.known:
                await places.enter_async_context(self._own(("visitor", address), self.half))
            if address:
                await places.enter_async_context(self._own(("address", address), self.most))
            if is_writing:
                await places.enter_async_context(self.writing)
            await places.enter_async_context(self.gate)
            yield

    @asynccontextmanager
    async def _own(self, name: tuple[str, str], most: int) -> AsyncIterator[None]:
        """Wait until fewer than that many requests of one name are inside."""
        own = self.names.setdefault(name, asyncio.Semaphore(most))
        self.present[name] += 1
        try:
            async with own:
                yield
        finally:
            self.present[name] -= 1
            if not self.present[name]:
                del self.present[name], self.names[name]


class _Refusal:
    """The answer of one request: passed on as it comes, but for one that says too many, which is kept."""

    def __init__(self, send: _Send) -> None:
        self.send = send
        self.kept: list[Mapping[str, Any]] = []

    async def answer(self, message: Mapping[str, Any]) -> None:
        """Send a message of the answer, or keep it."""
        if self.kept or message.get("status") == TOO_MANY:
            self.kept.append(message)
        else:
            await self.send(message)

    async def tell(self, rest: float) -> None:
        """Send what was kept, if anything, so many seconds later."""
        if self.kept:
            await asyncio.sleep(rest)
        for message in self.kept:
            await self.send(message)
