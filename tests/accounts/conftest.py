"""The cast, and a site with or without e-mail."""

from collections.abc import Callable, Iterator

import pytest
from allauth.account.models import EmailAddress
from django.core.cache import cache
from django.test import Client

from accounts.models import User

PASSWORD = "a long enough sentence"


@pytest.fixture(autouse=True)
def fresh_limits() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def person(db: None) -> Callable[..., User]:
    """Make a person; with an address it is confirmed, as after a sign-up on a site with e-mail."""

    def make(name: str, email: str = "") -> User:
        user = User.objects.create_user(name, email=email, password=PASSWORD)
        if email:
            EmailAddress.objects.create(user=user, email=email, verified=True, primary=True)
        return user

    return make


@pytest.fixture
def alice(person: Callable[..., User]) -> User:
    return person("alice", "alice@example.org")


@pytest.fixture
def bob(person: Callable[..., User]) -> User:
    return person("bob", "bob@example.org")


@pytest.fixture
def as_alice(alice: User) -> Client:
    return logged_in("alice")


@pytest.fixture
def as_guest(db: None) -> Client:
    client = Client()
    client.post("/play-bots/")
    return client


@pytest.fixture
def mailing(settings: object) -> None:
    """A site with EMAIL_URL: addresses are musts, and confirmed."""
    settings.EMAIL_IS_SET = True  # type: ignore[attr-defined]  # pytest-django's settings take any name
    settings.ACCOUNT_SIGNUP_FIELDS = ["username*", "email*", "password1*"]  # type: ignore[attr-defined]
    settings.ACCOUNT_EMAIL_VERIFICATION = "mandatory"  # type: ignore[attr-defined]
    settings.ACCOUNT_EMAIL_NOTIFICATIONS = True  # type: ignore[attr-defined]


def logged_in(name: str, password: str = PASSWORD) -> Client:
    """Return a browser in which this person logged in through the page."""
    client = Client()
    answer = client.post("/accounts/login/", {"login": name, "password": password})
    assert answer.status_code == 302, answer.content.decode()
    return client


def who(client: Client) -> User | None:
    """Return who the site takes this browser for."""
    pk = client.session.get("_auth_user_id")
    return User.objects.get(pk=pk) if pk else None
