"""Asking for a new password: the page does the same for every address, and a job finds out whose it is."""

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.mail import resets
from accounts.mail.outbox import TRIED_FOR
from accounts.models import Mail, ResetRequest, User
from games.background.sweep import sweep
from tests.accounts.test_outbox import work
from tests.games.tasks.queues import job_queue as job_queue

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KNOWN, UNKNOWN = "alice@example.org", "nobody@example.org"


def ask(email: str, **headers: str) -> Any:
    return Client().post("/accounts/password/reset/", {"email": email}, headers=headers)


def statements(email: str) -> list[str]:
    """Return what asking for a link sends to the database, without the values."""
    with CaptureQueriesContext(connection) as captured:
        assert ask(email).status_code == 302
    return [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in captured.captured_queries]


def sent() -> list[tuple[list[str], bool]]:
    """Return to whom e-mails have gone, and whether there is a link for a new password in them."""
    return [(message.to, "/password/reset/key/" in str(message.body)) for message in mail.outbox]


def named() -> set[str]:
    """Return for whom e-mails wait, and take them away."""
    bodies = " ".join(Mail.objects.values_list("body", flat=True))
    Mail.objects.all().delete()
    return set(re.findall("new password for (anna|berta)", bodies))


def asked(at: datetime = NOON, email: str = KNOWN) -> ResetRequest:
    return ResetRequest.objects.create(email=email, language="en", asked_at=at)


@pytest.mark.django_db(transaction=True)
def test_the_page_asks_the_database_the_same_for_every_address(alice: User) -> None:
    statements(UNKNOWN)
    known, unknown = statements(KNOWN), statements(UNKNOWN)
    assert known == unknown
    assert any("accounts_resetrequest" in statement for statement in known)
    assert not any("emailaddress" in statement or "accounts_user" in statement for statement in known)


@pytest.mark.django_db(transaction=True)
def test_the_mail_comes_when_the_job_has_run(alice: User) -> None:
    ask(KNOWN)
    ask(UNKNOWN)
    assert (mail.outbox, Mail.objects.count(), ResetRequest.objects.count()) == ([], 0, 2)
    work()
    assert (sent(), Mail.objects.count(), ResetRequest.objects.count()) == ([], 2, 0)
    work()
    assert sent() == [([KNOWN], True), ([UNKNOWN], False)]


def test_everybody_who_gave_the_address_gets_a_link_until_one_has_confirmed_it(db: None) -> None:
    people = [User.objects.create_user(name, email=KNOWN) for name in ("anna", "berta")]
    resets.answer_reset(asked().pk, now=NOON)
    assert named() == {"anna", "berta"}
    people[1].emailaddress_set.update(verified=True)
    resets.answer_reset(asked().pk, now=NOON)
    assert named() == {"berta"}


@pytest.mark.django_db(transaction=True)
def test_it_is_written_in_the_language_of_the_page() -> None:
    ask(UNKNOWN, accept_language="fr")
    work()
    assert "Aucun compte" in Mail.objects.get().subject


@pytest.mark.django_db(transaction=True)
def test_the_sweep_asks_again_for_what_was_lost(alice: User) -> None:
    asked()
    assert sweep(NOON + timedelta(seconds=3)).mails == 0
    assert sweep(NOON + timedelta(seconds=6)).mails == 1
    assert sweep(NOON + timedelta(seconds=7)).mails == 0


@pytest.mark.django_db(transaction=True)
def test_a_job_that_fails_halfway_leaves_the_request_and_tells_the_log_no_address(
    alice: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    ask(KNOWN)
    with monkeypatch.context() as patch:
        patch.setattr("accounts.mail.requests.post_mail", lambda *_: 1 / 0)
        work()
    assert (Mail.objects.count(), ResetRequest.objects.count()) == (0, 1)
    assert resets.answer_reset(ResetRequest.objects.get().pk, now=ResetRequest.objects.get().asked_at)
    assert (Mail.objects.count(), ResetRequest.objects.count()) == (1, 0)
    assert "ZeroDivisionError" in caplog.text
    assert "alice@" not in caplog.text
    assert "/password/reset/key/" not in caplog.text


def test_a_request_is_answered_once_however_often_the_job_runs(alice: User) -> None:
    waiting = asked()
    assert [resets.answer_reset(waiting.pk, now=NOON) for _ in range(2)] == [True, False]
    assert Mail.objects.count() == 1


def test_a_request_is_given_up_after_a_day(alice: User, caplog: pytest.LogCaptureFixture) -> None:
    resets.answer_reset(asked().pk, now=NOON + TRIED_FOR)
    assert (Mail.objects.count(), ResetRequest.objects.count()) == (0, 0)
    assert "could not be answered for a day" in caplog.text
    assert "alice" not in caplog.text


def test_a_closed_account_leaves_no_request_behind(alice: User) -> None:
    asked()
    asked(email=UNKNOWN)
    close_account(alice)
    assert list(ResetRequest.objects.values_list("email", flat=True)) == [UNKNOWN]


@pytest.mark.django_db
def test_an_address_that_is_too_long_is_said_to_be_so() -> None:
    page = ask(f"{'a' * 250}@example.org")
    assert page.status_code == 200
    assert "at most 254 characters" in page.content.decode()
