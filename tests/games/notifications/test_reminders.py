"""A deadline that is near is said once or twice, and never of one that was put off or met."""

import random
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage

from accounts.models import User
from games import clock
from games.clock import TimeControl
from games.models import Delivery, Game, Notification
from games.notifications.announce import announce_game
from games.notifications.deliver import deliver
from games.notifications.reminders import remind
from tests.games.tables import NOON, advance, fresh, running

HOUR = timedelta(hours=1)


@pytest.mark.parametrize(
    ("hours", "marks"), [(0.5, []), (1, [0.75]), (4, [3]), (8, [6]), (24, [18, 22]), (72, [54, 70])]
)
def test_reminders_come_at_a_quarter_and_at_two_hours(hours: float, marks: list[float]) -> None:
    assert clock.reminders(NOON, NOON + hours * HOUR) == tuple(NOON + mark * HOUR for mark in marks)


def test_without_a_deadline_there_is_no_reminder() -> None:
    assert clock.reminders(NOON, None) == ()


@pytest.fixture
def game(db: None, alice: User, bob: User) -> Game:
    """Alice is to play within three days."""
    return running(alice, bob, now=NOON, time=TimeControl.days_a_move(3))


def test_each_reminder_is_stored_once(game: Game, alice: User) -> None:
    assert remind(NOON + 53 * HOUR) == set()
    assert remind(NOON + 54 * HOUR) == {game.pk}
    assert remind(NOON + 55 * HOUR) == set()
    assert remind(NOON + 70 * HOUR) == {game.pk}
    assert remind(NOON + 71 * HOUR) == set()
    assert list(Notification.objects.values_list("user", "event")) == [(alice.pk, 2), (alice.pk, 3)]
    assert fresh(game).remind_at is None


def test_after_an_outage_only_the_latest_is_said_and_nothing_of_what_is_over(game: Game) -> None:
    assert remind(NOON + 71 * HOUR) == {game.pk}
    assert Notification.objects.count() == 1
    Game.objects.update(remind_at=NOON)
    assert remind(NOON + 73 * HOUR) == set()


def test_a_deadline_that_was_put_off_is_not_near(game: Game) -> None:
    Game.objects.update(deadline=NOON + 144 * HOUR)
    assert remind(NOON + 54 * HOUR) == set()
    assert fresh(game).remind_at == NOON + 108 * HOUR


def test_a_move_in_time_takes_the_message_back(game: Game, mailoutbox: list[EmailMessage]) -> None:
    remind(NOON + 54 * HOUR)
    announce_game(game.pk, now=NOON + 54 * HOUR)
    advance(game, random.Random(1), now=NOON + 55 * HOUR)
    assert not deliver(Delivery.objects.get().pk, 0, now=NOON + 56 * HOUR)
    assert mailoutbox == []


def test_the_mail_says_until_when(game: Game, mailoutbox: list[EmailMessage]) -> None:
    remind(NOON + 54 * HOUR)
    announce_game(game.pk, now=NOON + 54 * HOUR)
    assert deliver(Delivery.objects.get().pk, 0, now=NOON + 54 * HOUR)
    assert mailoutbox[0].subject == "Your time is running out: bob"
    assert "You have until 4 Mar 2026, 12:00 UTC." in mailoutbox[0].body
