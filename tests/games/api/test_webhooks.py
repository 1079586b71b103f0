"""Webhooks by the API: a token keeps its own, and the guide says how to check what is sent."""

import json
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.utils import timezone
from pytest_django import Settings

from accounts.bots.keeping import make_bot
from accounts.models import ApiToken, Mail, Scope, User
from games.actions.notices.add_webhook import add_webhook
from games.models import Receiver, WebhookNotice
from games.notifications.webhooks import tell_news
from tests.conftest import LogIn
from tests.games.api.conftest import Program
from tests.games.api.test_document import blocks
from tests.games.notifications.push_service import Service, push_service
from tests.games.play.pages import read
from tests.games.tables import NOON, running
from tests.games.tasks.workers import run_jobs
from tests.proof import proof
from tests.spam import check_no_spam, needs_spamassassin

pytestmark = pytest.mark.django_db
HOOK = "https://bots.example.org/hook"


@pytest.fixture
def receiver(settings: Settings) -> Iterator[Service]:
    """A program on this machine that takes deliveries."""
    settings.PUSH_TO_LOOPBACK = True
    with push_service() as service:
        yield service


def test_one_is_made_listed_and_deleted(alice: User, program: Callable[..., Program]) -> None:
    mine = program(alice, [Scope.WEBHOOKS])
    answer = mine.post("webhooks", address=HOOK)
    made = answer.json()
    assert (answer.status_code, made.pop("secret")) == (200, Receiver.objects.get().secret)
    assert mine.get("webhooks").json() == [made]
    assert (made["address"], made["answer"], made["answered_at"], made["stopped_at"]) == (HOOK, 0, None, None)
    assert mine.post(f"webhooks/{made['id']}/delete").status_code == 204
    assert mine.get("webhooks").json() == []


def test_a_token_sees_and_ends_only_what_it_has_set_up(alice: User, bob: User, program: Callable[..., Program]) -> None:
    mine, other, strange = program(alice), program(alice), program(bob)
    made = mine.post("webhooks", address=HOOK).json()["id"]
    on_the_page = add_webhook(alice, f"{HOOK}/2", now=NOON).pk
    for each in (other, strange):
        assert each.get("webhooks").json() == []
        for path in (f"{made}/delete", f"{made}/test"):
            assert (answer := each.post(f"webhooks/{path}")).status_code == 404
            assert answer.json()["code"] == "not-found"
    assert mine.post(f"webhooks/{on_the_page}/delete").status_code == 404
    assert mine.post(f"webhooks/{10**30}/delete").status_code == 404
    assert Receiver.objects.count() == 2


@pytest.mark.parametrize(
    ("address", "status", "code"),
    [
        ("http://bots.example.org/", 400, "bad-request"),
        ("https://10.0.0.1/", 400, "bad-request"),
        (HOOK, 409, "webhook-known"),
        (f"{HOOK}/4", 409, "no-more-webhooks"),
    ],
)
def test_what_is_refused_changes_nothing(
    alice: User, program: Callable[..., Program], address: str, status: int, code: str
) -> None:
    mine = program(alice)
    for end in ("", "/2", "/3"):
        mine.post("webhooks", address=HOOK + end)
    answer = mine.post("webhooks", address=address)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert Receiver.objects.count() == 3


def test_a_token_without_the_scope_sets_up_none_and_touches_none_whatever_else_it_may(
    alice: User, program: Callable[..., Program]
) -> None:
    mine = program(alice, [scope for scope in Scope if scope.value != "webhooks"])
    own = add_webhook(alice, HOOK, token=ApiToken.objects.get().pk, now=NOON)
    answers = [
        mine.get("webhooks"),
        mine.post("webhooks", address=f"{HOOK}/2"),
        mine.post(f"webhooks/{own.pk}/test"),
        mine.post(f"webhooks/{own.pk}/delete"),
    ]
    assert {(answer.status_code, answer.json()["code"]) for answer in answers} == {(403, "scope")}
    assert "webhooks" in answers[0].json()["detail"]
    assert Receiver.objects.get() == own


@pytest.mark.django_db(transaction=True)
def test_who_is_told_of_by_a_program_is_written_to_in_their_language(
    alice: User, program: Callable[..., Program], settings: Settings
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    User.objects.filter(pk=alice.pk).update(language="fr")
    program(alice).post("webhooks", address=HOOK)
    mail = Mail.objects.get()
    assert "Voir vos webhooks" in mail.page
    assert (mail.to, mail.subject) == (alice.email, "Block-You\u00a0: Un programme a créé un webhook pour vos parties")
    assert HOOK in mail.body
    assert "a test" in mail.body
    assert "/webhooks/" in mail.body


@pytest.mark.django_db(transaction=True)
@pytest.mark.slow
@needs_spamassassin
@pytest.mark.parametrize("language", proof("en", "fr"))
def test_the_mail_about_a_webhook_that_a_program_has_set_up_is_far_from_the_spam_folder(
    language: str,
    alice: User,
    program: Callable[..., Program],
    settings: Settings,
    mailoutbox: list[EmailMessage],
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    User.objects.filter(pk=alice.pk).update(language=language)
    program(alice).post("webhooks", address=HOOK)
    check_no_spam(mailoutbox[-1].message().as_bytes())


@pytest.mark.django_db(transaction=True)
def test_nobody_is_written_to_of_a_webhook_of_the_page_or_at_an_address_that_is_not_confirmed(
    alice: User, bob: User, program: Callable[..., Program], settings: Settings
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    add_webhook(alice, HOOK, now=NOON)
    program(bob).post("webhooks", address=HOOK)
    assert not Mail.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_operator_is_written_to_of_a_webhook_of_a_bot(
    alice: User, program: Callable[..., Program], settings: Settings
) -> None:
    settings.EMAIL_IS_SET = True
    EmailAddress.objects.create(user=alice, email=alice.email, verified=True, primary=True)
    program(make_bot(alice, "Fred")).post("webhooks", address=HOOK)
    assert (Mail.objects.get().to, "Fred" in Mail.objects.get().body) == (alice.email, True)


def test_who_has_no_confirmed_address_finds_it_among_their_notices(
    alice: User, bob: User, program: Callable[..., Program], log_in: LogIn
) -> None:
    program(alice).post("webhooks", address=HOOK)
    browser = log_in(alice)
    alice.refresh_from_db()
    assert alice.unread_notices == 1
    row = read(browser.get("/notices/")).find(class_="list__row")
    assert "A program has set up a webhook for your games" in row.text
    assert "bots.example.org" in row.text
    assert "a test" in row.text
    assert row.find("a", href="/webhooks/")
    assert "data-new" in row.attributes
    alice.refresh_from_db()
    assert alice.unread_notices == 0
    assert "data-new" not in read(browser.get("/notices/")).find(class_="list__row").attributes
    assert not read(log_in(bob).get("/notices/")).find_all(class_="list__row")


def test_the_notice_stays_when_the_program_has_removed_the_webhook_and_its_token_is_gone(
    alice: User, program: Callable[..., Program], log_in: LogIn
) -> None:
    mine = program(alice)
    mine.post(f"webhooks/{mine.post('webhooks', address=HOOK).json()['id']}/delete")
    ApiToken.objects.all().delete()
    assert "A program has set up a webhook" in log_in(alice).get("/notices/").content.decode()


def test_the_notice_is_in_the_language_of_its_reader(
    alice: User, program: Callable[..., Program], log_in: LogIn
) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    program(alice).post("webhooks", address=HOOK)
    row = read(log_in(alice).get("/notices/")).find(class_="list__row")
    assert "Un programme a créé un webhook pour vos parties" in row.text
    assert "bots.example.org" in row.text
    assert "Remove" not in row.text


def test_the_operator_finds_a_webhook_of_a_bot_among_their_notices(
    alice: User, program: Callable[..., Program], log_in: LogIn
) -> None:
    program(make_bot(alice, "Fred")).post("webhooks", address=HOOK)
    row = read(log_in(alice).get("/notices/")).find(class_="list__row")
    assert "for the games of Fred" in row.text


def test_a_webhook_of_the_page_is_told_to_nobody(alice: User, log_in: LogIn) -> None:
    add_webhook(alice, HOOK, now=NOON)
    alice.refresh_from_db()
    assert (alice.unread_notices, WebhookNotice.objects.exists()) == (0, False)


@pytest.mark.django_db(transaction=True)
def test_a_test_is_sent_and_the_list_says_how_it_went(
    alice: User, program: Callable[..., Program], receiver: Service
) -> None:
    mine = program(alice)
    made = mine.post("webhooks", address=f"{receiver.url}/hook").json()["id"]
    assert mine.post(f"webhooks/{made}/test").status_code == 204
    run_jobs()
    assert json.loads(receiver.posts[0].body)["type"] == "test"
    assert mine.get("webhooks").json()[0]["answer"] == 201


def test_the_example_of_the_guide_tells_what_is_genuine(alice: User, bob: User, receiver: Service) -> None:
    guide: dict[str, Any] = {}
    [example] = [each for each in blocks("python") if "is_genuine" in each]
    exec(compile(example, "docs/api.md", "exec"), guide)
    hook = add_webhook(alice, f"{receiver.url}/hook", now=timezone.now())
    running(alice, bob)
    tell_news(hook.pk, 0, now=timezone.now())
    post = receiver.posts[0]
    assert guide["is_genuine"](hook.secret, post.headers, post.body)
    old = {**post.headers, "webhook-timestamp": str(int(time.time()) - 600)}
    other = {**post.headers, "webhook-id": "msg_another"}
    assert not guide["is_genuine"](hook.secret, post.headers, post.body + b" ")
    assert not guide["is_genuine"](hook.secret, old, post.body)
    assert not guide["is_genuine"](hook.secret, other, post.body)
    assert not guide["is_genuine"]("whsec_" + "A" * 32, post.headers, post.body)


def test_the_delivery_in_the_guide_has_the_parts_of_a_real_one(alice: User, bob: User, receiver: Service) -> None:
    hook = add_webhook(alice, f"{receiver.url}/hook", now=NOON)
    running(alice, bob)
    tell_news(hook.pk, 0, now=NOON)
    shown = json.loads(blocks("json")[-1])
    assert list(shown) == list(json.loads(receiver.posts[-1].body))
