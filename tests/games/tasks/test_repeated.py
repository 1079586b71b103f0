"""What is asked for again stands in one table: a line a kind of job, and nothing else."""

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from games import tasks
from games.background import sweep as sweeping
from games.background.sweep import PARKED_AFTER, REPEATED, Repeated, sweep
from games.jobs import enqueue, find_jobs, job
from games.jobs.courier import MAIL
from games.notifications.outlets import Outlet
from tests.games.tasks.workers import jobs, make_failed, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)

#: What the person who waits for it asks for again.
ASKED_BY_HAND = {"step_bot_turn", "send_test_notice", "send_test_to_chat", "send_test_to_receiver"}

#: What comes of itself where it is lost: a bot has its side by measured worth when its seat is filled.
FILLED = {"choose_bot_side"}

done: list[tuple[int, int]] = []


@job()
def ring(bell: int, number: int) -> bool:
    """Do what a kind of job does that nobody has heard of."""
    done.append((bell, number))
    return True


@pytest.fixture
def given_up(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, int]]:
    """Give the table one more line, of a bell that is due until it has rung; return what is given up."""
    done.clear()
    found: list[tuple[int, int]] = []

    def due(_now: datetime) -> set[tuple[int, int]]:
        return {(7, 1)} - {*done}

    def give_up(bell: int, number: int) -> None:
        found.append((bell, number))

    line = Repeated(ring, due, lambda bell, number, _failed: enqueue(ring, bell, number), "notices", give_up)
    monkeypatch.setattr(sweeping, "REPEATED", (*REPEATED, line))
    return found


def test_a_line_is_all_that_it_takes_to_be_asked_for_again(given_up: list[tuple[int, int]]) -> None:
    assert sweep(timezone.now()).notices == 1
    assert jobs() == [("ring", [7, 1])]
    assert sweep(timezone.now()).notices == 0
    run_jobs()
    assert (done, sweep(timezone.now()).notices, given_up) == ([(7, 1)], 0, [])


def test_what_always_fails_is_given_up_as_its_line_says(given_up: list[tuple[int, int]]) -> None:
    now = timezone.now()
    for failed in range(PARKED_AFTER):
        assert sweep(now).notices == 1
        make_failed(now, now)
        now += timedelta(seconds=2 ** (failed + 1))
    assert sweep(now).parked == ()
    assert given_up == [(7, 1)]
    assert len(find_jobs("FAILED")) == PARKED_AFTER


def test_a_way_out_is_asked_for_again_by_its_own_line(monkeypatch: pytest.MonkeyPatch) -> None:
    bells = Outlet(ring, lambda before: {(7, 2)} if before < timezone.now() else set(), queue_of=lambda _bell: MAIL)
    monkeypatch.setattr(sweeping, "REPEATED", (*REPEATED, Repeated.by(bells)))
    bells.ask(8, grace=timedelta(hours=1))
    assert sweep(timezone.now()).notices == 1
    assert [(job.arguments, job.queue) for job in find_jobs("READY")] == [((8, 0), MAIL), ((7, 2), MAIL)]


def test_every_kind_of_job_has_its_line_but_for_those_that_a_person_repeats() -> None:
    kinds = {kind.name for kind in vars(tasks).values() if isinstance(getattr(kind, "module_path", None), str)}
    assert {line.job.name for line in REPEATED} == kinds - ASKED_BY_HAND - FILLED
