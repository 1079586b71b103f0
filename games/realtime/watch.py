"""Hearing of what other processes commit, without Redis: SQLite counts the commits of others.

`PRAGMA data_version` answers with another number once any other connection has committed. A thread asks every 50 ms
and, when the number has changed, looks which games have. Its open connection has a second use: SQLite's log is not
folded into the database whenever the last request's connection closes.
"""

import logging
import threading
from collections.abc import Callable
from datetime import datetime, timedelta

from channels.layers import get_channel_layer
from django.db import DatabaseError, connection
from django.utils import timezone

from games.events import GameEvent
from games.queries.site.versions import changed_after
from games.realtime import publish
from games.realtime.layer import LocalLayer
from games.realtime.origin import App, AsgiScope, Receive, Send

logger = logging.getLogger(__name__)

#: Seconds between two looks at the number, and after a failure.
LOOK_EVERY, AFTER_FAILURE = 0.05, 2.0

#: A change is dated before its writer waits for the lock, at most 20 s (settings): so far back is it looked for.
LATENESS = timedelta(seconds=30)


class Watcher(threading.Thread):
    """Calls `handler` with every game that any process has changed, until stopped."""

    def __init__(self, handler: Callable[[GameEvent], None]) -> None:
        super().__init__(name="watcher", daemon=True)
        self._handler = handler
        self._is_over = threading.Event()
        self._known: dict[str, tuple[int, datetime]] = {}
        self.is_ready = threading.Event()

    def stop(self) -> None:
        """End the thread and wait until it has closed its connection."""
        self._is_over.set()
        self.join()

    def run(self) -> None:
        """Watch; after a failure of the database, such as a full disk, begin again."""
        while not self._is_over.is_set():
            try:
                self._watch()
            except DatabaseError:
                logger.exception("The watcher of the database failed and begins again.")
                self._is_over.wait(AFTER_FAILURE)
            finally:
                connection.close()

    def _watch(self) -> None:
        seen = _data_version()
        if not self.is_ready.is_set():
            self._look(is_told=False)
            self.is_ready.set()
        while not self._is_over.wait(LOOK_EVERY):
            version = _data_version()
            if version != seen:
                seen = version
                self._look(is_told=True)

    def _look(self, *, is_told: bool) -> None:
        horizon = timezone.now() - LATENESS
        self._known = {slug: known for slug, known in self._known.items() if known[1] > horizon}
        for at, event in changed_after(horizon):
            is_new = self._known.get(event.slug, (0, at))[0] < event.version
            self._known[event.slug] = (event.version, at)
            if is_new and is_told:
                self._handler(event)


def _data_version() -> int:
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA data_version")
        [(version,)] = cursor.fetchall()
    return int(version)


def announce_change(event: GameEvent) -> None:
    """Tell this process's pages of a game that changed, unless they know."""
    if not publish.was_told(event):
        publish.tell(event)


def is_needed() -> bool:
    """Return whether nothing else informs this process of the others' commits."""
    return connection.vendor == "sqlite" and isinstance(get_channel_layer(), LocalLayer)


def watching(app: App) -> App:
    """Return the ASGI application, which starts the process's watcher with its first request or socket.

    Daphne has no lifespan events, and a command that only imports the application must not watch.
    """
    is_started = False

    async def started(scope: AsgiScope, receive: Receive, send: Send) -> None:
        nonlocal is_started
        if not is_started:
            is_started = True
            if is_needed():
                Watcher(announce_change).start()
        await app(scope, receive, send)

    return started
