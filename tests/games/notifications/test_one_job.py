"""A notice is one job where one message goes out: of all but a turn the one that sends."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import tasks
from games.actions.notices.read_notices import read_notices
from games.actions.tables.create_game import create_game
from games.background.sweep import sweep
from games.background.worker import JobWorker
from games.base.setup import GameSetup, SeatSetup
from games.clock import TimeControl
from games.jobs import enqueue, find_jobs, run_job
from games.jobs.courier import DOUBTFUL, MAIL, PROVEN, Courier
from games.models import Delivery, Game, Notification, Occasion, Player, PushSubscription
from games.tasks import notify_of_turn, people_of
from tests.games.notifications.push_service import Service
from tests.games.tables import ME, advance, running
from tests.games.tasks.workers import forget_jobs, jobs, make_due, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def add_device(person: User, service: Service, **about: Any) -> None:
    """Give a person a device on which notices are on."""
    client = Client()
    client.force_login(person)
    service.switch_on(client)
    PushSubscription.objects.update(**{"used_at": None, **about})


def bobs_turn(alice: User, bob: User) -> Game:
    """Return a game in which Bob is to play move 2, of which he is about to be notified, and nothing else waits."""
    now = timezone.now()
    game = running(alice, bob, now=now)
    forget_jobs()
    return advance(game, random.Random(1), now=now)


def waiting() -> list[tuple[str, str]]:
    """Return name and queue of the jobs that wait."""
    return [(job.name, job.queue) for job in find_jobs("READY")]


def done() -> list[str]:
    return [name for name, _arguments in jobs("SUCCESSFUL")]


def test_a_player_with_an_address_alone_is_written_to_by_one_job(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    bobs_turn(alice, bob)
    assert waiting() == [("notify_of_turn", MAIL)]
    run_jobs()
    assert (done(), [mail.to for mail in mailoutbox]) == (["notify_of_turn"], [[bob.email]])
    assert Delivery.objects.get().sent_at


@pytest.mark.parametrize(("about", "queue"), [({"used_at": timezone.now()}, PROVEN), ({}, DOUBTFUL)])
def test_a_player_with_a_device_alone_is_sent_a_notice_by_one_job(
    alice: User, bob: User, service: Service, about: dict[str, Any], queue: str
) -> None:
    User.objects.filter(pk=bob.pk).update(email="")
    add_device(bob, service, **about)
    bobs_turn(alice, bob)
    assert waiting() == [("notify_of_turn", queue)]
    run_jobs()
    assert (done(), len(service.posts)) == (["notify_of_turn"], 1)


def test_a_player_who_is_reached_both_ways_is_told_by_a_job_each(
    alice: User, bob: User, service: Service, mailoutbox: list[EmailMessage]
) -> None:
    add_device(bob, service)
    bobs_turn(alice, bob)
    assert waiting() == [("notify_of_turn", "default")]
    make_due()
    job = JobWorker("worker").take()
    assert job
    run_job(job)
    # A worker sends nothing elsewhere: neither an address nor a mail server keeps it.
    assert (len(service.posts), len(mailoutbox)) == (0, 0)
    assert sorted(waiting()) == [("send_notice", DOUBTFUL), ("send_notice", MAIL)]
    run_jobs()
    assert (len(service.posts), len(mailoutbox)) == (1, 1)


def test_what_goes_by_another_way_than_was_thought_is_asked_for(
    alice: User, bob: User, service: Service, mailoutbox: list[EmailMessage]
) -> None:
    bobs_turn(alice, bob)
    add_device(bob, service)
    make_due()
    job = Courier("courier", people_of).take()
    assert job
    run_job(job)
    assert (len(service.posts), len(mailoutbox)) == (0, 1)
    assert waiting() == [("send_notice", DOUBTFUL)]


def test_a_job_that_waited_for_a_worker_leaves_the_message_to_the_courier(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    bobs_turn(alice, bob)
    forget_jobs()
    enqueue(notify_of_turn, Player.objects.get(user=bob).pk, 2)
    job = JobWorker("worker").take()
    assert job
    run_job(job)
    assert (mailoutbox, waiting()) == ([], [("send_notice", MAIL)])


def test_what_a_job_has_announced_and_not_sent_is_sent_by_another(
    alice: User, bob: User, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    bobs_turn(alice, bob)
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "deliver", lambda *_, **__: 1 / 0)
        run_jobs()
    assert (len(jobs("FAILED")), mailoutbox) == (1, [])
    assert sweep(timezone.now() + timedelta(seconds=10)).notices == 1
    assert waiting() == [("send_notice", MAIL)]
    run_jobs()
    assert len(mailoutbox) == 1
    assert sweep(timezone.now() + timedelta(hours=1)).notices == 0


def test_a_lost_job_waits_where_the_first_one_did(alice: User, bob: User) -> None:
    bobs_turn(alice, bob)
    forget_jobs()
    assert sweep(timezone.now() + timedelta(minutes=2)).notices == 1
    assert waiting() == [("notify_of_turn", MAIL)]


def invited(alice: User, bob: User) -> Game:
    """Return a table to which Alice has just invited Bob."""
    guest = SeatSetup(kind="named", username=bob.username)
    return create_game(alice, GameSetup(variant="blockyou-2", seats=(ME, guest)))


def test_an_invitation_is_listed_at_once_and_one_job_sends_its_mail_after_some_grace(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    before = timezone.now()
    invited(alice, bob)
    assert waiting() == [("send_notice", MAIL)]
    bob.refresh_from_db()
    assert bob.unread_notices == 1
    assert Delivery.objects.filter(due_at__gte=before + tasks.GRACE).count() == 1
    assert JobWorker("worker").take() is Courier("courier", people_of).take() is None
    run_jobs()
    assert (done(), [mail.to for mail in mailoutbox]) == (["send_notice"], [[bob.email]])


def test_an_invitation_that_was_opened_within_the_grace_is_not_sent(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    invited(alice, bob)
    bob.refresh_from_db()
    read_notices(bob, now=timezone.now())
    run_jobs()
    assert (done(), mailoutbox) == (["send_notice"], [])


def test_a_notice_that_no_channel_carries_takes_no_job(alice: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(email="")
    invited(alice, bob)
    assert waiting() == []
    bob.refresh_from_db()
    assert bob.unread_notices == 1


def test_a_reminder_of_a_deadline_is_one_job(alice: User, bob: User) -> None:
    now = timezone.now()
    running(alice, bob, now=now, time=TimeControl.days_a_move(3))
    forget_jobs()
    assert sweep(now + timedelta(hours=54)).reminders == 1
    assert ("send_notice", MAIL) in waiting()
    assert "announce_notices" not in {name for name, _queue in waiting()}


def test_what_could_not_be_announced_is_announced_by_a_job_of_the_sweep(
    alice: User, bob: User, mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(tasks, "announce_game", lambda *_, **__: 1 / 0)
        game = invited(alice, bob)
    assert (Game.objects.get(), waiting()) == (game, []), "the table is there all the same"
    assert sweep(timezone.now() + timedelta(seconds=10)).notices == 1
    assert waiting() == [("announce_notices", "default")]
    run_jobs()
    assert waiting() == [("send_notice", MAIL)], "it still has its grace"
    run_jobs()
    assert (done(), len(mailoutbox)) == (["announce_notices", "send_notice"], 1)


def test_a_turn_that_is_announced_leaves_other_notices_of_its_game_their_grace(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game, now = bobs_turn(alice, bob), timezone.now()
    # Stored by a process that has not come to announcing it.
    Notification.objects.record(Occasion.OVER, game, [alice.pk, bob.pk], now)
    make_due()
    job = Courier("courier", people_of).take()
    assert job
    run_job(job)
    assert ([mail.to for mail in mailoutbox], waiting()) == ([[bob.email]], [])
    assert Notification.objects.filter(occasion=Occasion.OVER, is_due=True).count() == 2
    assert sweep(now + timedelta(seconds=10)).notices == 1
    make_due()
    job = JobWorker("worker").take()
    assert job
    run_job(job)
    later = Delivery.objects.filter(notification__occasion=Occasion.OVER, due_at__gte=now + tasks.GRACE)
    assert set(later.values_list("notification__user", flat=True)) == {alice.pk, bob.pk}
    assert len(mailoutbox) == 1
