"""Changing the e-mail address: at once without EMAIL_URL; with it, asked, confirmed and told to the old address."""

import re
from typing import Any

from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD

NEW = "alice@example.net"


def change(client: Client, email: str = NEW) -> Any:
    client.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return client.post("/accounts/email/", {"email": email, "action_add": ""}, follow=True)


def confirm(client: Client, message: EmailMessage) -> None:
    client.post(re.findall(r"http://127.0.0.1:8000(\S+/confirm-email/\S+)", str(message.body))[0])


def addresses() -> list[tuple[str, bool, bool]]:
    return list(EmailAddress.objects.order_by("pk").values_list("email", "verified", "primary"))


def test_without_mail_the_address_changes_at_once(as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    change(as_alice)
    assert addresses() == [(NEW, False, True)]
    assert User.objects.get().email == NEW
    assert mailoutbox == []


def test_the_password_is_asked_first_and_then_the_change_goes_on(as_alice: Client) -> None:
    answer = as_alice.post("/accounts/email/", {"email": NEW, "action_add": ""})
    assert answer.headers["Location"] == "/accounts/reauthenticate/?next=%2Faccounts%2Femail%2F"
    assert User.objects.get().email == "alice@example.org"
    as_alice.post(answer.headers["Location"], {"password": PASSWORD, "next": "/accounts/email/"})
    assert User.objects.get().email == NEW


def test_with_mail_the_old_address_holds_until_the_new_one_is_confirmed(
    as_alice: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    page = change(as_alice).content.decode()
    assert f"{NEW} is not confirmed yet." in page
    assert User.objects.get().email == "alice@example.org"
    confirm(as_alice, mailoutbox[-1])
    assert addresses() == [(NEW, True, True)]
    assert User.objects.get().email == NEW


def test_with_mail_the_old_address_hears_of_the_change(
    as_alice: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    change(as_alice)
    confirm(as_alice, mailoutbox[-1])
    told = [message for message in mailoutbox if message.to == ["alice@example.org"]]
    assert NEW in told[-1].body
    assert "take your account back within 7 days" in told[-1].body


def test_a_pending_change_can_be_taken_back(as_alice: Client, mailing: None, mailoutbox: list[EmailMessage]) -> None:
    change(as_alice)
    as_alice.post("/accounts/email/", {"email": NEW, "action_remove": ""})
    assert addresses() == [("alice@example.org", True, True)]


def test_the_address_of_another_account_can_never_be_confirmed(
    as_alice: Client, bob: User, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    change(as_alice, "bob@example.org")
    confirm(as_alice, mailoutbox[-1])
    assert User.objects.get(username="alice").email == "alice@example.org"


def test_the_account_page_says_what_is_confirmed(
    as_alice: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    change(as_alice)
    html = as_alice.get("/accounts/").content.decode()
    assert f"alice@example.org, changing to {NEW}" in html


def test_the_present_address_is_no_change(as_alice: Client) -> None:
    assert "This is already your address." in change(as_alice, "alice@example.org").content.decode()
