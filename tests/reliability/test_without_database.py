"""D15: the database away from everything that asks it: each address says so, no request fails, nothing is half done.

In the proof it goes away at every statement of every act; else at one statement of each, drawn by its name.
"""

import os
import random
from collections.abc import Mapping
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django_tasks_db.models import DBTaskResult

from accounts.models import Session
from tests.proof import proof
from tests.reliability.outage import all_rows, away_after
from tests.reliability.walk import Door, doors
from tests.reliability.world import World, legal_body

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif("DATABASE_URL" in os.environ, reason="asks SQLite; run without DATABASE_URL"),
]

#: A login's last sign of life is noted by itself, before anything is done; and a job that could not be asked for after
#: the commit is asked for by the sweep.
BESIDE = (Session._meta.label, DBTaskResult._meta.label)

#: An account is closed after its groups and waiting tables are left, and after the bots that its person answers for,
#: each by itself: who asks again goes on there.
IN_PARTS = ("account-delete", "own-bot-close")

#: Where one shows again who one is: pages without one's factors lead from one to the other.
SHOWING_AGAIN = ("mfa_reauthenticate", "mfa_reauthenticate_webauthn")

#: Tables, each with how many rows more it has, or none more and others than before.
Changes = dict[str, int]


def changes(before: Mapping[str, list[Any]], after: Mapping[str, list[Any]]) -> Changes:
    """Return what differs."""
    names = [name for name in before if name not in BESIDE and before[name] != after[name]]
    return {name: len(after[name]) - len(before[name]) for name in names}


def whole(door: Door, world: World) -> tuple[int, Changes]:
    """Return for how many statements an act asks and what it changes, which is taken back."""
    cache.clear()
    before = all_rows()
    with transaction.atomic():
        with CaptureQueriesContext(connection) as asked:
            door.knock(world, "POST")
        done = changes(before, all_rows())
        transaction.set_rollback(True)
    return len(asked), done


def wrongs(door: Door, world: World, statements: int, done: Changes) -> list[str]:
    """Return what is wrong where the database answers so many statements and no more."""
    cache.clear()
    before = all_rows()
    with away_after(statements) as refused:
        answer = door.knock(world, "POST")
    where = f"{door.name} after {statements}"
    if answer.status_code < 500:
        return []
    if answer.status_code != 503 or not refused:
        return [f"{where}: {answer.status_code}"]
    found = changes(before, all_rows())
    is_whole = found in ({}, done) or door.name in IN_PARTS
    return [] if is_whole else [f"{where}: {found} of {done}"]


def test_nobody_who_walks_is_asked_again_who_they_are() -> None:
    world = World()
    asked = {door.name: str(door.knock(world, "GET").headers.get("Location", "")) for door in doors(world)}
    assert {name for name, where in asked.items() if "/reauthenticate/" in where} == {*SHOWING_AGAIN}


@pytest.mark.parametrize("method", ["GET", "POST"])
def test_every_address_answers_without_the_database(method: str) -> None:
    world, wrong = World(), dict[str, int]()
    found, before = doors(world), all_rows()
    for door in found:
        cache.clear()
        with away_after(0):
            status = door.knock(world, method).status_code
        if status >= 500 and status != 503:
            wrong[door.name] = status
    assert wrong == {}
    assert changes(before, all_rows()) == {}


@pytest.mark.parametrize("most", [1, *proof(1000)])
def test_what_is_answered_503_is_done_whole_or_not_at_all_wherever_the_database_goes_away(most: int) -> None:
    world, wrong, tried = World(), list[str](), 0
    # An address that is about a game is tried with one in one state, and in the proof with one in each.
    found = doors(world)
    last = {door.name: door for door in random.Random(1).sample(found, len(found))}
    for door in found if most > 1 else [door for door in found if last[door.name] is door]:
        asked, done = whole(door, world)
        inner = range(1, asked)
        chosen = sorted(random.Random(door.name).sample(inner, min(most, len(inner))))
        tried += len(chosen)
        # What is done is another act from then on: once is enough.
        for statement in chosen:
            before = all_rows()
            wrong += wrongs(door, world, statement, done)
            if changes(before, all_rows()):
                break
    assert wrong == []
    assert tried > 100


def test_a_stranger_who_becomes_a_guest_is_told_wherever_the_database_goes_away() -> None:
    world, answers = World(), list[int]()
    door = Door("study-set-up", world.path("study-set-up"), legal_body("study-set-up", None), "nobody")
    while 302 not in answers:
        cache.clear()
        with away_after(len(answers)):
            answers.append(door.knock(world, "POST").status_code)
    assert {*answers[:-1]} == {503}
    assert len(answers) > 10
