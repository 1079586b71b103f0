"""However many invitations come, one person gets one mail about them in an hour, and it speaks of all."""

import random
from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.core.mail import EmailMessage

from accounts.models import User
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.models import Delivery, Game
from games.notifications.announce import announce_game
from games.notifications.deliver import DELIVERY_OUTBOX, deliver
from tests.games.tables import ME, NOON, invited, open_table

pytestmark = pytest.mark.django_db
MINUTE = timedelta(minutes=1)


@pytest.fixture
def inviters(db: None) -> Iterator[User]:
    """People whom bob does not know, each for one invitation."""
    return (User.objects.create_user(f"stranger{number}") for number in range(100))


def invite(inviter: User, now: datetime) -> Game:
    game = open_table(inviter, ME, invited("bob"), now=now)
    announce_game(game.pk, now=now)
    return game


def send_due(now: datetime) -> None:
    """Send what is due, in any order, as many workers do."""
    due = list(DELIVERY_OUTBOX.due(now))
    random.Random(len(due)).shuffle(due)
    for each in due:
        deliver(*each, now=now)


def wait(begins: datetime, minutes: int) -> None:
    """Let the sweep ask for what is due, minute by minute."""
    for minute in range(minutes):
        send_due(begins + minute * MINUTE)


def test_many_invitations_at_once_are_one_mail_that_counts_them(
    bob: User, inviters: Iterator[User], mailoutbox: list[EmailMessage]
) -> None:
    for _ in range(10):
        invite(next(inviters), NOON)
    wait(NOON + MINUTE, 180)
    [mail] = mailoutbox
    assert mail.subject == "stranger0 invites you to play"
    assert "9 more invitations wait for your answer" in mail.body
    assert not Delivery.objects.filter(due_at__isnull=False).exists()


def test_one_that_comes_after_a_mail_waits_until_an_hour_after_it(
    bob: User, inviters: Iterator[User], mailoutbox: list[EmailMessage]
) -> None:
    invite(next(inviters), NOON)
    wait(NOON + MINUTE, 10)
    assert "more invitation" not in mailoutbox[0].body
    for _ in range(3):
        invite(next(inviters), NOON + 10 * MINUTE)
    wait(NOON + 11 * MINUTE, 50)
    assert len(mailoutbox) == 1
    wait(NOON + 61 * MINUTE, 120)
    assert [mail.subject for mail in mailoutbox[1:]] == ["stranger1 invites you to play"]
    assert "3 more invitations" in mailoutbox[1].body


def test_one_that_is_withdrawn_or_answered_holds_no_other_up(
    bob: User, inviters: Iterator[User], mailoutbox: list[EmailMessage]
) -> None:
    first, second, _third = [invite(next(inviters), NOON) for _ in range(3)]
    cancel_game(first.creator, first.slug)
    join_game(bob, second.slug, now=NOON)
    wait(NOON + MINUTE, 30)
    assert [mail.subject for mail in mailoutbox if "invites" in mail.subject] == ["stranger2 invites you to play"]


def test_a_mail_that_could_not_be_sent_is_tried_again_and_stays_the_only_one(
    bob: User, inviters: Iterator[User], mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch
) -> None:
    for _ in range(3):
        invite(next(inviters), NOON)
    with monkeypatch.context() as broken:
        broken.setattr("django.core.mail.message.EmailMessage.send", refuse)
        wait(NOON + MINUTE, 2)
    wait(NOON + 3 * MINUTE, 30)
    assert len(mailoutbox) == 1


def refuse(*_: object, **__: object) -> int:
    raise OSError("no mail server")
