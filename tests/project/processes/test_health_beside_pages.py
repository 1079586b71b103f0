"""A monitor is answered while pages hold every place and every connection of the pool."""

import asyncio
import threading
from collections.abc import Mapping
from typing import Any

import psycopg
import pytest
from django.db import OperationalError, connection, connections
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from psycopg_pool import PoolTimeout

from blockyou import asgi
from blockyou.processes.own_connection import own_connection
from blockyou.processes.turnstile import HEALTH, INSIDE, Application
from games.views.site import health

postgresql_only = pytest.mark.skipif(connection.vendor != "postgresql", reason="SQLite has no pool")


async def status_of(site: Application, path: str, visitor: int, **more: Any) -> int:
    """Return the status that a visitor is answered, each with an address of their own."""
    found: list[int] = []
    said = asyncio.Event()
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "root_path": "",
        "query_string": b"only=database",
        "headers": [(b"host", b"127.0.0.1")],
        "client": (f"192.0.2.{visitor}", 0),
        "server": ("127.0.0.1", 0),
        **more,
    }

    async def receive() -> dict[str, Any]:
        if said.is_set():
            await asyncio.Future()
        said.set()
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Mapping[str, Any]) -> None:
        found.extend([message["status"]] if "status" in message else [])

    await site(scope, receive, send)
    return found[0]


class Crowd:
    """Pages that are not answered until they are let go."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.site, self.usual, self.is_over = asgi.narrowed(), asgi.http.get_response, threading.Event()
        self.number, self.is_full = 0, asyncio.Event()
        self.loop = asyncio.get_running_loop()
        monkeypatch.setattr(asgi.http, "get_response", self.answer)

    def answer(self, request: HttpRequest) -> HttpResponseBase:
        """Answer for the health of the site as usual, and all else late."""
        if request.path == HEALTH:
            return self.usual(request)
        self.number += 1
        if self.number == asgi.REQUESTS_AT_ONCE:
            self.loop.call_soon_threadsafe(self.is_full.set)
        self.is_over.wait(60)
        return HttpResponse()

    async def come(self) -> list[asyncio.Task[int]]:
        """Send more pages than there are places, and return once all of these are taken."""
        visits = [status_of(self.site, "/rules/", visitor) for visitor in range(asgi.REQUESTS_AT_ONCE + 2)]
        pages = [asyncio.create_task(visit) for visit in visits]
        await asyncio.wait_for(self.is_full.wait(), 60)
        return pages


@pytest.mark.django_db(transaction=True)
async def test_the_health_is_told_while_every_place_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(monkeypatch)
    pages = await crowd.come()
    try:
        answers = [await asyncio.wait_for(status_of(crowd.site, HEALTH, visitor), 60) for visitor in (101, 102, 103)]
        assert answers == [200] * 3
        assert not any(page.done() for page in pages)
    finally:
        crowd.is_over.set()
    assert await asyncio.gather(*pages) == [200] * len(pages)


@pytest.mark.django_db(transaction=True)
async def test_a_process_that_asks_itself_goes_the_way_of_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    crowd = Crowd(monkeypatch)
    pages = await crowd.come()
    own = asyncio.create_task(status_of(crowd.site, HEALTH, 101, **{INSIDE: True}))
    try:
        assert await asyncio.wait_for(status_of(crowd.site, HEALTH, 102), 60) == 200
        assert not own.done()
    finally:
        crowd.is_over.set()
    assert await own == 200
    await asyncio.gather(*pages)


@pytest.mark.django_db(transaction=True)
@postgresql_only
def test_the_database_is_asked_beside_a_pool_that_has_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_pool: Any, **_patience: Any) -> None:
        raise AssertionError("the pool was asked")

    connection.close()
    monkeypatch.setattr("blockyou.postgresql.base.take_connection", refuse)
    with own_connection(), connection.cursor() as cursor:
        cursor.execute("SELECT 1")
        assert cursor.fetchone() == (1,)


@pytest.mark.django_db(transaction=True)
def test_a_connection_of_ones_own_is_closed_and_the_usual_one_comes_back() -> None:
    usual = connections["default"]
    with own_connection() as own:
        assert connections["default"] is own
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
        assert own.connection is not None
    assert own.connection is None
    assert connections["default"] is usual


@pytest.mark.django_db(transaction=True)
def test_a_server_that_does_not_answer_is_waited_for_once(monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[None] = []

    def refuse(own: Any, _parameters: Any) -> None:
        tries.append(None)
        raise own.Database.OperationalError("gone")

    monkeypatch.setattr(type(connections["default"]), "get_new_connection", refuse)
    with own_connection() as own:
        for _ in range(3):
            with pytest.raises(OperationalError, match="gone"), own.cursor():
                pass
    assert len(tries) == 1


@pytest.fixture
def full_server(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the server have no connection left for anybody, once the pool has one."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT 1")
    connection.close()

    def refuse(*_address: Any, **_parameters: Any) -> None:
        raise psycopg.OperationalError("connection failed: FATAL:  sorry, too many clients already")

    monkeypatch.setattr(psycopg, "connect", refuse)
    monkeypatch.setattr(health.Memory, "written_at", float("-inf"))


@postgresql_only
@pytest.mark.usefixtures("full_server")
async def test_a_process_whose_pool_serves_pages_is_well_while_others_have_all_other_connections() -> None:
    site = asgi.narrowed()
    assert [await asyncio.wait_for(status_of(site, HEALTH, visitor), 60) for visitor in (101, 102)] == [200] * 2


@postgresql_only
@pytest.mark.usefixtures("full_server")
async def test_a_process_whose_pool_has_nothing_either_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_pool: Any) -> None:
        raise PoolTimeout

    monkeypatch.setattr("blockyou.postgresql.base.take_living", refuse)
    assert await asyncio.wait_for(status_of(asgi.narrowed(), HEALTH, 101), 60) == 503


@postgresql_only
@pytest.mark.usefixtures("full_server")
def test_a_connection_that_the_pool_has_lent_goes_back_to_it() -> None:
    pool = connections["default"].pool  # type: ignore[attr-defined]
    before = pool.get_stats()["pool_available"]
    for _ in range(pool.max_size + 1):
        with own_connection() as own:
            with own.cursor() as cursor:
                cursor.execute("SELECT 1")
            lent = own.connection
            assert pool.get_stats()["pool_available"] == before - 1
        assert not lent.closed
        assert pool.get_stats()["pool_available"] == before
