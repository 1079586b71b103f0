"""A10 over a database with games of every kind and every end, which are played once."""

from collections.abc import Iterator
from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import transaction

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.audit import checks
from games.clock import TimeControl
from games.models import Game, Move, Tally
from tests.conftest import person
from tests.games.tables import (
    ME,
    NOON,
    OPEN,
    bot,
    due,
    large_first,
    open_table,
    place,
    play_out,
    rows,
    running,
    tallies,
)

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module", autouse=True)
def people(django_db_setup: None, django_db_blocker: Any) -> Iterator[list[User]]:
    """Return the cast, who have played: what a test changes of it is undone, and all of it at the end."""
    with django_db_blocker.unblock(), transaction.atomic():
        cast = [person(name) for name in ("alice", "bob", "carol", "dave")]
        many_games(*cast)
        yield cast
        transaction.set_rollback(True)


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
    time_out(late.slug, number=due(late), now=NOON + timedelta(days=2))
    trio = play_out(running(alice, bob, carol, time=TimeControl.days_a_move(7)), 9, turns=5)
    resign(alice, trio.slug, now=NOON + timedelta(days=1))
    play_out(trio, 10, now=NOON + timedelta(days=3))


def clocks_that_tick(game: Game) -> None:
    """Play a few moves of a game whose clock differs from move to move."""
    Game.objects.filter(pk=game.pk).update(time_increment=3600, time_cap=2 * 86400)
    for number, text in enumerate(("1:a1", "1:t1", "1:a20", "1:t20", "2:b2,b3")):
        place(game, text, now=NOON + timedelta(hours=5 * number))


def test_every_stored_game_equals_its_replay(people: list[User]) -> None:
    clocks_that_tick(running(*people[:2], time=TimeControl.days_a_move(1)))
    for game in Game.objects.filter(started_at__isnull=False):
        assert list(checks.faults(game)) == []


def test_the_command_counts_and_changes_nothing() -> None:
    before, out = rows(), StringIO()
    call_command("audit_games", stdout=out)
    assert out.getvalue() == f"9 games and {Move.objects.count()} moves replayed; 9 equal what is stored, 0 differ.\n"
    assert rows() == before


def test_a_sample_replays_so_many_games() -> None:
    said = {size: StringIO() for size in (3, 100)}
    for size, out in said.items():
        call_command("audit_games", sample=size, stdout=out)
    assert [out.getvalue().partition(" ")[0] for out in said.values()] == ["3", "9"]


@pytest.mark.parametrize("change", [{"number": 7}, {"result": "tied"}, {"is_public": False}, {"variant": "duo"}])
def test_a_wrong_total_is_found_and_repaired(people: list[User], eve: User, change: dict[str, Any]) -> None:
    resign(people[0], running(eve, people[0]).slug)
    before, err = tallies(), StringIO()
    Tally.objects.filter(user=eve, variant="blockyou-2").update(**change)
    with pytest.raises(CommandError):
        call_command("audit_games", stdout=StringIO(), stderr=err)
    assert f"person {eve.pk}: tally blockyou-2 " in err.getvalue()
    call_command("audit_games", "--repair", stdout=StringIO(), stderr=StringIO())
    assert tallies() == before
