"""Which jobs a new turn asks for."""

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest
from django.db import transaction
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from games import tasks
from games.actions.moves.resign import resign
from games.background.sweep import sweep
from games.events import AdviceAsked
from games.jobs import find_jobs
from games.models import Delivery, Game, Player
from games.roster.offered import offered_bots
from tests.games.tables import ME, NOON, advance, bot, open_table, running
from tests.games.tasks.workers import forget_jobs, jobs, make_failed

pytestmark = pytest.mark.django_db(transaction=True)


def seat(game: Game, number: int) -> Player:
    return Player.objects.get(game=game, seat=number)


def test_a_bots_first_turn_is_asked_for_when_the_game_starts(alice: User) -> None:
    game = open_table(alice, bot(), ME)
    assert jobs() == [("play_bot_turn", [game.pk, 1])]


def test_every_move_asks_for_the_next(alice: User, bob: User) -> None:
    game = running(alice, bob)
    advance(game, random.Random(1))
    assert jobs() == [("notify_of_turn", [seat(game, 0).pk, 1]), ("notify_of_turn", [seat(game, 1).pk, 2])]


def test_nothing_is_asked_for_when_the_move_is_rolled_back(alice: User, bob: User) -> None:
    game = running(alice, bob)
    before = jobs()
    with transaction.atomic():
        advance(game, random.Random(1))
        transaction.set_rollback(True)
    assert jobs() == before


def test_nothing_is_asked_for_when_the_game_is_over(alice: User, bob: User) -> None:
    game = running(alice, bob)
    before = jobs()
    resign(bob, game.slug)
    assert jobs() == [*before, ("send_notice", [Delivery.objects.get(notification__user=alice).pk, 0])]


@pytest.mark.parametrize("change", [{"email": ""}, {"wants_turn_emails": False}])
def test_no_email_is_asked_for_where_none_can_or_may_be_sent(alice: User, bob: User, change: dict[str, Any]) -> None:
    type(alice).objects.filter(pk=alice.pk).update(**change)
    running(alice, bob)
    assert jobs() == []


def test_a_job_that_cannot_be_stored_does_not_undo_the_move(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    game = running(alice, bob)
    monkeypatch.setattr("games.tasks.ways_of_turn", lambda *_: 1 / 0)
    advance(game, random.Random(1))
    assert game.moves.count() == 1
    assert "ZeroDivisionError" in caplog.text


def test_nothing_is_asked_for_while_a_game_is_paused(alice: User) -> None:
    game = open_table(alice, bot(), bot())
    forget_jobs()
    Game.objects.filter(pk=game.pk).update(is_paused=True)
    advance(game, random.Random(1))
    assert jobs() == []
    assert sweep(NOON + timedelta(hours=1)).bot_turns == 0


@pytest.mark.parametrize(
    ("simulations", "tries", "queue"), [(0, 0, "bots"), (10**6, 0, "thinkers"), (10**6, 2, "bots")]
)
def test_long_thinks_wait_in_a_queue_of_their_own(
    alice: User, monkeypatch: pytest.MonkeyPatch, simulations: int, tries: int, queue: str
) -> None:
    slow = replace(offered_bots()["random"], simulations=simulations)
    monkeypatch.setattr("games.tasks.offered_bots", lambda: {"random": slow})
    tasks.enqueue_bot_turn(1, 1, "random", tries)
    assert [job.queue for job in find_jobs()] == [queue]


@pytest.mark.parametrize(("simulations", "queue"), [(1000, "bots"), (2000, "bots"), (2001, "thinkers")])
def test_advice_that_takes_long_keeps_no_quick_bot_waiting(settings: Settings, simulations: int, queue: str) -> None:
    settings.HINT_SIMULATIONS = simulations
    tasks.on_advice_asked(AdviceAsked(player_id=1, number=1))
    assert [job.queue for job in find_jobs()] == [queue]


def test_a_step_that_has_failed_says_so_to_the_next(monkeypatch: pytest.MonkeyPatch) -> None:
    slow = replace(offered_bots()["random"], simulations=10**6)
    monkeypatch.setattr("games.tasks.offered_bots", lambda: {"random": slow})
    for game, number in ((1, 1), (1, 1), (1, 1), (1, 2), (2, 1)):
        tasks.enqueue_step(game, number, "random")
        make_failed(timezone.now())
    found = [([*job.arguments], job.queue) for job in find_jobs()]
    slow_ones = [([1, 1], "thinkers"), ([1, 1, 1], "thinkers")]
    assert found == [*slow_ones, ([1, 1, 2], "bots"), ([1, 2], "thinkers"), ([2, 1], "thinkers")]
