"""Changing a password, and the link that resets it: once, for an hour, under the one public address."""

import re
from typing import Any

import pytest
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import Session, User
from tests.accounts.conftest import PASSWORD, logged_in, who

NEW = "another long sentence"
POISONS = [
    {"HTTP_HOST": "evil.example.com"},
    {"HTTP_HOST": "testserver@evil.example.com"},
    {"HTTP_HOST": "testserver:80@evil.example.com"},
    {"HTTP_HOST": "testserver.evil.example.com"},
    {"HTTP_HOST": "evil.example.com#testserver"},
    {"HTTP_X_FORWARDED_HOST": "evil.example.com"},
    {"HTTP_FORWARDED": "host=evil.example.com"},
    {"HTTP_X_FORWARDED_SERVER": "evil.example.com"},
    {"HTTP_X_HOST": "evil.example.com"},
    {"HTTP_HOST": "localhost"},
]


def ask_for_link(email: str = "alice@example.org", **headers: Any) -> Any:
    return Client().post("/accounts/password/reset/", {"email": email}, **headers)


def link_in(message: EmailMessage) -> str:
    return re.findall(r"http\S+/password/reset/key/\S+", str(message.body))[0]


def follow(client: Client, link: str) -> Any:
    answer = client.get(link.removeprefix("http://127.0.0.1:8000"))
    return answer.headers.get("Location")


def reset(client: Client, link: str, password: str = NEW) -> Any:
    page = follow(client, link)
    return client.post(page, {"password1": password, "password2": password}) if page else None


@pytest.mark.parametrize("headers", POISONS)
def test_the_link_in_the_mail_stands_under_the_public_address(
    alice: User, mailoutbox: list[EmailMessage], headers: dict[str, Any]
) -> None:
    answer = ask_for_link(**headers)
    if mailoutbox:
        hosts = set(re.findall(r"https?://([^/\s]+)", str(mailoutbox[0].body)))
        assert hosts == {"127.0.0.1:8000"}
    else:
        assert answer.status_code == 400


@pytest.mark.parametrize("headers", POISONS)
def test_the_link_that_confirms_an_address_stands_under_the_public_address(
    db: None, mailing: None, mailoutbox: list[EmailMessage], headers: dict[str, Any]
) -> None:
    data = {"username": "carol", "email": "carol@example.org", "password1": PASSWORD}
    answer = Client().post("/accounts/signup/", data, **headers)
    if mailoutbox:
        assert set(re.findall(r"https?://([^/\s]+)", str(mailoutbox[0].body))) == {"127.0.0.1:8000"}
    else:
        assert answer.status_code == 400


def test_the_link_sets_a_new_password_and_logs_in(alice: User, mailoutbox: list[EmailMessage], client: Client) -> None:
    ask_for_link()
    reset(client, link_in(mailoutbox[0]))
    assert who(client) == alice
    assert who(logged_in("alice", NEW)) == alice


def test_the_link_works_once(alice: User, mailoutbox: list[EmailMessage]) -> None:
    ask_for_link()
    reset(Client(), link_in(mailoutbox[0]))
    assert follow(Client(), link_in(mailoutbox[0])) is None


def test_the_link_dies_after_an_hour(alice: User, mailoutbox: list[EmailMessage], settings: Any) -> None:
    ask_for_link()
    settings.PASSWORD_RESET_TIMEOUT = -1
    page = Client().get(link_in(mailoutbox[0]).removeprefix("http://127.0.0.1:8000"))
    assert "This link has expired or has already been used." in page.content.decode()


def test_the_hour_is_the_one_that_the_mail_names(settings: Any) -> None:
    assert settings.PASSWORD_RESET_TIMEOUT == 3600


def test_the_link_dies_when_the_password_changes(alice: User, as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    ask_for_link()
    as_alice.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert follow(Client(), link_in(mailoutbox[0])) is None


def test_the_link_dies_when_the_address_changes(alice: User, mailoutbox: list[EmailMessage]) -> None:
    ask_for_link()
    alice.emailaddress_set.update(email="alice@example.net")
    assert follow(Client(), link_in(mailoutbox[0])) is None


def test_the_token_leaves_the_address_before_a_page_is_shown(
    alice: User, mailoutbox: list[EmailMessage], client: Client
) -> None:
    ask_for_link()
    assert follow(client, link_in(mailoutbox[0])).endswith("-set-password/")


def test_a_reset_logs_out_every_other_device(alice: User, as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    ask_for_link()
    reset(Client(), link_in(mailoutbox[0]))
    assert as_alice.get("/accounts/").status_code == 302


def test_a_new_password_keeps_this_browser_under_a_new_key_and_ends_the_others(as_alice: Client, alice: User) -> None:
    phone, before = logged_in("alice"), as_alice.cookies["sessionid"].value
    as_alice.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW})
    assert who(as_alice) == alice
    assert as_alice.cookies["sessionid"].value != before
    assert phone.get("/accounts/").status_code == 302
    assert Session.objects.filter(user_id=alice.pk).count() == 1


def test_a_new_password_needs_the_present_one(as_alice: Client) -> None:
    answer = as_alice.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert "This is not your current password." in answer.content.decode()
    assert User.objects.get().check_password(PASSWORD)


def test_who_has_no_way_to_show_who_they_are_sets_no_password(as_alice: Client, alice: User) -> None:
    alice.set_unusable_password()
    alice.save()
    as_alice.force_login(alice)
    page = as_alice.get("/accounts/password/change/", follow=True)
    # A device that was lost may be logged in still: a password is set by a reset link, or after a passkey was shown.
    assert page.redirect_chain == [("/accounts/password/set/", 302), ("/accounts/keys/", 302)]
    as_alice.post("/accounts/password/set/", {"password1": NEW, "password2": NEW})
    assert not User.objects.get().has_usable_password()


def test_without_email_the_page_says_whom_to_ask(db: None, client: Client) -> None:
    html = client.get("/accounts/password/reset/").content.decode()
    assert "Ask the people who run it for a reset link" in html
    assert "reset_link" not in html
    assert "manage.py" not in html
    assert 'type="email"' not in html


def test_with_email_the_page_has_the_form(db: None, client: Client, mailing: None) -> None:
    assert 'name="email"' in client.get("/accounts/password/reset/").content.decode()


def test_nobody_is_flooded_with_links(alice: User, mailoutbox: list[EmailMessage]) -> None:
    answers = [ask_for_link().status_code for _ in range(6)]
    assert answers == [302] * 5 + [429]
    assert len(mailoutbox) == 5


def test_a_closed_account_gets_no_link(alice: User, mailoutbox: list[EmailMessage]) -> None:
    User.objects.update(is_active=False)
    ask_for_link()
    assert "/password/reset/key/" not in mailoutbox[0].body
