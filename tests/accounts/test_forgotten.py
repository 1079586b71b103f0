"""A forgotten password: whoever has a passkey or a code needs it nowhere, chooses another one, or does without."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.keys.passkeys import LastWayIn, remove_passkey
from accounts.keys.passwords import remove_password
from accounts.models import AccountChange, ChangeKind, Session, User
from accounts.tokens import make_token
from tests.accounts.conftest import PASSWORD, guest_browser, who
from tests.accounts.factors import AGAIN, PAGE, Clock, at_the_code, code_of, switch_on
from tests.accounts.factors import clock as clock
from tests.accounts.soft_key import SoftKey, asked_on
from tests.accounts.test_passkeys import AGAIN_BY_KEY, add, log_in_by

CHANGE, RENEW, REMOVE = (f"/accounts/password/{each}/" for each in ("change", "new", "remove"))
CLOSE, MAIL = "/accounts/delete/", "/accounts/email/"
NEW = "another long sentence"
TWICE = {"password1": NEW, "password2": NEW}


def show(client: Client, key: SoftKey, page: str) -> Any:
    """Show by the passkey who it is, on the way to a page."""
    return client.post(AGAIN_BY_KEY, {"credential": key.show(asked_on(client, AGAIN_BY_KEY)), "next": page})


@pytest.fixture
def forgetful(as_alice: Client, alice: User, clock: Clock) -> tuple[Client, SoftKey]:
    """A browser of alice, who came by the passkey some minutes ago and has forgotten the password."""
    key, _kept = add(as_alice)
    client = log_in_by(key)
    assert who(client) == alice
    clock(301)
    return client, key


def test_every_page_that_asks_for_a_password_offers_the_passkey(forgetful: tuple[Client, SoftKey]) -> None:
    client, key = forgetful
    for page, leads_to in ((CHANGE, RENEW), (CLOSE, f"{AGAIN_BY_KEY}?next=%2Faccounts%2Fdelete%2F")):
        shown = client.get(page).content.decode()
        assert 'name="oldpassword"' in shown or 'name="password"' in shown
        assert f'href="{leads_to}"' in shown, page
    for page in (RENEW, REMOVE, "/accounts/tokens/", "/accounts/bots/", "/webhooks/", "/accounts/keys/passkeys/add/"):
        answer = client.get(page)
        assert answer.headers["Location"].startswith(AGAIN_BY_KEY), page
    page = client.get(AGAIN_BY_KEY).content.decode()
    assert 'type="password"' not in page
    assert show(client, key, RENEW).headers["Location"] == RENEW


def test_a_new_password_is_chosen_without_the_old_one(
    forgetful: tuple[Client, SoftKey], alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    client, key = forgetful
    show(client, key, RENEW)
    page = client.get(RENEW).content.decode()
    assert "oldpassword" not in page
    assert client.post(RENEW, {"password1": NEW, "password2": "another"}).status_code == 200
    assert client.post(RENEW, {"password1": "12345678", "password2": "12345678"}).status_code == 200
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)
    phone = log_in_by(key)
    assert client.post(RENEW, TWICE).headers["Location"] == "/accounts/"
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    assert who(client) == alice
    assert phone.get("/accounts/").status_code == 302
    assert AccountChange.objects.filter(user=alice, kind=ChangeKind.PASSWORD).exists()
    assert any("The password of your account was changed." in each.body for each in mailoutbox)
    at_the_code("alice", NEW)


def test_a_code_is_as_good_as_a_passkey(as_alice: Client, alice: User, clock: Clock) -> None:
    secret, kept = switch_on(as_alice)
    clock(301)
    assert as_alice.get(RENEW).headers["Location"] == f"{AGAIN}?next=%2Faccounts%2Fpassword%2Fnew%2F"
    as_alice.post(AGAIN, {"code": "000000", "next": RENEW})
    assert as_alice.post(RENEW, TWICE).headers["Location"].startswith(AGAIN)
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)
    assert as_alice.post(AGAIN, {"code": code_of(secret), "next": RENEW}).headers["Location"] == RENEW
    as_alice.post(RENEW, TWICE)
    assert User.objects.get(pk=alice.pk).check_password(NEW)
    clock(301)
    # And a recovery code, where the device with the app is lost.
    as_alice.post(AGAIN, {"code": kept[0], "next": RENEW})
    as_alice.post(RENEW, {"password1": NEW * 2, "password2": NEW * 2})
    assert User.objects.get(pk=alice.pk).check_password(NEW * 2)


def test_the_password_again_is_no_passkey(as_alice: Client, alice: User) -> None:
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for page in (RENEW, REMOVE):
        assert as_alice.get(page).headers["Location"] == CHANGE
        assert as_alice.post(page, TWICE).headers["Location"] == CHANGE
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)
    assert RENEW not in as_alice.get(CHANGE).content.decode()
    assert AGAIN_BY_KEY not in as_alice.get(CLOSE).content.decode()


def test_a_session_from_before_the_passkey_shows_it_first(forgetful: tuple[Client, SoftKey], alice: User) -> None:
    old = Client()
    old.force_login(alice)
    old.post("/accounts/reauthenticate/", {"password": PASSWORD})
    assert old.post(RENEW, TWICE).headers["Location"].startswith(AGAIN_BY_KEY)
    assert old.post(REMOVE).headers["Location"].startswith(AGAIN_BY_KEY)
    assert old.post(CLOSE, {"word": "delete"}).status_code == 200
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)


def test_an_address_is_added_by_the_passkey(forgetful: tuple[Client, SoftKey], alice: User) -> None:
    client, key = forgetful
    answer = client.post(MAIL, {"email": "ruth@example.net", "action_add": ""})
    assert answer.headers["Location"].startswith(AGAIN_BY_KEY)
    show(client, key, MAIL)
    assert User.objects.get(pk=alice.pk).email == "ruth@example.net"


def test_the_account_is_closed_by_the_passkey(forgetful: tuple[Client, SoftKey], alice: User) -> None:
    client, key = forgetful
    client.post(CLOSE, {"word": "delete"})
    assert User.objects.get(pk=alice.pk).is_active
    assert show(client, key, CLOSE).headers["Location"] == CLOSE
    assert 'name="password"' not in client.get(CLOSE).content.decode()
    assert client.post(CLOSE, {"word": "no"}).status_code == 200
    assert User.objects.get(pk=alice.pk).is_active
    client.post(CLOSE, {"word": "delete"})
    assert not User.objects.get(pk=alice.pk).is_active


def test_the_password_is_removed_and_the_passkey_stays(
    forgetful: tuple[Client, SoftKey], alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    client, key = forgetful
    make_token(alice, "my dashboard", [], timezone.now())
    show(client, key, REMOVE)
    assert "by a passkey alone" in client.get(REMOVE).content.decode()
    assert User.objects.get(pk=alice.pk).has_usable_password()
    page = client.post(REMOVE, follow=True)
    assert page.redirect_chain == [(PAGE, 302)]
    assert "Your password is removed." in page.content.decode()
    assert "None: you log in without one" in page.content.decode()
    assert not User.objects.get(pk=alice.pk).has_usable_password()
    assert who(client) == alice
    assert Session.objects.filter(user_id=alice.pk).count() == 1
    assert any("The password of your account was removed." in each.body for each in mailoutbox)
    assert client.get(RENEW).headers["Location"] == "/accounts/password/set/"
    assert client.post(REMOVE).headers["Location"] == "/accounts/password/set/"
    assert who(log_in_by(key)) == alice


def test_with_codes_alone_the_password_stays(as_alice: Client, alice: User, clock: Clock) -> None:
    secret, _kept = switch_on(as_alice)
    clock(301)
    as_alice.post(AGAIN, {"code": code_of(secret), "next": REMOVE})
    page = as_alice.get(REMOVE).content.decode()
    assert "Without a password you need a passkey. Add one first." in page
    answer = as_alice.post(REMOVE, follow=True)
    assert "Without a password you need a passkey. Add one first." in answer.content.decode()
    assert User.objects.get(pk=alice.pk).check_password(PASSWORD)


def test_of_the_password_and_the_last_passkey_one_stays(
    forgetful: tuple[Client, SoftKey], alice: User, rf: Any
) -> None:
    client, _key = forgetful
    request = rf.post(REMOVE)
    request.user, request.session = alice, client.session
    assert remove_password(alice, request)
    assert not remove_password(alice, request)
    row = Authenticator.objects.get(user=alice, type=Authenticator.Type.WEBAUTHN)
    with pytest.raises(LastWayIn):
        remove_passkey(alice, row.pk)
    alice.set_password(NEW)
    alice.save()
    remove_passkey(alice, row.pk)
    with pytest.raises(LastWayIn):
        remove_password(alice, request)


def test_strangers_and_guests_have_no_such_page(client: Client, db: None) -> None:
    guest = guest_browser()
    for page in (RENEW, REMOVE):
        assert client.get(page).headers["Location"].startswith("/accounts/login/")
        assert guest.get(page).headers["Location"].startswith("/accounts/claim/")


@pytest.mark.parametrize("is_mailing", [True, False])
def test_the_page_for_a_forgotten_password_names_the_passkey(db: None, settings: Any, is_mailing: bool) -> None:
    settings.EMAIL_IS_SET = is_mailing
    page = Client().get("/accounts/password/reset/").content.decode()
    assert "You have a passkey? Log in with it." in page
