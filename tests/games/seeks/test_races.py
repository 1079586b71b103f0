"""Seats for standing seeks are found by many workers at one instant, while people change their minds: never too many.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
import re
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.actions.seeks.drop_seek import drop_seek
from games.actions.seeks.seat_seeker import seat_seeker
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.errors import GameError
from games.models import Game, Player, Seek, Status
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.seeks.test_seating import seated, seek, table

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def clear() -> None:
    Seek.objects.all().delete()
    Game.objects.all().delete()


def check_answers(answers: list[object]) -> None:
    """Everyone has an answer, or a refusal in a sentence."""
    assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, GameError)], answers


def test_workers_at_one_instant_seat_a_person_no_more_often_than_wanted() -> None:
    alice, hosts = person("alice"), [person(f"host{number}") for number in range(4)]
    for wanted in (1, 2, 3) * 2 * SCALE:
        clear()
        for host in hosts:
            table(host)
        found = seek(alice, wanted)
        answers = at_once([partial(seat_seeker, found.pk) for _ in range(4)])
        check_answers(answers)
        assert len(seated(alice)) <= wanted
        while seat_seeker(found.pk):
            pass
        assert len(seated(alice)) == wanted


def test_seekers_at_one_instant_fill_one_seat_once() -> None:
    seekers, host = [person(f"seeker{number}") for number in range(3)], person("host")
    for _round in range(5 * SCALE):
        clear()
        game = table(host)
        rows = [seek(each) for each in seekers]
        check_answers(at_once([partial(seat_seeker, row.pk) for row in rows]))
        assert game.players.exclude(user=None).count() <= 2
        for each in seekers:
            assert len(seated(each)) <= 1


def test_people_join_leave_cancel_and_end_while_they_are_seated() -> None:
    alice, bob, carol = (person(name) for name in ("alice", "bob", "carol"))
    rng = random.Random(6)
    for _round in range(8 * SCALE):
        clear()
        rows = [seek(each, 2, variant="blockyou-3") for each in (alice, bob)]
        opened = seat_seeker(rows[0].pk)
        assert opened is not None
        game = table(carol, variant="blockyou-3")
        calls: list[Callable[[], object]] = [
            *(partial(seat_seeker, row.pk) for row in rows for _twice in range(2)),
            partial(cancel_game, alice, opened.slug),
            partial(join_game, carol, opened.slug),
            partial(leave_game, bob, game.slug),
            partial(drop_seek, alice, rows[0].pk),
        ]
        rng.shuffle(calls)
        check_answers(at_once(calls))
        for each in (alice, bob):
            assert len(seated(each)) <= 2
        check_tables(alice, bob, carol)


def test_two_who_are_seated_in_opposite_order_keep_nobody_waiting() -> None:
    alice, bob = person("alice"), person("bob")
    for _round in range(6 * SCALE):
        clear()
        rows = [seek(each, 1, variant="duo") for each in (alice, bob)]
        own = [seat_seeker(row.pk) for row in rows[:1]]
        # Bob waits at a table of his own, so that each may give one up for the other's.
        Seek.objects.filter(pk=rows[1].pk).update(table=table(bob, variant="duo"))
        calls = [partial(seat_seeker, row.pk) for row in (*rows, *reversed(rows))]
        check_answers(at_once(calls))
        assert own[0] is not None
        for each in (alice, bob):
            assert len(seated(each)) <= 1
        check_tables(alice, bob)


def test_tables_that_are_left_at_one_instant_rest_the_same_seeks() -> None:
    alice, hosts = person("alice"), [person(f"host{number}") for number in range(4)]
    for _round in range(6 * SCALE):
        clear()
        for pace in ("fast", "normal", "slow", "unlimited"):
            seek(alice, 5, pace=pace, variant="blockyou-3")
        tables = [table(host, variant="blockyou-3", is_public=False) for host in hosts]
        for game in tables:
            join_game(alice, game.slug, token=game.invite_token)
        check_answers(at_once([partial(leave_game, alice, game.slug) for game in tables]))
        assert not Seek.objects.filter(rests_until=None).exists()


def test_the_rows_of_a_persons_seeks_are_locked_in_the_order_of_their_numbers(alice: User, bob: User) -> None:
    for pace in ("slow", "normal", "fast"):
        seek(alice, pace=pace, variant="blockyou-3")
    game = table(bob, variant="blockyou-3", is_public=False)
    join_game(alice, game.slug, token=game.invite_token)
    with CaptureQueriesContext(connection) as queries:
        leave_game(alice, game.slug)
    (locking,) = [
        each["sql"] for each in queries if 'FROM "games_seek"' in each["sql"] and "rests_until" not in each["sql"]
    ]
    assert locking.startswith('SELECT "games_seek"."id"')
    assert re.search(r'ORDER BY (?:1|"games_seek"\."id") ASC', locking)
    assert connection.vendor == "sqlite" or "FOR NO KEY UPDATE" in locking


def check_tables(*people: User) -> None:
    """No one has two seats at a table, and no seat of a cancelled table is anybody's to play."""
    for each in people:
        seats = list(Player.objects.filter(user=each).values_list("game", flat=True))
        assert len(seats) == len(set(seats))
    assert not Player.objects.filter(game__status=Status.CANCELLED, is_going=True).exists()
