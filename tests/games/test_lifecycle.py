"""What follows a move: the next turn, its clock and deadline, the end and what it leaves behind."""

import random
from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.tables.join_game import join_game
from games.base import positions
from games.clock import DAY, TimeControl
from games.models import Game, Kind, Move, Player, Reason, Status
from games.table import changes, lifecycle
from games.table.progress import Table
from tests.games.tables import ME, NOON, OPEN, bot, fresh, invited, large_first, open_table, place, play_out, running

HOUR = timedelta(hours=1)
OPENING = ("1:a1", "1:t1", "1:a20", "1:t20")


def fischer(*people: User) -> Game:
    """Return a running game with three days at first, an hour more for each move, four days at most."""
    game = running(*people, time=TimeControl.days_a_move(3))
    Game.objects.filter(pk=game.pk).update(time_increment=3600, time_cap=4 * DAY)
    return fresh(game)


def clocks(game: Game) -> list[int | None]:
    return list(Player.objects.filter(game=game).order_by("seat").values_list("clock", flat=True))


def test_each_seat_has_one_clock_for_all_its_colours(alice: User, bob: User) -> None:
    game = fischer(alice, bob)
    for number, text in enumerate(OPENING):
        place(game, text, now=NOON + (number + 1) * 10 * HOUR)
    assert clocks(game) == [3 * DAY - 18 * 3600] * 2
    assert fresh(game).deadline == NOON + 40 * HOUR + timedelta(seconds=3 * DAY - 18 * 3600)


def test_only_the_clock_of_whoever_moves_changes(alice: User, bob: User, carol: User, dave: User) -> None:
    game = fischer(alice, bob, carol, dave)
    place(game, "1:a1", now=NOON + 5 * HOUR)
    assert clocks(game) == [3 * DAY - 4 * 3600, 3 * DAY, 3 * DAY, 3 * DAY]


def test_no_clock_grows_beyond_the_cap(alice: User, bob: User) -> None:
    game = fischer(alice, bob)
    Game.objects.update(time_increment=9 * DAY)
    place(game, "1:a1", now=NOON + HOUR)
    assert clocks(game) == [4 * DAY, 3 * DAY]


def test_automatic_passes_cost_no_time(alice: User, bob: User) -> None:
    game = running(alice, bob, time=TimeControl.days_a_move(1))
    Game.objects.update(time_increment=0)
    game = play_out(game, choose=large_first)
    assert Move.objects.filter(is_automatic=True).exists()
    assert clocks(game) == [DAY, DAY]


def test_every_row_of_a_request_has_its_moment_and_version(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), choose=large_first)
    for automatic in game.moves.filter(is_automatic=True):
        before = game.moves.get(number=automatic.number - 1)
        assert (automatic.played_at, automatic.version) == (before.played_at, before.version)


def test_a_turn_that_comes_back_at_once_is_a_new_turn(alice: User, bob: User, carol: User, dave: User) -> None:
    game, now, rng = running(alice, bob, carol, dave, time=TimeControl.days_a_move(1)), NOON, random.Random(3)
    while game.status == Status.RUNNING:
        colour, since, now = game.turn_colour, game.turn_since, now + HOUR
        game = play_out(game, rng, large_first, turns=1, now=now)
        if game.turn_colour == colour:
            assert (game.turn_since, game.deadline) == (now, now + timedelta(days=1))
            assert since != now
            return
    pytest.fail("three others never passed in a row")


def test_the_end_leaves_no_turn_no_deadline_and_every_score(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)))
    assert (game.turn_colour, game.turn_seat, game.turn_since, game.deadline) == ("", None, None, None)
    assert (game.status, game.reason, game.finished_at) == (Status.FINISHED, Reason.PLAYED_OUT, NOON)
    assert None not in game.players.values_list("score", flat=True)
    assert game.players.filter(is_winner=True).exists()


def test_scores_are_kept_for_the_end(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), turns=10)
    assert set(game.players.values_list("score", "is_winner")) == {(None, False)}


@pytest.mark.parametrize("days", [1, None])
def test_a_bots_turn_has_no_deadline_and_a_persons_has(alice: User, bob: User, days: int | None) -> None:
    table = open_table(alice, ME, bot(), OPEN, time=TimeControl.days_a_move(days))
    game = join_game(bob, table.slug, now=NOON)
    assert game.deadline == (NOON + timedelta(days=1) if days else None)
    place(game, "1:a1")
    assert fresh(game).deadline is None
    place(game, "1:t1", now=NOON + HOUR)
    assert fresh(game).deadline == (NOON + HOUR + timedelta(days=1) if days else None)


def test_the_lists_that_a_game_is_in_are_those_of_its_people(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, OPEN, invited("bob"), bot(), OPEN)
    table.players.filter(seat=0).update(user=carol)
    assert changes.users_of(fresh(table)) == tuple(sorted((alice.pk, bob.pk, carol.pk)))


def test_a_table_in_memory_refuses_what_the_rules_refuse(alice: User, bob: User) -> None:
    game = running(alice, bob)
    table = Table(positions.start_of(game), NOON, {0: None, 1: None}, TimeControl(), {0: 0, 1: 0})
    with pytest.raises(ValueError, match="start cell"):
        table.advance(Move(kind=Kind.PLACE, seat=0, placement="1:b2", played_at=NOON + HOUR))
    assert (table.position.move_count, table.since) == (0, NOON)


def test_a_game_that_does_not_run_has_no_table(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    with pytest.raises(ValueError, match="is not running"):
        lifecycle.play(game, (), Move(kind=Kind.PASS, seat=0), NOON)
