"""Claiming that a player is out of time."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.claim_timeout import claim_timeout
from games.actions.resign import resign
from games.clock import TimeControl
from games.errors import BadRequest, NotFound, NotSeated, NotYourTurn, StaleGame, WrongStatus
from games.lifecycle import Outcome
from games.models import Game, Kind, Move, Reason, Status
from tests.games.tables import ME, NOON, OPEN, bot, fresh, key, open_table, place, play_out, rows, running

A_DAY = TimeControl.days_a_move(1)
DEADLINE = NOON + timedelta(days=1)


def claim(user: User, game: Game, **more: object) -> Outcome:
    request = {"version": fresh(game).version, "key": key(), "now": DEADLINE, **more}
    return claim_timeout(user, game.slug, **request)  # type: ignore[arg-type]  # tests pass nonsense too


def test_from_the_deadline_on_an_opponent_may_claim(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    outcome = claim(bob, game, key="out-of-time")
    move = Move.objects.get()
    assert (move.kind, move.seat, move.retired, move.client_key) == (Kind.RETIRE, 0, "out-of-time", "out-of-time")
    game = fresh(game)
    assert (game.status, game.reason, game.version) == (Status.FINISHED, Reason.OUT_OF_TIME, outcome.version)
    assert list(game.players.values_list("retired", "is_winner")) == [("out-of-time", False), ("", True)]


def test_before_the_deadline_the_answer_is_when(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    before = rows()
    with pytest.raises(WrongStatus) as refused:
        claim(bob, game, now=DEADLINE - timedelta(microseconds=1))
    assert refused.value.code == "too-early"
    assert "March 2, 2026, noon UTC" in str(refused.value)
    assert rows() == before


def test_among_four_the_others_play_on(alice: User, bob: User, carol: User, dave: User) -> None:
    game = running(alice, bob, carol, dave, time=A_DAY)
    claim(dave, game)
    game = fresh(game)
    assert (game.status, game.turn_seat, game.deadline) == (Status.RUNNING, 1, DEADLINE + timedelta(days=1))
    assert play_out(game).reason == Reason.PLAYED_OUT


def test_the_same_claim_again_has_the_same_answer(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    first = claim(bob, game, key="out-of-time")
    before = rows()
    again = claim(bob, game, key="out-of-time", version=game.version)
    assert (again.number, again.version, again.is_repeat) == (first.number, first.version, True)
    assert rows() == before


def test_of_two_opponents_who_claim_one_is_told_that_the_game_moved_on(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    claim(bob, game)
    with pytest.raises(StaleGame):
        claim(carol, game, version=game.version)


def test_a_late_move_before_the_claim_keeps_the_seat(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    place(game, "1:a1", now=DEADLINE)
    with pytest.raises(StaleGame):
        claim(bob, game, version=game.version)
    with pytest.raises(NotYourTurn):
        claim(bob, game)


def test_whoever_is_late_cannot_claim(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    with pytest.raises(NotYourTurn) as refused:
        claim(alice, game)
    assert refused.value.code == "own-clock"


def test_whoever_is_late_cannot_borrow_the_key_of_the_claim(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    claim(bob, game, key="out-of-time")
    with pytest.raises(BadRequest):
        claim(alice, game, key="out-of-time")


def test_whoever_has_retired_cannot_claim(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    resign(carol, game.slug)
    with pytest.raises(NotSeated) as refused:
        claim(carol, game)
    assert refused.value.code == "retired"


def test_who_only_watches_cannot_claim(alice: User, bob: User, eve: User, mallory: User) -> None:
    with pytest.raises(NotSeated):
        claim(eve, running(alice, bob, time=A_DAY))
    with pytest.raises(NotFound):
        claim(mallory, running(alice, bob, time=A_DAY, is_public=False))


def test_unlimited_time_never_runs_out(alice: User, bob: User) -> None:
    with pytest.raises(WrongStatus) as refused:
        claim(bob, running(alice, bob), now=NOON + timedelta(days=9999))
    assert refused.value.code == "no-deadline"


def test_a_bot_is_never_out_of_time(alice: User) -> None:
    game = open_table(alice, bot(), ME, time=A_DAY)
    with pytest.raises(WrongStatus) as refused:
        claim(alice, game, now=NOON + timedelta(days=9))
    assert refused.value.code == "no-deadline"


def test_a_game_that_has_not_started_or_is_over_has_no_deadline(alice: User, bob: User) -> None:
    for game in (open_table(alice, ME, OPEN, time=A_DAY), play_out(running(alice, bob, time=A_DAY))):
        with pytest.raises(WrongStatus):
            claim(alice, game)


def test_whoever_ran_out_of_time_can_no_longer_resign_or_move(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    claim(bob, game)
    with pytest.raises(NotSeated):
        resign(alice, game.slug)
    with pytest.raises(NotYourTurn):
        place(game, "1:a1", alice)


def test_the_last_to_run_out_of_time_gives_the_reason(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    resign(carol, game.slug)
    claim(bob, game)
    assert fresh(game).reason == Reason.OUT_OF_TIME
