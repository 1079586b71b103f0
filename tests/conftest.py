"""What every test may ask for: the cast, their browsers, and no network but this machine's own.

alice, bob, carol and dave play in turn order; eve watches; mallory may not.
"""

import socket
import time
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import translation

from accounts.models import User

LogIn = Callable[[User], Client]
LOOPBACK = ("127.", "::1", "localhost")


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Let no test speak to another machine: it would be slow, and would fail somewhere else."""
    patch = pytest.MonkeyPatch()
    connect, connect_ex = socket.socket.connect, socket.socket.connect_ex

    def guard(self: socket.socket, address: Any) -> None:
        # Connecting a datagram socket sends nothing.
        is_stream = self.type == socket.SOCK_STREAM
        if is_stream and isinstance(address, tuple) and not str(address[0]).startswith(LOOPBACK):
            raise RuntimeError(f"A test tried to reach {address[0]}. Tests speak to this machine only.")

    def guarded_connect(self: socket.socket, address: Any) -> None:
        guard(self, address)
        connect(self, address)

    def guarded_connect_ex(self: socket.socket, address: Any) -> int:
        guard(self, address)
        return connect_ex(self, address)

    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Let every test begin with nothing counted against anybody."""
    cache.clear()


@pytest.fixture(autouse=True)
def one_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test count within one period: limits forget at full minutes and hours, in the middle of a test too."""
    began = time.time()
    monkeypatch.setattr("accounts.limits.time", SimpleNamespace(time=lambda: began))


@pytest.fixture(autouse=True)
def english() -> None:
    """Let every test begin in English: a page asked for in another language leaves it behind in its thread."""
    translation.deactivate()


@pytest.fixture
def alice(db: None) -> User:
    """Return the first to play."""
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    """Return the second to play."""
    return person("bob")


@pytest.fixture
def carol(db: None) -> User:
    """Return the third to play."""
    return person("carol")


@pytest.fixture
def dave(db: None) -> User:
    """Return the fourth to play."""
    return person("dave")


@pytest.fixture
def eve(db: None) -> User:
    """Return the one who watches."""
    return person("eve")


@pytest.fixture
def mallory(db: None) -> User:
    """Return the one who may not."""
    return person("mallory")


@pytest.fixture
def log_in(db: None) -> LogIn:
    """Return a function from a person to a browser in which that person is logged in."""

    def log_in(user: User) -> Client:
        client = Client()
        client.force_login(user)
        return client

    return log_in


def person(username: str) -> User:
    """Create somebody with an e-mail address and the password of the cast."""
    return User.objects.create_user(username, email=f"{username}@example.org", password=PASSWORD)


PASSWORD = "corner to corner, always"
