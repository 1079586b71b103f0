"""What a web process takes in: no body above a limit, no request that never ends, no address with all the connections.
And what it holds for a reader who does not read: little, whatever the answer says.

Daphne hands a request on once it has arrived whole, however long that takes and however large it is; here it is cut off
on the way. A proxy in front does the same earlier (deploy/), and then counts addresses itself. What is answered before
a request is Django's carries the headers that all answers do, and nothing here tells the log who asked for what.
"""

import asyncio
import logging
import resource
from collections import Counter
from functools import partial
from typing import Any

from autobahn.websocket import protocol as autobahn
from daphne.http_protocol import HTTPFactory, WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet import reactor
from twisted.internet.interfaces import IAddress
from twisted.internet.protocol import Protocol

from blockyou import plain

logger = logging.getLogger(__name__)
REACTOR: Any = reactor

# Autobahn lays out its settings for a line of its log that nobody reads, for every socket: a twentieth of an opening.
vars(autobahn)["pformat"] = lambda _settings: ""

#: Bytes of a request's body. Forms and records of games are far smaller: Django refuses them from 2.5 MB on.
MOST_BODY = 3 * 1024 * 1024
#: Seconds until the first line of a connection's first request is there, and from there until the request is whole.
LINE_SECONDS, REQUEST_SECONDS = 15, 30
#: Connections of one address, where visitors have addresses of their own.
MOST_OF_ONE_ADDRESS = 200
#: File descriptors that a process wants, and how many of them are for other things than connections.
WANTED_FILES, OTHER_FILES = 65_536, 200
#: With fewer the log says how to allow more.
FEW_FILES = 4096

#: Seconds of silence after which a socket is pinged, and in which it has to answer: Daphne looks every two seconds, so
#: one whose other end is gone ends within 30. An answer is due before the next ping: it names the last one.
PING_SECONDS, PONG_SECONDS = 15, 10
#: Bytes of a message over a socket, of which all parts are kept until the last one is there. Longer ones than a page
#: sends are refused with a reason (games/realtime/frames.py), these are hung up on.
MOST_MESSAGE = 32 * 1024
#: Frames that a socket may send at once, and more of them in a second. A page says something every 25 seconds, and
#: answers a ping every 15.
MOST_FRAMES, FRAMES_A_SECOND = 60, 2.0
#: Seconds that opening a socket may take, from the connection on: a thousand pages come back to a process that has just
#: started, and a page gives up by itself after 15 (static/realtime/link.js).
OPENING_SECONDS = 30


class Backpressure:
    """Whether a connection can take more: a Twisted push producer, paused while 64 KiB wait to be sent."""

    def __init__(self) -> None:
        self.is_writable = asyncio.Event()
        self.is_writable.set()

    def pauseProducing(self) -> None:  # noqa: N802  (Twisted's name)
        """Note that the connection takes no more for now."""
        self.is_writable.clear()

    def resumeProducing(self) -> None:  # noqa: N802  (Twisted's name)
        """Note that it takes more again."""
        self.is_writable.set()

    def stopProducing(self) -> None:  # noqa: N802  (Twisted's name)
        """Note that the visitor is gone: nothing has to wait any more."""
        self.is_writable.set()


class WithBackpressure:
    """A protocol that lets writers wait while its connection is full, from when a stream begins."""

    backpressure: Backpressure | None = None

    async def until_writable(self) -> None:
        """Return when the connection can take more, or takes nothing any more."""
        if self.backpressure is not None:
            await self.backpressure.is_writable.wait()

    def release_writers(self) -> None:
        """Release every writer that waits for this connection."""
        if self.backpressure is not None:
            self.backpressure.resumeProducing()


class LimitedRequest(WithBackpressure, WebRequest):  # type: ignore[misc]  # Daphne has no types
    """A request that is cut off when it is too large or takes too long to arrive."""

    def __init__(self, channel: Any, *args: Any, **options: Any) -> None:
        self.is_refused = False
        self.received = 0
        self.end = REACTOR.callLater(REQUEST_SECONDS, self.expire)
        channel.factory.has_begun(channel)
        super().__init__(channel, *args, **options)

    def __repr__(self) -> str:
        """Return what the log may know: an address may hold the token of an invitation or of a new password."""
        return "<a request>"

    def basic_error(self, status: int, _reason: bytes, _body: str) -> None:
        """Answer for the site, where it cannot."""
        body = plain.sentence(status).encode()
        headers = {**plain.headers(status), "Content-Length": str(len(body))}
        raw = [(name.encode(), value.encode()) for name, value in headers.items()]
        self.handle_reply({"type": "http.response.start", "status": status, "headers": raw})
        self.handle_reply({"type": "http.response.body", "body": body})

    def gotLength(self, length: int | None) -> None:  # noqa: N802  (Twisted's name)
        """Hear how large the body will be, None if it comes in chunks."""
        is_too_large = length is not None and length > MOST_BODY
        super().gotLength(0 if is_too_large else length)
        if is_too_large:
            self.refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802  (Twisted's name)
        """Take a part of the body."""
        self.received += len(data)
        if self.is_refused:
            return
        if self.received > MOST_BODY:
            self.refuse()
            return
        super().handleContentChunk(data)

    def process(self) -> Any:
        """Begin to answer: the request is whole."""
        self.forget_end()
        # Who asks on and on over a connection and reads none of the answers would have them all kept here.
        if self.channel is not None and self.channel._waitingForTransport:
            self.expire()
            return None
        # Daphne would take it for the place of this site under its address, from any client.
        self.requestHeaders.removeHeader(b"Daphne-Root-Path")
        return None if self.is_refused else super().process()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802  (Twisted's name)
        """Hear that the visitor is gone."""
        self.forget_end()
        self.release_writers()
        super().connectionLost(reason)

    def watch_backpressure(self) -> None:
        """Take note from here on whether the connection can take more."""
        if self.backpressure is None and not self.finished and self.channel is not None:
            self.backpressure = Backpressure()
            self.registerProducer(self.backpressure, True)

    def check_timeouts(self) -> None:
        """End an answer that takes too long; a stream, whose room is watched, is open for as long as it likes."""
        if self.backpressure is None:
            super().check_timeouts()

    def finish(self) -> None:
        """End the answer."""
        if self.backpressure is not None and self.channel is not None:
            self.release_writers()
            self.unregisterProducer()
        super().finish()

    def refuse(self) -> None:
        """Say that this is too large, and hang up: the rest is not read."""
        self.is_refused = True
        hang_up(self.channel, 413)

    def expire(self) -> None:
        """Hang up on a request that has not arrived in time, or whose sender does not read."""
        if self.channel is not None:
            self.channel.transport.abortConnection()

    def forget_end(self) -> None:
        """Remove the request's time limit."""
        if self.end.active():
            self.end.cancel()


class LimitedSocket(WithBackpressure, WebSocketProtocol):  # type: ignore[misc]  # Daphne has no types
    """A socket that has to answer pings, whatever else it says, and may say little."""

    last_ping: float
    #: How many frames it may send now, as it was at that second.
    allowance, counted_at = float(MOST_FRAMES), 0.0

    def __repr__(self) -> str:
        """Return what the log may know."""
        return "<a socket>"

    def onFrameBegin(self) -> None:  # noqa: N802  (Autobahn's name)
        """Count a frame of whatever kind, and hang up where there are too many: of parts of a message, of pings and
        their answers the application hears nothing.
        """
        now = REACTOR.seconds()
        room = self.allowance + (now - self.counted_at) * FRAMES_A_SECOND
        self.allowance, self.counted_at = min(MOST_FRAMES, room) - 1, now
        if self.allowance < 0:
            self.dropConnection(abort=True)
            return
        super().onFrameBegin()

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803  (Autobahn's names)
        """Hear a frame, which is no answer to a ping: who sends may still not read."""
        pinged_at = self.last_ping
        super().onMessage(payload, isBinary)
        self.last_ping = pinged_at

    def watch_backpressure(self) -> None:
        """Take note from here on whether the connection can take more."""
        if self.backpressure is None:
            self.backpressure = Backpressure()
            # Until now the channel of the handshake was told, which has nothing more to send.
            self.transport.unregisterProducer()
            self.transport.registerProducer(self.backpressure, True)

    def serverSend(self, content: Any, binary: bool = False) -> None:  # noqa: N802  (Daphne's name)
        """Send a frame; none while the socket closes, which may be heard of only after this was said."""
        if self.state in (self.STATE_CONNECTING, self.STATE_OPEN):
            super().serverSend(content, binary)

    def sendHttpErrorResponse(  # noqa: N802  (Autobahn's name)
        self,
        code: int,
        reason: str,
        responseHeaders: Any = None,  # noqa: N803  (Autobahn's name)
    ) -> None:
        """Refuse to open the socket. The reason is left out: it may quote what was sent."""
        self.sendData(plain.message(code, responseHeaders or ()))


def hang_up(channel: Any, status: int) -> None:
    """Say why, and hang up."""
    channel.transport.write(plain.message(status))
    channel.loseConnection()


class LimitedFactory(HTTPFactory):  # type: ignore[misc]  # Daphne has no types
    """Accepts connections up to a limit in all, and up to one for each address unless a proxy stands in front."""

    def __init__(self, server: Any, *, counts_addresses: bool, most: int) -> None:
        super().__init__(server)
        self.counts_addresses = counts_addresses
        self.most = most
        self.open: Counter[str] = Counter()
        self.waiting: dict[Any, Any] = {}

    def buildProtocol(self, address: IAddress) -> Protocol | None:  # noqa: N802  (Twisted's name)
        """Return what speaks with a new connection, None where there are too many."""
        host = str(getattr(address, "host", ""))
        if self.open.total() >= self.most or (self.counts_addresses and self.open[host] >= MOST_OF_ONE_ADDRESS):
            return None
        protocol: Any = super().buildProtocol(address)
        protocol.requestFactory = LimitedRequest
        # What Twisted does with a request that it cannot read.
        protocol._channel._respondToBadRequestAndDisconnect = partial(hang_up, protocol._channel, 400)
        self.waiting[protocol._channel] = REACTOR.callLater(LINE_SECONDS, self.expire, protocol._channel)
        make = protocol.makeConnection

        def connect(transport: Any) -> None:
            self.count(host, transport)
            make(transport)

        protocol.makeConnection = connect
        return protocol  # type: ignore[no-any-return]

    def count(self, host: str, transport: Any) -> None:
        """Count a connection until it is lost, whatever protocol it has been handed to by then."""
        lost = transport.connectionLost
        self.open[host] += 1

        def forget(reason: Any) -> None:
            self.open[host] -= 1
            if not self.open[host]:
                del self.open[host]
            lost(reason)

        transport.connectionLost = forget

    def has_begun(self, channel: Any) -> None:
        """Hear that a connection's first request has its first line, or that the connection is lost."""
        end = self.waiting.pop(channel, None)
        if end is not None and end.active():
            end.cancel()

    def expire(self, channel: Any) -> None:
        """Hang up on a connection over which nothing is asked."""
        self.waiting.pop(channel, None)
        channel.transport.abortConnection()


def raise_file_limit() -> int:
    """Raise the limit of open files as far as is needed and allowed; return how many connections that is for."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = WANTED_FILES if hard == resource.RLIM_INFINITY else min(WANTED_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
        soft = wanted
    if wanted < FEW_FILES:
        logger.warning(
            "This process may open %s files, so about %s connections; more by ulimit -n or LimitNOFILE=.",
            wanted,
            wanted - OTHER_FILES,
        )
    return max(wanted, 2 * OTHER_FILES) - OTHER_FILES
