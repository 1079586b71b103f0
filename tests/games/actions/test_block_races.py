"""Two people who block each other and meet at one instant: one of both, never both.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts.models import User
from games.actions.people.block_person import block_person
from games.actions.tables.join_game import join_game
from games.base.apart import is_kept_from
from games.errors import GameError
from games.models import BlockedPerson, Game, Notification
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import ME, OPEN, invited, open_table
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def met(one: User, other: User) -> list[str]:
    """Return the open tables at which one sits, or is invited, with the other."""
    found = []
    for game in Game.objects.exclude(status="cancelled").prefetch_related("players"):
        at = {game.creator_id, *(pk for seat in game.players.all() for pk in (seat.user_id, seat.invitee_id))}
        if {one.pk, other.pk} <= at:
            found.append(game.slug)
    return found


@pytest.mark.parametrize("rounds", [16 * SCALE, *proof(500)])
def test_who_blocks_and_invites_or_joins_at_one_instant_has_one_outcome(rounds: int) -> None:
    alice, bob, rng = person("alice"), person("bob"), random.Random(1)
    outcomes, number = {"met first": 0, "blocked first": 0}, 0
    # Until somebody was too late at least once: otherwise nothing has raced.
    while number < rounds or (not outcomes["blocked first"] and number < 20 * rounds):
        number += 1
        BlockedPerson.objects.all().delete()
        Game.objects.all().delete()
        table = open_table(alice, ME, OPEN, OPEN, is_public=True)
        calls: list[Callable[[], object]] = [
            partial(block_person, alice, "bob"),
            partial(join_game, bob, table.slug),
            partial(open_table, bob, ME, invited("alice")),
            partial(open_table, alice, ME, invited("bob")),
        ]
        if number % 2:
            calls.append(partial(block_person, bob, "alice"))
        rng.shuffle(calls)
        answers = at_once(calls)
        assert all(isinstance(answer, User | Game | GameError) for answer in answers), answers
        assert BlockedPerson.objects.filter(person=alice, other=bob).exists()
        assert not met(alice, bob), answers
        assert not Notification.objects.filter(other__in=(alice, bob), user__in=(alice, bob)).exists()
        outcomes["blocked first" if any(isinstance(answer, GameError) for answer in answers) else "met first"] += 1
    assert outcomes["blocked first"], outcomes


@pytest.mark.parametrize("rounds", [16 * SCALE, *proof(500)])
def test_the_last_seat_and_a_block_at_one_instant_are_a_game_or_none(rounds: int) -> None:
    alice, bob = person("alice"), person("bob")
    for number in range(rounds):
        BlockedPerson.objects.all().delete()
        Game.objects.all().delete()
        table = open_table(alice, ME, OPEN, is_public=True)
        blocker, other = (alice, "bob") if number % 2 else (bob, "alice")
        block, joined = at_once([partial(block_person, blocker, other), partial(join_game, bob, table.slug)])
        assert isinstance(block, User), block
        game = Game.objects.prefetch_related("players").get(pk=table.pk)
        # A game that had begun goes on; a table that waits has not both.
        assert (game.status == "running") == isinstance(joined, Game), (game.status, joined)
        assert (game.status == "running") == is_kept_from(game, User.objects.get(pk=alice.pk))
