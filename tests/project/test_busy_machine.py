"""`benchmarks.busy_machine` times the site, and never what people wait for because they have asked too often."""

import time

import pytest

from benchmarks import busy_machine
from benchmarks.busy_machine import Placer
from clients.python.blockyou import Client, Problem
from games.api import door


@pytest.fixture
def waits(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """Return the seconds that people wait, on a clock that only their waiting moves: it begins 20 s into a minute."""
    slept: list[float] = []
    monkeypatch.setattr(time, "sleep", slept.append)
    monkeypatch.setattr(time, "time", lambda: 6_020.0 + sum(slept))
    monkeypatch.setattr(Client, "_sent", lambda *_asked: b"{}")
    return slept


def test_it_knows_how_often_a_person_may_ask() -> None:
    assert busy_machine.REQUESTS_A_MINUTE == door.REQUESTS_A_MINUTE


def test_a_person_waits_for_the_next_minute_before_a_placement_that_would_be_put_off(waits: list[float]) -> None:
    person = Placer("http://127.0.0.1:1", "token")
    for _ in range(90):
        person.me()
    person.make_room(10)
    assert waits == []
    person.me()
    person.make_room(10)
    assert waits == [40.0]
    person.me()
    person.make_room(99)
    assert waits == [40.0]


def test_what_the_site_puts_off_all_the_same_is_counted(waits: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    answers = [Problem(429, {}, retry_after=28), None]

    def answer(*_asked: object) -> bytes:
        if problem := answers.pop(0):
            raise problem
        return b"{}"

    monkeypatch.setattr(Client, "_sent", answer)
    person = Placer("http://127.0.0.1:1", "token")
    person.me()
    assert (person.put_off, waits) == (1, [28.0])
