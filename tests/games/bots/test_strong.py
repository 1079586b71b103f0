"""Hints and reviews come from the search itself, within the settings: nothing stands in for it here."""

import random

import pytest
from pytest_django import Settings

from accounts.models import User
from games.actions.analysis.ask_for_advice import ask_for_advice
from games.actions.analysis.ask_for_review import ask_for_review
from games.base.positions import position_of
from games.bots.engines.search import SearchEngine
from games.bots.strong import strong_engine
from games.models import Advice, Game, Review
from games.rules import Position
from tests.games.tables import advance, large_first, play_out, running
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a small game in which it is alice's turn, some moves on."""
    game = running(alice, bob, variant="codingame-2", allows_advice=True)
    for _ in range(6):
        game = advance(game, random.Random(3))
    return game


def test_the_strong_engine_is_the_search_with_that_budget() -> None:
    assert strong_engine(70) == SearchEngine(simulations=70)


def test_a_hint_is_what_the_search_thinks_best_within_the_settings(alice: User, game: Game, settings: Settings) -> None:
    settings.HINT_SIMULATIONS = 40
    thought = SearchEngine(40).think(position_of(game), seed=0, number=7)
    ask_for_advice(alice, game.slug)
    run_jobs()
    best = [(str(candidate.placement), candidate.value) for candidate in thought.candidates[:3]]
    assert [(choice["placement"], choice["value"]) for choice in Advice.objects.get().choices or ()] == best


def test_a_review_says_what_the_search_thinks_within_the_settings(alice: User, game: Game, settings: Settings) -> None:
    settings.REVIEW_SIMULATIONS = 20
    thought = SearchEngine(20).think(Position.start("codingame-2"), seed=0, number=1)
    ask_for_review(alice, play_out(game, 5, large_first).slug)
    run_jobs()
    first = Review.objects.get().findings[0]
    assert first["values"] == [round(value, 4) for value in thought.values]
    assert first["best"][0]["placement"] == str(thought.candidates[0].placement)
