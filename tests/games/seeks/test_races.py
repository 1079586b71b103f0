"""Seats for standing seeks are found by many workers at one instant, while people change their minds: never too many.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

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


def check_tables(*people: User) -> None:
    """No one has two seats at a table, and no seat of a cancelled table is anybody's to play."""
    for each in people:
        seats = list(Player.objects.filter(user=each).values_list("game", flat=True))
        assert len(seats) == len(set(seats))
    assert not Player.objects.filter(game__status=Status.CANCELLED, is_going=True).exists()
