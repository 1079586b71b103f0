"""A guest is brought along while they play, join and leave, and while games end: one outcome, and counts that hold.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.actions.groups.join_group import join_group
from games.actions.guests.merge_guest import merge_guest
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.tables.join_game import join_game
from games.audit.counts import drifts
from games.errors import GameError
from games.models import Membership, Player, Tally
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.groups.test_members import club
from tests.games.tables import LINK, ME, open_table, running

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def check_whole(guest: User, alice: User) -> None:
    """Check that nothing names the guest, who is closed, and that what is counted is what there is."""
    guest.refresh_from_db()
    assert guest.erased_at is not None
    assert not Player.objects.filter(user=guest).exists()
    assert not Membership.objects.filter(person=guest).exists()
    assert list(drifts()) == []
    ended = Player.objects.filter(user=alice, ended_at__isnull=False).count()
    assert sum(Tally.objects.filter(user=alice).values_list("number", flat=True)) == ended


def test_two_taps_bring_a_guest_along_once() -> None:
    alice, bob = person("alice"), person("bob")
    for _round in range(4 * SCALE):
        guest = create_guest()
        running(guest, bob, variant="duo")
        brought = at_once([partial(merge_guest, guest, alice) for _ in range(3)])
        assert sorted(map(str, brought)) == ["False", "False", "True"]
        check_whole(guest, alice)


def test_two_accounts_do_not_share_a_guest() -> None:
    alice, bob, carol = person("alice"), person("bob"), person("carol")
    for _round in range(4 * SCALE):
        guest = create_guest()
        game = running(guest, bob, variant="duo")
        brought = at_once([partial(merge_guest, guest, alice), partial(merge_guest, guest, carol)])
        assert sorted(map(str, brought)) == ["False", "True"]
        owner = Player.objects.get(game=game, seat=0).user
        assert owner == (alice if brought[0] is True else carol)


def test_games_end_tables_are_joined_and_groups_too_while_a_guest_is_brought_along() -> None:
    alice, bob = person("alice"), person("bob")
    rng = random.Random(7)
    for _round in range(6 * SCALE):
        guest = create_guest()
        game = running(guest, bob, variant="duo")
        table, group = open_table(bob, ME, LINK, variant="duo", is_public=False), club(bob)
        acts: list[Callable[[], object]] = [
            partial(merge_guest, guest, alice),
            partial(resign, bob, game.slug),
            partial(join_game, guest, table.slug, token=table.invite_token),
            partial(join_group, guest, group.invite_token),
        ]
        rng.shuffle(acts)
        for answer in at_once(acts):
            assert not isinstance(answer, Exception) or isinstance(answer, GameError), repr(answer)
        check_whole(guest, alice)


def test_blocks_and_closing_accounts_meet_a_guest_who_is_brought_along() -> None:
    alice = person("alice")
    for round_ in range(4 * SCALE):
        guest, other = create_guest(), User.objects.create_user(f"other{round_}")
        running(guest, other, variant="duo")
        acts: list[Callable[[], object]] = [
            partial(merge_guest, guest, alice),
            partial(block_person, other, guest.username),
            partial(erasure.close_account, other),
        ]
        for answer in at_once(acts):
            assert not isinstance(answer, Exception) or isinstance(answer, GameError), repr(answer)
        check_whole(guest, alice)
