"""What lists and jobs find games by is right after every action, also where the model of a table does not go."""

from datetime import timedelta
from importlib import import_module
from types import SimpleNamespace

from django.apps import apps
from django.db import connection

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.pauses.pause_game import pause_game
from games.actions.pauses.resume_game import resume_game
from games.actions.people.close_account import retire_everywhere
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.open_rematch import open_rematch
from games.audit import checks as audit
from games.base.access import BotSeat
from games.clock import TimeControl
from games.models import Game, Player, Tally
from games.queries.turns import bot_turns_due
from tests.games.tables import ME, NOON, OPEN, bot, due, fresh, open_table, place, play_out, rows, running, tallies

LATER = NOON + timedelta(hours=1)


fill = import_module("games.migrations.0011_fill_seat_facts").fill
fill_places = import_module("games.migrations.0040_fill_places").fill


def totals(user: User) -> dict[str, int]:
    """Return a person's totals by result."""
    return dict(Tally.objects.filter(user=user).values_list("result", "number"))


def test_a_paused_bot_is_not_due_and_its_single_move_leaves_it_so(alice: User) -> None:
    game = open_table(alice, bot(), bot())
    assert list(bot_turns_due(LATER)) == [(game.pk, 1)]
    paused = pause_game(alice, game.slug, pause_version=0)
    place(game, "1:a1", BotSeat(game.pk, 0, paused.pause_version))
    assert bot_turns_due(LATER) == {}
    resume_game(alice, game.slug, pause_version=paused.pause_version)
    assert list(bot_turns_due(LATER)) == [(game.pk, 2)]
    assert list(audit.faults(fresh(game))) == []


def test_games_of_bots_are_counted_for_the_person_who_opened_them(alice: User) -> None:
    open_table(alice, bot(), bot())
    play_out(open_table(alice, bot(), bot()))
    assert totals(alice) == {"watched": 2}
    assert list(Game.objects.values_list("is_of_bots", flat=True)) == [True, True]


def test_a_seat_that_retires_is_no_longer_to_play_and_loses(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(alice, game.slug, now=LATER)
    assert (fresh(game).turn_user, totals(alice), totals(bob)) == (None, {"lost": 1}, {"won": 1})
    assert {*Player.objects.values_list("ended_at", flat=True)} == {LATER}


def test_a_seat_out_of_time_hands_the_turn_on(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol, time=TimeControl.days_a_move(1), stand_in="")
    time_out(game.slug, number=due(game), now=NOON + timedelta(days=2))
    assert fresh(game).turn_user == bob
    assert list(audit.faults(fresh(game))) == []


def test_a_rematch_is_going_until_it_is_cancelled(alice: User, bob: User) -> None:
    first = running(alice, bob)
    resign(alice, first.slug)
    again = open_rematch(alice, first.slug)
    going = Player.objects.filter(is_going=True)
    assert {seat.game_id for seat in going} == {again.pk}
    cancel_game(alice, again.slug)
    assert not going.all().exists()


def test_a_closed_account_leaves_nothing_going(alice: User, bob: User) -> None:
    running(alice, bob)
    open_table(alice, ME, OPEN)
    retire_everywhere(alice)
    assert not Player.objects.filter(user=alice, is_going=True).exists()
    assert list(audit.faults_beside(repairs=False)) == []


def test_the_first_page_may_show_a_public_board_with_eight_moves(alice: User, bob: User) -> None:
    games = [
        play_out(running(alice, bob, is_public=shown), 1, turns=turns) for shown, turns in ((1, 7), (1, 8), (0, 8))
    ]
    assert [fresh(game).is_featured for game in games] == [False, True, False]


def test_sized_and_drawn_boards_count_as_their_variant(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="codingame-2:13:42")
    resign(bob, game.slug)
    assert [*Tally.objects.filter(user=alice).values_list("variant", "number")] == [("codingame-2", 1)]
    assert {*Player.objects.values_list("variant", flat=True)} == {"codingame-2"}


def test_the_migration_writes_what_actions_write(alice: User, bob: User, carol: User) -> None:
    resign(bob, running(alice, bob, carol, variant="codingame-3:13:42", is_public=False).slug, now=LATER)
    play_out(running(alice, bob), 3)
    resign(alice, running(alice, bob).slug)
    cancel_game(alice, open_table(alice, ME, OPEN).slug)
    for is_paused in (False, True):
        open_table(alice, bot(), bot(), is_paused=is_paused)
    before = [rows(), tallies()]
    Game.objects.update(turn_user=None, is_bot_due=False, is_of_bots=False, is_notice_due=False, is_featured=False)
    Player.objects.update(is_going=True, ended_at=None, result="", variant="", is_public=False)
    Tally.objects.all().delete()
    fill(apps, SimpleNamespace(connection=connection))
    assert [rows(), tallies()] == before


def test_a_finished_seat_has_its_place_and_those_who_left_come_last(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob, carol)
    assert {*game.players.values_list("place", flat=True)} == {None}
    place(game, "I5:a1,a2,a3,a4,a5")
    resign(alice, game.slug)
    assert {*game.players.values_list("place", flat=True)} == {None}
    resign(bob, game.slug)
    # Of the two who left, Alice has five cells more on the board; Carol has placed nothing, and stayed.
    assert list(game.players.order_by("seat").values_list("user__username", "place")) == [
        ("alice", 2),
        ("bob", 3),
        ("carol", 1),
    ]
    assert list(audit.faults(fresh(game))) == []


def test_the_audit_finds_a_wrong_place_and_repairs_it(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(alice, game.slug)
    Player.objects.filter(game=game, user=bob).update(place=2)
    assert list(audit.faults(fresh(game))) != []


def test_the_migration_writes_the_places_that_actions_write(alice: User, bob: User, carol: User) -> None:
    for end in (40, 60):
        play_out(running(alice, bob, carol), end)
    left = running(alice, bob, carol)
    place(left, "I5:a1,a2,a3,a4,a5")
    resign(alice, left.slug)
    resign(bob, left.slug)
    running(alice, bob)
    resign(alice, running(alice, bob).slug)
    before = rows()
    Player.objects.update(place=None)
    assert rows() != before
    fill_places(apps, SimpleNamespace(connection=connection))
    assert rows() == before
