"""What every test may ask for: the cast, their browsers, and no network but this machine's own.

alice, bob, carol and dave play in turn order; eve watches; mallory may not.
"""

import gc
import os
import socket
import time
from collections.abc import Callable, Generator, Iterator
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

# Before anything else chooses Twisted's reactor.
import daphne.server  # noqa: F401
import pytest
from django.core.cache import cache
from django.core.mail import EmailMessage
from django.db import DatabaseError, connection, connections, transaction
from django.test import Client, TransactionTestCase
from django.utils import timezone, translation
from hypothesis import settings
from pytest_django import DjangoDbBlocker

from accounts.mail.confirmations import answer_confirmation
from accounts.mail.outbox import send_posted_mail
from accounts.mail.resets import answer_reset
from accounts.models import User
from accounts.presence import noting
from games.views.site import health
from tests import database_file, transactions

#: What migrating writes and no test changes: it is left where it is.
MIGRATED = {"django_content_type", "auth_permission"}
#: Fixtures of the database: whoever asks for one of them, or has pytest-django's mark, is marked `database`.
DATABASE = {"db", "transactional_db", "django_db_setup"}
#: Where what asks differs from case to case in what a page says, not in what the database is asked.
PAGES = tuple(f"tests/{folder}/" for folder in (
    "games/advice", "games/replay", "games/review", "games/spoken", "language",
))  # fmt: skip
# Where CI is set, Hypothesis does so by itself: how long an example takes says how busy the machine is.
settings.register_profile("unhurried", deadline=None)
if not os.environ.get("CI"):
    settings.load_profile("unhurried")
LogIn = Callable[[User], Client]
LOOPBACK = ("127.", "::1", "localhost")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what asks the database, so that it can be run on PostgreSQL too; not what sends the same queries again."""
    known: set[str] = set()
    for item in items:
        asks = DATABASE.intersection(getattr(item, "fixturenames", ())) or item.get_closest_marker("django_db")
        if asks and not sends_the_same_queries(item, known):
            item.add_marker(pytest.mark.database)


def sends_the_same_queries(item: pytest.Item, known: set[str]) -> bool:
    """Return whether another case of this test, or a quick test beside this proof, asks the database the same.

    `known` are the tests of which a case has been found so far.
    """
    if not (item.get_closest_marker("same_queries") or item.nodeid.startswith(PAGES)):
        return False
    if item.get_closest_marker("proof"):
        return True
    test = item.nodeid.partition("[")[0]
    is_known = test in known
    known.add(test)
    return is_known


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collect without looking for garbage: tests are kept, so that each look at all of them finds none.

    It is a third of the time that collecting all of them takes.
    """
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_finish(session: pytest.Session) -> None:
    """Begin what takes minutes first, of two processes (`-n 2 --dist worksteal`) each with half of it.

    Begun last it runs alone, and the other process has nothing left to do.
    """
    longest = [item for item in session.items if item.get_closest_marker("minutes")]
    others = [item for item in session.items if item not in longest]
    half = len(session.items) // 2 - len(longest[::2])
    session.items[:] = [*longest[::2], *others[:half], *longest[1::2], *others[half:]]


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """End on PostgreSQL what other sessions are left when all tests have run: its database could not be dropped.

    A process that a test has killed, or a thread that it has left, may have one that nobody closes.
    """
    yield
    with django_db_blocker.unblock():
        if connection.vendor == "postgresql":
            with connection.cursor() as cursor:
                cursor.execute(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                    " WHERE datname = current_database() AND pid <> pg_backend_pid()"
                )


@pytest.fixture(autouse=True)
def fresh_notes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each test begin with no note of who is here: none of another test's is written in this one."""
    monkeypatch.setattr(noting, "notes", noting.Notes())


@pytest.fixture(scope="session", autouse=True)
def no_network() -> Iterator[None]:
    """Let no test speak to another machine: it would be slow, and would fail somewhere else."""
    patch = pytest.MonkeyPatch()
    transactions.watch(patch)
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

    database_file.watch(patch)
    patch.setattr(socket.socket, "connect", guarded_connect)
    patch.setattr(socket.socket, "connect_ex", guarded_connect_ex)
    yield
    patch.undo()


@pytest.fixture(autouse=True)
def nothing_slow_in_a_transaction() -> Iterator[None]:
    """Let no test pass in which a template is rendered, a module loaded or a server asked inside a transaction.

    On SQLite every other write waits for its end.
    """
    transactions.found.clear()
    yield
    assert not transactions.found, "; ".join(transactions.found)


@pytest.fixture(scope="session", autouse=True)
def quick_emptying() -> Iterator[None]:
    """Have tests that commit leave an empty database in a few milliseconds.

    Django's `flush` truncates every table, which makes each a new file on PostgreSQL, and writes the content types and
    permissions again.
    """
    patch = pytest.MonkeyPatch()
    patch.setattr(TransactionTestCase, "_fixture_teardown", empty_tables)
    yield
    patch.undo()


def empty_tables(case: Any) -> None:
    """Delete every row but those that migrating writes; foreign keys are checked at the end.

    Where the test's connection is broken, that fails this test alone: Django would leave the connection to the next one
    too, and to all that follow.
    """
    for alias in case._databases_names(include_mirrors=False):
        try:
            delete_rows(alias)
        except DatabaseError:
            connections[alias].close()
            delete_rows(alias)
            raise


def delete_rows(alias: str) -> None:
    """Delete every row of a database but those that migrating writes."""
    names = set(connections[alias].introspection.django_table_names(only_existing=True, include_views=False))
    with transaction.atomic(using=alias), connections[alias].cursor() as cursor:
        for name in sorted(names - MIGRATED):
            cursor.execute(f"DELETE FROM {connections[alias].ops.quote_name(name)}")


@pytest.fixture(autouse=True)
def empty_cache() -> None:
    """Let every test begin with nothing counted against anyone, and nothing known of the site's health."""
    cache.clear()
    health.Memory.found.clear()


@pytest.fixture(autouse=True)
def one_period(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let every test count within one period: limits forget at full minutes and hours, in the middle of a test too."""
    began = time.time()
    monkeypatch.setattr("accounts.limits.time", SimpleNamespace(time=lambda: began))


@pytest.fixture(autouse=True)
def nobody_was_away(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the page of a game be its board: tests play on one day and look on another, and mean no absence by it."""
    monkeypatch.setattr("games.pages.play.recent.DAYS_AWAY", timedelta.max)


@pytest.fixture(autouse=True)
def english() -> None:
    """Let every test begin in English: a page asked for in another language leaves it behind in its thread."""
    translation.deactivate()


@pytest.fixture
def mailoutbox(mailoutbox: list[EmailMessage], monkeypatch: pytest.MonkeyPatch) -> list[EmailMessage]:
    """Return the e-mails sent so far; those about accounts are sent at once, not by a worker."""

    def send_at_once(mail_id: int) -> None:
        with transactions.unwatched():
            send_posted_mail(mail_id, 0, now=timezone.now())

    monkeypatch.setattr("accounts.mail.outbox.tell_mail_posted", send_at_once)
    monkeypatch.setattr("accounts.mail.resets.tell_reset_asked", lambda pk: answer_reset(pk, now=timezone.now()))
    confirm = "accounts.mail.confirmations.tell_confirmation_asked"
    monkeypatch.setattr(confirm, lambda pk: answer_confirmation(pk, now=timezone.now()))
    return mailoutbox


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

    return logged_in


def logged_in(user: User) -> Client:
    """Return a browser in which a person is logged in."""
    client = Client()
    client.force_login(user)
    return client


def person(username: str) -> User:
    """Create somebody with an e-mail address and the password of the cast."""
    return User.objects.create_user(username, email=f"{username}@example.org", password=PASSWORD)


def known_person(username: str) -> User:
    """Return the person of that name, created where there is none yet."""
    return User.objects.filter(username=username).first() or person(username)


PASSWORD = "corner to corner, always"
