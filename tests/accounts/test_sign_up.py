"""Signing up, with and without e-mail."""

import re
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, who


def sign_up(client: Client, name: str = "alice", email: str = "", password: str = PASSWORD, **more: Any) -> Any:
    return client.post("/accounts/signup/", {"username": name, "email": email, "password1": password, **more})


@pytest.mark.django_db
def test_a_name_and_a_password_are_enough_without_email(client: Client, mailoutbox: list[EmailMessage]) -> None:
    assert sign_up(client).headers["Location"] == "/games/"
    assert who(client).username == "alice"
    assert mailoutbox == []


@pytest.mark.django_db
def test_the_name_is_stored_composed_and_as_typed(client: Client) -> None:
    sign_up(client, name="Zoe\u0308")
    assert User.objects.get().username == "Zoë"


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["Block-You 2026", "polyomino1", "games-4711", "12 Freestyle!"])
def test_a_password_that_is_a_word_of_the_site_is_refused(client: Client, settings: Any, password: str) -> None:
    settings.PUBLIC_HOST = "games.school.example.org"
    assert (
        "This password is a word of this site. Choose another one."
        in sign_up(client, password=password).content.decode()
    )
    assert not User.objects.exists()


@pytest.mark.django_db
def test_a_password_that_has_such_a_word_among_others_is_taken(client: Client) -> None:
    sign_up(client, password="four blocks on a green hill")
    assert User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize("password", ["short", "password123", "12345678901", "alice123"])
def test_a_weak_password_is_refused(client: Client, password: str) -> None:
    assert sign_up(client, password=password).status_code == 200
    assert not User.objects.exists()


@pytest.mark.django_db
@pytest.mark.parametrize(
    "password",
    [
        "qvxzkjwbm",
        "QVXZKJWBM",
        "qv xz kj wb",
        "!?;:.,-_*+",
        "積み木で遊ぶのは楽しい",
        "🙂🙃🙂🙃🙂🙃🙂🙃",
        "4711 0815 42 x",
    ],
)
def test_a_password_may_be_made_of_anything_but_digits_alone(client: Client, password: str) -> None:
    client.post("/accounts/signup/", {"username": "alice", "password1": password})
    assert User.objects.get().check_password(password)


@pytest.mark.django_db
def test_a_password_may_be_long_and_is_compared_as_it_was_typed(client: Client) -> None:
    typed = "  Äußere Ecken, " + "corner to corner " * 4 + " "
    assert len(typed) > 64
    assert sign_up(client, password=typed).headers["Location"] == "/games/"
    for tried, gets_in in ((typed.strip(), False), (typed.lower(), False), (typed[:64], False), (typed, True)):
        browser = Client()
        browser.post("/accounts/login/", {"login": "alice", "password": tried})
        assert (who(browser) is not None) is gets_in, tried


def test_passwords_are_masked_and_a_manager_may_fill_them_in(as_alice: Client, client: Client) -> None:
    for browser, address in (
        (client, "/accounts/login/"),
        (client, "/accounts/signup/"),
        (as_alice, "/accounts/password/change/"),
        (as_alice, "/accounts/reauthenticate/"),
        (as_alice, "/accounts/delete/"),
    ):
        fields = re.findall(r'<input[^>]*name="\w*password\d?"[^>]*>', browser.get(address).content.decode())
        assert fields, address
        for each in fields:
            assert 'type="password"' in each
            assert re.search(r'autocomplete="(current|new)-password"', each), each
            assert "onpaste" not in each


@pytest.mark.django_db
def test_a_refusal_stands_beside_its_field_and_is_tied_to_it(client: Client) -> None:
    html = sign_up(client, name="n").content.decode()
    assert 'aria-describedby="id_username_helptext id_username_error"' in html
    assert 'id="id_username_error"' in html


def test_a_taken_name_is_refused_whatever_its_case(client: Client, alice: User) -> None:
    html = sign_up(client, name="ALICE").content.decode()
    assert "This name is taken, or too similar to one that is." in html
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_nobody_signs_up_as_staff(client: Client) -> None:
    sign_up(client, is_staff="on", is_superuser="on", is_guest="on", erased_at="2026-01-01", id="77")
    user = User.objects.get()
    assert (user.is_staff, user.is_superuser, user.is_guest, user.erased_at) == (False, False, False, None)


@pytest.mark.django_db
def test_with_email_a_new_member_plays_at_once_and_confirms_later(
    client: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    assert sign_up(client, email="alice@example.org").headers["Location"] == "/games/"
    assert who(client).username == "alice"
    assert [mail.to for mail in mailoutbox] == [["alice@example.org"]]
    assert not EmailAddress.objects.get().verified
    assert "not confirmed yet: no turn e-mails" in client.get("/accounts/").content.decode()


@pytest.mark.django_db
def test_the_link_in_the_mail_confirms_the_address(
    client: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(client, email="alice@example.org")
    path = confirming(mailoutbox[0])
    assert "alice@example.org" in client.get(path).content.decode()
    assert not EmailAddress.objects.get().verified
    client.post(path)
    assert EmailAddress.objects.get().verified


@pytest.mark.django_db
def test_confirming_an_address_typed_wrong_lets_its_owner_in_nowhere(
    client: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(client, email="stranger@example.org")
    stranger = Client()
    stranger.get(confirming(mailoutbox[0]))
    stranger.post(confirming(mailoutbox[0]))
    assert who(stranger) is None


@pytest.mark.django_db
def test_a_guest_who_opens_the_link_of_another_account_stays_that_guest(
    client: Client, as_guest: Client, mailing: None, mailoutbox: list[EmailMessage]
) -> None:
    sign_up(client, email="alice@example.org")
    guest = who(as_guest)
    as_guest.get(confirming(mailoutbox[0]))
    as_guest.post(confirming(mailoutbox[0]))
    assert who(as_guest) == guest


def test_the_address_of_another_account_gets_in_to_that_account_alone(
    client: Client, alice: User, mailing: None
) -> None:
    sign_up(client, name="carol", email="alice@example.org", password="another corner, always")
    answer = Client().post("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD})
    assert answer.wsgi_request.user == alice


def confirming(mail: EmailMessage) -> str:
    """Return the path of the link that confirms an address."""
    link = next(word for word in str(mail.body).split() if "/confirm-email/" in word)
    return link.removeprefix("http://127.0.0.1:8000")


@pytest.mark.django_db
def test_without_mail_the_page_promises_none(client: Client) -> None:
    html = client.get("/accounts/signup/").content.decode()
    assert "turn e-mails" not in html
    assert "This site sends no e-mails: if you forget your password, ask the people who run it for a new one." in html


@pytest.mark.django_db
def test_with_email_an_address_is_a_must(client: Client, mailing: None) -> None:
    assert sign_up(client).status_code == 200
    assert not User.objects.exists()


@pytest.mark.django_db
def test_the_twenty_first_sign_up_of_a_minute_is_too_often(client: Client) -> None:
    for number in range(20):
        client.post("/accounts/signup/", {"username": f"x{number}"})
    answer = sign_up(client)
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert "Try again in a minute." in answer.content.decode()


def test_two_sign_ups_under_one_name_at_once_end_in_a_sentence(
    client: Client, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.adapter.Adapter.clean_username", lambda self, name, shallow=False: name)
    answer = sign_up(client, name="A1ice")
    assert "This name has just been taken." in answer.content.decode()
    assert User.objects.count() == 1
    assert who(client) is None
