"""The cast with confirmed addresses, and a site with or without e-mail."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.test import Client

from accounts.guests import create_guest
from accounts.models import User
from tests.conftest import PASSWORD as PASSWORD


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    """Make a person; with an address it is confirmed, as after a sign-up on a site with e-mail."""

    def make(name: str, email: str = "") -> User:
        user = User.objects.create_user(name, email=email, password=PASSWORD)
        return confirmed(user) if email else user

    return make


@pytest.fixture
def alice(alice: User) -> User:
    return confirmed(alice)


@pytest.fixture
def bob(bob: User) -> User:
    return confirmed(bob)


@pytest.fixture
def as_alice(alice: User) -> Client:
    return logged_in("alice")


@pytest.fixture
def as_guest(db: None) -> Client:
    return guest_browser()


@pytest.fixture
def mailing(settings: Any) -> None:
    """A site with EMAIL_URL: addresses are musts, and confirmed later."""
    settings.EMAIL_IS_SET = True
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]
    settings.ACCOUNT_EMAIL_VERIFICATION = "optional"
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True


def confirmed(user: User) -> User:
    """Have this person's address confirmed."""
    EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
    return user


def guest_browser() -> Client:
    """Return a browser of a new guest who plays nothing yet."""
    client = Client()
    client.force_login(create_guest())
    return client


def logged_in(name: str, password: str = PASSWORD) -> Client:
    """Return a browser in which this person logged in through the page."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": name, "password": password})
    assert answer.status_code == 302, answer.content.decode()
    return client


def who(client: Client) -> Any:
    """Return who the site takes this browser for."""
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None
