"""One-time codes: switched on and off, asked for after the password, taken once, and what wrong ones are answered."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.guests import create_guest
from accounts.keys.changes import note_account_change
from accounts.keys.factors import CodeSpent, take_code
from accounts.mail.resets import reset_link
from accounts.mail.restoring import former_address, restore_address, restoring_link
from accounts.models import AccountChange, ChangeKind, Session, User
from tests.accounts.conftest import PASSWORD, logged_in, who
from tests.accounts.factors import (
    AGAIN,
    BETWEEN,
    CODES_OFF,
    CODES_ON,
    PAGE,
    Clock,
    at_the_code,
    code_of,
    page_that_switches_on,
    secret_of,
    show_password,
    switch_on,
    with_codes,
)
from tests.accounts.factors import clock as clock
from tests.accounts.soft_key import SoftKey, asked_on

WRONG = "This code is not right. Type the one that your app shows now"


def test_codes_are_switched_on_by_the_first_one_and_asked_for_from_then_on(
    as_alice: Client, alice: User, clock: Clock
) -> None:
    secret, kept = switch_on(as_alice)
    assert len({*kept}) == 10
    clock(30)
    client = at_the_code()
    assert who(client) is None
    answer = client.post(BETWEEN, {"code": code_of(secret)})
    assert answer.status_code == 302
    assert who(client) == alice


def test_the_page_shows_the_same_secret_until_codes_are_on(as_alice: Client, clock: Clock) -> None:
    show_password(as_alice)
    first, again = (
        re.findall(r'id="secret" class="input" value="(\w+)"', as_alice.get(CODES_ON).content.decode()) for _ in "12"
    )
    assert first == again
    as_alice.post(CODES_ON, {"code": code_of(first[0])})
    as_alice.post(CODES_OFF)
    assert re.findall(r'value="(\w+)" readonly', as_alice.get(CODES_ON).content.decode()) != first


def test_the_secret_is_stored_sealed(as_alice: Client, alice: User, clock: Clock) -> None:
    secret, kept = switch_on(as_alice)
    stored = str(list(Authenticator.objects.values_list("data", flat=True)))
    assert secret not in stored
    assert secret_of(alice) == secret
    assert not any(code.replace(" ", "") in stored for code in kept)


def test_a_secret_sealed_with_another_key_opens_nothing(alice: User, clock: Clock, settings: Any) -> None:
    secret = with_codes(alice)
    settings.SECRET_KEY = "another key of the site, as long as the one before"
    client = at_the_code()
    assert WRONG in client.post(BETWEEN, {"code": code_of(secret)}).content.decode()


def test_a_former_key_of_the_site_still_opens_secrets(alice: User, clock: Clock, settings: Any) -> None:
    secret = with_codes(alice)
    settings.SECRET_KEY_FALLBACKS = [settings.SECRET_KEY]
    settings.SECRET_KEY = "another key of the site, as long as the one before"
    client = at_the_code()
    client.post(BETWEEN, {"code": code_of(secret)})
    assert who(client) == alice


@pytest.mark.django_db(transaction=True)
def test_the_code_that_switches_them_on_does_not_log_in(as_alice: Client, clock: Clock) -> None:
    secret, _kept = switch_on(as_alice)
    client = at_the_code()
    page = client.post(BETWEEN, {"code": code_of(secret)}).content.decode()
    assert "This code has been used already. Wait until your app shows the next one." in page
    assert who(client) is None


def test_a_code_used_twice_is_refused_with_what_to_do_whatever_process_took_it(alice: User, clock: Clock) -> None:
    secret = with_codes(alice)
    code = code_of(secret)
    first, second = at_the_code(), at_the_code()
    first.post(BETWEEN, {"code": code})
    assert who(first) == alice
    # What one process counts in its memory, another does not know.
    cache.clear()
    assert "has been used already" in second.post(BETWEEN, {"code": code}).content.decode()
    assert who(second) is None


@pytest.mark.parametrize("seconds", [-90, 90, -30, 30])
def test_a_clock_90_s_or_30_s_off_gets_a_sentence_that_says_what_to_do(alice: User, clock: Clock, seconds: int) -> None:
    secret = with_codes(alice)
    client = at_the_code()
    page = client.post(BETWEEN, {"code": code_of(secret, seconds)}).content.decode()
    assert WRONG in page
    assert "set the clock of your phone to automatic" in page
    client.post(BETWEEN, {"code": code_of(secret)})
    assert who(client) == alice


@pytest.mark.parametrize("code", ["", "000000000", "\x00", "٣٤٥٦٧٨", "a" * 4000, "12 34"])
def test_no_such_code_is_answered_by_the_page(alice: User, clock: Clock, code: str) -> None:
    with_codes(alice)
    answer = at_the_code().post(BETWEEN, {"code": code})
    assert answer.status_code == 200
    assert "errorlist" in answer.content.decode()


def test_the_sixth_wrong_code_in_five_minutes_is_refused_and_a_known_device_is_not(
    as_alice: Client, alice: User, clock: Clock
) -> None:
    secret = with_codes(alice)
    client = at_the_code()
    for _ in range(5):
        assert client.post(BETWEEN, {"code": "000000"}).status_code == 200
    refused = client.post(BETWEEN, {"code": code_of(secret)})
    assert (refused.status_code, "Retry-After" in refused.headers) == (429, True)
    as_alice.post("/accounts/logout/")
    at_the_code(client=as_alice).post(BETWEEN, {"code": code_of(secret)})
    assert who(as_alice) == alice


def test_right_codes_are_not_counted(alice: User, clock: Clock) -> None:
    secret = with_codes(alice)
    for _ in range(7):
        clock(30)
        client = at_the_code()
        client.post(BETWEEN, {"code": code_of(secret)})
        assert who(client) == alice


def test_a_guest_who_logs_in_is_asked_for_the_code_and_ends_as_a_guest(alice: User, clock: Clock) -> None:
    secret, guest = with_codes(alice), create_guest()
    client = Client()
    client.force_login(guest)
    at_the_code(client=client)
    assert "<h1>One more step</h1>" in client.get(BETWEEN).content.decode()
    client.post(BETWEEN, {"code": code_of(secret)})
    assert who(client) == alice
    assert not Session.objects.filter(user_id=guest.pk).exists()


def test_who_is_not_between_is_led_to_the_log_in(client: Client, as_guest: Client, as_alice: Client, db: None) -> None:
    assert client.get(BETWEEN).headers["Location"] == "/accounts/login/"
    assert as_guest.get(BETWEEN).headers["Location"] == "/accounts/login/"
    assert as_alice.get(BETWEEN).status_code == 302


def test_a_new_password_by_a_link_does_not_skip_the_code(alice: User, clock: Clock) -> None:
    secret = with_codes(alice)
    client = Client()
    form = client.get(reset_link(alice).partition(":8000")[2], follow=True).redirect_chain[-1][0]
    answer = client.post(form, {"password1": "another long sentence", "password2": "another long sentence"})
    assert answer.headers["Location"] == BETWEEN
    assert who(client) is None
    client.post(BETWEEN, {"code": code_of(secret)})
    assert who(client) == alice


def test_codes_are_switched_off_only_after_showing_one(as_alice: Client, alice: User, clock: Clock) -> None:
    show_password(as_alice)
    secret = with_codes(alice)
    clock(301)
    for _ in range(2):
        assert as_alice.post(CODES_OFF).headers["Location"].startswith(AGAIN)
        assert as_alice.get("/accounts/reauthenticate/").headers["Location"].startswith(AGAIN)
        # The password alone does not do: it is what the codes are there for.
        show_password(as_alice)
    assert Authenticator.objects.exists()
    as_alice.post(AGAIN, {"code": code_of(secret)})
    assert as_alice.post(CODES_OFF).headers["Location"] == PAGE
    assert not Authenticator.objects.exists()
    assert who(logged_in("alice")) == alice


@pytest.mark.django_db(transaction=True)
def test_the_first_factor_logs_out_whoever_came_by_the_password_alone(
    as_alice: Client, alice: User, clock: Clock
) -> None:
    thief = logged_in("alice")
    show_password(thief)
    _secret, answer = page_that_switches_on(as_alice)
    assert "Your other devices are logged out." in answer.content.decode()
    assert (who(thief), who(as_alice)) == (None, alice)


def test_a_later_factor_logs_nobody_out(as_alice: Client, alice: User, clock: Clock) -> None:
    secret, _kept = switch_on(as_alice)
    clock(31)
    other = at_the_code()
    other.post(BETWEEN, {"code": code_of(secret)})
    key = SoftKey()
    add = "/accounts/keys/passkeys/add/"
    as_alice.post(add, {"name": "", "credential": key.make(asked_on(as_alice, add))})
    assert Authenticator.objects.filter(type=Authenticator.Type.WEBAUTHN).count() == 1
    assert (who(other), who(as_alice)) == (alice, alice)


def test_they_are_switched_on_only_after_showing_who_it_is(as_alice: Client) -> None:
    assert as_alice.get(CODES_ON).headers["Location"].startswith("/accounts/reauthenticate/")


def test_a_wrong_first_code_switches_nothing_on(as_alice: Client, clock: Clock) -> None:
    show_password(as_alice)
    as_alice.get(CODES_ON)
    assert WRONG in as_alice.post(CODES_ON, {"code": "000000"}).content.decode()
    assert not Authenticator.objects.exists()


def test_a_code_shows_again_who_it_is(as_alice: Client, alice: User, clock: Clock) -> None:
    secret = with_codes(alice)
    asked = as_alice.get("/accounts/reauthenticate/?next=/accounts/tokens/").headers["Location"]
    assert asked == f"{AGAIN}?next=%2Faccounts%2Ftokens%2F"
    answer = as_alice.post(AGAIN, {"code": code_of(secret), "next": "/accounts/tokens/"})
    assert answer.headers["Location"] == "/accounts/tokens/"
    assert as_alice.get("/accounts/tokens/").status_code == 200


@pytest.mark.parametrize("step", [0, 1, 2])
def test_a_code_is_taken_once_where_the_half_minute_ends_in_between(
    alice: User, monkeypatch: pytest.MonkeyPatch, step: int
) -> None:
    secret, reads = with_codes(alice), [0]

    def now() -> float:
        # The half minute ends after so many looks at the clock.
        reads[0] += 1
        return 59.9 if reads[0] <= step else 60.1

    monkeypatch.setattr("accounts.keys.factors.time.time", lambda: 59.0)
    code = format_hotp_value(hotp_value(secret, 1))
    assert take_code(alice, code)
    monkeypatch.setattr("accounts.keys.factors.time.time", now)
    if step:
        with pytest.raises(CodeSpent):
            take_code(alice, code)
    else:
        assert take_code(alice, code) is None
    monkeypatch.setattr("accounts.keys.factors.time.time", lambda: 61.0)
    assert take_code(alice, format_hotp_value(hotp_value(secret, 2)))


def test_without_a_password_no_page_asks_for_one(as_alice: Client, alice: User, clock: Clock) -> None:
    secret = with_codes(alice)
    alice.set_unusable_password()
    alice.save()
    as_alice.force_login(alice)
    for address in ("/accounts/tokens/", "/accounts/delete/", "/accounts/password/change/", CODES_OFF):
        answer = as_alice.get(address, follow=True)
        assert 'name="password"' not in answer.content.decode(), address
        assert 'name="code"' in answer.content.decode(), address
    as_alice.post(AGAIN, {"code": code_of(secret)})
    as_alice.post("/accounts/delete/", {"word": "delete"})
    alice.refresh_from_db()
    assert alice.erased_at is not None


def test_a_closed_account_keeps_no_codes(as_alice: Client, alice: User, clock: Clock) -> None:
    switch_on(as_alice)
    as_alice.post("/accounts/delete/", {"password": PASSWORD})
    assert not Authenticator.objects.exists()
    assert not AccountChange.objects.exists()


def test_nothing_is_noted_of_an_account_that_was_closed_meanwhile(as_alice: Client, alice: User) -> None:
    as_alice.post("/accounts/delete/", {"password": PASSWORD})
    note_account_change(alice.pk, ChangeKind.CODES_ON)
    alice.refresh_from_db()
    assert (alice.keys_changed_at, AccountChange.objects.count()) == (None, 0)


@pytest.mark.parametrize("password", ["", " ", "None"])
def test_no_blank_password_opens_an_account_without_one(alice: User, password: str) -> None:
    # allauth before 65.11.1 gave such accounts a blank one.
    alice.set_unusable_password()
    alice.save()
    client = Client()
    answer = client.post("/accounts/login/", {"login": "alice", "password": password})
    assert (answer.status_code, who(client)) == (200, None)
    assert not User.objects.get(pk=alice.pk).has_usable_password()


@pytest.mark.django_db(transaction=True)
def test_who_has_switched_codes_on_is_told_by_mail_with_a_way_back(
    as_alice: Client, alice: User, mailing: None, clock: Clock, mailoutbox: list[EmailMessage]
) -> None:
    switch_on(as_alice)
    told = mailoutbox[-1]
    assert (told.to, "One-time codes are on" in told.subject) == (["alice@example.org"], True)
    link = re.findall(r"http://127.0.0.1:8000(\S+/email/restore/\S+)", str(told.body))[0]
    owner = Client()
    owner.post(link)
    assert not Authenticator.objects.exists()
    assert as_alice.get("/accounts/").status_code == 302
    reset = re.findall(r"http://127.0.0.1:8000(\S+/reset/key/\S+)", str(mailoutbox[-1].body))[0]
    form = owner.get(reset, follow=True).redirect_chain[-1][0]
    owner.post(form, {"password1": "another long sentence", "password2": "another long sentence"})
    assert who(owner) == alice


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("trusted", ["is_moderator", "is_staff"])
def test_no_mailbox_takes_the_codes_of_a_moderator_or_of_staff_away(
    as_alice: Client, alice: User, mailing: None, clock: Clock, mailoutbox: list[EmailMessage], trusted: str
) -> None:
    User.objects.filter(pk=alice.pk).update(**{trusted: True})
    switch_on(as_alice)
    assert "One-time codes are on" in mailoutbox[-1].subject
    assert "/email/restore/" not in str(mailoutbox[-1].body)
    former = former_address(restoring_link(alice, "alice@example.org").rstrip("/").rsplit("/", 1)[1])
    assert former
    assert restore_address(former)
    assert Authenticator.objects.filter(type=Authenticator.Type.TOTP).exists()


@pytest.mark.django_db(transaction=True)
def test_no_way_back_is_mailed_to_an_address_that_is_not_confirmed(
    bob: User, mailing: None, clock: Clock, mailoutbox: list[EmailMessage]
) -> None:
    EmailAddress.objects.filter(user=bob).update(verified=False)
    switch_on(logged_in("bob"))
    assert not any("/email/restore/" in str(mail.body) for mail in mailoutbox)


def test_a_taken_back_account_keeps_the_codes_that_are_older(alice: User, clock: Clock) -> None:
    with_codes(alice)
    Authenticator.objects.update(created_at=timezone.now() - timedelta(days=8))
    former = former_address(restoring_link(alice, "alice@example.org").rstrip("/").rsplit("/", 1)[1])
    assert former
    assert restore_address(former)
    assert Authenticator.objects.count() == 1
