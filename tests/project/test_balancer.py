"""The balancer that tests put before the site: whom it passes over, and how it passes on that a connection broke."""

import socket
import struct
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from http.client import HTTPException

import pytest

from tests.project.traffic import PATIENCE, Balancer, status_of

OK = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


class Upstream:
    """A process that reads each request, answers it and closes the connection, or breaks it without an answer."""

    def __init__(self, *, is_broken: bool = False) -> None:
        self.is_broken = is_broken
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self.listener.getsockname()[1]
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self.listener.accept()
            except OSError:
                return
            with connection:
                connection.settimeout(PATIENCE)
                connection.recv(65536)
                if self.is_broken:
                    # Closed so, it sends a reset.
                    connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                else:
                    connection.sendall(OK)


@pytest.fixture
def well() -> Iterator[Upstream]:
    upstream = Upstream()
    yield upstream
    upstream.listener.close()


def test_everyone_of_a_crowd_is_answered_while_one_process_is_away(well: Upstream) -> None:
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    with Balancer([port, well.port]) as balancer, ThreadPoolExecutor(16) as crowd:
        statuses = list(crowd.map(lambda _: status_of(balancer.port, "/"), range(320)))
    assert statuses == [204] * 320


def test_a_connection_that_breaks_is_asked_for_nowhere_else_and_its_visitor_hears_of_it_at_once(
    well: Upstream,
) -> None:
    with (
        Balancer([Upstream(is_broken=True).port, well.port]) as balancer,
        # Not that time ran out.
        pytest.raises((ConnectionError, HTTPException)),
    ):
        status_of(balancer.port, "/")
