"""The streams of the API over WebSocket: a handshake is put as the request that it looks like, and answered by frames.

So token, scopes, limits, doors and lines are those of `GET`, and there is no second place that decides any of them.
What a plain answer says by its status a socket says by its close code, because a program cannot read why a handshake
has failed: it is accepted, told the problem, and closed.
"""

import json
from collections.abc import Mapping, MutableMapping
from typing import Any

from games.realtime.origin import App, AsgiScope, Receive, Send, is_own
from games.realtime.streams import ENDS, WAITS, End

#: Close code of an address that a page of another site may not connect to; it shows as a failed handshake.
FOREIGN = 4403
#: Added to the status of an answer that is no stream, for its close code.
REFUSED = 4000

#: Headers that are about the connection, and those by which a browser shows its login: cookies count for nothing here.
_OWN_HEADERS = (b"sec-websocket-", b"connection", b"upgrade", b"cookie")


def for_programs(http: App, pages: App) -> App:
    """Return the socket application that has the streams of the API answered by `http`, all else by `pages`.

    Programs name no origin. A browser does, and it has to be this site's: what may be read without a token can be read
    by its pages over HTTP.
    """

    async def chosen(scope: AsgiScope, receive: Receive, send: Send) -> None:
        if not is_stream(scope["path"]):
            await pages(scope, receive, send)
        elif b"origin" in dict(scope["headers"]) and not is_own(dict(scope["headers"])):
            await send({"type": "websocket.close", "code": FOREIGN})
        else:
            socket = _SocketAsRequest(receive, send)
            await http(as_request(scope), socket.receive, socket.send)

    return chosen


def is_stream(path: str) -> bool:
    """Whether a stream of the API may be at this address."""
    return path.startswith("/api/v1/") and path.endswith("/stream")


def as_request(scope: Mapping[str, Any]) -> dict[str, Any]:
    """Return the scope of the GET request at the address of a socket, without what makes it a socket."""
    return {
        **{name: scope[name] for name in ("path", "raw_path", "root_path", "client", "server") if name in scope},
        "type": "http",
        "http_version": "1.1",
        "method": "GET",
        "scheme": "https" if scope.get("scheme") == "wss" else "http",
        "query_string": scope.get("query_string", b""),
        "headers": [(name, value) for name, value in scope["headers"] if not name.startswith(_OWN_HEADERS)],
    }


class _SocketAsRequest:
    """A socket that looks like a request to the application that answers it."""

    def __init__(self, receive: Receive, send: Send) -> None:
        self._receive, self._send = receive, send
        self.status = 0
        self.headers: dict[bytes, bytes] = {}
        self.rest = b""
        self.is_closed = False

    async def receive(self) -> MutableMapping[str, Any]:
        """Return the next event as a request would have it: the request itself, and later only its end.

        The socket is for reading only: a message from the program closes it.
        """
        kind = (await self._receive())["type"]
        if kind == "websocket.connect":
            return {"type": "http.request", "body": b"", "more_body": False}
        if kind == "websocket.receive":
            await self._close(End.UNEXPECTED_INPUT)
        return {"type": "http.disconnect"}

    async def send(self, message: MutableMapping[str, Any]) -> None:
        """Send a part of an answer: of a stream every line as a frame, of a refusal the problem, and why it closes."""
        if self.is_closed:
            return
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = {name.lower(): value for name, value in message["headers"]}
            await self._send({"type": "websocket.accept"})
            return
        self.rest += message.get("body", b"")
        if self.status == 200:
            *lines, self.rest = self.rest.split(b"\n")
            for line in lines:
                # With its end: the server would not send a frame of nothing.
                await self._send({"type": "websocket.send", "text": f"{line.decode()}\n", WAITS: True})
        if not message.get("more_body"):
            if self.status != 200 and self.headers.get(b"content-type", b"").startswith(b"application/problem+json"):
                await self._send({"type": "websocket.send", "text": self._problem()})
            await self._close(message.get(ENDS, End.NOTHING_MORE) if self.status == 200 else REFUSED + self.status)

    def _problem(self) -> str:
        """Return the problem in a line, with what only a header says of it."""
        content = json.loads(self.rest)
        if b"retry-after" in self.headers:
            content["retry_after"] = int(self.headers[b"retry-after"])
        return json.dumps(content) + "\n"

    async def _close(self, code: int) -> None:
        self.is_closed = True
        await self._send({"type": "websocket.close", "code": int(code)})
