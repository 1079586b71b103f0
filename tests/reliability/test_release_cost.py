"""What a release costs is told by its parts and in all: how many requests, the slowest, and how many took long."""

import pytest

from games.table.counting import TABLES_AN_HOUR
from tests.project.traffic import Wait
from tests.reliability import rolling
from tests.reliability.rolling import Report, aims_of, cost


def test_it_is_told_how_long_requests_took_while_tables_changed_and_processes_took_turns() -> None:
    report = Report(
        before=[Wait(0.1, "/", 1.0)],
        waits=[Wait(0.2, "/", 5.0), Wait(1.5, "/lobby/", 10.0), Wait(1.2, "/rules/", 30.0)],
        changes=[(9.0, 12.0)],
    )
    assert cost(report, 60.0)[1:] == [
        "before the release: 1 requests, p95 0.10 s, longest 0.10 s, 0 over 1 s",
        "while the tables changed: 1 requests, p95 1.50 s, longest 1.50 s, 1 over 1 s",
        "    /lobby/ 1.50 s",
        "while processes took turns: 2 requests, p95 1.20 s, longest 1.20 s, 1 over 1 s",
        "    /rules/ 1.20 s",
        "in all of the release: 3 requests, p95 1.50 s, longest 1.50 s, 2 over 1 s",
    ]


def test_a_release_misses_what_it_is_to_come_to_where_somebody_waits_for_more_than_a_second_or_in_vain() -> None:
    at_once, late = Wait(1.0, "/", 5.0), Wait(1.1, "/lobby/", 10.0)
    assert [*aims_of(Report(before=[late], waits=[at_once])).values()] == [True, True]
    assert [*aims_of(Report(waits=[at_once, late])).values()] == [True, False]
    assert [*aims_of(Report(failures=["/: 502"], waits=[at_once])).values()] == [False, True]


def test_another_guest_comes_before_one_has_opened_as_many_tables_as_one_may(monkeypatch: pytest.MonkeyPatch) -> None:
    opened: list[int] = []

    class Guest:
        def __init__(self, _site: str, _report: Report) -> None:
            opened.append(0)

        def sit_down(self) -> None:
            opened[-1] += 1

    monkeypatch.setattr(rolling, "TimedPlayer", Guest)
    play = rolling.Play("", Report())
    for _ in range(40):
        play.sit_down()
    assert max(opened) < TABLES_AN_HOUR
    assert sum(opened) == 41
