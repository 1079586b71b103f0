"""What the tests of pages ask for."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from games.roster.offered import offered_bots

QueryCount = Callable[[Client, str], int]


@pytest.fixture
def query_count(db: None) -> QueryCount:
    """Return a function that counts the queries of a page, the second time it is asked for."""

    def count(client: Client, address: str) -> int:
        client.get(address)
        with CaptureQueriesContext(connection) as captured:
            assert client.get(address).status_code == 200
        return len(captured)

    return count


@pytest.fixture
def bots(db: None, settings: Settings) -> Iterator[None]:
    """Let bots with characters be seated, that need not think."""
    names = ("sage-3", "mason-3", "warden-3", "hermit-3", "sage-5", "mason-5")
    with further(settings, *(f"{name}=games.bots.engines.randomly:RandomEngine" for name in names)):
        yield


@pytest.fixture
def beside(db: None, settings: Settings) -> Iterator[None]:
    """Let there be a bot beside the ladder, called Middle."""
    with further(settings, "middle=games.bots.engines.greedy:GreedyEngine"):
        yield


@contextmanager
def further(settings: Settings, *lines: str) -> Iterator[None]:
    """Let these bots be seated too."""
    for extra in (list(lines), []):
        settings.EXTRA_BOTS = extra
        offered_bots.cache_clear()
        if extra:
            yield
