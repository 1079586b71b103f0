"""People who join, leave, inherit and close at one instant: one outcome, which another order could have had.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest
from django.utils import timezone

from accounts import erasure
from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.delete_group import delete_group
from games.actions.groups.join_group import join_group
from games.actions.groups.leave_group import leave_group
from games.actions.groups.remove_member import remove_member
from games.actions.groups.set_role import set_role
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import TableAgain, repeat_table
from games.errors import GameError, TooMany
from games.models import Game, Group, Membership, Player
from games.table.groups import membership
from games.table.opening import TAPPED_TWICE
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.groups.test_members import club
from tests.games.tables import ME, OPEN, setup

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def people(*names: str) -> list[User]:
    return [person(name) for name in names]


def clear() -> None:
    Game.objects.all().delete()
    Membership.objects.all().delete()
    Group.objects.all().delete()


def is_whole(group: Group) -> bool:
    """Return whether a group has an owner who belongs to it, or neither owner nor members."""
    found = Group.objects.get(pk=group.pk)
    members = set(Membership.objects.filter(group=group).values_list("person", flat=True))
    return found.owner_id in members if members else found.owner_id is None


def test_two_taps_make_one_group_and_one_membership() -> None:
    alice, bob = people("alice", "bob")
    made = at_once([partial(create_group, alice, "Club") for _ in range(2)])
    assert Group.objects.count() == 1, made
    group = Group.objects.get()
    joined = at_once([partial(join_group, bob, group.invite_token) for _ in range(2)])
    assert joined == [group, group]
    assert Membership.objects.count() == 2


def test_two_taps_on_the_button_of_a_new_table_open_one_and_later_ones_another() -> None:
    alice, bob = people("alice", "bob")
    group = club(alice, bob)
    tap = partial(create_game, alice, setup(ME, OPEN), group=group.slug, is_tapped=True)
    for _ in range(4 * SCALE):
        Game.objects.all().delete()
        opened = at_once([tap, tap])
        assert Game.objects.count() == 1, opened
        assert opened[0] == opened[1]
    assert tap(now=timezone.now() + TAPPED_TWICE) != opened[0]
    # Of another person, of another size or by the form it is another wish.
    create_game(bob, setup(ME, OPEN), group=group.slug, is_tapped=True)
    assert Game.objects.count() == 3
    Game.objects.all().delete()
    for seats, is_tapped in (((ME, OPEN), True), ((ME, OPEN, OPEN), True), ((ME, OPEN), False)):
        create_game(alice, setup(*seats), group=group.slug, is_tapped=is_tapped)
    assert Game.objects.count() == 3


def test_the_last_place_in_a_group_is_one_persons(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(membership, "MAX_MEMBERS", 2)
    alice, bob, carol = people("alice", "bob", "carol")
    for _ in range(4 * SCALE):
        clear()
        group = club(alice)
        answers = at_once([partial(join_group, each, group.invite_token) for each in (bob, carol)])
        assert sorted(isinstance(answer, TooMany) for answer in answers) == [False, True]
        assert Membership.objects.count() == 2


def test_a_group_always_has_an_owner_who_belongs_to_it_or_has_ended() -> None:
    alice, bob, carol = people("alice", "bob", "carol")
    rng = random.Random(1)
    for _ in range(12 * SCALE):
        clear()
        group = club(alice, bob)
        calls: list[Callable[[], object]] = [
            partial(leave_group, alice, group.slug),
            partial(set_role, alice, group.slug, "bob", "owner"),
            partial(leave_group, bob, group.slug),
            partial(join_group, carol, group.invite_token),
            partial(remove_member, alice, group.slug, "bob"),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert all(answer is None or isinstance(answer, Group | GameError) for answer in answers), answers
        assert is_whole(group), answers


def test_who_sits_down_while_they_are_removed_from_the_group_sits_at_no_table_of_it() -> None:
    alice, bob = people("alice", "bob")
    for _ in range(12 * SCALE):
        clear()
        group = club(alice, bob)
        game = create_game(alice, setup(ME, OPEN, OPEN), group=group.slug)
        calls: list[Callable[[], object]] = [
            partial(join_game, bob, game.slug),
            partial(remove_member, alice, group.slug, "bob"),
        ]
        joined, removed = at_once(calls)
        assert isinstance(joined, Game | GameError), joined
        assert isinstance(removed, Group), removed
        assert not Player.objects.filter(user=bob).exists(), joined


def test_an_account_that_closes_while_its_group_ends_is_closed() -> None:
    for number in range(6 * SCALE):
        alice, bob = people(f"alice{number}", f"bob{number}")
        groups = [club(alice, bob, name=name) for name in ("One", "Two", "Three")]
        calls: list[Callable[[], object]] = [partial(delete_group, alice, group.slug) for group in groups]
        answers = at_once([*calls, partial(erasure.close_account, bob)])
        assert not [answer for answer in answers if isinstance(answer, Exception)], answers
        assert not User.objects.get(pk=bob.pk).is_active
        assert not Membership.objects.filter(person=bob).exists()


def test_a_table_that_is_opened_while_a_member_is_removed_waits_for_no_one_who_waits_for_it() -> None:
    alice, bob, carol = people("alice", "bob", "carol")
    for _ in range(6 * SCALE):
        clear()
        group = club(alice, bob, carol)
        old = create_game(bob, setup(ME, OPEN), group=group.slug)
        join_game(carol, old.slug)
        resign(carol, old.slug)
        open_rematch(bob, old.slug)
        calls: list[Callable[[], object]] = [
            partial(repeat_table, carol, old.slug),
            partial(remove_member, alice, group.slug, "bob"),
        ]
        again, removed = at_once(calls)
        assert isinstance(again, TableAgain | GameError), again
        assert isinstance(removed, Group), removed


def test_two_accounts_that_close_at_one_instant_leave_a_group_that_ends() -> None:
    for number in range(4 * SCALE):
        alice, bob = people(f"alice{number}", f"bob{number}")
        groups = [club(alice, bob, name="One"), club(bob, alice, name="Two")]
        game = create_game(alice, setup(ME, OPEN, OPEN), group=groups[0].slug)
        join_game(bob, game.slug)
        at_once([partial(erasure.close_account, each) for each in (alice, bob)])
        assert all(Group.objects.get(pk=group.pk).owner is None for group in groups)
        assert not Membership.objects.exists()
