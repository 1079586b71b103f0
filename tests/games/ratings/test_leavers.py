"""Who runs out of time is last, who was away is last wherever a stand-in has come, and a game not begun counts not."""

import pytest

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.play_placement import play_placement
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.audit.ratings import faults_of_ratings
from games.base import positions
from games.base.access import Actor, BotSeat
from games.clock import TimeControl
from games.models import Game, Player, PlayerRating, RatedSeat, Reason, Status
from games.ratings.scale import NEWCOMER
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.ratings.games import lost
from tests.games.tables import due, fresh, key, play_out, running

pytestmark = pytest.mark.django_db

A_DAY = TimeControl.days_a_move(1)


def late(game: Game) -> Game:
    """Return the game after the time of whoever is to move has run out."""
    game = fresh(game)
    assert game.deadline
    assert time_out(game.slug, number=due(game), now=game.deadline)
    return fresh(game)


def points(user: User) -> float:
    return PlayerRating.objects.get(user=user).points


def places() -> dict[str, int | None]:
    return {seat.player.user.username: seat.place for seat in RatedSeat.objects.all() if seat.player.user}


def test_who_runs_out_of_time_loses_as_who_resigns(alice: User, bob: User, carol: User, dave: User) -> None:
    game = late(play_out(running(alice, bob, variant="duo", time=A_DAY), turns=2))
    lost(carol, dave)

    assert (game.is_rated, game.reason) == (True, Reason.OUT_OF_TIME)
    assert (points(alice), points(bob)) == (points(carol), points(dave))
    assert places() == {"alice": 2, "bob": 1, "carol": 2, "dave": 1}


def test_of_three_who_runs_out_of_time_and_who_resigns_are_behind_the_last_who_plays(
    alice: User, bob: User, carol: User
) -> None:
    game = late(play_out(running(alice, bob, carol, time=A_DAY, stand_in=""), turns=3))
    assert game.status == Status.RUNNING
    resign(bob, game.slug, now=game.turn_since)

    assert places()["carol"] == 1
    assert {name for name, place in places().items() if place and place > 1} == {"alice", "bob"}
    assert points(carol) > NEWCOMER.points > (points(alice) + points(bob)) / 2
    assert list(faults_of_ratings()) == []


@pytest.mark.parametrize("turns", [0, 1])
def test_a_game_that_was_not_begun_in_time_counts_for_nobody(turns: int, alice: User, bob: User, log_in: LogIn) -> None:
    game = late(play_out(running(alice, bob, variant="duo", time=A_DAY), turns=turns))

    assert (game.is_rated, game.reason) == (True, Reason.VOID)
    assert not PlayerRating.objects.exists()
    assert not RatedSeat.objects.exists()
    assert "Your rating" not in read(log_in(bob).get(f"/games/{game.slug}/")).text
    assert list(faults_of_ratings()) == []


def played_by_stand_ins(game: Game, person: User, turns: int) -> Game:
    """Play a game to its end: a bot takes so many turns for a person, who then comes back.

    It places from the largest piece to the smallest, as the person does afterwards; the others do the reverse.
    """
    while (game := fresh(game)).status == Status.RUNNING:
        player = Player.objects.get(game=game, seat=game.turn_seat or 0)
        is_theirs = player.user_id == person.pk
        if is_theirs and turns == 0 and player.is_away:
            come_back(person, game.slug, now=game.turn_since)
            game = fresh(game)
        is_away = is_theirs and turns > 0
        actor: Actor = BotSeat(game.pk, player.seat) if is_away or player.user is None else player.user
        legal = positions.position_of(game).legal_placements()
        text = str(legal[0 if is_theirs else -1])
        at = game.deadline if is_away and game.deadline else game.turn_since
        play_placement(actor, game.slug, placement=text, number=due(game), key=key(), now=at)
        turns -= is_away
    return game


def test_a_stand_in_that_brings_a_seat_to_the_first_place_wins_nothing_for_who_was_away(
    alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol, variant="codingame-3:9:7", time=A_DAY, stand_in="greedy")
    played_by_stand_ins(game, carol, turns=99)

    away = Player.objects.get(game=game, user=carol)
    assert (away.place, away.retired) == (1, "")
    assert places()["carol"] == 3
    assert points(carol) < NEWCOMER.points
    assert points(alice) + points(bob) > 2 * NEWCOMER.points
    assert list(faults_of_ratings()) == []


@pytest.mark.parametrize("turns", [2, 3])
def test_who_comes_back_before_the_end_keeps_what_the_stand_in_has_won(
    turns: int, alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol, variant="codingame-3:9:7", time=A_DAY, stand_in="greedy")
    played_by_stand_ins(game, carol, turns)

    back = Player.objects.get(game=game, user=carol)
    assert (back.missed, back.place) == (0, 1)
    assert game.moves.filter(seat=back.seat).exclude(bot="").count() == turns
    assert places()["carol"] == 1
    assert points(carol) > NEWCOMER.points
    assert list(faults_of_ratings()) == []
