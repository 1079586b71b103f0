"""A worker that waits is woken by what is asked for, and does not ask the database over and over meanwhile."""

import time
from collections.abc import Callable, Iterator
from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from games import jobs
from games.tasks import BOTS, THINKERS, notify_of_turn, play_bot_turn
from tests.games.tasks.queues import WAKING
from tests.games.tasks.storage import storage

pytestmark = pytest.mark.django_db(transaction=True)
#: SQLite tells no worker anything: it looks whether there was a write.
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


def test_an_alarm_that_was_never_set_rings_in_a_moment() -> None:
    alarm = jobs.alarm()
    assert waited(alarm) < SOON


def test_on_sqlite_a_worker_at_rest_asks_for_no_jobs_until_another_connection_has_written(
    quiet: jobs.Alarm, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", SHORT)
    with CaptureQueriesContext(connection) as asked:
        assert waited(quiet) >= SHORT
    looks = [each["sql"] for each in asked if "data_version" in each["sql"]]
    assert (len(looks) > 1, len(asked) - len(looks)) == (True, 1), "Beside its looks it asks once what was put off."
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", LONG)
    quiet.reset()
    elsewhere(lambda: jobs.enqueue(play_bot_turn, 1, 1))
    assert waited(quiet) < SOON
    assert jobs.first_ready(only=[BOTS])


def test_on_sqlite_a_worker_is_woken_by_what_was_written_between_its_question_and_its_rest(quiet: jobs.Alarm) -> None:
    assert jobs.first_ready(only=[BOTS]) is None
    elsewhere(lambda: jobs.enqueue(play_bot_turn, 1, 1))
    assert jobs.first_ready(only=[BOTS]), "It reads what the other has written, and is woken all the same."
    assert waited(quiet) < SOON


def test_on_sqlite_a_job_that_was_put_off_wakes_a_worker_when_it_is_due(quiet: jobs.Alarm) -> None:
    elsewhere(lambda: jobs.enqueue(notify_of_turn, 1, 1, queue=BOTS, not_before=timezone.now() + timedelta(seconds=1)))
    quiet.reset()
    assert 0.5 < waited(quiet) < SOON
    assert jobs.first_ready(only=[BOTS])


@pytest.fixture
def quiet(monkeypatch: pytest.MonkeyPatch, job_queue: str) -> Iterator[jobs.Alarm]:
    """Return an alarm on SQLite that is set; by itself it rings after a long time."""
    if job_queue != "database" or connection.vendor != "sqlite":
        pytest.skip("other queues wake their workers, which the tests above say")
    monkeypatch.setattr("games.jobs.interface.LOOK_SECONDS", LONG)
    alarm = jobs.alarm(only=[BOTS])
    alarm.reset()
    yield alarm
    alarm.close()


def elsewhere(write: Callable[[], object]) -> None:
    """Write through a connection of its own."""

    def run() -> None:
        write()
        connection.close()

    writer = Thread(target=run)
    writer.start()
    writer.join()
