"""E-mails about accounts: no page waits for a mail server, and none is lost with it."""

import logging
import re
from datetime import UTC, datetime, timedelta
from smtplib import SMTPRecipientsRefused
from typing import Any

import pytest
from django.core import mail
from django.core.mail import EmailMessage
from django.test import Client

from accounts.erasure import close_account
from accounts.mail.outbox import LONGEST_MAIL_PAUSE, MAIL_PAUSE, TRIED_FOR, mails_due, post_mail, send_posted_mail
from accounts.models import Mail, User
from games.background.sweep import sweep
from games.jobs import claim_job, find_jobs, run_job
from tests.games.tasks.queues import job_queue as job_queue

MESSAGE = EmailMessage("Your link", "https://127.0.0.1/x", to=["alice@example.org"])


def failing(monkeypatch: pytest.MonkeyPatch, error: Exception) -> None:
    """Let the mail server answer with an error."""

    def fail(*_args: object) -> None:
        raise error

    monkeypatch.setattr(mail.EmailMessage, "send", fail)


def posted() -> Mail:
    post_mail(MESSAGE, "account/email/x")
    return Mail.objects.get()


def ask_for_link() -> Any:
    return Client().post("/accounts/password/reset/", {"email": "alice@example.org"}, follow=True)


def work() -> None:
    """Do the jobs that wait, as a worker would."""
    for job in find_jobs("READY"):
        assert claim_job(job, "worker")
        run_job(job)


@pytest.mark.django_db(transaction=True)
def test_a_mail_is_stored_first_and_a_job_sends_it(alice: User) -> None:
    ask_for_link()
    work()
    assert (mail.outbox, Mail.objects.count()) == ([], 1)
    work()
    [sent] = mail.outbox
    assert sent.to == ["alice@example.org"]
    assert re.search(r"/password/reset/key/\S+", str(sent.body))
    assert sent.extra_headers["Message-ID"].startswith("<account.")
    assert not Mail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_no_page_speaks_to_the_mail_server(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    failing(monkeypatch, AssertionError("a page spoke to the mail server"))
    assert ask_for_link().redirect_chain == [("/accounts/password/reset/done/", 302)]


def test_a_mail_is_tried_again_with_longer_pauses(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    waiting, now = posted(), datetime(2026, 3, 1, tzinfo=UTC)
    failing(monkeypatch, ConnectionRefusedError())
    pauses = []
    for tries in range(7):
        assert not send_posted_mail(waiting.pk, tries, now=now)
        waiting.refresh_from_db()
        pauses.append(waiting.due_at - now)
    assert pauses == [MAIL_PAUSE, 2 * MAIL_PAUSE, 4 * MAIL_PAUSE, 8 * MAIL_PAUSE, *[LONGEST_MAIL_PAUSE] * 3]


def test_a_mail_is_given_up_after_a_day(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = posted()
    failing(monkeypatch, ConnectionRefusedError())
    assert not send_posted_mail(waiting.pk, 0, now=waiting.posted_at + TRIED_FOR)
    assert not Mail.objects.exists()
    assert "could not be sent for a day" in caplog.text
    assert "alice" not in caplog.text


@pytest.mark.parametrize(("code", "is_kept"), [(550, False), (450, True)])
def test_an_address_that_is_refused_for_good_is_not_tried_again(
    db: None, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, code: int, is_kept: bool
) -> None:
    caplog.set_level(logging.INFO)
    waiting = posted()
    failing(monkeypatch, SMTPRecipientsRefused({"alice@example.org": (code, b"alice@example.org is not here")}))
    assert not send_posted_mail(waiting.pk, 0, now=waiting.posted_at)
    assert Mail.objects.exists() is is_kept
    assert f"E-mail {waiting.pk} (account/email/x)" in caplog.text
    assert "alice" not in caplog.text


def test_of_two_workers_one_sends(db: None, mailoutbox: list[EmailMessage]) -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    row = Mail.objects.create(kind="x", to="alice@example.org", subject="x", body="x", posted_at=now, due_at=now)
    assert [send_posted_mail(row.pk, 0, now=now) for _ in range(2)] == [True, False]
    assert len(mailoutbox) == 1


@pytest.mark.django_db(transaction=True)
def test_the_sweep_asks_again_for_what_was_lost() -> None:
    now = datetime(2026, 3, 1, tzinfo=UTC)
    Mail.objects.create(kind="x", to="alice@example.org", subject="x", body="x", posted_at=now, due_at=now)
    assert sweep(now + timedelta(seconds=3)).mails == 0
    assert sweep(now + timedelta(seconds=6)).mails == 1
    assert sweep(now + timedelta(seconds=7)).mails == 0
    work()
    assert len(mail.outbox) == 1
    assert mails_due(now + timedelta(days=1)) == set()


def test_a_closed_account_leaves_no_mail_behind(alice: User) -> None:
    posted()
    close_account(alice)
    assert not Mail.objects.exists()
