"""In a person's quiet hours nothing is sent that can wait until they end, and then it is sent once."""

import random
from datetime import UTC, datetime, time, timedelta

import pytest
from django.core.mail import EmailMessage

from accounts.models import User
from games.clock import DAY, PACES, TimeControl
from games.models import Delivery, Game, Notification
from games.notifications.announce import announce_game
from games.notifications.deliver import DELIVERY_OUTBOX, deliver
from games.notifications.reminders import remind
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import advance, running

pytestmark = pytest.mark.django_db
#: An hour before midnight in Paris, where it is quiet from eleven to seven.
NIGHT = datetime(2026, 3, 3, 22, tzinfo=UTC)
MORNING = datetime(2026, 3, 4, 6, tzinfo=UTC)
SOON = timedelta(seconds=30)


@pytest.fixture
def bob(bob: User) -> User:
    bob.quiet_from, bob.quiet_until, bob.time_zone = time(23), time(7), "Europe/Paris"
    bob.save()
    return bob


def turn_of_bob(alice: User, bob: User, control: TimeControl) -> Game:
    return advance(running(alice, bob, now=NIGHT, time=control), random.Random(1), now=NIGHT)


def notify(game: Game, now: datetime) -> bool:
    return deliver_turn(game.players.get(seat=1).pk, 2, now=now)


def try_again(now: datetime) -> list[bool]:
    """Send what is due, as the sweep has it sent."""
    return [deliver(*due, now=now) for due in sorted(DELIVERY_OUTBOX.due(now))]


def test_what_can_wait_is_sent_once_when_the_quiet_hours_end(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game = turn_of_bob(alice, bob, PACES["normal"])
    assert not notify(game, NIGHT + SOON)
    assert set(Delivery.objects.values_list("due_at", "tries")) == {(MORNING, 0)}
    # The job that was asked for at first comes late, and again.
    [held] = Delivery.objects.values_list("pk", flat=True)
    assert not deliver(held, 0, now=NIGHT + 2 * SOON)
    assert try_again(MORNING) == []
    assert try_again(MORNING + SOON) == [True]
    assert not deliver(held, 0, now=MORNING + SOON)
    assert [mail.to for mail in mailoutbox] == [["bob@example.org"]]


def test_what_was_held_and_is_no_news_any_more_is_not_sent(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    game = turn_of_bob(alice, bob, PACES["normal"])
    notify(game, NIGHT + SOON)
    advance(game, random.Random(1), now=NIGHT + timedelta(hours=1))
    assert try_again(MORNING + SOON) == [False]
    assert mailoutbox == []


def test_a_turn_that_ends_before_the_quiet_hours_do_does_not_wait(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    assert notify(turn_of_bob(alice, bob, PACES["evening"]), NIGHT + SOON)
    assert len(mailoutbox) == 1


def test_a_reminder_of_a_deadline_in_the_night_does_not_wait(
    alice: User, bob: User, mailoutbox: list[EmailMessage]
) -> None:
    three_hours = TimeControl(3 * 3600, 3 * 3600, 3 * 3600)
    game = turn_of_bob(alice, bob, three_hours)
    late = NIGHT + timedelta(hours=2, minutes=15)
    assert remind(late) == {game.pk}
    assert [deliver(key, 0, now=late) for key in announce_game(game.pk, now=late)] == [True]


def test_with_quiet_hours_reminders_come_by_the_clock_and_not_at_night(alice: User, bob: User) -> None:
    game = turn_of_bob(alice, bob, TimeControl(DAY, DAY, DAY))
    # The clock runs for 16 hours on the first day, and for 8 on the second.
    assert game.deadline == datetime(2026, 3, 5, 14, tzinfo=UTC)
    assert remind(datetime(2026, 3, 4, 21, tzinfo=UTC)) == set()
    assert remind(datetime(2026, 3, 5, 8, tzinfo=UTC)) == {game.pk}
    assert Notification.objects.get(occasion="deadline").event == 4


def test_others_are_not_kept_waiting(alice: User, bob: User, mailoutbox: list[EmailMessage]) -> None:
    game = running(alice, bob, now=NIGHT, time=PACES["normal"])
    assert deliver_turn(game.players.get(seat=0).pk, 1, now=NIGHT + SOON)
    assert len(mailoutbox) == 1
