"""A guardian's word and what others do at one instant: one of both, never both.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts.children.keeping import child_of_link, make_child_link, release_child, use_link
from accounts.erasure import close_account
from accounts.models import User
from games.actions.children.allow_person import allow_person
from games.actions.children.remove_person import remove_person
from games.actions.tables.join_game import join_game
from games.errors import GameError
from games.models import AllowedPerson, Game
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.children.families import child_of
from tests.games.tables import ME, NOON, invited, open_table

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def test_who_is_removed_and_sits_down_at_one_instant_has_one_outcome() -> None:
    alice, bob, rng = person("alice"), person("bob"), random.Random(1)
    mia = child_of(alice, "Mia")
    for _round in range(8 * SCALE):
        Game.objects.all().delete()
        allow_person(alice, mia.pk, "bob")
        table = open_table(bob, ME, invited("Mia"))
        calls: list[Callable[[], object]] = [
            partial(remove_person, alice, mia.pk, bob.pk),
            partial(join_game, mia, table.slug, now=NOON),
            partial(open_table, bob, ME, invited("Mia")),
            partial(open_table, mia, ME, invited("bob")),
        ]
        rng.shuffle(calls)
        answers = at_once(calls)
        assert all(isinstance(answer, Game | GameError | None) for answer in answers), answers
        assert not AllowedPerson.objects.exists()
        for waiting in Game.objects.filter(status="open").prefetch_related("players"):
            keys = {key for seat in waiting.players.all() for key in (seat.user_id, seat.invitee_id)}
            assert not {mia.pk, bob.pk} <= keys | {waiting.creator_id}, answers
        running = Game.objects.filter(status="running").count()
        assert running == sum(isinstance(answer, Game) and answer.status == "running" for answer in answers)


def test_two_taps_allow_a_person_once_and_two_devices_use_a_link_once() -> None:
    alice, bob = person("alice"), person("bob")
    mia = child_of(alice, "Mia")
    for _round in range(4 * SCALE):
        AllowedPerson.objects.all().delete()
        answers = at_once([partial(allow_person, alice, mia.pk, "bob")] * 3)
        assert answers == [bob] * 3
        assert AllowedPerson.objects.count() == 1
        secret = make_child_link(mia, NOON)
        assert child_of_link(secret, NOON) == mia
        used = at_once([partial(use_link, secret, NOON)] * 3)
        assert sorted(used, key=str) == sorted([mia, None, None], key=str)


def test_a_child_that_is_handed_over_while_the_guardian_goes_is_handed_over_or_gone() -> None:
    for number in range(4 * SCALE):
        alice = person(f"alice {number}{number}")
        mia = child_of(alice, f"Mia {number}{number}")
        answers = at_once([partial(release_child, alice, mia), partial(close_account, alice)])
        assert not any(isinstance(answer, Exception) for answer in answers), answers
        now = User.objects.get(pk=mia.pk)
        assert now.guardian_id is None
        assert now.is_active == (True in answers), answers
        assert not User.objects.get(pk=alice.pk).is_active
