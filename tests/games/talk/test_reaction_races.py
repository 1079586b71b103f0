"""Marks on placements that are taken back, given twice or left by people who go, at one instant.

`RACES` in the environment multiplies the rounds.
"""

import os
import random
from collections.abc import Callable
from functools import partial

import pytest

from accounts import erasure
from accounts.models import User
from games.actions.people.block_person import block_person
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.actions.talk.drop_reaction import drop_reaction
from games.actions.talk.give_reaction import give_reaction
from games.errors import GameError
from games.models import Game, Reaction
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import advance, due, running

pytestmark = pytest.mark.django_db(transaction=True)

SCALE = int(os.environ.get("RACES", "1"))


def duel(alice: User, bob: User) -> Game:
    """Return a game in which each has placed a piece, alice first."""
    game = running(alice, bob, variant="duo", allows_takebacks=True)
    return advance(advance(game, random.Random(1)), random.Random(2))


def check_answers(answers: list[object]) -> None:
    assert not [each for each in answers if isinstance(each, Exception) and not isinstance(each, GameError)], answers


def test_a_person_has_one_mark_on_a_move_however_many_are_given_at_one_instant() -> None:
    alice, bob = person("alice"), person("bob")
    game = duel(alice, bob)
    for _ in range(8 * SCALE):
        Reaction.objects.all().delete()
        give = partial(give_reaction, bob, game.slug, number=1)
        answers = at_once([*(partial(give, word=word) for word in ("nice", "wow", "ha", "nice"))])
        assert [type(each) for each in answers] == [Game] * 4
        assert Reaction.objects.count() == 1


def test_a_mark_that_is_given_and_taken_away_at_one_instant_is_there_or_not() -> None:
    alice, bob = person("alice"), person("bob")
    game = duel(alice, bob)
    for _ in range(8 * SCALE):
        calls: list[Callable[[], object]] = [
            partial(give_reaction, bob, game.slug, number=1, word="nice"),
            partial(drop_reaction, bob, game.slug, number=1),
            partial(give_reaction, alice, game.slug, number=2, word="wow"),
        ]
        check_answers(answers := at_once(calls))
        assert [type(each) for each in answers] == [Game] * 3
        assert Reaction.objects.filter(move__number=2).count() == 1
        assert Reaction.objects.filter(move__number=1).count() <= 1


def test_no_mark_is_left_of_a_placement_that_is_taken_back_at_that_instant() -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(8 * SCALE):
        game = duel(alice, bob)
        asked = ask_for_takeback(bob, game.slug, number=due(game))
        placed = game.moves.get(number=2).placement
        calls: list[Callable[[], object]] = [
            partial(agree_to_takeback, alice, game.slug, request=asked.version),
            partial(give_reaction, alice, game.slug, number=2, word="ouch", placement=placed),
        ]
        check_answers(at_once(calls))
        assert not Reaction.objects.filter(move__game=game, move__number=2).exists()


def test_no_mark_is_left_of_an_account_that_closes_at_that_instant() -> None:
    for number in range(6 * SCALE):
        alice, bob = person(f"alice{number}"), person(f"bob{number}")
        game = duel(alice, bob)
        calls: list[Callable[[], object]] = [
            partial(give_reaction, bob, game.slug, number=1, word="thanks"),
            partial(erasure.close_account, bob),
        ]
        check_answers(at_once(calls))
        assert not Reaction.objects.filter(author=bob).exists()


def test_marks_and_a_block_at_one_instant_wait_for_no_one_who_waits_for_them() -> None:
    for number in range(6 * SCALE):
        alice, bob = person(f"alice{number}"), person(f"bob{number}")
        game = duel(alice, bob)
        calls: list[Callable[[], object]] = [
            partial(give_reaction, bob, game.slug, number=1, word="nice"),
            partial(give_reaction, alice, game.slug, number=2, word="nice"),
            partial(block_person, alice, bob.username),
        ]
        check_answers(at_once(calls))
