"""A web process that cannot serve any more says so and ends, so that its supervisor starts another."""

import asyncio
from collections.abc import Callable
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import OperationalError, connections

from blockyou.processes import self_check
from blockyou.processes.self_check import TRIES, end_when_stuck, is_answered, is_database_there


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let neither pauses nor patience last."""
    monkeypatch.setattr(self_check, "EVERY_SECONDS", 0.0)
    monkeypatch.setattr(self_check, "PATIENCE_SECONDS", 0.05)


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
        answers = self.moods.pop(0) if self.moods else False
        await (prompt if answers else silent)(*request)


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
    application = Moody(False, True, *[False] * (TRIES - 1), True, *[False] * TRIES)
    assert run(application, is_there=True, monkeypatch=monkeypatch) == 1
    assert application.moods == []


def test_an_answer_that_says_no_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert run(prompt, is_there=True, monkeypatch=monkeypatch) == 0


@pytest.mark.django_db(transaction=True)
def test_the_site_answers_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_check, "PATIENCE_SECONDS", 15.0)
    assert asyncio.run(is_answered(get_asgi_application()))


@pytest.mark.django_db(transaction=True)
def test_the_database_is_asked_over_a_connection_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    assert is_database_there()

    def refuse(*_args: object) -> None:
        raise OperationalError("gone")

    monkeypatch.setattr(type(connections["default"]), "get_new_connection", refuse)
    assert not is_database_there()
