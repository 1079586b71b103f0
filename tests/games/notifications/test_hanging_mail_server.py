"""A mail server that never answers costs few e-mails their seconds: then all of them wait, and none loses a try."""

import random
import selectors
import socket
from collections.abc import Iterator
from datetime import timedelta

import pytest
from django.core.mail import EmailMessage
from pytest_django import Settings

from accounts.mail import handing_in
from accounts.mail.handing_in import FIRST_MAIL_REST, LATE_MAILS, LONGEST_MAIL_REST, MailServer, mail_server
from accounts.mail.outbox import post_mail, send_posted_mail
from accounts.models import Mail, User
from games.models import DailyDigest, Delivery, Player
from games.notifications.deliver import deliver
from games.notifications.digests import deliver_digest
from games.notifications.turns import announce_turn
from tests.games.tables import NOON, advance, running

pytestmark = pytest.mark.django_db
MESSAGE = EmailMessage("Your link", "https://127.0.0.1/x", to=["alice@example.org"])
HUNG = "was late 3 times in a row"


class Silent:
    """A mail server that takes every connection and says nothing."""

    def __init__(self, listener: socket.socket) -> None:
        self.listener = listener
        self.taken: list[socket.socket] = []

    def connections(self) -> int:
        """Return how many connections have been opened to it since this was asked last."""
        before = len(self.taken)
        with selectors.DefaultSelector() as waiting:
            waiting.register(self.listener, selectors.EVENT_READ)
            while waiting.select(0):
                self.taken.append(self.listener.accept()[0])
        return len(self.taken) - before


@pytest.fixture
def silent(settings: Settings) -> Iterator[Silent]:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
        settings.EMAIL_HOST, settings.EMAIL_PORT = listener.getsockname()
        settings.EMAIL_TIMEOUT = 0.1
        mail_server.forget()
        server = Silent(listener)
        yield server
        mail_server.forget()
        for each in server.taken:
            each.close()


@pytest.fixture
def delivery(alice: User, bob: User) -> Delivery:
    """Bob is to be told that it is his turn."""
    game = advance(running(alice, bob), random.Random(1), now=NOON)
    [key] = announce_turn(Player.objects.get(game=game, seat=1).pk, 2, now=NOON)
    return Delivery.objects.get(pk=key)


def posted() -> Mail:
    """Return an e-mail that waits to be sent."""
    post_mail(MESSAGE, "account/email/x")
    return Mail.objects.latest("pk")


def hang(server: Silent) -> None:
    """Send e-mails until the server is left alone."""
    for _ in range(LATE_MAILS):
        assert not send_posted_mail(posted().pk, 0, now=NOON)
    assert server.connections() == LATE_MAILS


def test_after_three_that_hang_an_e_mail_about_an_account_waits_and_no_try_is_counted(
    silent: Silent, caplog: pytest.LogCaptureFixture
) -> None:
    hang(silent)
    waiting = posted()
    assert not send_posted_mail(waiting.pk, 0, now=NOON)
    waiting.refresh_from_db()
    assert (silent.connections(), waiting.tries) == (0, 0)
    assert timedelta(seconds=FIRST_MAIL_REST - 30) < waiting.due_at - NOON <= timedelta(seconds=FIRST_MAIL_REST)
    assert caplog.text.count(HUNG) == 1


def test_notices_and_summaries_of_the_day_wait_too(silent: Silent, delivery: Delivery, bob: User) -> None:
    digest = DailyDigest.objects.create(user=bob, day=NOON.date(), due_at=NOON)
    hang(silent)
    assert not deliver(delivery.pk, 0, now=NOON)
    assert not deliver_digest(digest.pk, 0, now=NOON)
    for row in (delivery, digest):
        row.refresh_from_db()
        assert row.due_at is not None
        assert (row.tries, row.due_at > NOON) == (0, True)
    assert silent.connections() == 0


def test_a_notice_that_hangs_has_no_traceback_in_the_log(
    silent: Silent, delivery: Delivery, caplog: pytest.LogCaptureFixture
) -> None:
    assert not deliver(delivery.pk, 0, now=NOON)
    assert silent.connections() == 1
    [line] = [record for record in caplog.records if "was not sent" in record.getMessage()]
    assert line.exc_info is None


def test_after_the_rest_one_e_mail_alone_finds_out_whether_the_server_answers(
    silent: Silent, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    hang(silent)
    before = mail_server.clock()
    monkeypatch.setattr(mail_server, "clock", lambda: before + FIRST_MAIL_REST)
    assert mail_server.rest() == timedelta()
    assert mail_server.rest() > timedelta()
    mail_server.note_late()
    assert mail_server.rest() == timedelta(seconds=2 * FIRST_MAIL_REST)
    assert caplog.text.count(HUNG) == 1


def test_a_server_that_has_answered_after_its_rest_is_as_good_as_new(
    silent: Silent, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    hang(silent)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    before = mail_server.clock()
    monkeypatch.setattr(mail_server, "clock", lambda: before + FIRST_MAIL_REST)
    for _ in range(2):
        assert send_posted_mail(posted().pk, 0, now=NOON)


def test_a_server_that_refuses_at_once_is_tried_as_before(silent: Silent, settings: Settings) -> None:
    settings.EMAIL_TIMEOUT = 20
    silent.listener.close()
    for _ in range(2 * LATE_MAILS):
        waiting = posted()
        assert not send_posted_mail(waiting.pk, 0, now=NOON)
        waiting.refresh_from_db()
        assert waiting.tries == 1


def test_a_server_that_goes_on_hanging_is_left_alone_for_twice_as_long_each_time_up_to_five_minutes() -> None:
    now, rests = [0.0], list[float]()
    server = MailServer(lambda: now[0])
    for _ in range(LATE_MAILS - 1):
        server.note_late()
    for _ in range(5):
        assert server.rest() == timedelta()
        server.note_late()
        # Another one that was under way beside it.
        server.note_late()
        rests.append(server.rest().total_seconds())
        now[0] += rests[-1]
    assert rests == [FIRST_MAIL_REST, 2 * FIRST_MAIL_REST, 4 * FIRST_MAIL_REST, LONGEST_MAIL_REST, LONGEST_MAIL_REST]


def test_where_the_one_that_was_to_try_is_not_sent_another_one_does_soon(settings: Settings) -> None:
    settings.EMAIL_TIMEOUT = 8
    now = [0.0]
    server = MailServer(lambda: now[0])
    for _ in range(LATE_MAILS):
        server.note_late()
    now[0] = FIRST_MAIL_REST
    assert server.rest() == timedelta()
    assert server.rest() == timedelta(seconds=2 * handing_in.patience())
    now[0] += 2 * handing_in.patience()
    assert server.rest() == timedelta()
