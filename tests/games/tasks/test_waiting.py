"""What monitors learn of the jobs that wait."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from games.jobs import claim_job, count_ready, enqueue, find_jobs
from games.tasks import BOTS, THINKERS, notify_of_turn, play_bot_turn, send_mail
from tests.games.tasks.workers import make_due, make_older

pytestmark = pytest.mark.django_db(transaction=True)


def test_jobs_that_could_be_done_now_are_counted_by_queue() -> None:
    for number in range(3):
        enqueue(play_bot_turn, 1, number)
    enqueue(play_bot_turn, 2, 1, queue=THINKERS)
    enqueue(notify_of_turn, 1, 1)
    enqueue(send_mail, 1, 0)  # of another priority
    assert claim_job(find_jobs()[0], "worker")
    assert count_ready() == {BOTS: 2, THINKERS: 1, "default": 1, "mail": 1}


def test_a_job_that_was_put_off_counts_once_it_is_due() -> None:
    enqueue(notify_of_turn, 1, 1, not_before=timezone.now() + timedelta(hours=1))
    assert count_ready() == {}
    make_due()
    assert count_ready() == {"default": 1}


def test_metrics_say_how_many_jobs_wait_and_how_long(client: Client) -> None:
    enqueue(notify_of_turn, 1, 1)
    make_older(find_jobs()[0], timedelta(minutes=5))
    lines = dict(line.rsplit(" ", 1) for line in client.get("/metrics").content.decode().splitlines())
    assert lines['blockyou_jobs_waiting{queue="default"}'] == "1.0"
    assert 300 <= float(lines["blockyou_jobs_oldest_seconds"]) < 360
