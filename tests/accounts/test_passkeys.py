"""Passkeys: signing up, logging in, adding, naming, losing, recovering; and what broken ones are answered."""

import json
import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import OperationalError, connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from fido2 import cbor
from fido2.utils import websafe_decode, websafe_encode

from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.keys.factors import take_recovery_code
from accounts.keys.passkeys import keep_passkey, refusing_broken
from accounts.keys.views import SwitchCodesOn
from accounts.mail.resets import reset_link
from accounts.models import AccountChange, Session, User
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in, who
from tests.accounts.factors import (
    AGAIN,
    BETWEEN,
    CODES_ON,
    PAGE,
    RECOVERY,
    RECOVERY_NEW,
    Clock,
    at_the_code,
    recovery_codes,
    show_password,
    with_codes,
)
from tests.accounts.factors import clock as clock
from tests.accounts.soft_key import PRESENT, SoftKey, asked_of_anyone, asked_on

ADD, LOGIN, LOST = (f"/accounts/keys/passkeys/{each}/" for each in ("add", "log-in", "lost"))
SIGN_UP, MAKE = "/accounts/keys/passkeys/sign-up/", "/accounts/keys/passkeys/sign-up/make/"
AGAIN_BY_KEY = "/accounts/keys/passkeys/again/"
REFUSED = "The passkey was not accepted. Nothing has changed."


def add(client: Client, name: str = "My phone") -> tuple[SoftKey, list[str]]:
    """Add a passkey through the page, after the password; return it, and recovery codes that the page shows."""
    show_password(client)
    key = SoftKey()
    answer = client.post(ADD, {"name": name, "credential": key.make(asked_on(client, ADD))}, follow=True)
    assert "Your passkey is added." in answer.content.decode()
    return key, recovery_codes(answer)


def log_in_by(key: SoftKey, client: Client | None = None, **more: str) -> Client:
    """Return a browser that has tried to log in by the passkey alone."""
    client = client or Client()
    client.post(LOGIN, {"credential": key.show(asked_of_anyone(client)), **more})
    return client


def sign_up(client: Client, name: str = "Ruth", **more: str) -> tuple[SoftKey, list[str]]:
    """Sign up by a passkey; return it, and the recovery codes."""
    assert client.post(SIGN_UP, {"username": name, **more}).headers["Location"] == MAKE
    key = SoftKey()
    answer = client.post(MAKE, {"name": "", "credential": key.make(asked_on(client, MAKE))}, follow=True)
    return key, recovery_codes(answer)


def without_password(alice: User, client: Client) -> tuple[SoftKey, list[str]]:
    """Give alice a passkey and take the password away."""
    key, kept = add(client)
    alice.set_unusable_password()
    alice.save()
    return key, kept


# Signing up


@pytest.mark.django_db
def test_a_stranger_signs_up_without_a_password_and_without_an_address(client: Client) -> None:
    key, kept = sign_up(client)
    ruth = User.objects.get()
    assert (who(client), ruth.username, ruth.is_guest, ruth.email) == (ruth, "Ruth", False, "")
    assert not ruth.has_usable_password()
    assert not ruth.check_password("")
    assert len({*kept}) == 10
    client.post("/accounts/logout/")
    assert who(log_in_by(key)) == ruth


def test_a_stranger_signs_up_with_an_address(db: None, mailing: None, mailoutbox: list[EmailMessage]) -> None:
    client = Client()
    assert "errorlist" in client.post(SIGN_UP, {"username": "Ruth"}).content.decode()
    sign_up(client, email="ruth@example.org")
    assert User.objects.get().email == "ruth@example.org"
    assert mailoutbox[-1].to == ["ruth@example.org"]


def test_a_guest_becomes_a_member_with_the_same_row(db: None) -> None:
    client = guest_browser()
    guest = who(client)
    sign_up(client)
    guest.refresh_from_db()
    assert (who(client), guest.username, guest.is_guest) == (guest, "Ruth", False)


def test_a_broken_sign_up_makes_no_member(client: Client, db: None) -> None:
    client.post(SIGN_UP, {"username": "Ruth"})
    page = client.post(MAKE, {"name": "", "credential": "{}"}).content.decode()
    assert REFUSED in page
    assert not Authenticator.objects.exists()
    assert User.objects.get().is_guest


def test_a_name_that_is_taken_meanwhile_is_asked_for_again(client: Client, alice: User) -> None:
    client.post(SIGN_UP, {"username": "Ruth"})
    options = asked_on(client, MAKE)
    User.objects.filter(pk=alice.pk).update(username="Ruth", name_key="ruth")
    answer = client.post(MAKE, {"name": "", "credential": SoftKey().make(options)}, follow=True)
    assert "This name has just been taken. Choose another one." in answer.content.decode()
    assert not Authenticator.objects.exists()
    sign_up(client, "Ruth of Moab")
    assert not AccountChange.objects.exists()
    assert who(client).username == "Ruth of Moab"


def test_the_second_step_alone_leads_to_the_first(client: Client, as_guest: Client, as_alice: Client) -> None:
    assert client.get(MAKE).headers["Location"] == "/accounts/signup/"
    assert as_guest.get(MAKE).headers["Location"] == SIGN_UP
    assert as_alice.get(SIGN_UP).status_code == 302


@pytest.mark.parametrize("is_guest", [True, False])
def test_who_signs_up_by_a_passkey_ends_where_they_were_going(db: None, is_guest: bool) -> None:
    client = guest_browser() if is_guest else Client()
    first = "/accounts/claim/" if is_guest else "/accounts/signup/"
    page = client.get(first, {"next": "/games/new/"}).content.decode()
    second = unescape(re.findall(rf'href="({SIGN_UP}[^"]*)"', page)[0])
    page = client.get(second).content.decode()
    assert "next=/games/new/" in unescape(page).replace("%2F", "/")
    sign_up(client, next=re.findall(r'name="next" value="([^"]*)"', page)[0])
    assert client.post(RECOVERY).headers["Location"] == "/games/new/"
    assert client.post(RECOVERY).headers["Location"] == PAGE


# Logging in


def test_a_passkey_logs_in_alone_and_goes_on_to_where_the_person_was_going(as_alice: Client, alice: User) -> None:
    key, kept = add(as_alice)
    assert len(kept) == 10
    client = Client()
    answer = client.post(LOGIN, {"credential": key.show(asked_of_anyone(client)), "next": "/accounts/preferences/"})
    assert answer.headers["Location"] == "/accounts/preferences/"
    assert who(client) == alice
    assert "slid_on" in client.session
    assert "_session_expiry" not in client.session


def test_a_log_in_by_a_passkey_shows_who_it_is_for_a_while(as_alice: Client, alice: User, clock: Clock) -> None:
    key, _kept = add(as_alice)
    client = log_in_by(key)
    assert client.get(RECOVERY_NEW).status_code == 200
    clock(299)
    assert client.get(RECOVERY_NEW).status_code == 200
    clock(2)
    assert client.get(RECOVERY_NEW).headers["Location"].startswith(AGAIN_BY_KEY)


def test_a_passkey_after_the_password_shows_it_too(as_alice: Client, alice: User, clock: Clock) -> None:
    key, _kept = add(as_alice)
    client = at_the_code()
    client.post(BETWEEN, {"credential": key.show(asked_on(client, BETWEEN))})
    assert client.get(RECOVERY_NEW).status_code == 200
    clock(301)
    assert client.get(RECOVERY_NEW).headers["Location"].startswith(AGAIN_BY_KEY)


def test_a_passkey_that_does_not_hold_shows_nothing_for_a_later_log_in(
    as_alice: Client, alice: User, bob: User
) -> None:
    key, _kept = add(as_alice)
    client = Client()
    client.post(LOGIN, {"credential": key.show(asked_of_anyone(client), signs=False)})
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert who(client) == bob
    assert client.get("/accounts/tokens/").headers["Location"].startswith("/accounts/reauthenticate/")
    # What alice has shown in this browser is not bob's.
    other = log_in_by(key)
    other.post("/accounts/logout/")
    other.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert other.get("/accounts/tokens/").headers["Location"].startswith("/accounts/reauthenticate/")


def test_nowhere_else_is_gone_on_to(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    client = Client()
    sent = {"credential": key.show(asked_of_anyone(client)), "next": "https://evil.example/"}
    assert client.post(LOGIN, sent).headers["Location"] == "/games/"


def test_an_answer_counts_once(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    client = Client()
    answer = key.show(asked_of_anyone(client))
    client.post(LOGIN, {"credential": answer})
    assert who(client) == alice
    client.post("/accounts/logout/")
    for again in (client, Client()):
        page = again.post(LOGIN, {"credential": answer}, follow=True).content.decode()
        assert REFUSED in page
        assert who(again) is None


def test_after_the_password_the_passkey_is_asked_for(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    client = at_the_code()
    client.post(BETWEEN, {"credential": key.show(asked_on(client, BETWEEN))})
    assert who(client) == alice


def test_after_the_password_a_recovery_code_does_too(as_alice: Client, alice: User) -> None:
    _key, kept = add(as_alice)
    client = at_the_code()
    page = client.post(BETWEEN, {"code": "000000000000"}).content.decode()
    assert "This recovery code is not right, or has already been used. Try another one." in page
    assert "authenticator app" not in page
    client.post(BETWEEN, {"code": kept[0]})
    assert who(client) == alice


def test_a_guest_who_logs_in_by_a_passkey_ends_as_a_guest(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    guest = create_guest()
    client = Client()
    client.force_login(guest)
    log_in_by(key, client)
    assert who(client) == alice
    assert not Session.objects.filter(user_id=guest.pk).exists()


def test_a_passkey_of_a_closed_account_opens_nothing(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    as_alice.post("/accounts/delete/", {"password": PASSWORD})
    client = log_in_by(key)
    assert who(client) is None


@pytest.mark.parametrize("how", [{"flags": PRESENT}, {"signs": False}, {"origin": "https://evil.example"}])
def test_an_answer_that_does_not_hold_logs_nobody_in(as_alice: Client, alice: User, how: dict[str, object]) -> None:
    key, _kept = add(as_alice)
    client = Client()
    answer = key.show(asked_of_anyone(client), **how)  # type: ignore[arg-type]
    assert REFUSED in client.post(LOGIN, {"credential": answer}, follow=True).content.decode()
    assert who(client) is None


BROKEN = [
    "",
    "{",
    "[]",
    "7",
    "null",
    '"text"',
    "{}",
    '{"response": 7}',
    '{"response": {"userHandle": 7}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": {"userHandle": "\u00e9"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": '
    '{"clientDataJSON": "AA", "attestationObject": "AA"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": '
    '{"clientDataJSON": "e30", "attestationObject": "oA"}}',
    '{"id": "AA", "rawId": "AA", "type": "public-key", "response": '
    '{"clientDataJSON": "e30", "authenticatorData": "AA", "signature": "AA", "userHandle": "MQ"}}',
    "[" * 2000,
    "\x00",
]


@pytest.mark.parametrize("credential", BROKEN)
def test_a_broken_answer_gets_a_sentence_and_changes_nothing(as_alice: Client, alice: User, credential: str) -> None:
    _key, _kept = add(as_alice)
    before = list(Authenticator.objects.values_list("pk", "data"))
    client, between = Client(), at_the_code()
    asked_of_anyone(client)
    show_password(as_alice)
    for browser, address in ((client, LOGIN), (between, BETWEEN), (as_alice, ADD), (as_alice, AGAIN_BY_KEY)):
        browser.get(address)
        answer = browser.post(address, {"credential": credential, "name": "x"}, follow=True)
        assert answer.status_code == 200, address
        assert REFUSED in answer.content.decode(), address
    assert list(Authenticator.objects.values_list("pk", "data")) == before
    assert who(client) is who(between) is None


@pytest.mark.parametrize(
    "value", ['"\\u0000"', '"\\ud800"', "NaN", "Infinity", "1e999", "9" * 5000], ids=lambda value: value[:9]
)
def test_what_no_database_stores_is_refused(as_alice: Client, value: str) -> None:
    show_password(as_alice)
    made = SoftKey().make(asked_on(as_alice, ADD))
    made = made.replace('"clientExtensionResults": {}', f'"clientExtensionResults": {{"x": {value}}}')
    assert REFUSED in as_alice.post(ADD, {"name": "x", "credential": made}).content.decode()
    assert not Authenticator.objects.exists()


def test_a_database_that_is_away_is_no_fault_of_the_passkey(caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(OperationalError), refusing_broken():
        raise OperationalError
    with pytest.raises(ValidationError), refusing_broken():
        raise KeyError("x")
    assert "passkey not accepted: KeyError" in caplog.text


def test_one_passkey_sent_by_two_taps_is_kept_once(alice: User) -> None:
    sent = {"id": "AQ"}
    first, second = (keep_passkey(alice, "x", sent) for _ in range(2))
    assert first
    assert second
    assert (first.row, first.is_new, second.is_new) == (second.row, True, False)
    assert Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).count() == 1


def test_an_account_that_was_closed_meanwhile_gets_no_passkey_and_no_codes(
    as_alice: Client, alice: User, monkeypatch: pytest.MonkeyPatch, clock: Clock
) -> None:
    show_password(as_alice)
    as_alice.get(CODES_ON)
    made = SoftKey().make(asked_on(as_alice, ADD))
    close_account(User.objects.get(pk=alice.pk))
    assert keep_passkey(alice, "x", json.loads(made)) is None
    request = RequestFactory().post(CODES_ON)
    request.user = alice
    view = SwitchCodesOn()
    view.setup(request)
    view.form_valid(object())
    assert not Authenticator.objects.exists()


def test_an_answer_that_is_a_little_off_never_breaks_the_page(as_alice: Client, alice: User) -> None:
    key, _kept = add(as_alice)
    client = Client()
    right = json.loads(key.show(asked_of_anyone(client)))
    for name in right["response"]:
        wrongs: list[Any] = ["", "AA", "!", None, 7, {}, right["response"][name][:-4]]
        for wrong in wrongs:
            broken = {**right, "response": {**right["response"], name: wrong}}
            page = client.post(LOGIN, {"credential": json.dumps(broken)}, follow=True).content.decode()
            assert REFUSED in page, (name, wrong)
    assert who(client) is None


def test_a_page_that_is_fetched_twice_is_answered_all_the_same(as_alice: Client, alice: User) -> None:
    show_password(as_alice)
    seen, key = asked_on(as_alice, ADD), SoftKey()
    as_alice.get(ADD)
    as_alice.post(ADD, {"name": "x", "credential": key.make(seen)})
    client = Client()
    seen = asked_of_anyone(client)
    asked_of_anyone(client)
    answer = key.show(seen)
    client.post(LOGIN, {"credential": answer})
    assert who(client) == alice
    assert asked_on(client, AGAIN_BY_KEY)["publicKey"]["challenge"] != seen["publicKey"]["challenge"]


# Adding, naming, removing


@pytest.mark.parametrize("how", [{"flags": PRESENT}, {"origin": "https://evil.example"}])
def test_a_passkey_that_does_not_hold_is_not_added(as_alice: Client, how: dict[str, object]) -> None:
    show_password(as_alice)
    answer = SoftKey().make(asked_on(as_alice, ADD), **how)  # type: ignore[arg-type]
    page = as_alice.post(ADD, {"name": "Mine", "credential": answer}).content.decode()
    assert REFUSED in page
    assert not Authenticator.objects.exists()


@pytest.mark.parametrize("how", ["cut", "no map", "of another site", "another form", "empty"])
def test_a_broken_attestation_gets_a_sentence_and_changes_nothing(as_alice: Client, how: str) -> None:
    show_password(as_alice)
    made = json.loads(SoftKey().make(asked_on(as_alice, ADD)))
    whole: Any = cbor.decode(websafe_decode(made["response"]["attestationObject"]))
    data = whole["authData"]
    broken = {
        "cut": cbor.encode(whole)[:-60],
        "no map": cbor.encode([1, 2]),
        "of another site": cbor.encode({**whole, "authData": bytes(32) + data[32:]}),
        "another form": cbor.encode({**whole, "fmt": "packed", "attStmt": {"alg": -7, "sig": b"no"}, "authData": b""}),
        "empty": b"",
    }[how]
    made["response"]["attestationObject"] = websafe_encode(broken)
    answer = as_alice.post(ADD, {"name": "Mine", "credential": json.dumps(made)})
    assert answer.status_code == 200
    assert REFUSED in answer.content.decode()
    assert not Authenticator.objects.exists()
    assert not AccountChange.objects.exists()


def test_adding_asks_first_who_it_is(as_alice: Client) -> None:
    assert as_alice.get(ADD).headers["Location"].startswith("/accounts/reauthenticate/")
    assert as_alice.post(ADD).headers["Location"].startswith("/accounts/reauthenticate/")


def test_a_passkey_without_a_name_is_called_after_its_browser(alice: User) -> None:
    client = Client(headers={"User-Agent": "Mozilla/5.0 (Android 15; Mobile; rv:140.0) Gecko/140.0 Firefox/140.0"})
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    add(client, "")
    assert ">Firefox on Android</a>" in client.get(PAGE).content.decode()


def test_two_devices_each_with_their_name(as_alice: Client, alice: User) -> None:
    phone, _kept = add(as_alice, "My phone")
    desk, none = add(as_alice, "My desk")
    assert none == []
    assert (who(log_in_by(phone)), who(log_in_by(desk))) == (alice, alice)
    edit = re.findall(r'href="(/accounts/keys/passkeys/\d+/name/)"', as_alice.get(PAGE).content.decode())[0]
    as_alice.post(edit, {"name": "Old phone"})
    page = as_alice.get(PAGE).content.decode()
    assert ">Old phone</a>" in page
    assert ">My desk</a>" in page
    assert ">My phone</a>" not in page
    assert "errorlist" in as_alice.post(edit, {"name": "x" * 41}).content.decode()


def test_a_lost_device_is_taken_away_and_opens_nothing_more(
    as_alice: Client, alice: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    phone, _kept = add(as_alice, "My phone")
    desk, _none = add(as_alice, "My desk")
    remove = re.findall(r'href="(/accounts/keys/passkeys/\d+/remove/)"', as_alice.get(PAGE).content.decode())[0]
    assert "My phone" in as_alice.get(remove).content.decode()
    as_alice.post(remove)
    assert (who(log_in_by(phone)), who(log_in_by(desk))) == (None, alice)
    assert "A passkey was removed" in mailoutbox[-1].subject
    assert "Passkey removed" in as_alice.get(PAGE).content.decode()
    assert as_alice.get(remove).status_code == 404
    assert as_alice.post(remove).headers["Location"] == PAGE


def test_another_persons_passkey_stays(as_alice: Client, bob: User) -> None:
    other = logged_in("bob")
    add(other)
    pk = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN).pk
    show_password(as_alice)
    for address in (f"/accounts/keys/passkeys/{pk}/remove/", f"/accounts/keys/passkeys/{pk}/name/"):
        assert as_alice.get(address).status_code == 404
        as_alice.post(address, {"name": "stolen"})
    assert Authenticator.objects.get(pk=pk).wrap().name == "My phone"


def test_the_last_way_in_is_not_taken_away(as_alice: Client, alice: User) -> None:
    key, _kept = without_password(alice, as_alice)
    client = log_in_by(key)
    client.post(AGAIN_BY_KEY, {"credential": key.show(asked_on(client, AGAIN_BY_KEY))})
    pk = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN).pk
    page = client.get(f"/accounts/keys/passkeys/{pk}/remove/").content.decode()
    assert "is your only way in" in page
    answer = client.post(f"/accounts/keys/passkeys/{pk}/remove/", follow=True)
    assert "This passkey is your only way in." in answer.content.decode()
    client.post("/accounts/password/set/", {"password1": "another long sentence", "password2": "another long sentence"})
    client.post(AGAIN_BY_KEY, {"credential": key.show(asked_on(client, AGAIN_BY_KEY))})
    client.post(f"/accounts/keys/passkeys/{pk}/remove/")
    assert not Authenticator.objects.exists()
    assert who(logged_in("alice", "another long sentence")) == alice


def test_there_is_an_end_to_how_many_there_may_be(as_alice: Client, alice: User) -> None:
    for _ in range(10):
        add(as_alice)
    answer = as_alice.post(ADD, {"name": "x", "credential": SoftKey().make(asked_on(as_alice, ADD))})
    assert "There are ten passkeys here" in answer.content.decode()
    assert Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).count() == 10


# Without a password


def test_a_person_without_a_password_meets_no_password_form(as_alice: Client, alice: User, clock: Clock) -> None:
    key, _kept = without_password(alice, as_alice)
    client = log_in_by(key)
    clock(301)
    for address in (
        "/accounts/tokens/",
        "/accounts/bots/",
        "/webhooks/",
        "/accounts/delete/",
        "/accounts/password/change/",
        ADD,
        RECOVERY,
        AGAIN,
    ):
        page = client.get(address, follow=True).content.decode()
        assert 'name="password' not in page, address
    client.post(AGAIN_BY_KEY, {"credential": key.show(asked_on(client, AGAIN_BY_KEY)), "next": "/accounts/delete/"})
    client.post("/accounts/delete/", {"word": "delete"})
    assert who(client) is None
    assert User.objects.get(pk=alice.pk).erased_at


def test_a_suspended_person_without_a_password_leaves_for_good(as_alice: Client, alice: User, clock: Clock) -> None:
    key, _kept = without_password(alice, as_alice)
    client = log_in_by(key)
    clock(301)
    User.objects.filter(pk=alice.pk).update(suspended_until=timezone.now() + timedelta(days=7))
    assert client.get(PAGE).status_code == 403
    client.post(AGAIN_BY_KEY, {"credential": key.show(asked_on(client, "/accounts/delete/"))})
    client.post("/accounts/delete/", {"word": "delete"})
    assert User.objects.get(pk=alice.pk).erased_at


def test_a_lost_passkey_is_no_dead_end_without_an_address(client: Client, db: None) -> None:
    lost, kept = sign_up(client)
    new = Client()
    answer = new.post(LOST, {"username": "RUTH", "code": kept[4]}, follow=True)
    assert "You are in. Add a passkey on this device now" in answer.content.decode()
    key = SoftKey()
    new.post(ADD, {"name": "New", "credential": key.make(asked_on(new, ADD))})
    assert who(log_in_by(key)) == who(new) == User.objects.get()
    again = Client().post(LOST, {"username": "Ruth", "code": kept[4]})
    assert "Wrong name or recovery code." in again.content.decode()
    old = re.findall(r'href="(/accounts/keys/passkeys/\d+/remove/)"', new.get(PAGE).content.decode())[0]
    new.post(old)
    assert who(log_in_by(lost)) is None


def lost(client: Client, code: str) -> tuple[Client, Any]:
    """Return the browser in which Ruth has typed a recovery code for a lost passkey, and the page that comes."""
    return client, client.post(LOST, {"username": "Ruth", "code": code}, follow=True)


def test_a_guest_who_has_lost_a_passkey_adds_another_at_once(client: Client, db: None) -> None:
    _gone, kept = sign_up(client)
    new, answer = lost(guest_browser(), kept[0])
    assert answer.redirect_chain[-1][0] == ADD
    key = SoftKey()
    new.post(ADD, {"name": "New", "credential": key.make(asked_on(new, ADD))})
    assert who(log_in_by(key)) == who(new) == User.objects.get(is_guest=False)


def test_the_last_code_in_place_of_a_passkey_is_no_dead_end(client: Client, db: None) -> None:
    _gone, kept = sign_up(client)
    client.post(RECOVERY)
    ruth = User.objects.get()
    for code in kept[1:]:
        assert take_recovery_code(ruth, code)
    new, answer = lost(Client(), kept[0])
    made = recovery_codes(answer)
    assert (len(made), {*made} & {*kept}) == (10, set())
    assert new.post(RECOVERY).headers["Location"] == ADD
    session = new.session
    for record in session["account_authentication_methods"]:
        record["at"] -= 301
    session.save()
    assert new.get(ADD).headers["Location"].startswith(AGAIN_BY_KEY)
    new.post(AGAIN, {"code": made[0]})
    assert new.get(ADD).status_code == 200


def test_a_guess_at_a_lost_passkey_asks_the_same_whoever_is_named(client: Client, bob: User) -> None:
    sign_up(client)
    with_codes(bob)
    asked = []
    for name in ("Ruth", "bob", "nobody"):
        with CaptureQueriesContext(connection) as queries:
            Client().post(LOST, {"username": name, "code": "000000000000"})
        asked.append([re.sub(r"'[^']*'|\d+", "?", each["sql"]) for each in queries])
    assert asked[0] == asked[1] == asked[2]
    assert len(asked[0]) == 2


def test_one_address_guesses_at_ten_lost_passkeys_a_minute(db: None) -> None:
    sent = [Client().post(LOST, {"username": f"nobody {each}", "code": "1"}).status_code for each in range(11)]
    assert sent == [200] * 10 + [429]


def test_with_an_address_a_link_and_a_recovery_code_let_in(as_alice: Client, alice: User) -> None:
    _lost, kept = without_password(alice, as_alice)
    client = Client()
    form = client.get(reset_link(alice).partition(":8000")[2], follow=True).redirect_chain[-1][0]
    sent = {"password1": "another long sentence", "password2": "another long sentence"}
    assert client.post(form, sent).headers["Location"] == BETWEEN
    assert who(client) is None
    client.post(BETWEEN, {"code": kept[0]})
    assert who(client) == alice


def test_no_question_lets_a_key_in_without_its_devices_own_check(as_alice: Client, alice: User, bob: User) -> None:
    key, _kept = add(as_alice)
    add(logged_in("bob"))
    thief = at_the_code("bob")
    asked = asked_on(thief, BETWEEN)
    asked["publicKey"]["allowCredentials"] = []
    thief.post(LOGIN, {"credential": key.show(asked, flags=PRESENT)})
    assert who(thief) is None
    again = Client()
    again.post(LOGIN, {"credential": key.show(asked_of_anyone(again), flags=PRESENT)})
    assert who(again) is None


@pytest.mark.parametrize("name", ["alice", "nobody at all", "alice@example.org", "\x00"])
def test_a_recovery_code_alone_opens_no_account_with_a_password(as_alice: Client, alice: User, name: str) -> None:
    _key, kept = add(as_alice)
    client = Client()
    answer = client.post(LOST, {"username": name, "code": kept[0]})
    assert (answer.status_code, who(client)) == (200, None)
    assert "errorlist" in answer.content.decode()
    assert len(Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()) == 10


def test_after_fifty_wrong_codes_in_an_hour_of_a_lost_passkey_no_other_is_taken(client: Client, db: None) -> None:
    _key, kept = sign_up(client)
    for each in range(50):
        stranger = Client(REMOTE_ADDR=f"192.0.2.{each}")
        assert stranger.post(LOST, {"username": "Ruth", "code": "000000000000"}).status_code == 200
    assert Client().post(LOST, {"username": "Ruth", "code": kept[0]}).status_code == 429


def test_a_few_guesses_of_strangers_keep_nobody_out(client: Client, db: None) -> None:
    _key, kept = sign_up(client)
    for _ in range(6):
        Client(REMOTE_ADDR="192.0.2.1").post(LOST, {"username": "Ruth", "code": "000000000000"})
    new, _answer = lost(Client(), kept[0])
    assert who(new) == User.objects.get()


def test_the_question_for_anyone_keeps_no_session_for_a_year(db: None) -> None:
    client = Client()
    asked_of_anyone(client)
    assert client.session.get_expiry_age() <= 3600
    assert client.get("/accounts/keys/passkeys/options/").status_code == 405
    assert not Session.objects.filter(user_id__isnull=False).exists()
