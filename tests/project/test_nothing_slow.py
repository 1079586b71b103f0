"""What is asked of other programs inside a transaction is found, by whichever library it is asked."""

import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, suppress
from smtplib import SMTP

import pytest
import requests
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from games.notifications.outgoing import hand_over
from tests import transactions
from tests.browser.site import free_port

pytestmark = pytest.mark.django_db(transaction=True)


def post(port: int) -> None:
    """Post as webhooks do, to an address that begins with https."""
    hand_over(f"https://127.0.0.1:{port}/", b"", {}, now=timezone.now())


def fetch(port: int) -> None:
    """Fetch as the sign-on does."""
    with requests.Session() as session:
        session.trust_env = False
        session.get(f"https://127.0.0.1:{port}/", timeout=5)


def connect(port: int) -> None:
    """Connect as any library may."""
    with socket.socket() as line:
        line.connect(("127.0.0.1", port))


def try_to_connect(port: int) -> None:
    """Connect as what does not wait does."""
    with socket.socket() as line:
        line.connect_ex(("127.0.0.1", port))


def open_line(port: int) -> None:
    """Connect as most libraries do."""
    socket.create_connection(("127.0.0.1", port), 5).close()


def mail(port: int) -> None:
    """Connect as mails do."""
    SMTP("127.0.0.1", port, timeout=5)


def ask_redis(port: int) -> None:
    """Ask a Redis."""
    with suppress(RedisError), Redis(port=port, retry=Retry(NoBackoff(), 0)) as redis:
        redis.ping()


@pytest.fixture
def port(settings: Settings) -> Iterator[int]:
    """Return a port at which nothing answers; what was found meanwhile is forgotten."""
    settings.PUSH_TO_LOOPBACK = True
    yield free_port()
    transactions.found.clear()


@pytest.mark.parametrize("ask", [post, fetch, connect, try_to_connect, open_line, mail])
def test_whoever_is_asked_inside_a_transaction_is_found(ask: Callable[[int], None], port: int) -> None:
    with suppress(OSError):
        ask(port)
    assert transactions.found == []
    with ExitStack() as inside, suppress(OSError):
        # As the site opens one: those of tests are theirs.
        inside.enter_context(transaction.atomic())
        ask(port)
    assert f"('127.0.0.1', {port}) was asked inside a transaction" in transactions.found


def test_redis_may_be_asked_inside_a_transaction(port: int) -> None:
    # Its library loads what it needs.
    ask_redis(port)
    with ExitStack() as inside:
        inside.enter_context(transaction.atomic())
        ask_redis(port)
    assert transactions.found == []
