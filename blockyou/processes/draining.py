"""A web server whose end loses nothing: what has been asked for is answered before the process goes.

Daphne itself cancels every request when it is asked to stop and ends its loop while threads still wait for it: the
answers are lost and the process hangs (docs/decisions/0020).
"""

import asyncio
import logging
import os
import threading
from collections.abc import Iterator, Mapping
from typing import Any

from daphne.http_protocol import WebRequest
from daphne.server import Server
from twisted.internet import reactor
from twisted.internet.defer import Deferred
from twisted.internet.error import ConnectionDone
from twisted.python.failure import Failure

from blockyou.processes.arrivals import arrivals
from blockyou.processes.intake import (
    MOST_MESSAGE,
    OPENING_SECONDS,
    PING_SECONDS,
    PONG_SECONDS,
    LimitedFactory,
    LimitedRequest,
    LimitedSocket,
    WithBackpressure,
    raise_file_limit,
)
from blockyou.processes.network import BACKLOG
from blockyou.processes.self_check import end_when_stuck
from games.realtime.frames import RESTARTING
from games.realtime.streams import WAITS, end_streams

logger = logging.getLogger(__name__)
REACTOR: Any = reactor

#: Seconds that requests get to be answered; then the process ends, and a little later even if its loop stands still.
LIMIT_SECONDS, HARD_LIMIT_SECONDS = 4.0, 4.75
#: A request may still be on its way over a connection that is already open.
QUIET_SECONDS = 0.3
DRAIN_TICK_SECONDS = 0.05


class DrainingServer(Server):  # type: ignore[misc]  # Daphne has no types
    """Daphne's server, which answers what it has been asked before it stops.

    On SIGTERM or SIGINT it accepts no more connections, closes each one after its answer, asks open pages to connect
    again elsewhere, and stops once nothing is left to say.
    """

    def __init__(self, *, shares_port: bool, counts_addresses: bool, **options: Any) -> None:
        super().__init__(
            ping_interval=PING_SECONDS,
            ping_timeout=PONG_SECONDS,
            websocket_handshake_timeout=OPENING_SECONDS,
            websocket_connect_timeout=OPENING_SECONDS,
            websocket_max_message_size=MOST_MESSAGE,
            websocket_max_frame_size=MOST_MESSAGE,
            **options,
        )
        self.shares_port = shares_port
        self.limited = LimitedFactory(self, counts_addresses=counts_addresses, most=raise_file_limit())
        self.is_draining = False
        self.is_stuck = False
        self.check: asyncio.Future[None] | None = None
        self.ports: list[Any] = []

    @property
    def http_factory(self) -> LimitedFactory:
        """Return what takes connections in; Daphne's own is not used."""
        return self.limited

    @http_factory.setter
    def http_factory(self, plain: Any) -> None:
        """Hear of the one that Daphne has made."""

    @property
    def ws_factory(self) -> Any:
        """Return what makes sockets: Daphne's own, with other limits."""
        return self.sockets

    @ws_factory.setter
    def ws_factory(self, made: Any) -> None:
        made.protocol = LimitedSocket
        made.autoPingRestartOnAnyTraffic = False
        self.sockets = made

    def listen_success(self, port: Any) -> None:
        """Remember a port that listens."""
        self.ports.append(port)
        super().listen_success(port)
        # Not at once: Daphne listens before the loop runs, and a task begun now would belong to another loop.
        REACTOR.callWhenRunning(self.watch_itself)

    def watch_itself(self) -> None:
        """Begin to ask this process for its own health."""
        self.check = asyncio.ensure_future(end_when_stuck(self.application, self.give_way))

    def give_way(self) -> None:
        """End this process, which cannot serve any more."""
        self.is_stuck = True
        REACTOR.stop()

    def create_application(self, protocol: Any, scope: dict[str, Any]) -> Any:
        """Begin to answer a request or a socket; the last request of its connection while this server drains."""
        if self.is_draining and isinstance(protocol, WebRequest):
            close_after_answer(protocol)
        return super().create_application(protocol, scope)

    async def handle_reply(self, protocol: Any, message: Mapping[str, Any]) -> None:
        """Send a part of an answer; a stream's waits for its reader. A page's does not: it would hold its place."""
        is_of_stream = WAITS in message and isinstance(protocol, WithBackpressure)
        if is_of_stream:
            protocol.watch_backpressure()
        await super().handle_reply(protocol, message)
        if is_of_stream and message[WAITS] and not self.is_draining:
            await protocol.until_writable()

    def kill_all_applications(self) -> Deferred[None]:
        """Drain, where Daphne would cancel all it does. Twisted calls this, and waits, before its loop ends."""
        return Deferred.fromFuture(asyncio.ensure_future(self.drain()))

    async def drain(self) -> None:
        """Return when everything is answered; end the process when that takes longer than the limit."""
        self.is_draining = True
        arrivals.end()
        if self.check is not None:
            self.check.cancel()
        end_by_force_after(HARD_LIMIT_SECONDS)
        for port in self.ports:
            stop_accepting(port, is_shared=self.shares_port)
        for request in self.unanswered():
            close_after_answer(request)
            request.release_writers()
        clock = asyncio.get_running_loop().time
        began = clock()
        while clock() - began < QUIET_SECONDS or not self.is_quiet():
            if clock() - began > LIMIT_SECONDS:
                logger.warning("Stopped with %s requests unanswered.", len(list(self.unanswered())))
                os._exit(1)
            self.close_sockets()
            end_streams()
            await asyncio.sleep(DRAIN_TICK_SECONDS)

    def unanswered(self) -> Iterator[LimitedRequest]:
        """Yield the requests that have begun to arrive and are not answered."""
        for protocol, details in self.connections.items():
            if isinstance(protocol, LimitedRequest) and "disconnected" not in details:
                yield protocol

    def is_quiet(self) -> bool:
        """Return whether nothing is being asked, worked on or sent."""
        is_anything_asked = any(True for _ in self.unanswered())
        is_anything_going_on = any(is_at_work(details) for details in self.connections.values())
        return not (is_anything_asked or is_anything_going_on or REACTOR.getWriters())

    def close_sockets(self) -> None:
        """Ask the pages with an open socket to connect again."""
        for protocol in list(self.connections):
            if isinstance(protocol, LimitedSocket) and protocol.state == protocol.STATE_OPEN:
                protocol.serverClose(code=RESTARTING)
                protocol.release_writers()


def is_at_work(details: Mapping[str, Any]) -> bool:
    """Return whether the application still works for a connection, of which Daphne keeps these details."""
    application = details.get("application_instance")
    return application is not None and not application.done()


def close_after_answer(request: WebRequest) -> None:
    """Close the connection after the answer to this request, and say so in its headers unless it has begun."""
    if request.channel is not None:
        request.channel.persistent = False
    request.responseHeaders.setRawHeaders(b"connection", [b"close"])


def stop_accepting(port: Any, *, is_shared: bool) -> None:
    """Take no more connections from a listening port of Twisted.

    Those that wait in the queue of a shared port are left to the process that comes next; a port of our own has no
    such process, so they are taken in before it closes, at once, lest another one arrive in between.
    """
    port.stopReading()
    if is_shared:
        return
    port.numberAccepts = BACKLOG
    port.doRead()
    port.connectionLost(Failure(ConnectionDone()))  # type: ignore[no-untyped-call]


def end_by_force_after(seconds: float) -> None:
    """End this process after that time, whatever its threads wait for."""
    timer = threading.Timer(seconds, os._exit, [1])
    timer.daemon = True
    timer.start()
