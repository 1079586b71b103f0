"""Noting who is here: seldom, together, and never in a request."""

from contextlib import nullcontext

import pytest
from django.db import DatabaseError, InterfaceError, connection
from django.test.utils import CaptureQueriesContext

from accounts.models import Presence, User, Welcome
from accounts.presence import noting
from accounts.presence.noting import NOTED_EVERY, WRITE_EVERY, Notes, note_here, write_late, write_notes
from tests.conftest import LogIn

pytestmark = pytest.mark.django_db


class Hands:
    """A clock that goes on when it is told to."""

    def __init__(self) -> None:
        self.at = 0.0

    def __call__(self) -> float:
        """Return the seconds so far."""
        return self.at


@pytest.fixture
def hands(monkeypatch: pytest.MonkeyPatch) -> Hands:
    """Return the clock of this process's notes."""
    hands = Hands()
    monkeypatch.setattr(noting, "notes", Notes(hands))
    return hands


def kept() -> set[str]:
    """Return of whom it is kept when they were here."""
    return set(Presence.objects.values_list("person__username", flat=True))


def test_a_request_writes_nothing_and_many_people_are_written_at_once(
    alice: User, bob: User, log_in: LogIn, hands: Hands
) -> None:
    first, second = log_in(alice), log_in(bob)
    first.get("/people/")
    with CaptureQueriesContext(connection) as captured:
        first.get("/people/")
        second.get("/")
    assert not any("presence" in each["sql"] and "SELECT" not in each["sql"] for each in captured)
    assert write_notes() == 0
    hands.at += WRITE_EVERY
    assert write_notes() == 2
    assert kept() == {"alice", "bob"}


def test_a_person_is_written_once_in_a_while_however_many_pages_they_ask_for(alice: User, hands: Hands) -> None:
    hands.at += WRITE_EVERY
    note_here([alice])
    assert write_notes() == 1
    for _page in range(4):
        hands.at += WRITE_EVERY
        note_here([alice])
        assert write_notes() == 0
    hands.at += NOTED_EVERY
    note_here([alice])
    assert write_notes() == 1


def test_nothing_is_noted_of_guests_bots_and_who_shows_it_to_no_one(alice: User, bob: User, hands: Hands) -> None:
    guest = User.objects.create(username="Guest-abcdef", is_guest=True)
    bot = User.objects.create(username="robot", operator=alice)
    bob.seen_by = Welcome.NO_ONE
    note_here([guest, bot, bob])
    hands.at += WRITE_EVERY
    assert write_notes() == 0


def test_what_an_open_page_knows_of_a_person_may_be_old(alice: User, bob: User, hands: Hands) -> None:
    User.objects.filter(pk=alice.pk).update(seen_by=Welcome.NO_ONE)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    note_here([alice, bob])
    hands.at += WRITE_EVERY
    assert write_notes() == 0
    assert kept() == set()


def test_where_no_heartbeat_writes_a_request_does_after_its_end(alice: User, hands: Hands) -> None:
    note_here([alice])
    write_late()
    assert kept() == set()
    hands.at += noting.OVERDUE
    write_late()
    assert kept() == {"alice"}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("failure", [None, DatabaseError, RuntimeError])
def test_what_is_written_after_a_request_keeps_no_connection(
    failure: type[Exception] | None, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice, closed = User.objects.create_user("alice"), []

    def fail(*_given: object) -> int:
        assert failure is not None
        raise failure

    if failure is not None:
        monkeypatch.setattr(noting, "keep_visits", fail)
    monkeypatch.setattr(connection, "close", lambda: closed.append(True))
    note_here([alice])
    write_late()
    assert not closed
    hands.at += noting.OVERDUE
    with pytest.raises(RuntimeError) if failure is RuntimeError else nullcontext():
        write_late()
    assert closed == [True]
    assert kept() == ({"alice"} if failure is None else set())


@pytest.mark.parametrize("failure", [DatabaseError, InterfaceError])
def test_a_database_that_is_away_stops_no_one(
    failure: type[Exception], alice: User, hands: Hands, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_given: object) -> int:
        raise failure

    monkeypatch.setattr(noting, "keep_visits", fail)
    note_here([alice])
    hands.at += WRITE_EVERY
    assert write_notes() == 0
