"""A group's standing table is set, stopped and opened while its people go: one at most waits, and no closed person's.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts import erasure
from accounts.models import User
from games.actions.groups.drop_standing_table import drop_standing_table
from games.actions.groups.leave_group import leave_group
from games.actions.groups.open_standing_table import open_standing_table
from games.actions.groups.set_role import set_role
from games.actions.groups.set_standing_table import set_standing_table
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.errors import GameError
from games.models import Game, Group, Membership, StandingTable, Status
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.groups.test_members import club
from tests.games.groups.test_races import clear, is_whole
from tests.games.tables import OPEN, setup

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def standing_for(keeper: User, group: Group, name: str = "") -> Game:
    return set_standing_table(keeper, group.slug, setup(OPEN, OPEN, variant="duo", name=name))


def kept_by(alice: User, bob: User, *members: User) -> Group:
    """Return a group that alice owns and bob keeps with her."""
    group = club(alice, bob, *members)
    set_role(alice, group.slug, bob.username, "keeper")
    return group


def waiting(group: Group) -> list[Game]:
    return list(Game.objects.filter(group=group, status=Status.OPEN))


def check_answers(answers: list[object]) -> None:
    """Everyone has an answer, or a refusal in a sentence."""
    assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, GameError)], answers


def check_table(group: Group) -> None:
    """At most one table of the group waits, its opener is there and owns the group, and it is the standing one."""
    found = waiting(group)
    assert len(found) <= 1, found
    for game in found:
        assert game.creator is not None
        assert game.creator.is_active
        assert Membership.objects.filter(group=group, person=game.creator).exists()
        assert [each.game for each in StandingTable.objects.filter(group=group)] in ([], [game])


def test_two_keepers_who_set_it_at_one_instant_open_one_table() -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(6 * SCALE):
        clear()
        group = kept_by(alice, bob)
        answers = at_once([partial(standing_for, each, group) for each in (alice, bob, alice)])
        assert [type(each) for each in answers] == [Game] * 3
        assert len({each.pk for each in answers if isinstance(each, Game)}) == 1
        assert len(waiting(group)) == StandingTable.objects.count() == 1


def test_it_is_set_stopped_and_opened_at_one_instant_and_one_table_waits_at_most() -> None:
    alice, bob = person("alice"), person("bob")
    rng = random.Random(3)
    for _ in range(8 * SCALE):
        clear()
        group = kept_by(alice, bob)
        game = standing_for(alice, group)
        for each in (alice, bob):
            join_game(each, game.slug)
        resign(bob, game.slug)
        due = StandingTable.objects.get()
        calls: list[Callable[[], object]] = [
            partial(open_standing_table, due.pk),
            partial(open_standing_table, due.pk),
            partial(standing_for, bob, group, "Another"),
            partial(drop_standing_table, alice, group.slug),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        check_answers(answers)
        # Stopped in between, what was open goes on, and who sets it then opens one more.
        assert len(waiting(group)) <= 2, answers
        for opened in waiting(group):
            assert opened.creator == alice


def test_a_keeper_sets_it_while_the_owner_leaves_and_the_table_is_a_members() -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    rng = random.Random(4)
    for _ in range(8 * SCALE):
        clear()
        group = kept_by(alice, bob, carol)
        calls: list[Callable[[], object]] = [
            partial(standing_for, bob, group),
            partial(leave_group, alice, group.slug),
        ]
        rng.shuffle(calls)
        check_answers(at_once(calls))
        assert is_whole(group)
        check_table(group)


def test_a_keeper_sets_it_while_the_owners_account_closes_and_no_table_is_a_closed_persons() -> None:
    for number in range(6 * SCALE):
        alice, bob = person(f"alice{number}"), person(f"bob{number}")
        group = kept_by(alice, bob)
        answers = at_once([partial(standing_for, bob, group), partial(erasure.close_account, alice)])
        check_answers(answers)
        assert not User.objects.get(pk=alice.pk).is_active
        assert is_whole(group)
        check_table(group)


def test_it_opens_while_its_owner_goes_and_the_table_before_is_cancelled() -> None:
    for number in range(6 * SCALE):
        alice, bob = person(f"alice{number}"), person(f"bob{number}")
        group = kept_by(alice, bob)
        game = standing_for(alice, group)
        for each in (alice, bob):
            join_game(each, game.slug)
        resign(bob, game.slug)
        due = StandingTable.objects.get(group=group)
        calls: list[Callable[[], object]] = [
            partial(open_standing_table, due.pk),
            partial(erasure.close_account, alice),
            partial(set_role, alice, group.slug, bob.username, "owner"),
        ]
        check_answers(at_once(calls))
        # As the worker does once more, whatever was between.
        open_standing_table(due.pk)
        assert is_whole(group)
        check_table(group)
        assert [each.creator for each in waiting(group)] == [bob]


def test_it_is_cancelled_joined_and_set_again_at_one_instant() -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(6 * SCALE):
        clear()
        group = kept_by(alice, bob)
        game = standing_for(alice, group)
        calls: list[Callable[[], object]] = [
            partial(join_game, bob, game.slug),
            partial(cancel_game, alice, game.slug),
            partial(standing_for, bob, group),
        ]
        check_answers(at_once(calls))
        check_table(group)
