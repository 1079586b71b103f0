"""Wrong passwords: who guesses is stopped, and the owner is not locked out by what others guess."""

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import get_hasher
from django.core.cache import cache
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in, who

TOO_MANY = "Too many wrong passwords."


@pytest.fixture(autouse=True)
def _behind_a_proxy(settings: Any) -> Iterator[None]:
    """Every browser here has an address of its own: what is counted by account is asked about."""
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    cache.clear()
    yield
    cache.clear()


def log_in(client: Client, password: str, address: str, login: str = "alice") -> Any:
    data = {"login": login, "password": password}
    return client.post("/accounts/login/", data, HTTP_X_FORWARDED_FOR=address)


def guess(times: int, login: str = "alice") -> list[str]:
    """Return the answers to so many wrong passwords, each from another address and another browser."""
    return [log_in(Client(), "wrong", f"198.51.100.{n}", login).content.decode() for n in range(times)]


def test_guesses_from_elsewhere_do_not_lock_out_a_device_of_the_owner(alice: User) -> None:
    phone = logged_in("alice")
    phone.post("/accounts/logout/")
    guess(20)
    assert log_in(phone, PASSWORD, "203.0.113.1").status_code == 302
    assert who(phone) == alice


def test_a_strange_device_is_stopped_whatever_its_addresses(alice: User) -> None:
    assert [TOO_MANY in answer for answer in guess(7)] == [False] * 5 + [True] * 2


def test_name_and_address_of_one_account_are_counted_together(alice: User) -> None:
    guess(3)
    assert [TOO_MANY in answer for answer in guess(4, "alice@example.org")] == [False] * 2 + [True] * 2


def test_a_known_device_has_five_guesses_too(alice: User) -> None:
    phone = logged_in("alice")
    phone.post("/accounts/logout/")
    answers = [log_in(phone, "wrong", f"203.0.113.{n}").content.decode() for n in range(7)]
    assert [TOO_MANY in answer for answer in answers] == [False] * 5 + [True] * 2


def test_a_device_known_to_one_person_is_strange_to_another(alice: User, bob: User) -> None:
    bobs = logged_in("bob")
    bobs.post("/accounts/logout/")
    guess(5)
    assert TOO_MANY in log_in(bobs, PASSWORD, "203.0.113.1").content.decode()


@pytest.mark.parametrize("cookie", ["", "nonsense", "WyJhIiwgWzFdXQ:1abcde:forged", "x" * 4000])
def test_an_invented_cookie_makes_no_device_known(alice: User, cookie: str) -> None:
    guess(5)
    stranger = Client()
    stranger.cookies["device"] = cookie
    assert TOO_MANY in log_in(stranger, PASSWORD, "203.0.113.1").content.decode()


def test_a_shared_device_remembers_the_last_five_people(person: Callable[..., User]) -> None:
    names = [f"person{n}" for n in range(6)]
    family = Client()
    for number, name in enumerate(names):
        person(name)
        log_in(family, PASSWORD, f"203.0.113.{number}", name)
        family.post("/accounts/logout/")
    for name in names:
        guess(5, name)
    inside = [log_in(family, PASSWORD, f"203.0.113.{50 + n}", name).status_code for n, name in enumerate(names)]
    assert inside == [429, 302, 302, 302, 302, 302]


@pytest.fixture
def hashes(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The passwords that are hashed from now on: what takes the time of a login."""
    seen: list[str] = []
    kind = type(get_hasher())
    encode = kind.encode

    def noted(self: Any, password: str, *rest: Any, **more: Any) -> str:
        seen.append(password)
        return encode(self, password, *rest, **more)

    monkeypatch.setattr(kind, "encode", noted)
    return seen


@pytest.mark.parametrize("login", ["alice", "alice@example.org", "nobody", "nobody@example.org", "closed"])
def test_a_wrong_password_is_hashed_once_whoever_it_is_for(
    alice: User, person: Callable[..., User], hashes: list[str], login: str
) -> None:
    closed = person("closed")
    closed.set_unusable_password()
    closed.save()
    hashes.clear()
    log_in(Client(), "wrong", "203.0.113.1", login)
    assert len(hashes) == 1


@pytest.mark.parametrize("email", ["alice@example.org", "dave@example.org"])
def test_signing_up_hashes_the_password_once_whether_the_address_is_known_or_not(
    alice: User, mailing: None, hashes: list[str], email: str
) -> None:
    hashes.clear()
    Client().post("/accounts/signup/", {"username": "dave", "email": email, "password1": PASSWORD})
    assert hashes == [PASSWORD]


@pytest.mark.parametrize("email", ["alice@example.org", "dave@example.org"])
def test_claiming_hashes_the_password_once_whether_the_address_is_known_or_not(
    alice: User, mailing: None, hashes: list[str], email: str
) -> None:
    guest = guest_browser()
    hashes.clear()
    guest.post("/accounts/claim/", {"username": "dave", "email": email, "password1": PASSWORD})
    assert hashes == [PASSWORD]
