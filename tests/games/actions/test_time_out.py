"""A turn whose time is up: the seat retires, or the game is void, or a bot takes the turn."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.actions.moves.pass_turn import pass_turn
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.join_game import join_game
from games.audit.checks import faults
from games.audit.counts import drifts
from games.base.access import BotSeat
from games.clock import TimeControl
from games.errors import BadRequest, NotFound, NotSeated, NotYourTurn, Refused
from games.models import Companion, Game, Kind, Move, Player, Reason, Status, Tally
from games.table.lifecycle import Outcome
from tests.games.tables import ME, NOON, OPEN, bot, due, fresh, key, open_table, place, play_out, rows, running

A_DAY = TimeControl.days_a_move(1)
DEADLINE = NOON + timedelta(days=1)


def late(game: Game, now: object = DEADLINE, **more: object) -> Outcome | None:
    request = {"number": due(fresh(game)), "now": now, **more}
    return time_out(game.slug, **request)  # type: ignore[arg-type]  # tests pass nonsense too


def begun(alice: User, bob: User) -> Game:
    """Return a duel in which both have moved; alice is to move by the deadline."""
    return play_out(running(alice, bob, time=A_DAY), turns=2)


def for_four(*people: User, **settings: Any) -> Game:
    return running(*people, time=A_DAY, **settings)


def test_between_two_the_seat_retires_from_the_deadline_on(alice: User, bob: User) -> None:
    game = begun(alice, bob)
    outcome = late(game)
    move = Move.objects.last()
    assert outcome
    assert move
    assert (move.kind, move.seat, move.retired, move.played_at) == (Kind.RETIRE, 0, "out-of-time", DEADLINE)
    game = fresh(game)
    assert (game.status, game.reason, game.version) == (Status.FINISHED, Reason.OUT_OF_TIME, outcome.version)
    assert list(game.players.values_list("retired", "is_winner")) == [("out-of-time", False), ("", True)]


def test_before_the_deadline_nothing_happens(alice: User, bob: User) -> None:
    game = begun(alice, bob)
    before = rows()
    assert late(game, DEADLINE - timedelta(microseconds=1)) is None
    assert rows() == before


def test_the_clock_of_the_database_decides_where_no_moment_is_given(alice: User, bob: User) -> None:
    game = begun(alice, bob)
    Game.objects.update(deadline="9999-01-01T00:00Z")
    assert late(game, None) is None
    Game.objects.update(deadline=DEADLINE)
    assert late(game, None)


def test_it_is_recorded_once(alice: User, bob: User) -> None:
    game = begun(alice, bob)
    assert late(game)
    before = rows()
    assert late(game, number=due(game)) is None
    assert rows() == before


def test_a_late_move_that_comes_first_keeps_the_seat(alice: User, bob: User) -> None:
    game = begun(alice, bob)
    number = due(game)
    play_out(game, turns=1, now=DEADLINE + timedelta(hours=1))
    assert late(game, DEADLINE + timedelta(days=9), number=number) is None
    assert fresh(game).status == Status.RUNNING


@pytest.mark.parametrize("turns", [0, 1])
def test_a_duel_that_has_not_begun_is_void(alice: User, bob: User, turns: int) -> None:
    game = play_out(running(alice, bob, time=A_DAY), turns=turns)
    assert late(game)
    game = fresh(game)
    assert (game.status, game.reason, game.finished_at, game.deadline) == (Status.CANCELLED, Reason.VOID, None, None)
    assert (
        list(game.players.values_list("is_going", "result", "ended_at", "is_winner")) == [(False, "", None, False)] * 2
    )


def test_a_void_game_is_counted_nowhere(alice: User, bob: User) -> None:
    game = running(alice, bob, time=A_DAY)
    late(game)
    assert not Tally.objects.exclude(number=0)
    assert set(Companion.objects.values_list("games", flat=True)) == {0}
    assert (list(drifts()), list(faults(fresh(game)))) == ([], [])


def test_among_three_without_a_bot_the_others_play_on(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol, stand_in="")
    late(game)
    game = fresh(game)
    assert (game.status, game.turn_seat, game.deadline) == (Status.RUNNING, 1, DEADLINE + timedelta(days=1))
    assert play_out(game).reason == Reason.PLAYED_OUT


def test_where_a_bot_takes_missed_turns_the_seat_does_not_retire(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol)
    before = rows()
    assert late(game) is None
    assert rows() == before


def test_one_person_who_plays_bots_has_no_deadline(alice: User) -> None:
    game = open_table(alice, bot(), ME, time=A_DAY)
    assert fresh(game).deadline is None
    assert late(game, NOON + timedelta(days=9)) is None


def test_who_is_left_alone_with_bots_has_no_deadline_any_more(alice: User, bob: User) -> None:
    game = open_table(alice, ME, OPEN, bot(), time=A_DAY, is_public=True)
    join_game(bob, game.slug, now=NOON)
    assert fresh(game).deadline == DEADLINE
    resign(bob, game.slug, now=NOON)
    assert fresh(game).deadline is None


def test_unlimited_time_never_runs_out(alice: User, bob: User) -> None:
    assert late(running(alice, bob), NOON + timedelta(days=9999)) is None


def test_a_game_that_has_not_started_or_is_over_has_no_deadline(alice: User, bob: User) -> None:
    for game in (open_table(alice, ME, OPEN, time=A_DAY), play_out(running(alice, bob, time=A_DAY))):
        assert late(game, NOON + timedelta(days=99)) is None
    with pytest.raises(NotFound):
        time_out("nowhere", number=1)


def test_who_ran_out_of_time_can_no_longer_resign_or_move(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol, stand_in="")
    late(game)
    with pytest.raises(NotSeated):
        resign(alice, game.slug)
    with pytest.raises(NotYourTurn):
        place(game, "1:a1", alice)


def test_the_last_to_run_out_of_time_gives_the_reason(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol, stand_in="")
    place(game, "1:a1", alice)
    resign(carol, game.slug, now=NOON)
    late(game)
    assert fresh(game).reason == Reason.OUT_OF_TIME


def stand_in(game: Game, now: object = DEADLINE) -> Outcome:
    """Let the bot take the turn that is due, for any seat."""
    game = fresh(game)
    return place(game, "1:a1", BotSeat(game.pk, game.turn_seat or 0), now=now)


def test_a_bot_takes_the_turn_once_the_time_is_up(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol)
    with pytest.raises(NotYourTurn):
        stand_in(game, DEADLINE - timedelta(microseconds=1))
    stand_in(game)
    move = Move.objects.get()
    assert (move.kind, move.seat, move.bot) == (Kind.PLACE, 0, "sage-4")
    assert list(game.players.values_list("missed", flat=True)) == [1, 0, 0]
    assert fresh(game).turn_seat == 1


def test_no_bot_takes_a_turn_between_two_or_where_the_table_has_none(alice: User, bob: User, carol: User) -> None:
    for game in (running(alice, bob, time=A_DAY), for_four(alice, bob, carol, stand_in="")):
        with pytest.raises(NotFound):
            stand_in(game)


def test_a_bot_may_not_pass_for_a_player_who_can_place(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol, declares_passes=True)
    with pytest.raises(Refused):
        pass_turn(BotSeat(game.pk, 0), game.slug, number=1, key=key(), now=DEADLINE)
    with pytest.raises(NotYourTurn):
        pass_turn(BotSeat(game.pk, 0), game.slug, number=1, key=key(), now=NOON)


def test_the_clock_of_a_missed_turn_is_that_of_a_move_in_the_last_second(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol)
    stand_in(game, DEADLINE + timedelta(hours=3))
    seat = Player.objects.get(game=game, seat=0)
    assert (seat.clock, fresh(game).deadline) == (24 * 3600, DEADLINE + timedelta(days=1, hours=3))


def test_a_turn_of_ones_own_forgets_the_missed_one(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol)
    stand_in(game)
    play_out(game, turns=3, now=DEADLINE)
    assert list(game.players.values_list("missed", flat=True)) == [0, 0, 0]
    assert list(faults(fresh(game))) == []


def test_a_person_cannot_play_as_the_bot(alice: User, bob: User, carol: User) -> None:
    game = for_four(alice, bob, carol)
    with pytest.raises(BadRequest):
        play_placement(alice, game.slug, placement="1:a1", number=1, key="bot-turn-4", now=NOON)


def test_a_game_of_three_in_which_no_one_made_a_move_is_void(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY, stand_in="")
    late(game)
    late(game, DEADLINE + timedelta(days=1))
    game = fresh(game)
    assert (game.status, game.reason) == (Status.CANCELLED, Reason.VOID)
    assert not Player.objects.filter(is_winner=True).exists()
    assert list(faults(game)) == []


def test_a_game_of_three_in_which_one_made_a_move_counts(alice: User, bob: User, carol: User) -> None:
    game = play_out(running(alice, bob, carol, time=A_DAY, stand_in=""), turns=1)
    late(game)
    late(game, DEADLINE + timedelta(days=1))
    game = fresh(game)
    assert (game.status, game.reason) == (Status.FINISHED, Reason.OUT_OF_TIME)
    assert game.players.get(seat=0).is_winner
