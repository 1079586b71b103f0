"""One person may place for all at one device: no engine helps there in a game that they play against others."""

import random
from collections.abc import Iterable

import pytest
from django.urls import reverse

from accounts.models import User
from games.actions.analysis.ask_for_advice import ask_for_advice
from games.actions.analysis.ask_for_review import ask_for_review
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.errors import WrongStatus
from games.models import Advice, Game, Review
from games.table.given.starts import start_in_game
from tests.conftest import LogIn
from tests.games.one_device.tables import shared_game
from tests.games.tables import NOON, advance, due, fresh, key, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def texts(alice: User, bob: User) -> list[str]:
    """Return the moves of a running game of Duo in which no engine helps."""
    game = running(alice, bob, variant="duo")
    for number in range(6):
        game = advance(game, random.Random(number))
    return list(game.moves.values_list("placement", flat=True))


def the_same(host: User, texts: Iterable[str]) -> Game:
    """Return a game on one device with these moves, in which moves may be suggested."""
    game = shared_game(host, variant="duo", allows_advice=True)
    for text in texts:
        game = play_placement(host, game.slug, placement=text, number=due(game), key=key(), now=NOON).game
    return fresh(game)


def over(game: Game) -> Game:
    resign(game.creator, game.slug, number=due(game), now=NOON)
    return fresh(game)


def test_no_moves_are_suggested_on_one_device_in_a_game_that_is_played_against_others(
    alice: User, bob: User, carol: User, texts: list[str], log_in: LogIn
) -> None:
    game = the_same(alice, texts)
    with pytest.raises(WrongStatus, match="Moves can be suggested here once it is over") as refused:
        ask_for_advice(alice, game.slug, now=NOON)
    assert refused.value.code == "running-game"
    answer = log_in(alice).post(reverse("game-advice", args=[game.slug]))
    assert (answer.status_code, Advice.objects.exists()) == (409, False)
    User.objects.filter(pk=alice.pk).update(language="fr")
    french = log_in(alice).post(reverse("game-advice", args=[game.slug])).content.decode()
    assert "C’est une position d’une partie que vous jouez encore." in french
    # To somebody else it is any game.
    assert ask_for_advice(carol, the_same(carol, texts).slug, now=NOON)
    rated = Game.objects.get(is_on_one_device=False)
    resign(bob, rated.slug, now=NOON)
    assert ask_for_advice(alice, game.slug, now=NOON)


def test_no_such_game_is_reviewed_and_none_begins_there_before_the_other_is_over(
    alice: User, bob: User, carol: User, texts: list[str]
) -> None:
    game = over(the_same(alice, texts))
    for ask in (lambda: ask_for_review(alice, game.slug, now=NOON), lambda: start_in_game(alice, game.slug, 6)):
        with pytest.raises(WrongStatus) as refused:
            ask()
        assert refused.value.code == "running-game"
    assert not Review.objects.exists()
    assert ask_for_review(carol, over(the_same(carol, texts)).slug, now=NOON)
    resign(bob, Game.objects.get(is_on_one_device=False).slug, now=NOON)
    assert ask_for_review(alice, game.slug, now=NOON)
    assert start_in_game(alice, game.slug, 6).moves


def test_other_games_on_one_device_are_helped_and_reviewed_as_ever(alice: User, texts: list[str]) -> None:
    assert ask_for_advice(alice, the_same(alice, texts[:3]).slug, now=NOON)
    assert ask_for_review(alice, over(the_same(alice, texts[:3])).slug, now=NOON)
