"""D1, D2 at CI scale: workers killed at any moment, jobs delivered twice; exactly one move a turn, and games go on."""

import random
from datetime import timedelta
from threading import Event
from typing import Any

import pytest
from django.utils import timezone

from accounts.models import User
from games.background.sweep import sweep
from games.jobs import enqueue
from games.models import Game, Player, Status
from games.table.lifecycle import rebuild
from games.tasks import play_bot_turn
from tests.games.tables import ME, bot, fresh, open_table
from tests.games.tasks.workers import jobs, make_due, pool, run_jobs, wait_until, worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.proof]

#: What the supervisor gives a process that it has asked to end.
SECONDS_TO_END = 6.0


def cached(game: Game) -> tuple[Any, ...]:
    """Return everything about a game that is worked out from its moves."""
    players = Player.objects.filter(game=game).order_by("seat").values()
    return Game.objects.filter(pk=game.pk).values().get(), list(players)


def check_whole(game: Game) -> None:
    """One move a turn: numbers without gaps, and the stored game is what its moves say."""
    game = fresh(game)
    assert list(game.moves.values_list("number", flat=True)) == list(range(1, game.move_count + 1))
    before = cached(game)
    rebuild(fresh(game))
    assert cached(game) == before


def test_a_worker_killed_while_its_bot_thinks_loses_only_time(alice: User) -> None:
    game = open_table(alice, bot(), bot())
    Player.objects.filter(game=game, seat=0).update(bot="burner")
    process = worker(EXTRA_BOTS="burner=benchmarks.burner:Burner", BURN_SECONDS="60")
    wait_until(lambda: jobs("RUNNING") == [("play_bot_turn", [game.pk, 1])])
    process.kill()
    process.wait()
    assert jobs("READY") == []
    assert sweep(timezone.now() + timedelta(seconds=45)).bot_turns == 1
    run_jobs()
    assert fresh(game).status == Status.FINISHED
    check_whole(game)
    assert sweep(timezone.now() + timedelta(minutes=4)).lost_jobs == 1


def test_a_bot_that_still_thinks_when_its_workers_are_asked_to_end_is_asked_again_at_once(alice: User) -> None:
    game = open_table(alice, bot(), bot())
    Player.objects.filter(game=game, seat=0).update(bot="burner")
    process = pool(EXTRA_BOTS="burner=benchmarks.burner:Burner", BURN_SECONDS="60", DOOM_LIMIT="60")
    wait_until(lambda: jobs("RUNNING") == [("play_bot_turn", [game.pk, 1])])
    process.terminate()
    assert process.wait(SECONDS_TO_END) == 0
    assert jobs("FAILED") == [("play_bot_turn", [game.pk, 1])]
    assert sweep(timezone.now() + timedelta(seconds=5)).bot_turns == 1


def test_workers_killed_at_any_moment_leave_whole_games_that_go_on(alice: User) -> None:
    games = [open_table(alice, bot("random", seed), bot("random", seed)) for seed in range(3)]
    rng = random.Random(3)
    for _ in range(4):
        process = worker()
        wait_until(lambda: bool(jobs("RUNNING")))
        Event().wait(rng.uniform(0, 0.3))
        process.kill()
        process.wait()
        for game in games:
            check_whole(game)
        sweep(timezone.now() + timedelta(minutes=4))
        make_due()
    run_jobs()
    assert {fresh(game).status for game in games} == {Status.FINISHED}
    for game in games:
        check_whole(game)


def test_jobs_delivered_twice_to_two_workers_have_one_effect(alice: User) -> None:
    games = [open_table(alice, bot("random", seed), ME) for seed in range(12)]
    for game in games:
        enqueue(play_bot_turn, game.pk, 1)
    assert len(jobs()) == 24
    processes = [worker("--batch"), worker("--batch")]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert len(jobs("SUCCESSFUL")) == 24
    for game in games:
        assert fresh(game).move_count == 1
        check_whole(game)
