"""Recovery codes: shown once, each lets in once, and what is said when one was used."""

from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client
from django.utils import timezone

from accounts.keys.factors import kept_in, take_code
from accounts.models import ApiToken, Scope, Session, User
from accounts.tokens import make_token
from tests.accounts.conftest import logged_in, who
from tests.accounts.factors import (
    AGAIN,
    BETWEEN,
    CODES_OFF,
    CODES_ON,
    PAGE,
    RECOVERY,
    RECOVERY_NEW,
    Clock,
    at_the_code,
    recovery_codes,
    show_password,
    switch_on,
)
from tests.accounts.factors import clock as clock


def test_the_codes_are_shown_until_they_are_kept(as_alice: Client, clock: Clock) -> None:
    _secret, kept = switch_on(as_alice)
    as_alice.head(RECOVERY)
    assert recovery_codes(as_alice.get(RECOVERY)) == kept
    assert as_alice.post(RECOVERY).headers["Location"] == PAGE
    again = as_alice.get(RECOVERY)
    assert recovery_codes(again) == []
    assert "10 recovery codes are left." in again.content.decode()
    assert again.headers["Cache-Control"].count("no-store") == 1
    assert not any(code in as_alice.get(PAGE).content.decode() for code in kept)


@pytest.mark.parametrize("typed", ["{}", " {} ", "{:.4}-{}"])
def test_a_lost_phone_is_no_dead_end(as_alice: Client, alice: User, clock: Clock, typed: str) -> None:
    _secret, kept = switch_on(as_alice)
    code = kept[3]
    text = code.replace(" ", "-") if ":" in typed else typed.format(code)
    client = at_the_code()
    client.post(BETWEEN, {"code": text})
    assert who(client) == alice
    assert "9 codes left" in client.get(PAGE).content.decode()


def test_a_recovery_code_works_once(as_alice: Client, clock: Clock) -> None:
    _secret, kept = switch_on(as_alice)
    at_the_code().post(BETWEEN, {"code": kept[0]})
    again = at_the_code()
    assert "This code is not right." in again.post(BETWEEN, {"code": kept[0]}).content.decode()
    assert who(again) is None


def test_keeping_the_codes_brings_no_used_one_back(as_alice: Client, alice: User, clock: Clock) -> None:
    _secret, kept = switch_on(as_alice)
    at_the_code().post(BETWEEN, {"code": kept[0]})
    as_alice.post(RECOVERY)
    assert len(Authenticator.objects.get(type="recovery_codes").wrap().get_unused_codes()) == 9


def test_the_last_code_is_no_dead_end(as_alice: Client, alice: User, clock: Clock) -> None:
    _secret, kept = switch_on(as_alice)
    as_alice.post(RECOVERY)
    for code in kept[:-1]:
        assert take_code(alice, code.replace(" ", ""))
    client = at_the_code()
    answer = client.post(BETWEEN, {"code": kept[-1]}, follow=True)
    new = recovery_codes(answer)
    assert (who(client), len(new), {*new} & {*kept}) == (alice, 10, set())
    assert client.post(RECOVERY).headers["Location"] == "/games/"
    clock(301)
    answer = client.post(AGAIN, {"code": new[0], "next": CODES_OFF})
    assert answer.headers["Location"] == CODES_OFF
    client.post(CODES_OFF)
    assert not Authenticator.objects.exists()


def test_who_logs_in_by_a_recovery_code_is_asked_for_no_other_to_switch_codes_off(
    as_alice: Client, clock: Clock
) -> None:
    _secret, kept = switch_on(as_alice)
    client = at_the_code()
    client.post(BETWEEN, {"code": kept[0]})
    assert client.post(CODES_OFF).headers["Location"] == PAGE


def test_new_codes_end_the_former_ones(as_alice: Client, alice: User, clock: Clock) -> None:
    _secret, former = switch_on(as_alice)
    new = recovery_codes(as_alice.post(RECOVERY_NEW, follow=True))
    assert (len(new), {*new} & {*former}) == (10, set())
    client = at_the_code()
    client.post(BETWEEN, {"code": former[0]})
    assert who(client) is None
    client.post(BETWEEN, {"code": new[0]})
    assert who(client) == alice


def test_the_codes_are_stored_sealed(as_alice: Client, alice: User, clock: Clock, settings: Any) -> None:
    _secret, kept = switch_on(as_alice)
    row = Authenticator.objects.get(user=alice, type=Authenticator.Type.RECOVERY_CODES)
    stored = str(row.data)
    assert not any(code in stored or code.replace(" ", "") in stored for code in kept)
    # Whoever has the database, and not the key, makes other codes of it.
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "k" * 60, []
    assert not {*kept_in(row).get_unused_codes()} & {code.replace(" ", "") for code in kept}


def test_there_are_none_without_something_to_recover(as_alice: Client) -> None:
    show_password(as_alice)
    assert as_alice.get(RECOVERY).status_code == 404
    page = as_alice.post(RECOVERY_NEW).content.decode()
    assert "Switch on one-time codes or add a passkey first." in page


def test_the_owner_is_told_that_one_was_used(
    as_alice: Client, mailing: None, clock: Clock, mailoutbox: list[EmailMessage]
) -> None:
    _secret, kept = switch_on(as_alice)
    at_the_code().post(BETWEEN, {"code": kept[0]})
    assert "9 codes are left." in mailoutbox[-1].body
    assert "How you log in has changed. Was it you?" in as_alice.get("/").content.decode()
    assert "A recovery code used" in as_alice.get(PAGE).content.decode()


def test_the_host_helps_who_has_lost_everything(
    as_alice: Client, alice: User, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    switch_on(as_alice)
    call_command("drop_factors", "Alice")
    assert "alice is logged out everywhere, and logs in by the password alone now" in capsys.readouterr().out
    owner = logged_in("alice")
    assert who(owner) == alice
    assert "All passkeys and codes taken away" in owner.get(PAGE).content.decode()
    call_command("drop_factors", "alice")
    assert "alice has no passkeys and no codes, and is logged out everywhere." in capsys.readouterr().out


@pytest.mark.parametrize("has_password", [True, False])
def test_a_lost_device_is_logged_out_with_its_factors(
    as_alice: Client, alice: User, clock: Clock, has_password: bool
) -> None:
    switch_on(as_alice)
    make_token(alice, "laptop", [Scope.PLAY], timezone.now())
    if not has_password:
        alice.set_unusable_password()
        alice.save()
        as_alice.force_login(alice)
    call_command("drop_factors", "alice")
    assert who(as_alice) is None or as_alice.get(PAGE).status_code == 302
    assert not Session.objects.filter(user_id=alice.pk).exists()
    assert not ApiToken.objects.exists()


@pytest.mark.parametrize("address", ["/accounts/password/set/", "/accounts/tokens/", CODES_ON])
def test_who_has_nothing_to_show_opens_nothing_that_asks_for_it(alice: User, address: str) -> None:
    alice.set_unusable_password()
    alice.save()
    client = Client()
    client.force_login(alice)
    answer = client.get(address, follow=True)
    assert answer.redirect_chain[-1][0] == PAGE
    assert "Log in by a link for a new password." in answer.content.decode()


def test_the_host_is_told_what_to_do_for_who_has_no_password(
    as_alice: Client, alice: User, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    switch_on(as_alice)
    alice.set_unusable_password()
    alice.save()
    call_command("drop_factors", "alice")
    assert "manage.py reset_link" in capsys.readouterr().out
