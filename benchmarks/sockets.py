"""Many sockets in one client process, as light as they can be, so that what is measured is the server."""

import asyncio
import base64
import os
import resource
import time
from collections.abc import Callable
from typing import cast

#: What a socket does with a message: the text, and when it arrived (time.perf_counter).
FrameHandler = Callable[[bytes, float], None]

#: A frame's length is this if it stands in the two bytes that follow.
MEDIUM = 126

TEXT, CLOSE, PING = 1, 8, 9


class LightSocket(asyncio.Protocol):
    """A WebSocket that listens to frames of less than 64 KiB that are not split, answers pings, and says short texts.

    `is_closed` is done once the other end has hung up, or said that it will.
    """

    def __init__(self, host: str, path: str, cookie: str, address: str, on_frame: FrameHandler) -> None:
        self.is_open: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self.is_closed: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._request = _handshake(host, path, cookie, address)
        self._on_frame = on_frame
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
                self._on_frame(text, now)
            elif kind == PING:
                # With what it said, under a mask of zeros: any other answer counts as none.
                self._transport.write(bytes((0x8A, 0x80 | len(text), 0, 0, 0, 0)) + text)
            elif kind == CLOSE:
                self.close()
                self.connection_lost(None)

    def connection_lost(self, exc: Exception | None) -> None:
        """Fail a handshake that was cut off."""
        if not self.is_open.done():
            self.is_open.set_result(False)
        if not self.is_closed.done():
            self.is_closed.set_result(None)

    def say(self, text: bytes) -> None:
        """Send a text of less than 126 bytes, under a mask of zeros."""
        self._transport.write(bytes((0x81, 0x80 | len(text), 0, 0, 0, 0)) + text)

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


def _handshake(host: str, path: str, cookie: str, address: str) -> bytes:
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
        *([f"X-Forwarded-For: {address}"] if address else []),
    ]
    return ("\r\n".join(lines) + "\r\n\r\n").encode()


async def connect(
    host: str, port: int, path: str, on_frame: FrameHandler, cookie: str = "", address: str = "", patience: float = 30
) -> LightSocket:
    """Return an open socket; `address` is what a proxy would name as the visitor's.

    Raises:
        ConnectionError: the handshake was refused.
        TimeoutError: it took longer than `patience`, in seconds.

    """
    loop = asyncio.get_running_loop()
    async with asyncio.timeout(patience):
        transport, protocol = await loop.create_connection(
            lambda: LightSocket(f"{host}:{port}", path, cookie, address, on_frame), host, port
        )
        try:
            is_open = await protocol.is_open
        except asyncio.CancelledError:
            transport.abort()
            raise
    if not is_open:
        raise ConnectionError(path)
    return protocol


def allow_files(number: int) -> None:
    """Raise the limit of open files and sockets to that number, for this process and those it starts."""
    _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = number if hard == resource.RLIM_INFINITY else min(number, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
