"""Bot accounts: made, kept and closed by the person who answers for them, and no way to log in as one."""

import re
from collections.abc import Callable
from io import StringIO
from typing import Any
from urllib.parse import quote

import pytest
from allauth.account.models import EmailAddress
from django.core.exceptions import PermissionDenied
from django.core.mail import EmailMessage
from django.core.management import CommandError, call_command
from django.test import Client

from accounts.bots.keeping import MOST_BOTS, NoMoreBots, make_bot
from accounts.erasure import close_account
from accounts.models import ApiToken, Session, User
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in
from tests.accounts.factors import show_factor, with_codes

PAGE = "/accounts/bots/"
TOKEN = {"name": "at home", "scopes": ["read", "play", "tables"]}


@pytest.fixture
def sure(as_alice: Client) -> Client:
    """Return alice's browser just after she has given her password."""
    as_alice.post("/accounts/reauthenticate/", {"password": PASSWORD})
    return as_alice


@pytest.fixture
def fred(alice: User) -> User:
    return make_bot(alice, "Fred")


def secret_in(answer: Any) -> str:
    found = re.search(r'value="(blockyou_[\w-]{32})"', answer.content.decode())
    return found[1] if found else ""


def me(secret: str) -> Any:
    return Client().get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})


def page_of(bot: User) -> str:
    return f"{PAGE}{bot.pk}/"


def test_a_person_makes_a_bot_and_a_token_by_which_it_speaks(sure: Client) -> None:
    made = sure.post(PAGE, {"username": "Fred"}, follow=True)
    assert "Your bot has an account." in made.content.decode()
    answer = sure.post(page_of(User.objects.get(username="Fred")), TOKEN)
    shown = me(secret_in(answer)).json()
    assert (shown["name"], shown["operator"]) == ("Fred", "alice")
    assert "no-store" in answer["Cache-Control"]
    assert "Fred" in sure.get(PAGE).content.decode()


def test_the_account_page_leads_there(as_alice: Client) -> None:
    assert f'href="{PAGE}"' in as_alice.get("/accounts/").content.decode()


def test_a_secret_is_shown_once(sure: Client, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    again = sure.get(page_of(fred)).content.decode()
    assert ("at home" in again, secret in again) == (True, False)
    assert "at home" not in sure.get("/accounts/tokens/").content.decode()


def test_the_password_is_asked_for_first(as_alice: Client, fred: User) -> None:
    for path in (PAGE, page_of(fred), f"{page_of(fred)}close/"):
        answer = as_alice.post(path, {"username": "Frida", "typed": "Fred", **TOKEN})
        assert answer["Location"].startswith("/accounts/reauthenticate/")
    assert (User.objects.filter(is_active=True).count(), ApiToken.objects.count()) == (2, 0)


def test_guests_make_an_account_first(as_guest: Client) -> None:
    assert as_guest.get(PAGE)["Location"] == f"/accounts/claim/?next={quote(PAGE, safe='')}"


@pytest.mark.usefixtures("mailing")
def test_an_address_is_confirmed_first_where_the_site_sends_mail(sure: Client, alice: User) -> None:
    EmailAddress.objects.update(verified=False)
    assert "Confirm your e-mail address first" in sure.get(PAGE).content.decode()
    assert sure.post(PAGE, {"username": "Fred"}).status_code == 400
    assert not User.objects.filter(operator=alice).exists()
    EmailAddress.objects.update(verified=True)
    assert sure.post(PAGE, {"username": "Fred"}).status_code == 302


def test_three_at_most_are_kept_at_a_time(sure: Client, alice: User) -> None:
    for number in range(MOST_BOTS):
        make_bot(alice, f"Helper-{'abc'[number]}")
    answer = sure.post(PAGE, {"username": "Fred"})
    assert (answer.status_code, "Close one first." in answer.content.decode()) == (400, True)
    assert User.objects.filter(operator=alice).count() == MOST_BOTS
    page = sure.get(PAGE).content.decode()
    assert ("as many bots as there may be" in page, 'name="username"' in page) == (True, False)


def test_closing_and_making_by_turns_ends_too(sure: Client, alice: User) -> None:
    for number in range(6):
        close_account(make_bot(alice, f"Helper-{'abcdef'[number]}"))
    assert sure.post(PAGE, {"username": "Fred"}).status_code == 429


@pytest.mark.parametrize("name", ["", "F", "alice", "A1ice", "al.ice", "bot-fred", "Guest-abc", "Fred (bot)", "admin"])
def test_its_name_follows_the_rules_of_names(sure: Client, name: str) -> None:
    answer = sure.post(PAGE, {"username": name})
    assert (answer.status_code, "errorlist" in answer.content.decode()) == (400, True)
    assert User.objects.count() == 1


@pytest.mark.parametrize("name", ["fred", "F-red", "Frecl"])
def test_no_person_is_called_like_a_bot(client: Client, fred: User, name: str) -> None:
    client.post("/accounts/signup/", {"username": name, "password1": PASSWORD, "email": "f@example.org"})
    assert set(User.objects.values_list("username", flat=True)) == {"alice", "Fred"}


def test_nobody_else_keeps_it(fred: User, bob: User) -> None:
    token = ApiToken.objects.create(user=fred, name="x", digest="1", created_at="2026-01-01T00:00Z")
    browser = logged_in("bob")
    browser.post("/accounts/reauthenticate/", {"password": PASSWORD})
    for path in (page_of(fred), f"{page_of(fred)}close/", f"{page_of(fred)}tokens/{token.pk}/revoke/"):
        assert browser.post(path, {"typed": "Fred", **TOKEN}).status_code == 404
    assert browser.get(page_of(User.objects.get(username="bob"))).status_code == 404
    assert (ApiToken.objects.count(), User.objects.get(pk=fred.pk).is_active) == (1, True)


def test_a_token_of_it_is_revoked_at_once(sure: Client, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    address = f"{page_of(fred)}tokens/{ApiToken.objects.get().pk}/revoke/"
    assert address in sure.get(page_of(fred)).content.decode()
    assert "The token is revoked" in sure.post(address, follow=True).content.decode()
    assert me(secret).status_code == 401


def test_it_is_closed_once_its_name_is_typed(sure: Client, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    refused = sure.post(f"{page_of(fred)}close/", {"typed": "Frida"})
    assert (refused.status_code, "Type Fred to continue." in refused.content.decode()) == (400, True)
    assert me(secret).status_code == 200
    closed = sure.post(f"{page_of(fred)}close/", {"typed": "fred"}, follow=True)
    assert "The account of your bot has been closed." in closed.content.decode()
    assert me(secret).status_code == 401
    gone = User.objects.get(pk=fred.pk)
    assert (gone.username.startswith("deleted-"), gone.operator_id, gone.is_active) == (True, None, False)


def test_closing_the_account_of_its_operator_closes_it_first(as_alice: Client, fred: User) -> None:
    as_alice.post("/accounts/delete/", {"password": PASSWORD})
    assert not User.objects.filter(is_active=True).exists()
    assert not User.objects.exclude(username__startswith="deleted-").exists()
    assert not User.objects.filter(operator__isnull=False).exists()


def test_a_new_password_of_its_operator_ends_its_tokens(sure: Client, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    new = "diagonals touch, sides never"
    sure.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})
    assert me(secret).status_code == 401


def test_it_is_silent_while_the_host_has_locked_its_operator_out(sure: Client, alice: User, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    for is_active, status in ((False, 401), (True, 200)):
        User.objects.filter(pk=alice.pk).update(is_active=is_active)
        assert me(secret).status_code == status


def test_the_host_sees_whose_it_is(client: Client, alice: User, fred: User, bob: User) -> None:
    User.objects.filter(pk=bob.pk).update(is_staff=True, is_superuser=True)
    with_codes(bob)
    client.force_login(bob)
    show_factor(client, bob)
    assert ">alice<" in client.get("/host/accounts/user/?q=fred").content.decode()
    assert "alice" in client.get(f"/host/accounts/user/{fred.pk}/change/").content.decode()


def test_its_pages_are_french_for_who_reads_french(sure: Client, alice: User, fred: User) -> None:
    User.objects.filter(pk=alice.pk).update(language="fr")
    for path, words in (
        (PAGE, "Créer un compte de robot"),
        (page_of(fred), "Fermer le compte"),
        (f"{page_of(fred)}close/", "Saisissez le nom Fred"),
        ("/players/Fred/", "Robot géré par"),
    ):
        assert words in sure.get(path).content.decode()


@pytest.mark.parametrize("password", ["", "!", PASSWORD])
def test_no_password_logs_it_in(fred: User, password: str) -> None:
    for stored in (fred.password, User.objects.get(username="alice").password):
        # Even if its row had somebody's password.
        User.objects.filter(pk=fred.pk).update(password=stored)
        browser = Client()
        browser.post("/accounts/login/", {"login": "Fred", "password": password})
        assert "_auth_user_id" not in browser.session
    assert not Session.objects.filter(user_id=fred.pk).exists()


def test_no_other_way_makes_a_session_for_it(fred: User) -> None:
    with pytest.raises(PermissionDenied):
        Client().force_login(fred)
    assert not Session.objects.filter(user_id=fred.pk).exists()


@pytest.mark.usefixtures("mailing")
def test_no_link_for_a_new_password_is_made_for_it(
    client: Client, fred: User, mailoutbox: list[EmailMessage], person: Callable[..., User]
) -> None:
    with pytest.raises(CommandError, match="is a bot account"):
        call_command("reset_link", "fred", stdout=StringIO())
    client.post("/accounts/password/reset/", {"email": "fred@example.org"})
    assert [mail for mail in mailoutbox if "/password/reset/key/" in mail.body] == []


def test_its_secret_opens_no_page(sure: Client, fred: User) -> None:
    secret = secret_in(sure.post(page_of(fred), TOKEN))
    for path in ("/accounts/", "/games/", PAGE):
        answer = Client().get(path, headers={"Authorization": f"Bearer {secret}"})
        assert answer["Location"].startswith("/accounts/login/")


def test_a_guest_has_no_bots(fred: User) -> None:
    browser = guest_browser()
    assert browser.post(PAGE, {"username": "Frida"})["Location"] == "/accounts/claim/"
    assert User.objects.filter(operator__isnull=False).count() == 1
    for one in (User.objects.get(is_guest=True), fred):
        with pytest.raises(NoMoreBots):
            make_bot(one, "Frida")
