"""Being away after two missed turns in a row, and coming back."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.moves.come_back import come_back
from games.actions.moves.resign import resign
from games.audit.checks import faults
from games.clock import TimeControl
from games.errors import NotFound, NotSeated, NotYourTurn, WrongStatus
from games.models import Game, Move, Notification, Occasion, Player, Return, Status
from games.table import lifecycle
from tests.games.tables import ME, NOON, OPEN, fresh, open_table, rows, running, take_turn

A_DAY = TimeControl.days_a_move(1)


@pytest.fixture
def with_alice_away(alice: User, bob: User, carol: User) -> Game:
    """Return a game of three in which alice has missed two turns; bob is to play move 5."""
    game = running(alice, bob, carol, time=A_DAY)
    for by_bot in (True, False, False, True):
        game = take_turn(game, by_bot=by_bot)
    return game


def test_after_two_missed_turns_a_bot_is_due_at_once(with_alice_away: Game) -> None:
    game = take_turn(take_turn(with_alice_away))
    assert (game.turn_seat, game.deadline, game.turn_user_id) == (0, None, None)
    assert (game.is_bot_due, game.is_notice_due) == (True, False)
    assert list(faults(fresh(game))) == []
    game = take_turn(game, by_bot=True, now=game.turn_since)
    assert list(game.players.values_list("missed", flat=True)) == [3, 0, 0]


def test_missed_turns_that_are_not_in_a_row_are_none(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=A_DAY)
    for by_bot in (True, False, False, False, False, False, True):
        game = take_turn(game, by_bot=by_bot)
    assert list(game.players.values_list("missed", flat=True)) == [1, 0, 0]


def test_who_comes_back_plays_from_the_next_turn_with_a_new_clock(with_alice_away: Game, alice: User) -> None:
    outcome = come_back(alice, with_alice_away.slug, now=NOON + timedelta(days=3))
    assert (outcome.number, outcome.version, outcome.is_repeat) == (4, with_alice_away.version + 1, False)
    assert list(Return.objects.values_list("player__seat", "number")) == [(0, 5)]
    game = take_turn(take_turn(with_alice_away))
    assert (game.turn_user_id, game.is_bot_due) == (alice.pk, False)
    assert game.turn_since
    assert game.deadline == game.turn_since + timedelta(days=1)
    assert list(faults(fresh(game))) == []


def test_who_comes_back_on_their_own_turn_has_it_from_then_on(with_alice_away: Game, alice: User) -> None:
    game, later = take_turn(take_turn(with_alice_away)), NOON + timedelta(days=3)
    come_back(alice, game.slug, now=later)
    assert (fresh(game).turn_since, fresh(game).deadline) == (later, later + timedelta(days=1))
    with pytest.raises(NotYourTurn):
        take_turn(game, by_bot=True, now=later)
    assert list(faults(fresh(game))) == []


def test_a_move_of_ones_own_is_a_return_too(with_alice_away: Game, alice: User) -> None:
    game = take_turn(take_turn(with_alice_away))
    game = take_turn(game)
    assert Player.objects.get(game=game, user=alice).missed == 0
    assert list(faults(fresh(game))) == []


def test_coming_back_twice_is_coming_back_once(with_alice_away: Game, alice: User) -> None:
    come_back(alice, with_alice_away.slug, now=NOON)
    before = rows()
    assert come_back(alice, with_alice_away.slug, now=NOON).is_repeat
    assert rows() == before
    assert Return.objects.count() == 1


def test_who_leaves_again_can_come_back_again(with_alice_away: Game, alice: User) -> None:
    game = with_alice_away
    come_back(alice, game.slug, now=fresh(game).turn_since)
    for by_bot in (False, False, True, False, False, True):
        game = take_turn(game, by_bot=by_bot)
    come_back(alice, game.slug, now=game.turn_since)
    assert list(Return.objects.values_list("number", flat=True)) == [5, 11]
    assert list(faults(fresh(game))) == []


def test_the_state_is_rebuilt_from_moves_and_returns(with_alice_away: Game, alice: User) -> None:
    game = take_turn(take_turn(with_alice_away))
    come_back(alice, game.slug, now=game.turn_since)
    before = rows()
    Player.objects.update(missed=7, clock=1)
    Game.objects.update(deadline=None, turn_user=None, is_bot_due=True)
    assert list(faults(fresh(game)))
    lifecycle.rebuild(fresh(game))
    assert rows() == before


def test_others_cannot_come_back(with_alice_away: Game, alice: User, bob: User, eve: User, mallory: User) -> None:
    assert come_back(bob, with_alice_away.slug).is_repeat
    with pytest.raises(NotSeated):
        come_back(eve, with_alice_away.slug)
    Game.objects.update(is_public=False)
    with pytest.raises(NotFound):
        come_back(mallory, with_alice_away.slug)


def test_who_has_resigned_or_whose_game_is_over_cannot_come_back(with_alice_away: Game, alice: User, bob: User) -> None:
    resign(alice, with_alice_away.slug)
    with pytest.raises(NotSeated):
        come_back(alice, with_alice_away.slug)
    resign(bob, with_alice_away.slug)
    assert fresh(with_alice_away).status == Status.FINISHED
    with pytest.raises(WrongStatus):
        come_back(bob, with_alice_away.slug)


def test_a_table_that_waits_has_no_one_away(alice: User) -> None:
    with pytest.raises(WrongStatus):
        come_back(alice, open_table(alice, ME, OPEN, OPEN).slug)


def test_a_bot_plays_on_to_the_end_of_the_game(with_alice_away: Game) -> None:
    game = with_alice_away
    while game.status == Status.RUNNING:
        game = take_turn(game, by_bot=game.turn_seat == 0)
    assert Move.objects.filter(game=game, seat=0, kind="place").exclude(bot="sage-4").count() == 0
    assert list(faults(fresh(game))) == []


def test_the_player_is_notified_of_the_first_missed_turn_and_once_of_being_away(
    with_alice_away: Game, alice: User
) -> None:
    game = take_turn(take_turn(with_alice_away))
    take_turn(game, by_bot=True, now=game.turn_since)
    told = Notification.objects.filter(occasion__in=(Occasion.MISSED, Occasion.AWAY)).order_by("pk")
    assert list(told.values_list("user", "occasion", "event")) == [(alice.pk, "missed", 1), (alice.pk, "away", 4)]
