"""Signing up: the page does the same for every address, and a job finds out whether it has an account already."""

import logging
import re
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core import mail
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.mail.confirmations import answer_confirmation
from accounts.mail.outbox import TRIED_FOR
from accounts.models import ConfirmationRequest, Mail, User
from games.background.sweep import sweep
from tests.accounts.conftest import PASSWORD
from tests.accounts.test_outbox import work
from tests.games.tasks.queues import job_queue as job_queue

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
KNOWN, UNKNOWN = "alice@example.org", "nobody@example.org"

pytestmark = pytest.mark.usefixtures("mailing")


def sign_up(name: str, email: str, **headers: str) -> Any:
    data = {"username": name, "email": email, "password1": PASSWORD}
    answer = Client().post("/accounts/signup/", data, headers=headers)
    assert answer.status_code == 302
    return answer


def statements(name: str, email: str) -> list[str]:
    """Return what signing up sends to the database, without the values."""
    with CaptureQueriesContext(connection) as captured:
        sign_up(name, email)
    return [re.sub(r"'[^']*'|\b\d+\b", "?", query["sql"]) for query in captured.captured_queries]


def kind(message: Any) -> str:
    """Return what an e-mail is for."""
    body = str(message.body)
    return "confirm" if "/confirm-email/" in body else "exists" if "already has an account" in body else body


def asked(email: str = UNKNOWN, at: datetime = NOON, **address: Any) -> ConfirmationRequest:
    """Store that the address of a new person is to be written to."""
    owner = User.objects.create_user("carol", email=email)
    row = EmailAddress.objects.create(user=owner, email=email, primary=True, **address)
    return ConfirmationRequest.objects.create(address_id=row.pk, language="en", asked_at=at)


@pytest.mark.django_db(transaction=True)
def test_the_page_asks_the_database_the_same_for_every_address(alice: User) -> None:
    statements("first", "first@example.org")
    known, unknown = statements("carol", KNOWN), statements("david", UNKNOWN)
    assert known == unknown
    assert sum("accounts_confirmationrequest" in statement for statement in known) == 1
    assert not any("accounts_mail" in statement for statement in known)
    assert not [statement for statement in known if re.search(r'WHERE .*"email" (=|IN)', statement)]


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("email", [KNOWN, UNKNOWN])
def test_the_page_writes_no_mail(alice: User, email: str) -> None:
    templates = [template.name for template in sign_up("carol", email).templates]
    assert [name for name in templates if "account/email/" in str(name)] == []
    assert (mail.outbox, Mail.objects.count(), ConfirmationRequest.objects.count()) == ([], 0, 1)


@pytest.mark.django_db(transaction=True)
def test_the_job_writes_to_each_what_concerns_it(alice: User) -> None:
    sign_up("carol", KNOWN)
    sign_up("david", UNKNOWN)
    work()
    assert (mail.outbox, Mail.objects.count(), ConfirmationRequest.objects.count()) == ([], 2, 0)
    work()
    assert [(message.to, kind(message)) for message in mail.outbox] == [([KNOWN], "exists"), ([UNKNOWN], "confirm")]


@pytest.mark.django_db(transaction=True)
def test_the_link_that_a_job_has_written_confirms_the_address_once() -> None:
    sign_up("david", UNKNOWN)
    work()
    work()
    [path] = re.findall(r"http://127.0.0.1:8000(\S+/confirm-email/\S+)", str(mail.outbox[0].body))
    assert [Client().post(path).status_code for _ in range(2)] == [302, 404]
    assert EmailAddress.objects.get().verified


@pytest.mark.django_db(transaction=True)
def test_each_is_written_to_in_their_own_language(alice: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    sign_up("carol", KNOWN)
    sign_up("david", UNKNOWN, accept_language="fr")
    work()
    bodies = {posted.to: posted.body for posted in Mail.objects.all()}
    assert "Cette adresse a déjà un compte." in bodies[KNOWN]
    assert "confirmez-la" in bodies[UNKNOWN]


@pytest.mark.django_db(transaction=True)
def test_a_job_that_fails_halfway_leaves_the_request_and_tells_the_log_no_address(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    sign_up("david", UNKNOWN)
    with monkeypatch.context() as patch:
        patch.setattr("accounts.mail.requests.post_mail", lambda *_: 1 / 0)
        work()
    waiting = ConfirmationRequest.objects.get()
    assert Mail.objects.count() == 0
    assert answer_confirmation(waiting.pk, now=waiting.asked_at)
    assert (Mail.objects.count(), ConfirmationRequest.objects.count()) == (1, 0)
    assert "ZeroDivisionError" in caplog.text
    assert "nobody@" not in caplog.text
    assert "/confirm-email/" not in caplog.text


@pytest.mark.django_db(transaction=True)
def test_the_sweep_asks_again_for_what_was_lost() -> None:
    asked()
    assert sweep(NOON + timedelta(seconds=3)).mails == 0
    assert sweep(NOON + timedelta(seconds=6)).mails == 1
    assert sweep(NOON + timedelta(seconds=7)).mails == 0


@pytest.mark.parametrize(("email", "expected"), [(KNOWN, "exists"), (UNKNOWN, "confirm")])
def test_a_request_is_answered_once_however_often_the_job_runs(alice: User, email: str, expected: str) -> None:
    waiting = asked(email)
    assert [answer_confirmation(waiting.pk, now=NOON) for _ in range(2)] == [True, False]
    assert [kind(posted) for posted in Mail.objects.all()] == [expected]


@pytest.mark.django_db
def test_an_address_confirmed_or_gone_by_then_is_not_written_to() -> None:
    answer_confirmation(asked(verified=True).pk, now=NOON)
    User.objects.all().delete()
    waiting = asked()
    EmailAddress.objects.all().delete()
    answer_confirmation(waiting.pk, now=NOON)
    assert (Mail.objects.count(), ConfirmationRequest.objects.count()) == (0, 0)


@pytest.mark.django_db
def test_a_request_is_given_up_after_a_day(caplog: pytest.LogCaptureFixture) -> None:
    answer_confirmation(asked().pk, now=NOON + TRIED_FOR)
    assert (Mail.objects.count(), ConfirmationRequest.objects.count()) == (0, 0)
    assert "could not be answered for a day" in caplog.text
    assert "nobody" not in caplog.text


def test_a_closed_account_leaves_no_request_behind(alice: User) -> None:
    of_carol = asked()
    own = EmailAddress.objects.get(user=alice)
    ConfirmationRequest.objects.create(address_id=own.pk, language="en", asked_at=NOON)
    close_account(alice)
    assert [*ConfirmationRequest.objects.all()] == [of_carol]
