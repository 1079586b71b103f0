"""Which pages may open a socket: only this site's own. Browsers send the session's cookie with any socket."""

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

from django.conf import settings
from django.http.request import split_domain_port, validate_host

AsgiScope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
App = Callable[[AsgiScope, Receive, Send], Awaitable[None]]


def same_origin(app: App) -> App:
    """Return the socket application behind a check of the Origin header.

    The origin has to be the site's public address, or the very host (and port) that was asked for, provided that the
    site answers to it. A missing origin is refused. The refusal is logged by the server as a 403.
    """

    async def checked(scope: AsgiScope, receive: Receive, send: Send) -> None:
        if is_own(dict(scope["headers"])):
            await app(scope, receive, send)
        else:
            await send({"type": "websocket.close", "code": 4403})

    return checked


def is_own(headers: dict[bytes, bytes]) -> bool:
    """Whether a handshake with these headers comes from a page of this site."""
    origin = headers.get(b"origin", b"").decode("latin-1").lower()
    host = headers.get(b"host", b"").decode("latin-1").lower()
    if not origin:
        return False
    return origin == settings.PUBLIC_URL.lower() or (
        origin in {f"http://{host}", f"https://{host}"} and _answers_to(host)
    )


def _answers_to(host: str) -> bool:
    domain, _port = split_domain_port(host)
    return bool(domain) and validate_host(domain, settings.ALLOWED_HOSTS)
