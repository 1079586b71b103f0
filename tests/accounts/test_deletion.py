"""Deleting an account: the person goes, an anonymous row stays, nobody else notices."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.management import call_command
from django.test import Client

from accounts.erasure import close_account
from accounts.models import Session, User
from accounts.signals import account_closing, sessions_ended
from tests.accounts.conftest import PASSWORD, logged_in, who


def delete(client: Client, **data: Any) -> Any:
    return client.post("/accounts/delete/", data)


def test_the_right_password_deletes_and_says_so(as_alice: Client) -> None:
    page = as_alice.post("/accounts/delete/", {"password": PASSWORD}, follow=True)
    assert "Your account has been deleted." in page.content.decode()
    assert who(as_alice) is None


@pytest.mark.parametrize("password", ["", "wrong", "delete"])
def test_a_wrong_password_deletes_nothing(as_alice: Client, password: str) -> None:
    assert delete(as_alice, password=password).status_code == 200
    assert User.objects.get(username="alice").erased_at is None


def test_guessing_the_password_there_is_limited_as_at_the_login(as_alice: Client) -> None:
    for _ in range(5):
        delete(as_alice, password="wrong")
    assert "Too many wrong passwords." in delete(as_alice, password=PASSWORD).content.decode()


def test_opening_the_page_deletes_nothing(as_alice: Client) -> None:
    as_alice.get("/accounts/delete/")
    assert User.objects.get().erased_at is None


def test_a_guest_types_the_word(as_guest: Client) -> None:
    assert "Type delete to continue." in delete(as_guest, word="no").content.decode()
    delete(as_guest, word="Delete")
    assert User.objects.get().erased_at is not None


def test_preferences_go_with_the_account(alice: User) -> None:
    usual = {name: getattr(alice, name) for name in ("theme", "language", "has_high_contrast", "colour_names")}
    alice.theme, alice.language, alice.has_high_contrast, alice.colour_names = "dark", "fr", True, "cyan-violet"
    alice.save()
    close_account(alice)
    gone = User.objects.get(pk=alice.pk)
    assert {name: getattr(gone, name) for name in usual} == usual


def test_nothing_of_the_person_stays_in_the_database(
    as_alice: Client, alice: User, capsys: pytest.CaptureFixture[str]
) -> None:
    as_alice.post("/accounts/preferences/", {"theme": "dark", "language": "en"})
    delete(as_alice, password=PASSWORD)
    call_command("dumpdata", verbosity=0)
    dump = capsys.readouterr().out.casefold()
    assert str(alice.pk) in dump
    for secret in ("alice", "example.org", alice.password, "127.0.0.1"):
        assert secret.casefold() not in dump


def test_the_row_stays_without_a_person(as_alice: Client, alice: User) -> None:
    delete(as_alice, password=PASSWORD)
    gone = User.objects.get(pk=alice.pk)
    assert gone.username.startswith("deleted-")
    assert (gone.email, gone.is_active, gone.theme, gone.last_login) == ("", False, "system", None)
    assert not gone.has_usable_password()
    assert not EmailAddress.objects.exists()


def test_every_device_is_logged_out(as_alice: Client, alice: User) -> None:
    phone = logged_in("alice")
    delete(as_alice, password=PASSWORD)
    assert phone.get("/accounts/").status_code == 302
    assert not Session.objects.filter(user_id=alice.pk).exists()


def test_the_name_is_free_again(as_alice: Client) -> None:
    delete(as_alice, password=PASSWORD)
    client = Client()
    client.post("/accounts/signup/", {"username": "alice", "password1": PASSWORD})
    assert who(client).username == "alice"


def test_others_are_left_as_they_were(as_alice: Client, bob: User) -> None:
    browser, before = logged_in("bob"), User.objects.filter(pk=bob.pk).values().get()
    delete(as_alice, password=PASSWORD)
    after = User.objects.filter(pk=bob.pk).values().get()
    assert {**before, "last_login": None} == {**after, "last_login": None}
    assert who(browser) == bob


def test_who_must_do_something_first_hears_of_it_while_the_name_still_stands(alice: User) -> None:
    heard = []

    def hear(user: User, **kwargs: object) -> None:
        heard.append((user.username, user.is_active))

    account_closing.connect(hear)
    close_account(alice)
    close_account(alice)
    account_closing.disconnect(hear)
    assert heard == [("alice", True)]


@pytest.mark.django_db(transaction=True)
def test_a_listener_that_fails_leaves_the_account_whole(alice: User) -> None:
    def fail(**kwargs: object) -> None:
        raise RuntimeError("a game could not be retired")

    account_closing.connect(fail)
    with pytest.raises(RuntimeError):
        close_account(alice)
    account_closing.disconnect(fail)
    assert User.objects.get().username == "alice"
    assert EmailAddress.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_the_open_sockets_hear_after_the_commit(alice: User) -> None:
    heard = []

    def hear(user_id: int, session_key: str | None, **kwargs: object) -> None:
        heard.append((user_id, session_key, User.objects.get(pk=user_id).is_active))

    sessions_ended.connect(hear)
    close_account(alice)
    sessions_ended.disconnect(hear)
    assert heard == [(alice.pk, None, False)]
