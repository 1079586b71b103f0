"""A finished game keeps which named opening each seat has followed, and openings count how their players fared."""

from collections.abc import Callable
from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.db import connection

from accounts.models import User
from games.actions.moves.resign import resign
from games.audit import checks as audit
from games.audit import counts
from games.models import Game, OpeningRecord, Player
from tests.games.lines.made import BARASONA, from_any_start
from tests.games.tables import ME, begun, bot, count_again, fresh, open_table, running

fill = import_module("games.migrations.0032_fill_openings").fill

#: FW by the first seat, and nothing that has a name by the second.
DUO = ["F:e8,f8,d9,e9,e10", "1:j5", "W:g6,g7,h7,h8,i8", "2:k4,l4"]


def of_four_corners(game: Game) -> Game:
    """Let all four colours begin with the Barasona opening; the last one stops after three of its pieces."""
    placed = from_any_start("blockyou-2", BARASONA)
    turns = [str(line[number]) for number in range(4) for line in placed.values()]
    return begun(game, turns[:-1])


def openings(game: Game) -> list[str | None]:
    return list(Player.objects.filter(game=game).order_by("seat").values_list("opening", flat=True))


def records() -> dict[str, tuple[int, int, int]]:
    return {one.opening: (one.wins, one.ties, one.losses) for one in OpeningRecord.objects.all()}


def test_a_seat_keeps_its_opening_once_the_game_is_over(alice: User, bob: User) -> None:
    game = begun(running(alice, bob, variant="duo"), DUO)
    assert openings(game) == [None, None]
    resign(bob, game.slug)
    assert openings(game) == ["fw", None]
    assert records() == {"fw": (1, 0, 0)}


def test_an_opening_counts_once_for_every_person_who_followed_it(alice: User, bob: User) -> None:
    game = of_four_corners(running(alice, bob))
    resign(alice, game.slug)
    assert openings(game) == ["barasona", "barasona"]
    assert records() == {"barasona": (1, 0, 1)}


def test_what_bots_open_with_is_kept_and_counts_for_nobody(alice: User) -> None:
    game = begun(open_table(alice, bot(), ME, variant="duo"), DUO)
    resign(alice, game.slug)
    assert openings(game) == ["fw", None]
    assert records() == {}


def test_the_audit_finds_and_mends_an_opening_that_is_stored_otherwise(alice: User, bob: User) -> None:
    game = begun(running(alice, bob, variant="duo"), DUO)
    resign(bob, game.slug)
    Player.objects.filter(game=game, seat=0).update(opening="xf")
    assert [fault.what for fault in audit.faults(fresh(game))] == ["seat 0"]
    audit.audit_lot(game.pk, Game.objects.filter(pk=game.pk), repairs=True)
    assert openings(game) == ["fw", None]


SPOILT: dict[str, Callable[[], object]] = {
    "a record": lambda: OpeningRecord.objects.update(losses=7),
    "a record that is missing": lambda: OpeningRecord.objects.all().delete(),
    "a record of no game": lambda: OpeningRecord.objects.create(opening="xf", wins=1),
}


@pytest.mark.parametrize("what", SPOILT)
def test_a_wrong_record_of_an_opening_is_found_and_mended(what: str, alice: User, bob: User) -> None:
    resign(bob, of_four_corners(running(alice, bob)).slug)
    assert list(counts.drifts()) == []
    before = records()
    SPOILT[what]()
    assert list(counts.drifts()) != []
    count_again()
    assert records() == before


def test_the_migration_writes_what_games_write_when_they_end(alice: User, bob: User, carol: User) -> None:
    resign(bob, begun(running(alice, bob, variant="duo"), DUO).slug)
    resign(alice, of_four_corners(running(alice, bob)).slug)
    begun(running(alice, bob, variant="duo"), DUO)
    chosen = from_any_start("blockyou-3", BARASONA)
    three = begun(
        running(alice, bob, carol, colours=("yellow", "red", "blue")),
        [str(chosen[colour][number]) for number in range(3) for colour in ("blue", "yellow", "red")],
    )
    for person in (alice, bob):
        resign(person, three.slug)
    before = list(Player.objects.order_by("pk").values_list("opening")), records()
    assert ("barasona",) in before[0]
    Player.objects.update(opening=None)
    OpeningRecord.objects.all().delete()
    fill(apps, SimpleNamespace(connection=connection))
    assert (list(Player.objects.order_by("pk").values_list("opening")), records()) == before
