"""Many sockets in one client process, as light as they can be, so that what is measured is the server."""

import asyncio
import base64
import os
import resource
import time
from collections.abc import Callable
from typing import cast

#: What a socket does with a message: the text, and when it arrived (time.perf_counter).
Hear = Callable[[bytes, float], None]

#: A frame's length is this if it stands in the two bytes that follow.
MEDIUM = 126

TEXT, PING = 1, 9

#: An empty pong under a mask of zeros.
PONG = b"\x8a\x80\0\0\0\0"


class LightSocket(asyncio.Protocol):
    """A WebSocket that only listens, to frames of less than 64 KiB that are not split, and answers pings."""

    def __init__(self, host: str, path: str, cookie: str, hear: Hear) -> None:
        self.is_open: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._request = _handshake(host, path, cookie)
        self._hear = hear
        self._buffer = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Shake hands."""
        self._transport = cast(asyncio.Transport, transport)
        self._transport.write(self._request)

    def data_received(self, data: bytes) -> None:
        """Take the answer to the handshake, then frames."""
        now = time.perf_counter()
        self._buffer += data
        if not self.is_open.done():
            head, end, self._buffer = self._buffer.partition(b"\r\n\r\n")
            if not end:
                self._buffer = head
                return
            self.is_open.set_result(head.startswith(b"HTTP/1.1 101"))
        while (frame := self._frame()) is not None:
            kind, text = frame
            if kind == TEXT:
                self._hear(text, now)
            elif kind == PING:
                self._transport.write(PONG)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail a handshake that was cut off."""
        if not self.is_open.done():
            self.is_open.set_result(False)

    def close(self) -> None:
        """Hang up."""
        self._transport.abort()

    def _frame(self) -> tuple[int, bytes] | None:
        """Return the next whole frame's kind and text, None while there is none."""
        if len(self._buffer) < 2:
            return None
        length, start = self._buffer[1] & 127, 2
        if length == MEDIUM:
            length, start = int.from_bytes(self._buffer[2:4], "big"), 4
        if len(self._buffer) < start + length:
            return None
        frame, self._buffer = self._buffer[: start + length], self._buffer[start + length :]
        return frame[0] & 15, frame[start:]


def _handshake(host: str, path: str, cookie: str) -> bytes:
    key = base64.b64encode(os.urandom(16)).decode()
    lines = [
        f"GET {path} HTTP/1.1",
        f"Host: {host}",
        f"Origin: http://{host}",
        "Upgrade: websocket",
        "Connection: Upgrade",
        f"Sec-WebSocket-Key: {key}",
        "Sec-WebSocket-Version: 13",
        *([f"Cookie: {cookie}"] if cookie else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def connect(host: str, port: int, path: str, hear: Hear, cookie: str = "") -> LightSocket:
    """Return an open socket.

    Raises:
        ConnectionError: the handshake was refused.

    """
    loop = asyncio.get_running_loop()
    _transport, protocol = await loop.create_connection(
        lambda: LightSocket(f"{host}:{port}", path, cookie, hear), host, port
    )
    if not await asyncio.wait_for(protocol.is_open, 30):
        raise ConnectionError(path)
    return protocol


def allow_files(number: int) -> None:
    """Let this process and those it starts have that many files and sockets open."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
