"""What a web process takes in: nothing too large, nothing that never ends, no address with all the connections."""

import asyncio
import contextlib
import re
import resource
import socket
from collections.abc import Callable, Iterator
from contextlib import closing
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast
from unittest.mock import patch

import pytest
from daphne.http_protocol import WebRequest
from daphne.ws_protocol import WebSocketProtocol
from twisted.internet.address import IPv4Address
from twisted.internet.task import Clock
from twisted.internet.testing import StringTransport

from blockyou.processes import draining, intake
from blockyou.processes.intake import (
    LINE_SECONDS,
    MOST_BODY,
    MOST_FRAMES,
    MOST_OF_ONE_ADDRESS,
    REQUEST_SECONDS,
    Backpressure,
    LimitedFactory,
    LimitedSocket,
)
from games.realtime.frames import MAX_LENGTH
from tests.project.processes.test_restarts import Web, environment, wait_for
from tests.project.traffic import status_of

__all__ = ["environment"]
HEAD = b"POST / HTTP/1.1\r\nHost: 127.0.0.1\r\n"
#: How Linux calls an open connection.
ESTABLISHED = 1
SIZE = b"Content-Length: %d\r\n\r\n"


@pytest.fixture(scope="module")
def web(environment: dict[str, str]) -> Iterator[Web]:
    """A web process without a proxy before it."""
    process = Web(environment)
    yield process
    process.ask_to_end()
    process.wait_for_end()


def answer_to(web: Web, *parts: bytes) -> bytes:
    """Return what is answered to these bytes, until the server hangs up."""
    found = b""
    with socket.create_connection(("127.0.0.1", web.port), timeout=20) as link, contextlib.suppress(OSError):
        for part in parts:
            link.sendall(part)
        while piece := link.recv(65_536):
            found += piece
    return found


def memory(web: Web) -> int:
    """Return the KiB that the process has ever held."""
    status = Path(f"/proc/{web.process.pid}/status").read_text()
    return next(int(line.split()[1]) for line in status.splitlines() if line.startswith("VmHWM"))


@pytest.mark.proof
def test_a_body_above_the_limit_is_refused_before_it_is_read(web: Web) -> None:
    answer = answer_to(web, HEAD + SIZE % (400 * 2**20))
    assert answer.startswith(b"HTTP/1.1 413 ")
    assert b"at most 3 MiB" in answer


@pytest.mark.proof
def test_chunks_are_refused_once_they_are_too_many_and_take_no_memory(web: Web) -> None:
    before, chunk = memory(web), b"100000\r\n" + b"x" * 2**20 + b"\r\n"
    answer_to(web, HEAD + b"Transfer-Encoding: chunked\r\n\r\n", *[chunk] * 100)
    assert memory(web) - before < 20 * 1024


@pytest.mark.proof
def test_a_body_of_the_largest_size_is_let_in(web: Web) -> None:
    with closing(HTTPConnection("127.0.0.1", web.port, timeout=20)) as link:
        link.request("POST", "/", b"x" * MOST_BODY)
        assert link.getresponse().status == 403  # a forgery, says the site itself


@pytest.mark.proof
def test_one_address_has_so_many_connections_and_no_more(web: Web) -> None:
    with contextlib.ExitStack() as held:
        for _ in range(2 * MOST_OF_ONE_ADDRESS):
            held.enter_context(socket.create_connection(("127.0.0.1", web.port), timeout=20))
        last = held.enter_context(socket.create_connection(("127.0.0.1", web.port), timeout=20))
        assert last.recv(1) == b""
    wait_for(lambda: is_let_in(web))  # the process hears one by one that they are gone


def is_let_in(web: Web) -> bool:
    """Whether one more connection is answered."""
    with contextlib.suppress(OSError, HTTPException):
        return status_of(web.port, "/healthz?only=database") == 200
    return False


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """A clock that stands still until a test moves it."""
    clock = Clock()
    monkeypatch.setattr(intake, "REACTOR", clock)
    return clock


class Transport(StringTransport):
    """A connection in memory that can be lost."""

    def connectionLost(self, reason: Any = None) -> None:
        """Do nothing more."""


def connected(factory: LimitedFactory, host: str = "10.0.0.1") -> tuple[Any, Any]:
    """Return what speaks with a new connection, and the connection; None where it is not let in."""
    protocol: Any = factory.buildProtocol(cast(Any, IPv4Address("TCP", host, 1234)))
    transport: Any = cast(Any, Transport)()
    if protocol is not None:
        protocol.callLater = Clock().callLater  # its idle time is not asked for
        protocol.makeConnection(transport)
    return protocol, transport


def factory(**options: Any) -> LimitedFactory:
    server = SimpleNamespace(protocol_connected=lambda request: None, protocol_disconnected=lambda request: None)
    return LimitedFactory(server, **{"counts_addresses": True, "most": 1000, **options})


def waits(request: Any) -> bool:
    """Return whether a stream would wait before it says more."""

    async def ask() -> bool:
        try:
            async with asyncio.timeout(0):
                await request.until_writable()
        except TimeoutError:
            return True
        return False

    return asyncio.run(ask())


def test_a_stream_waits_while_its_connection_is_full_and_no_longer_than_that_lasts(clock: Clock) -> None:
    found = []
    ends: list[Callable[[Any, Any], object]] = [
        lambda _protocol, full: full.resumeProducing(),
        lambda protocol, _full: protocol.connectionLost(None),
    ]
    for end in ends:
        protocol, transport = connected(factory())
        protocol.dataReceived(HEAD + SIZE % 9)
        [request] = protocol._channel.requests
        found.append(waits(request))
        request.watch_backpressure()
        # What a connection of Twisted's says once 64 KiB wait to be read.
        transport.producer.pauseProducing()
        found.append(waits(request))
        end(protocol, transport.producer)
        found.append(waits(request))
    assert found == [False, True, False] * 2


def test_a_stream_over_a_socket_waits_likewise() -> None:
    found = []
    ends: list[Callable[[Any], object]] = [lambda full: full.resumeProducing(), lambda full: full.stopProducing()]
    for end in ends:
        socket: Any = LimitedSocket()
        socket.transport = cast(Any, Transport)()
        socket.transport.registerProducer(Backpressure(), True)  # the channel of the handshake
        found.append(waits(socket))
        socket.watch_backpressure()
        socket.transport.producer.pauseProducing()
        found.append(waits(socket))
        end(socket.transport.producer)
        found.append(waits(socket))
    assert found == [False, True, False] * 2


def test_a_socket_that_waits_to_be_opened_is_not_hung_up_on_before_its_page_gives_up(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(draining, "raise_file_limit", lambda: 1000)
    server = draining.DrainingServer(shares_port=False, counts_addresses=False, application=None, endpoints=["tcp:0"])
    script = (Path(__file__).resolve().parents[2] / "static" / "realtime" / "link.js").read_text()
    [opening] = re.findall(r"OPENING = ([\d_]+)", script)
    assert min(server.websocket_handshake_timeout, server.websocket_connect_timeout) * 1000 > int(opening)


def test_nothing_is_sent_over_a_socket_that_is_about_to_close(monkeypatch: pytest.MonkeyPatch) -> None:
    sent: list[bytes] = []
    socket: Any = LimitedSocket()
    monkeypatch.setattr(socket, "sendMessage", lambda content, binary: sent.append(content))
    for state in (LimitedSocket.STATE_OPEN, LimitedSocket.STATE_CLOSING, LimitedSocket.STATE_CLOSED):
        socket.state, socket.client_addr = state, None
        socket.handle_reply({"type": "websocket.send", "text": str(state)})
    assert sent == [str(LimitedSocket.STATE_OPEN).encode()]


@pytest.mark.parametrize("is_stream", [True, False])
def test_a_stream_is_open_for_longer_than_any_other_answer_may_take(is_stream: bool, clock: Clock) -> None:
    protocol, _transport = connected(factory())
    protocol.dataReceived(HEAD + SIZE % 9)
    [request] = protocol._channel.requests
    if is_stream:
        request.watch_backpressure()
    request.server.http_timeout, request._response_started = 60, True
    with patch.object(request, "duration", return_value=61), patch.object(request, "finish") as finish:
        request.check_timeouts()
    assert finish.called is not is_stream


@pytest.mark.parametrize(
    ("said", "seconds"),
    [
        (b"", LINE_SECONDS),
        (b"GET / HT", LINE_SECONDS),
        (HEAD, REQUEST_SECONDS),
        (HEAD + SIZE % 9 + b"x", REQUEST_SECONDS),
    ],
)
def test_what_never_becomes_a_request_is_hung_up_on_however_it_drips(clock: Clock, said: bytes, seconds: int) -> None:
    protocol, transport = connected(factory())
    protocol.dataReceived(said)
    clock.advance(seconds - 1)
    assert not transport.disconnected
    clock.advance(1)
    assert transport.disconnected


def test_no_visitor_says_where_under_its_address_the_site_lies(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[bool] = []
    ask = lambda request: heard.append(request.requestHeaders.hasHeader(b"daphne-root-path"))  # noqa: E731
    monkeypatch.setattr(WebRequest, "process", ask)
    protocol, _transport = connected(factory())
    protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: a\r\nDaphne-Root-Path: /x\r\n\r\n")
    assert heard == [False]


def test_who_asks_on_and_reads_none_of_the_answers_is_hung_up_on(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[bytes] = []

    def answer(request: Any) -> None:
        asked.append(request.uri)
        if request.uri == b"/large":
            # What a connection of Twisted's says once 64 KiB wait to be read.
            request.channel.transport.producer.pauseProducing()
        request.setHeader(b"content-length", b"0")
        request.finish()

    monkeypatch.setattr(WebRequest, "process", answer)
    protocol, transport = connected(factory())
    ask = b"GET %s HTTP/1.1\r\nHost: a\r\n\r\n"
    protocol.dataReceived(ask % b"/small" + ask % b"/large" + ask % b"/next" + ask % b"/last")
    assert (asked, transport.disconnected) == ([b"/small", b"/large"], True)


@pytest.mark.proof
def test_answers_that_nobody_reads_take_no_memory(web: Web) -> None:
    asked = b"GET /rules/ HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n" * 1000
    status_of(web.port, "/rules/")
    before = memory(web)
    with socket.socket() as link:
        link.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        link.connect(("127.0.0.1", web.port))
        with contextlib.suppress(OSError):
            link.sendall(asked)
            wait_for(lambda: is_gone(link))
    assert memory(web) - before < 5 * 1024


def is_gone(link: socket.socket) -> bool:
    """Return whether the other end has hung up; nothing is read for that."""
    return link.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, 1)[0] != ESTABLISHED


class Frames:
    """The frames of a socket that is open in memory, at a time that only tests move."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.transport: Any = cast(Any, Transport)()
        self.socket: Any = LimitedSocket()
        self.dropped = 0

    def send(self, number: int) -> bool:
        """Send so many; return whether it is hung up on."""
        with patch.object(WebSocketProtocol, "onFrameBegin"), patch.object(self.socket, "dropConnection", self.drop):
            for _ in range(number):
                self.socket.onFrameBegin()
        return self.dropped > 0

    def drop(self, *, abort: bool) -> None:
        self.dropped += abort


def test_a_socket_that_sends_frames_on_and_on_is_hung_up_on_whatever_they_are(clock: Clock) -> None:
    clock.advance(1000)
    frames = Frames(clock)
    assert not frames.send(MOST_FRAMES)
    assert frames.send(1)


def test_a_socket_may_say_something_now_and_then_for_as_long_as_it_likes(clock: Clock) -> None:
    frames = Frames(clock)
    for _ in range(1000):
        assert not frames.send(1)
        clock.advance(0.6)
    clock.advance(1000)
    assert not frames.send(MOST_FRAMES)


def test_of_a_message_that_is_never_whole_little_is_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(draining, "raise_file_limit", lambda: 1000)
    server = draining.DrainingServer(shares_port=False, counts_addresses=False, application=None, endpoints=["tcp:0"])
    assert MAX_LENGTH < server.websocket_max_message_size <= 2**16
    assert server.websocket_max_frame_size == server.websocket_max_message_size


@pytest.mark.proof
def test_a_part_of_a_message_that_is_too_long_is_hung_up_on_before_it_is_read(web: Web) -> None:
    with open_socket(web) as link:
        # The first part of a text, of which 100,000 bytes are announced.
        link.sendall(b"\x01\xff" + (100_000).to_bytes(8) + bytes(4))
        with contextlib.suppress(ConnectionError):
            while link.recv(65_536):
                pass


@contextlib.contextmanager
def open_socket(web: Web) -> Iterator[socket.socket]:
    """Yield the connection of a socket that is open."""
    with socket.create_connection(("127.0.0.1", web.port), timeout=20) as link:
        link.sendall(
            f"GET /ws/lobby/ HTTP/1.1\r\nHost: 127.0.0.1:{web.port}\r\nOrigin: {web.url}\r\nConnection: Upgrade\r\n"
            "Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
            "".encode()
        )
        assert link.recv(12) == b"HTTP/1.1 101"
        yield link


@pytest.mark.proof
@pytest.mark.parametrize("frame", [b"\x89\x80\x00\x00\x00\x00", b"\x8a\x80\x00\x00\x00\x00"])
def test_who_floods_a_socket_with_pings_or_answers_to_none_is_hung_up_on(web: Web, frame: bytes) -> None:
    with open_socket(web) as link, pytest.raises(ConnectionError):
        link.sendall(frame * 2_000_000)


def test_a_proxy_may_hold_as_many_connections_as_there_are(clock: Clock) -> None:
    behind = factory(counts_addresses=False)
    assert all(connected(behind)[0] for _ in range(1000))
    assert connected(behind)[0] is None


def test_a_connection_that_is_lost_makes_room(clock: Clock) -> None:
    alone = factory()
    held = [connected(alone)[1] for _ in range(MOST_OF_ONE_ADDRESS)]
    assert connected(alone)[0] is None
    assert connected(alone, "10.0.0.2")[0] is not None
    held[0].connectionLost(None)
    assert connected(alone)[0] is not None


def test_a_process_opens_as_many_files_as_it_may() -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (512, hard))
        assert intake.raise_file_limit() + intake.OTHER_FILES == resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
