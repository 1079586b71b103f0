"""The sweep ends turns whose time is up, and lets bots play for absent players; what is lost is asked for again."""

from datetime import timedelta
from importlib import import_module

import pytest
from django.apps import apps
from django.utils import timezone

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.audit import checks as audit
from games.background.sweep import sweep
from games.clock import TimeControl
from games.models import Game, Move, Player, Reason, Status
from games.queries.turns import late_turns
from tests.games.tables import ME, bot, fresh, open_table, play_out, running
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs
from tests.plans import tables_read_whole

stop_clocks = import_module("games.migrations.0019_leavers").stop_clocks

pytestmark = pytest.mark.django_db(transaction=True)
A_DAY = TimeControl.days_a_move(1)


@pytest.fixture
def late(alice: User, bob: User, carol: User) -> Game:
    """Return a game of three in which alice's time for move 1 is up."""
    game = running(alice, bob, carol, now=timezone.now() - timedelta(days=2), time=A_DAY, stand_in="greedy")
    forget_jobs()
    return game


def test_a_duel_whose_time_is_up_is_over_after_one_sweep(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=A_DAY), turns=2)
    deadline = fresh(game).deadline
    assert deadline
    assert sweep(deadline - timedelta(seconds=1)).timeouts == 0
    assert sweep(deadline).timeouts == 1
    assert (fresh(game).status, fresh(game).reason) == (Status.FINISHED, Reason.OUT_OF_TIME)
    assert sweep(deadline + timedelta(days=1)).timeouts == 0


def test_a_missed_turn_is_played_by_the_tables_bot(late: Game) -> None:
    assert sweep(timezone.now()).bot_turns == 1
    assert [arguments for name, arguments in jobs() if name == "play_bot_turn"] == [[late.pk, 1]]
    run_jobs()
    assert list(Move.objects.values_list("seat", "bot")) == [(0, "greedy")]
    assert list(audit.faults(fresh(late))) == []


def test_a_lost_job_is_asked_for_again_and_two_jobs_play_once(late: Game) -> None:
    sweep(timezone.now())
    forget_jobs()
    assert sweep(timezone.now()).bot_turns == 1
    run_jobs()
    assert Move.objects.count() == 1
    assert sweep(timezone.now()).bot_turns == 0


def test_who_moves_before_the_bot_has_not_missed_the_turn(late: Game) -> None:
    sweep(timezone.now())
    play_out(late, turns=1, now=timezone.now())
    run_jobs()
    assert list(Move.objects.values_list("seat", "bot")) == [(0, "")]


def test_for_a_seat_that_is_away_the_bot_plays_without_the_sweep(late: Game) -> None:
    Player.objects.filter(game=late, seat=1).update(missed=2)
    play_out(late, turns=1, now=timezone.now())
    assert jobs() == [("play_bot_turn", [late.pk, 2])]
    run_jobs()
    assert list(Move.objects.values_list("seat", "bot")) == [(0, ""), (1, "greedy")]


def test_a_bot_that_thinks_while_the_player_comes_back_plays_nothing(late: Game, bob: User) -> None:
    Player.objects.filter(game=late, seat=1).update(missed=2)
    play_out(late, turns=1, now=timezone.now())
    come_back(bob, late.slug)
    run_jobs()
    assert Move.objects.count() == 1
    assert sweep(timezone.now() + timedelta(minutes=1)).bot_turns == 0


def test_one_game_that_cannot_be_ended_holds_no_other_up(
    alice: User, bob: User, caplog: pytest.LogCaptureFixture
) -> None:
    games = [play_out(running(alice, bob, time=A_DAY), turns=2) for _ in range(2)]
    Move.objects.filter(game=games[0]).update(placement="1:c3,c4")
    assert sweep(timezone.now()).timeouts == 1
    assert fresh(games[1]).status == Status.FINISHED
    assert games[0].slug in caplog.text


def test_late_games_are_found_by_an_index_of_deadlines(late: Game) -> None:
    assert [turn.game_id for turn in late_turns(timezone.now())] == [late.pk]
    assert tables_read_whole(lambda: late_turns(timezone.now()), ["games_game"]) == {}


def test_the_migration_stops_the_clocks_of_people_who_keep_no_one_waiting(alice: User, bob: User) -> None:
    alone, together = open_table(alice, ME, bot(), time=A_DAY), running(alice, bob, time=A_DAY)
    left = running(alice, bob, time=A_DAY)
    Player.objects.filter(game=left, user=bob).update(retired=Reason.RESIGNED)
    Game.objects.update(deadline=timezone.now())
    stop_clocks(apps, None)
    assert list(Game.objects.filter(deadline__isnull=False)) == [together]
    assert list(audit.faults(fresh(alone))) == []
