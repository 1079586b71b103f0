"""A request is answered in one thread: the event loop hears of it at its beginning and at its end."""

import asyncio
import gc
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest
from asgiref.sync import SyncToAsync
from asgiref.testing import ApplicationCommunicator
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, reset_queries

from blockyou.asgi import http
from blockyou.management.commands.web import settle_threads

SCOPE = {
    "type": "http",
    "http_version": "1.1",
    "method": "GET",
    "path": "/rules/",
    "query_string": b"",
    "headers": [(b"host", b"testserver")],
}

#: The response, and its end.
HANDS_OVER = 2


async def answer() -> list[dict[str, Any]]:
    """Return what the site sends when a visitor asks for a page."""
    communicator: Any = ApplicationCommunicator
    browser = communicator(http, SCOPE)
    await browser.send_input({"type": "http.request"})
    sent = [await browser.receive_output(10)]
    while not sent[-1].get("body"):
        sent.append(await browser.receive_output(10))
    await browser.wait()
    return sent


@pytest.fixture
def settled() -> Iterator[None]:
    """Let threads take turns as in a web process."""
    usual = sys.getswitchinterval()
    settle_threads()
    yield
    sys.setswitchinterval(usual)
    for hear in (reset_queries, close_old_connections):
        request_started.connect(hear)


@pytest.mark.django_db(transaction=True)
@pytest.mark.usefixtures("settled")
def test_a_page_changes_threads_twice_whatever_its_middleware(monkeypatch: pytest.MonkeyPatch) -> None:
    changes: Counter[str] = Counter()
    call = SyncToAsync.__call__

    async def counted(self: Any, *values: Any, **names: Any) -> Any:
        changes[str(self.func)] += 1
        return await call(self, *values, **names)

    monkeypatch.setattr(SyncToAsync, "__call__", counted)
    start, body = asyncio.run(answer())[:2]
    assert (start["status"], b"Block-You" in body["body"]) == (200, True)
    assert changes.total() == HANDS_OVER, changes


@pytest.mark.usefixtures("settled")
def test_threads_of_a_web_process_take_turns_ten_times_as_often_as_by_themselves() -> None:
    usual = float(subprocess.check_output([sys.executable, "-c", "import sys; print(sys.getswitchinterval())"]))
    assert sys.getswitchinterval() == pytest.approx(usual / 10)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
def test_what_fails_outside_of_all_that_is_caught_gives_back_what_the_request_held(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    ended: list[object] = []

    def fail(*_anything: object) -> None:
        raise ZeroDivisionError

    def note(**signal: object) -> None:
        ended.append(signal["signal"])

    # The last resort of Django itself, where an error page fails too.
    monkeypatch.setattr(http, "get_response", fail)
    request_finished.connect(note)
    try:
        with pytest.raises(ZeroDivisionError):
            asyncio.run(answer())
    finally:
        request_finished.disconnect(note)
        # What held the body is closed by nobody but Python itself: here, where no other test hears of it.
        gc.collect()
    assert len(ended) == 1
