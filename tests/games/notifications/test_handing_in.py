"""A mail that its server has taken counts as sent before the session ends: what fails then sends no second one."""

import random
from smtplib import SMTPException
from typing import Any

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from accounts.mail.outbox import post_mail, send_posted_mail
from accounts.models import Mail, User
from games.models import Delivery, Player
from tests.games.notifications.turns import deliver_turn
from tests.games.tables import NOON, advance, running

pytestmark = pytest.mark.django_db


class Server:
    """A mail server that takes every mail, and fails when it is to say goodbye."""

    taken: list[str]
    #: How many mails still waited to be sent when each session was to end.
    waiting_at_the_end: list[int]

    def __init__(self, *_address: Any, **_options: Any) -> None:
        pass

    def sendmail(self, _sender: str, _recipients: list[str], message: bytes) -> None:
        self.taken.append(message.decode())

    def quit(self) -> None:
        waiting = Delivery.objects.filter(due_at__isnull=False)
        self.waiting_at_the_end.append(waiting.count() + Mail.objects.count())
        raise SMTPException("It has gone away.")


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> type[Server]:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    Server.taken, Server.waiting_at_the_end = [], []
    monkeypatch.setattr("smtplib.SMTP", Server)
    return Server


def test_a_notice_that_was_taken_is_sent_however_the_session_ends(server: type[Server], alice: User, bob: User) -> None:
    game = advance(running(alice, bob), random.Random(1), now=NOON)
    assert deliver_turn(Player.objects.get(game=game, seat=1).pk, 2, now=NOON)
    assert (len(server.taken), server.waiting_at_the_end) == (1, [0])
    assert Delivery.objects.get().sent_at == NOON


def test_an_e_mail_about_an_account_that_was_taken_is_sent_however_the_session_ends(server: type[Server]) -> None:
    post_mail(EmailMessage("Your link", "https://127.0.0.1/x", to=["alice@example.org"]), "account/email/x")
    assert send_posted_mail(Mail.objects.get().pk, 0, now=NOON)
    assert (len(server.taken), server.waiting_at_the_end) == (1, [0])
