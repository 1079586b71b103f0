"""Recovery codes: shown once, each lets in once, and what is said when one was used."""

import pytest
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import logged_in, who
from tests.accounts.factors import (
    BETWEEN,
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


def test_the_codes_are_shown_once(as_alice: Client, clock: Clock) -> None:
    _secret, kept = switch_on(as_alice)
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


def test_new_codes_end_the_former_ones(as_alice: Client, alice: User, clock: Clock) -> None:
    _secret, former = switch_on(as_alice)
    new = recovery_codes(as_alice.post(RECOVERY_NEW, follow=True))
    assert (len(new), {*new} & {*former}) == (10, set())
    client = at_the_code()
    client.post(BETWEEN, {"code": former[0]})
    assert who(client) is None
    client.post(BETWEEN, {"code": new[0]})
    assert who(client) == alice


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
    assert "alice logs in by the password alone now" in capsys.readouterr().out
    assert who(logged_in("alice")) == alice
    assert "All passkeys and codes taken away" in as_alice.get(PAGE).content.decode()
    call_command("drop_factors", "alice")
    assert "alice has no passkeys and no codes." in capsys.readouterr().out


def test_the_host_is_told_what_to_do_for_who_has_no_password(
    as_alice: Client, alice: User, clock: Clock, capsys: pytest.CaptureFixture[str]
) -> None:
    switch_on(as_alice)
    alice.set_unusable_password()
    alice.save()
    call_command("drop_factors", "alice")
    assert "manage.py reset_link" in capsys.readouterr().out
