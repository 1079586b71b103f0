"""The page on which people make webhooks for their programs, try them and remove them."""

import re

import pytest
from django.test import Client
from pytest_django import Settings

from accounts.models import ApiToken, Scope, User
from accounts.tokens import make_token
from games.actions.notices.add_webhook import MOST_WEBHOOKS, add_webhook
from games.models import Receiver
from tests.conftest import PASSWORD, LogIn
from tests.games.notifications.push_service import push_service
from tests.games.tables import NOON
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db
PAGE, HOOK = "/webhooks/", "https://bots.example.org/hook"


@pytest.fixture
def sure(alice: User, log_in: LogIn) -> Client:
    """Return alice's browser just after she has given her password."""
    alice.set_password(PASSWORD)
    alice.save()
    browser = log_in(alice)
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return browser


def words(browser: Client) -> str:
    """Return what the page shows, in one line."""
    return " ".join(re.sub(r"<[^>]*>", " ", browser.get(PAGE).content.decode()).split())


def test_a_new_one_shows_its_secret_once(sure: Client) -> None:
    answer = sure.post(PAGE, {"address": f" {HOOK} "})
    made = Receiver.objects.get()
    assert (answer.status_code, made.address, made.owner.username, made.token) == (200, HOOK, "alice", None)
    assert f'value="{made.secret}"' in answer.content.decode()
    assert "no-store" in answer["Cache-Control"]
    again = sure.get(PAGE).content.decode()
    assert (HOOK in again, made.secret in again) == (True, False)
    assert "Nothing has been sent yet." in words(sure)


def test_secrets_differ_and_are_long(sure: Client) -> None:
    for number in range(MOST_WEBHOOKS):
        sure.post(PAGE, {"address": f"{HOOK}/{number}"})
    secrets = {each.secret for each in Receiver.objects.all()}
    assert len(secrets) == MOST_WEBHOOKS
    assert all(re.fullmatch(r"whsec_[A-Za-z0-9+/]{32}", each) for each in secrets)


@pytest.mark.parametrize(
    ("address", "status", "sentence"),
    [
        ("http://bots.example.org/", 400, "We can only send to an address on the internet"),
        ("", 400, "We can only send to an address on the internet"),
        (HOOK, 409, "There is a webhook with this address already."),
        ("https://another.example.org/", 409, "There are 3 webhooks already"),
    ],
)
def test_what_is_refused_says_why_and_keeps_what_was_typed(
    sure: Client, alice: User, address: str, status: int, sentence: str
) -> None:
    for end in ("", "/2", "/3"):
        add_webhook(alice, HOOK + end, now=NOON)
    answer = sure.post(PAGE, {"address": address})
    html = answer.content.decode()
    assert (answer.status_code, sentence in html, f'value="{address}"' in html) == (status, True, True)
    assert Receiver.objects.count() == MOST_WEBHOOKS


def test_it_can_tell_of_a_bot_of_ones_own_and_of_no_other_account(sure: Client, alice: User, bob: User) -> None:
    fred, strange = (User.objects.create_user(name, operator=of) for name, of in (("Fred", alice), ("Greg", bob)))
    assert "Fred (bot)" in words(sure)
    assert sure.post(PAGE, {"address": HOOK, "player": str(fred.pk)}).status_code == 200
    assert Receiver.objects.get().owner == fred
    assert "Games of Fred (bot)" in words(sure)
    for other in (strange.pk, bob.pk, 10**9):
        assert sure.post(PAGE, {"address": f"{HOOK}/2", "player": str(other)}).status_code == 404
    assert Receiver.objects.count() == 1


def test_the_password_is_asked_for_first(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    for answer in (browser.get(PAGE), browser.post(PAGE, {"address": HOOK})):
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert not Receiver.objects.exists()


def test_its_owner_removes_it_and_nobody_else(sure: Client, alice: User, bob: User, log_in: LogIn) -> None:
    path = f"{PAGE}{add_webhook(alice, HOOK, now=NOON).pk}"
    other = log_in(bob)
    assert other.post(f"{path}/test/").status_code == 404
    other.post(f"{path}/remove/")
    assert Receiver.objects.exists()
    answer = sure.post(f"{path}/remove/", follow=True)
    assert "The webhook is removed." in answer.content.decode()
    assert not Receiver.objects.exists()
    assert sure.post(f"{path}/remove/").status_code == 302


@pytest.mark.django_db(transaction=True)
def test_the_button_sends_a_test_and_the_page_says_how_it_went(sure: Client, alice: User, settings: Settings) -> None:
    settings.PUSH_TO_LOOPBACK = True
    with push_service() as program:
        path = f"{PAGE}{add_webhook(alice, f'{program.url}/hook', now=NOON).pk}/test/"
        program.answers = [(500, {})]
        for sentence in ("it answered with 500", "The program accepted the last message."):
            assert "on its way" in sure.post(path, follow=True).content.decode()
            run_jobs()
            assert sentence in words(sure)
    sure.post(path)
    run_jobs()
    assert "The program did not answer the last message." in words(sure)


def test_the_page_says_what_was_switched_off_and_by_which_token_it_was_made(sure: Client, alice: User) -> None:
    make_token(alice, "at home", [Scope.READ], NOON)
    add_webhook(alice, HOOK, token=ApiToken.objects.get().pk, now=NOON)
    Receiver.objects.update(stopped_at=NOON, answer=500, answered_at=NOON)
    assert "set up with the token “at home”" in words(sure)
    assert "Switched off: the program accepted nothing." in words(sure)


def test_there_is_an_end_to_making_and_to_trying_them(
    sure: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = f"{PAGE}{add_webhook(alice, HOOK, now=NOON).pk}/test/"
    monkeypatch.setattr("games.views.notices.webhooks.RECEIVER_TESTS_AN_HOUR", 1)
    assert [sure.post(path).status_code for _try in range(2)] == [302, 429]
    monkeypatch.setattr("games.views.notices.webhooks.RECEIVERS_AN_HOUR", 1)
    assert [sure.post(PAGE, {"address": ""}).status_code for _try in range(2)] == [400, 429]


def test_the_page_of_log_ins_lists_them_beside_tokens_and_takes_them_away(sure: Client, alice: User) -> None:
    sure.post(PAGE, {"address": HOOK})
    page = sure.get("/accounts/keys/").content.decode()
    assert HOOK in page
    assert "Webhook for the games of alice" in page
    remove = re.findall(r'action="(/webhooks/\d+/remove/)"', page)[0]
    assert sure.post(remove, {"next": "/accounts/keys/"})["Location"] == "/accounts/keys/"
    assert HOOK not in sure.get("/accounts/keys/").content.decode()
    assert sure.post(remove, {"next": "https://evil.example/"})["Location"] == PAGE
