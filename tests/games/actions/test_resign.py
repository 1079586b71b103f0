"""Giving up a seat."""

import random
from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.clock import TimeControl
from games.errors import BadRequest, NotFound, NotSeated, StaleGame, WrongStatus
from games.models import Game, Kind, Move, Reason, Status
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    advance,
    bot,
    due,
    fresh,
    large_first,
    open_table,
    place,
    play_out,
    rows,
    running,
)


def results(game: Game) -> list[tuple[str, bool]]:
    return list(game.players.values_list("retired", "is_winner"))


def test_with_two_seats_the_other_wins_whatever_the_score(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, "V3:a1,b1,a2")
    resign(alice, game.slug)
    game = fresh(game)
    assert (game.status, game.reason) == (Status.FINISHED, Reason.RESIGNED)
    assert results(game) == [("resigned", False), ("", True)]
    assert list(game.players.values_list("score", flat=True)) == [-178 + 3, -178]


def test_a_retirement_is_recorded_as_such_and_never_as_a_pass(alice: User, bob: User) -> None:
    game = running(alice, bob)
    outcome = resign(bob, game.slug, key="i-give-up", now=NOON)
    move = Move.objects.get()
    assert (move.kind, move.seat, move.colour, move.retired) == (Kind.RETIRE, 1, "", "resigned")
    assert (outcome.number, outcome.version, move.client_key) == (1, 3, "i-give-up")


def test_anybody_may_resign_out_of_turn_and_the_running_clock_runs_on(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    game = running(alice, bob, carol, dave, time=TimeControl.days_a_move(1))
    resign(carol, game.slug, now=NOON + timedelta(hours=7))
    game = fresh(game)
    assert (game.turn_seat, game.turn_since, game.deadline) == (0, NOON, NOON + timedelta(days=1))
    assert game.version == 5


def test_whoever_resigns_in_turn_passes_the_turn_on(alice: User, bob: User, carol: User, dave: User) -> None:
    game = running(alice, bob, carol, dave, time=TimeControl.days_a_move(1))
    later = NOON + timedelta(hours=7)
    resign(alice, game.slug, now=later)
    game = fresh(game)
    assert (game.turn_seat, game.turn_since, game.deadline) == (1, later, later + timedelta(days=1))


def test_the_others_play_on_without_the_retired_colour(alice: User, bob: User, carol: User, dave: User) -> None:
    game = running(alice, bob, carol, dave)
    place(game, "V3:a1,b1,a2")
    resign(alice, game.slug)
    game = play_out(game)
    assert game.reason == Reason.PLAYED_OUT
    assert not Move.objects.filter(number__gt=2, colour="blue").exists()
    assert results(game)[0] == ("resigned", False)
    assert game.players.get(seat=0).score == -89 + 3
    assert game.players.filter(is_winner=True).exists()


def test_the_last_seat_left_wins_and_ends_the_game(alice: User, bob: User, carol: User, dave: User) -> None:
    game = running(alice, bob, carol, dave)
    for user in (alice, dave, carol):
        assert fresh(game).status == Status.RUNNING
        resign(user, game.slug)
    game = fresh(game)
    assert (game.status, game.reason) == (Status.FINISHED, Reason.RESIGNED)
    assert results(game) == [("resigned", False), ("", True), ("resigned", False), ("resigned", False)]


def test_resigning_twice_is_resigning_once(alice: User, bob: User) -> None:
    game = running(alice, bob)
    first = resign(alice, game.slug, key="i-give-up")
    before = rows()
    for key in ("i-give-up", "another-key", ""):
        again = resign(alice, game.slug, key=key)
        assert (again.number, again.version, again.is_repeat) == (first.number, first.version, True)
    assert rows() == before


def test_the_number_of_the_due_move_is_compared_where_one_is_given(alice: User, bob: User) -> None:
    game = running(alice, bob)
    with pytest.raises(StaleGame):
        resign(alice, game.slug, number=due(game) + 1)
    assert not resign(alice, game.slug, number=due(game)).is_repeat


def test_the_key_of_a_move_does_not_serve_to_resign(alice: User, bob: User) -> None:
    game = running(alice, bob)
    place(game, "1:a1", key="a-move-key")
    with pytest.raises(BadRequest):
        resign(alice, game.slug, key="a-move-key")


def test_a_game_that_has_not_started_or_is_over_cannot_be_resigned(alice: User, bob: User) -> None:
    for game in (open_table(alice, ME, OPEN), play_out(running(alice, bob))):
        with pytest.raises(WrongStatus):
            resign(alice, game.slug)


def test_nobody_resigns_for_others(alice: User, bob: User, eve: User, mallory: User) -> None:
    public, private = running(alice, bob), running(alice, bob, is_public=False)
    with pytest.raises(NotSeated):
        resign(eve, public.slug)
    with pytest.raises(NotFound):
        resign(mallory, private.slug)


def test_against_bots_the_game_goes_on_among_them(alice: User) -> None:
    game = open_table(alice, ME, bot(), bot(), bot())
    resign(alice, game.slug)
    game = play_out(game)
    assert (game.reason, results(game)[0]) == (Reason.PLAYED_OUT, ("resigned", False))


def test_when_the_only_one_who_can_place_resigns_the_game_is_played_out(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    users, rng = [alice, bob, carol, dave], random.Random(3)
    game = running(*users)
    while sum(map(positions.position_of(game).has_legal, ("blue", "yellow", "red", "green"))) > 1:
        game = advance(game, rng, large_first)
    assert game.status == Status.RUNNING, "one colour alone can still place"
    resign(users[game.turn_seat or 0], game.slug)
    game = fresh(game)
    assert (game.status, game.reason) == (Status.FINISHED, Reason.PLAYED_OUT)
    assert not game.players.filter(is_winner=True).exclude(retired="").exists()
