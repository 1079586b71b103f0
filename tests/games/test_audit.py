"""RELIABILITY A10: what is stored of every game follows from its moves."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from games import audit, lifecycle
from games.actions.claim_timeout import claim_timeout
from games.actions.resign import resign
from games.clock import TimeControl
from games.models import Game, Move, Player
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    bot,
    fresh,
    key,
    large_first,
    open_table,
    place,
    play_out,
    rows,
    running,
)


def many_games(alice: User, bob: User, carol: User, dave: User) -> None:
    """Play games of every kind and every end, in one database."""
    play_out(running(alice, bob), 1)
    play_out(running(alice, bob, declares_passes=True), 2, large_first)
    play_out(running(alice, bob, carol, colours=("green", "blue", "red")), 3)
    play_out(running(alice, bob, carol, dave, time=TimeControl.days_a_move(1)), 4, large_first)
    play_out(open_table(alice, ME, bot(), bot("greedy"), bot()), 5, turns=20)
    play_out(open_table(alice, bot(), bot()), 6)
    open_table(alice, ME, OPEN)
    resign(bob, play_out(running(alice, bob, carol, dave), 7, turns=9).slug, now=NOON + timedelta(hours=1))
    late = play_out(running(alice, bob, time=TimeControl.days_a_move(2)), 8, turns=4)
    claim_timeout(bob, late.slug, version=late.version, key=key(), now=NOON + timedelta(days=2))
    trio = play_out(running(alice, bob, carol, time=TimeControl.days_a_move(7)), 9, turns=5)
    resign(alice, trio.slug, now=NOON + timedelta(days=1))
    play_out(trio, 10, now=NOON + timedelta(days=3))


def clocks_that_tick(game: Game) -> None:
    """Play a few moves of a game whose clock differs from move to move."""
    Game.objects.filter(pk=game.pk).update(time_increment=3600, time_cap=2 * 86400)
    for number, text in enumerate(("1:a1", "1:t1", "1:a20", "1:t20", "2:b2,b3")):
        place(game, text, now=NOON + timedelta(hours=5 * number))


def test_every_stored_game_equals_its_replay(alice: User, bob: User, carol: User, dave: User) -> None:
    many_games(alice, bob, carol, dave)
    clocks_that_tick(running(alice, bob, time=TimeControl.days_a_move(1)))
    for game in Game.objects.filter(started_at__isnull=False):
        assert list(audit.faults(game)) == []


def test_the_command_counts_and_changes_nothing(alice: User, bob: User, carol: User, dave: User) -> None:
    many_games(alice, bob, carol, dave)
    before, out = rows(), StringIO()
    call_command("audit_games", stdout=out)
    assert out.getvalue() == f"9 games and {Move.objects.count()} moves replayed; 9 equal what is stored, 0 differ.\n"
    assert rows() == before


SPOILT: dict[str, tuple[Any, dict[str, Any]]] = {
    "board": (Game, {"board": "1" * 400}),
    "turn_colour": (Game, {"turn_colour": "green"}),
    "deadline": (Game, {"deadline": NOON}),
    "move_count": (Game, {"move_count": 77}),
    "seat 0": (Player, {"score": 5}),
    "seat 1": (Player, {"clock": 12}),
}


@pytest.mark.parametrize("what", SPOILT)
def test_what_was_spoilt_is_found_and_repaired(alice: User, bob: User, what: str) -> None:
    game = play_out(running(alice, bob, time=TimeControl.days_a_move(1)), turns=6)
    before = rows()
    model, values = SPOILT[what]
    model.objects.update(**values)
    assert what in {fault.what for fault in audit.faults(fresh(game))}
    err = StringIO()
    with pytest.raises(CommandError):
        call_command("audit_games", stdout=StringIO(), stderr=err)
    assert f"{game.slug}: {what} is " in err.getvalue()
    call_command("audit_games", "--repair", stdout=StringIO(), stderr=StringIO())
    assert rows() == before


def test_a_move_that_is_not_lawful_is_found(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), turns=3)
    Move.objects.filter(number=2).update(placement="1:c3")
    assert [fault.what for fault in audit.faults(fresh(game))] == ["moves"]


def test_a_gap_and_a_version_out_of_order_are_found(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), turns=3)
    Move.objects.filter(number=3).update(number=9, version=99)
    assert {"numbers", "versions"} <= {fault.what for fault in audit.faults(fresh(game))}


def test_a_finished_game_is_rebuilt_from_nothing(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob))
    before = rows()
    Game.objects.update(status="running", turn_seat=0, turn_colour="blue", turn_since=NOON, board="", reason="")
    Player.objects.update(score=None, is_winner=False)
    lifecycle.rebuild(fresh(game))
    assert rows() == before


def test_a_game_that_has_not_started_has_nothing_to_rebuild(alice: User) -> None:
    with pytest.raises(ValueError, match="has not started"):
        lifecycle.rebuild(open_table(alice, ME, OPEN))


def test_a_declared_pass_belongs_to_the_replay(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob, declares_passes=True), 2, large_first)
    assert Move.objects.filter(game=game, kind="pass", is_automatic=False).exists()
    assert list(audit.faults(game)) == []
