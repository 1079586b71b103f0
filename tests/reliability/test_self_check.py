"""A web process that cannot serve any more says so and ends, so that its supervisor starts another."""

import asyncio
import contextlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import OperationalError, connections

from blockyou.processes import self_check
from blockyou.processes.self_check import MOST_MISSED, ask_for_health, end_when_stuck, is_answered, is_database_there
from tests.browser.site import ROOT, Site, free_port
from tests.project.traffic import PATIENCE

#: A web process that asks itself sooner, and whose threads wait for ever.
DEAF = """
import sys
import threading
import django
django.setup()
from games.views.site import health
from blockyou.processes import self_check
def nothing(*_anything):
    threading.Event().wait()
health.PARTS["database"] = nothing
self_check.EVERY_SECONDS, self_check.MISSED_AFTER_SECONDS = 0.1, 0.5
from django.core.management import execute_from_command_line
execute_from_command_line(sys.argv)
"""


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let neither pauses nor patience last."""
    monkeypatch.setattr(self_check, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(self_check, "MISSED_AFTER_SECONDS", 0.05)


async def silent(*_request: Any) -> None:
    await asyncio.Future()


async def prompt(_scope: Any, receive: Callable[[], Any], send: Callable[[Any], Any]) -> None:
    await receive()
    await send({"type": "http.response.start", "status": 503, "headers": []})
    await send({"type": "http.response.body", "body": b""})


class Moody:
    """An application that answers or not, as it is told, and counts how often it is asked."""

    def __init__(self, *moods: bool) -> None:
        self.moods = list(moods)

    async def __call__(self, *request: Any) -> None:
        if not (self.moods and self.moods.pop(0)):
            raise ConnectionError("It hung up.")
        await prompt(*request)


def run(application: Any, *, is_there: bool, monkeypatch: pytest.MonkeyPatch) -> int:
    """Return how often the end was called within half a second."""
    ends: list[None] = []
    monkeypatch.setattr(self_check, "is_database_there", lambda: is_there)

    async def watch() -> None:
        asking = end_when_stuck(application, lambda: ends.append(None))
        await asyncio.wait([asyncio.ensure_future(asking)], timeout=0.5)

    asyncio.run(watch())
    return len(ends)


def test_a_process_that_answers_nothing_ends(monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture) -> None:
    assert run(silent, is_there=True, monkeypatch=monkeypatch) == 1
    assert "no longer answers, though its database does" in caplog.text


def test_a_process_whose_database_is_gone_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(silent, is_there=False, monkeypatch=monkeypatch) == 0


def test_an_answer_in_between_begins_the_count_again(monkeypatch: pytest.MonkeyPatch) -> None:
    application = Moody(False, True, *[False] * (MOST_MISSED - 1), True, *[False] * MOST_MISSED)
    assert run(application, is_there=True, monkeypatch=monkeypatch) == 1
    assert application.moods == []


def test_what_is_not_answered_is_not_asked_again(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[None] = []

    async def deaf(*_request: Any) -> None:
        asked.append(None)
        # As Django does whose thread waits: it does not let itself be interrupted.
        while True:
            with contextlib.suppress(asyncio.CancelledError):
                await asyncio.wait_for(asyncio.Future(), 0.2)
                return

    assert run(deaf, is_there=True, monkeypatch=monkeypatch) == 1
    assert len(asked) == 1


def test_an_answer_that_says_no_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(prompt, is_there=True, monkeypatch=monkeypatch) == 0


@pytest.mark.django_db(transaction=True)
def test_the_site_answers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_check, "MISSED_AFTER_SECONDS", 15.0)

    async def asked() -> bool:
        return await is_answered(asyncio.ensure_future(ask_for_health(get_asgi_application())))

    assert asyncio.run(asked())


@pytest.mark.django_db(transaction=True)
def test_the_database_is_asked_over_a_connection_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_database_there()

    def refuse(*_args: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(type(connections["default"]), "get_new_connection", refuse)
    assert not is_database_there()


def end_of(program: str, surroundings: dict[str, str]) -> "subprocess.CompletedProcess[str]":
    """Serve by that program until it ends by itself."""
    command = [sys.executable, "-c", program, "web", "--port", str(free_port())]
    secret = {"SECRET_KEY": "a secret of no use, long enough for the settings of prod 123"}
    return subprocess.run(
        command, cwd=ROOT, env=surroundings | secret, capture_output=True, text=True, timeout=PATIENCE, check=False
    )


@pytest.mark.slow
def test_a_web_process_that_gets_no_answer_from_itself_ends_and_says_why(tmp_path: Path) -> None:
    told = end_of(DEAF, Site(tmp_path).surroundings())
    assert told.returncode == 1
    assert "This process no longer answers, though its database does." in told.stderr
