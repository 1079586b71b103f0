"""What people say and do at one instant with a move: it refuses nobody's move, and none of it is lost.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from datetime import timedelta
from functools import partial

import pytest

from accounts.models import User
from games.actions.kindness.give_day import give_day
from games.actions.kindness.take_holiday import take_holiday
from games.actions.moves.play_placement import play_placement
from games.actions.people.block_person import block_person
from games.actions.people.unblock_person import unblock_person
from games.actions.talk.give_reaction import give_reaction
from games.actions.talk.send_message import send_message
from games.audit import checks as audit
from games.base import positions
from games.clock import TimeControl
from games.errors import GameError
from games.models import BlockedPerson, Game, Holiday, HolidayBook, Reaction, TalkMessage
from games.table.lifecycle import Outcome
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import NOON, any_placement, due, fresh, key, play_out, player_to_move, running
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))
TODAY = NOON.date()


@pytest.mark.parametrize("rounds", [10 * SCALE, *proof(500)])
def test_what_people_do_beside_a_move_at_one_instant_refuses_it_not(rounds: int) -> None:
    alice, bob, rng = person("alice"), person("bob"), random.Random(5)
    User.objects.filter(pk__in=(alice.pk, bob.pk)).update(date_joined=NOON - timedelta(days=400), time_zone="UTC")
    done = dict.fromkeys(("line", "mark", "day", "holiday"), 0)
    for number in range(rounds):
        Holiday.objects.all().delete()
        HolidayBook.objects.all().delete()
        # Nobody has more than 40 games under way.
        Game.objects.all().delete()
        game = play_out(running(alice, bob, time=TimeControl.days_a_move(3), variant="duo"), turns=2)
        mover, waiter = (alice, bob) if player_to_move(game) == alice else (bob, alice)
        first = TODAY + timedelta(days=1 + number % 3)
        text = any_placement(positions.position_of(game), rng)
        calls: list[Callable[[], object]] = [
            partial(
                play_placement, mover, game.slug, placement=text, number=due(game), key=key(), now=NOON + timedelta(1)
            ),
            partial(send_message, waiter, game.slug, phrase="hello", now=NOON),
            partial(give_reaction, mover, game.slug, number=game.move_count, word="nice", now=NOON),
            partial(give_day, waiter, game.slug, number=due(game), now=NOON + timedelta(hours=1)),
            partial(take_holiday, mover if number % 2 else waiter, first, first, now=NOON + timedelta(hours=1)),
        ]
        if number % 4 == 3:
            calls.append(partial(block_person, waiter, mover.username))
        rng.shuffle(calls)
        answers = at_once(calls)
        assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, GameError)], (
            answers
        )
        assert sum(isinstance(each, Outcome) for each in answers) == 1, answers
        now = fresh(game)
        assert now.move_count == game.move_count + 1
        assert list(audit.faults(now)) == []
        done["line"] += TalkMessage.objects.filter(game=game).count()
        done["mark"] += Reaction.objects.filter(move__game=game).count()
        done["day"] += len(now.given_days)
        done["holiday"] += Holiday.objects.count()
        if BlockedPerson.objects.exists():
            unblock_person(waiter, mover.username)
    assert done["line"] == done["mark"] == done["holiday"] == rounds
    # A day that comes after the move finds another turn.
    assert 0 < done["day"] <= rounds
