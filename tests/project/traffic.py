"""Visitors who come at an even pace, and a balancer that sends each of them to one of several processes."""

import contextlib
import itertools
import socket
import threading
import time
from collections.abc import Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from http.client import HTTPConnection, HTTPException
from typing import NamedTuple

PATIENCE = 60.0
#: Pages, a part of one, and the part of the health that writes to the disk.
PATHS = ("/", "/lobby/", "/rules/", "/bots/", "/games/waiting/", "/healthz?only=database")


class Wait(NamedTuple):
    """For how many seconds was waited for an answer, for which, and since when by the monotonic clock."""

    seconds: float
    path: str
    since: float


class Traffic:
    """Visitors who each ask for one page over a connection of their own, so many a second, from `with` to its end.

    `failures` tells of those that got no answer, or one that is an error, `waits` what each waited for.
    """

    def __init__(self, port: int, per_second: float = 6.0, paths: Sequence[str] = PATHS) -> None:
        self.port = port
        self.pause = 1 / per_second
        self.paths = itertools.cycle(paths)
        self.answered = 0
        self.failures: list[str] = []
        self.waits: list[Wait] = []
        self._is_over = threading.Event()
        self._visitors = ThreadPoolExecutor(64)
        self._visits: list[Future[None]] = []
        self._pace = threading.Thread(target=self._come)

    def __enter__(self) -> "Traffic":
        self._pace.start()
        return self

    def __exit__(self, *_error: object) -> None:
        self._is_over.set()
        self._pace.join()
        self._visitors.shutdown()
        for visit in self._visits:
            visit.result()

    def _come(self) -> None:
        while not self._is_over.wait(self.pause):
            self._visits.append(self._visitors.submit(self._visit, next(self.paths)))

    def _visit(self, path: str) -> None:
        began = time.monotonic()
        try:
            status = status_of(self.port, path)
        except (OSError, HTTPException) as error:
            self.failures.append(f"{path}: {error!r}")
            return
        self.answered += 1
        self.waits.append(Wait(time.monotonic() - began, path, began))
        if status >= 400:
            self.failures.append(f"{path}: {status}")


def status_of(port: int, path: str) -> int:
    """Return the status of the whole answer to a GET over a connection of its own."""
    connection = HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    try:
        connection.request("GET", path)
        answer = connection.getresponse()
        answer.read()
        return answer.status
    finally:
        connection.close()


class Balancer:
    """Passes each connection to the next process that accepts one, as balancers do that know nothing of HTTP.

    A process that refuses is passed over; a connection that breaks later is not tried again.
    """

    def __init__(self, ports: Sequence[int]) -> None:
        self.ports = list(ports)
        self._turn = itertools.count()
        self._listener = socket.create_server(("127.0.0.1", 0), backlog=256)
        self.port: int = self._listener.getsockname()[1]
        self._thread = threading.Thread(target=self._serve)

    def __enter__(self) -> "Balancer":
        self._thread.start()
        return self

    def __exit__(self, *_error: object) -> None:
        # Closing it would not wake the thread that waits for a connection.
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join()
        self._listener.close()

    def _serve(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._pass_on, args=(client,), daemon=True).start()

    def _pass_on(self, client: socket.socket) -> None:
        with client:
            upstream = self._connect()
            if upstream is None:
                return
            with upstream:
                back = threading.Thread(target=pump, args=(upstream, client), daemon=True)
                back.start()
                pump(client, upstream)
                back.join()

    def _connect(self) -> socket.socket | None:
        # One turn for all tries: else others who come meanwhile could leave the same port for each of them.
        turn = next(self._turn)
        for later in range(len(self.ports)):
            with contextlib.suppress(OSError):
                port = self.ports[(turn + later) % len(self.ports)]
                return socket.create_connection(("127.0.0.1", port), PATIENCE)
        return None


def pump(source: socket.socket, target: socket.socket) -> None:
    """Pass on what comes, and its end, that of a broken connection too."""
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_WR)
