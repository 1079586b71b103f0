"""A worker that waits is woken by what is asked for, and does not ask the database over and over meanwhile."""

import time
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.db import transaction
from django.utils import timezone

from games import jobs
from games.tasks import BOTS, THINKERS, notify_of_turn, play_bot_turn
from tests.games.tasks.queues import WAKING
from tests.games.tasks.storage import storage

pytestmark = pytest.mark.django_db(transaction=True)
#: SQLite wakes no worker: it asks again and again.
on_waking_queues = pytest.mark.parametrize("job_queue", WAKING, indirect=True)
LONG, SHORT, SOON = 20.0, 0.3, 5.0


@pytest.fixture
def alarm(monkeypatch: pytest.MonkeyPatch, job_queue: str) -> Iterator[jobs.Alarm]:
    """Return an alarm that is set; by itself it rings after a long time."""
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", LONG)
    alarm = jobs.alarm(only=[BOTS])
    alarm.reset()
    yield alarm
    alarm.close()


def waited(alarm: jobs.Alarm) -> float:
    """Return the seconds until the alarm rang."""
    began = time.monotonic()
    alarm.wait()
    return time.monotonic() - began


@on_waking_queues
def test_a_job_wakes_a_worker_when_it_is_committed(alarm: jobs.Alarm, monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction.atomic():
        jobs.enqueue(play_bot_turn, 1, 1)
        monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", SHORT)
        assert waited(alarm) >= SHORT
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", LONG)
    assert waited(alarm) < SOON


@on_waking_queues
def test_a_job_that_is_rolled_back_wakes_no_worker(alarm: jobs.Alarm, monkeypatch: pytest.MonkeyPatch) -> None:
    with transaction.atomic():
        jobs.enqueue(play_bot_turn, 1, 1)
        transaction.set_rollback(True)
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", SHORT)
    assert waited(alarm) >= SHORT


@on_waking_queues
def test_a_job_for_others_wakes_no_worker_of_the_quick(alarm: jobs.Alarm, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs.enqueue(play_bot_turn, 1, 1, queue=THINKERS)
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", SHORT)
    assert waited(alarm) >= SHORT


@on_waking_queues
def test_what_was_heard_before_the_alarm_was_set_again_is_forgotten(
    alarm: jobs.Alarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs.enqueue(play_bot_turn, 1, 1)
    storage().await_notice(alarm)
    alarm.reset()
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", SHORT)
    assert waited(alarm) >= SHORT


@on_waking_queues
def test_a_job_that_was_put_off_wakes_a_worker_when_it_is_due(alarm: jobs.Alarm) -> None:
    jobs.enqueue(notify_of_turn, 1, 1, queue=BOTS, not_before=timezone.now() + timedelta(seconds=1))
    storage().await_notice(alarm)
    alarm.reset()
    assert 0.5 < waited(alarm) < SOON
    assert jobs.first_ready(only=[BOTS])


@on_waking_queues
def test_an_alarm_that_has_lost_its_connection_hears_again(alarm: jobs.Alarm) -> None:
    storage().cut_off_listeners()
    alarm.wait()
    alarm.reset()
    jobs.enqueue(play_bot_turn, 1, 1)
    assert waited(alarm) < SOON


def test_where_nothing_listens_a_worker_asks_again_in_a_moment() -> None:
    alarm = jobs.alarm()
    assert waited(alarm) < SOON
