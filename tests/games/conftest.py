"""The cast: alice, bob, carol and dave in turn order; eve watches; mallory may not."""

from collections.abc import Iterator

import pytest

from accounts.models import User
from games import events


def person(name: str) -> User:
    return User.objects.create_user(username=name, email=f"{name}@example.org")


@pytest.fixture
def alice(db: None) -> User:
    return person("alice")


@pytest.fixture
def bob(db: None) -> User:
    return person("bob")


@pytest.fixture
def carol(db: None) -> User:
    return person("carol")


@pytest.fixture
def dave(db: None) -> User:
    return person("dave")


@pytest.fixture
def eve(db: None) -> User:
    return person("eve")


@pytest.fixture
def mallory(db: None) -> User:
    return person("mallory")


@pytest.fixture
def heard() -> Iterator[list[events.GameEvent]]:
    """Every event that is told while the test runs."""
    told: list[events.GameEvent] = []
    events.subscribe(events.GameEvent, told.append)
    yield told
    events.unsubscribe(events.GameEvent, told.append)
