"""Who plays which colour: chosen by the players until the game begins."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from accounts.models import User
from games import events
from games.actions.moves.resign import resign
from games.actions.tables.choose_seat import choose_seat
from games.actions.tables.edit_table import edit_table
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.swap_seats import swap_seats
from games.audit.checks import faults
from games.base.positions import position_of
from games.base.setup import SeatSetup
from games.base.terms import TableTerms
from games.errors import BadRequest, GameError, NotFound, NotSeated, SeatTaken, WrongStatus
from games.models import Change, Game, Status, TableChange
from games.queries.tables.table import table_state
from games.rules.records import GameRecord, write_json
from tests.games.tables import LINK, ME, OPEN, bot, fresh, invited, open_table, place, rows

COLOURS = ("blue", "yellow", "red", "green")


def table(host: User, *seats: SeatSetup, **settings: Any) -> Game:
    """Return a table at which the players choose, the host in the first seat."""
    return open_table(host, ME, *seats, lets_choose=True, **settings)


def colours(game: Game) -> dict[str, tuple[str, ...]]:
    """Return the colours of each person who sits at the table or is invited, and of bots."""
    seats = table_state(fresh(game), game.creator).seats
    return {seat.occupant.username or seat.occupant.invitee or seat.occupant.bot: seat.colours for seat in seats}


@pytest.mark.parametrize("unused", COLOURS)
def test_three_players_play_any_three_of_the_four_colours(unused: str, alice: User, bob: User, carol: User) -> None:
    game = table(alice, OPEN, OPEN, colours=COLOURS[:3])
    wanted = [colour for colour in COLOURS[::-1] if colour != unused]
    # The middle one first: what one has may be what another wants.
    if wanted[0] != "blue":
        choose_seat(alice, game.slug, colour=wanted[0])
    join_game(bob, game.slug, colour=wanted[1])
    join_game(carol, game.slug, colour=wanted[2])
    game = fresh(game)
    assert game.status == Status.RUNNING
    assert colours(game) == {name: (colour,) for name, colour in zip(("alice", "bob", "carol"), wanted, strict=True)}
    assert position_of(game).colours_in_play == tuple(colour for colour in COLOURS if colour != unused)
    assert list(faults(game)) == []


def test_the_record_and_the_audit_are_right_about_chosen_colours(alice: User, bob: User, carol: User) -> None:
    game = table(alice, OPEN, OPEN)
    choose_seat(alice, game.slug, colour="green")
    join_game(bob, game.slug, colour="red")
    join_game(carol, game.slug, colour="yellow")
    # Yellow is the first of the three in the order of play, and carol's.
    place(game, "1:t1", carol)
    game = fresh(game)
    record = json.loads(write_json(GameRecord.of(position_of(game))))
    assert (record["colours"], game.board[19]) == (["green", "yellow", "red"], "1")
    assert list(faults(game)) == []


def test_two_players_take_two_colours_at_once(alice: User, bob: User) -> None:
    game = table(alice, OPEN)
    choose_seat(alice, game.slug, colour="green")
    join_game(bob, game.slug)
    assert colours(game) == {"alice": ("yellow", "green"), "bob": ("blue", "red")}


def test_a_seat_that_is_left_is_free_for_others_and_nothing_else_changes(alice: User, bob: User) -> None:
    game = join_game(bob, table(alice, OPEN, OPEN, OPEN).slug)
    choose_seat(bob, game.slug, colour="green")
    assert colours(game) == {"alice": ("blue",), "bob": ("green",), "": ("red",)}
    choose_seat(alice, game.slug, colour="yellow")
    assert colours(game)["alice"] == ("yellow",)


def test_a_seat_kept_for_an_invited_player_keeps_no_colour(alice: User, bob: User, carol: User) -> None:
    game = join_game(carol, table(alice, invited("bob"), OPEN, OPEN).slug, colour="yellow")
    assert colours(game) == {"alice": ("blue",), "carol": ("yellow",), "bob": ("red",), "": ("green",)}
    join_game(bob, game.slug, colour="green")
    assert colours(game) == {"alice": ("blue",), "carol": ("yellow",), "bob": ("green",), "": ("red",)}


def test_what_another_has_chosen_is_refused_and_nothing_has_changed(alice: User, bob: User, carol: User) -> None:
    game = join_game(bob, table(alice, OPEN, OPEN, bot()).slug, colour="red")
    before = rows()
    for colour in ("blue", "red", "green"):
        with pytest.raises(SeatTaken) as refused:
            join_game(carol, game.slug, colour=colour)
        assert (refused.value.code, refused.value.status) == ("seat-taken", 409)
    with pytest.raises(SeatTaken):
        choose_seat(bob, game.slug, colour="blue")
    assert rows() == before


@pytest.mark.parametrize("colour", ["", "purple", "green", "\0", "Blue"])
def test_a_colour_that_no_player_has_is_refused(colour: str, alice: User) -> None:
    game = table(alice, OPEN, OPEN, variant="classic-3")
    with pytest.raises(BadRequest) as refused:
        choose_seat(alice, game.slug, colour=colour)
    assert refused.value.field == "colour"


def test_choosing_what_one_has_changes_nothing(alice: User) -> None:
    game, before = table(alice, OPEN, OPEN), rows()
    choose_seat(alice, game.slug, colour="blue")
    assert rows() == before


@pytest.mark.django_db(transaction=True)
def test_a_choice_grows_the_version_once_and_is_told(alice: User, heard: list[events.GameEvent]) -> None:
    game = table(alice, OPEN, OPEN)
    heard.clear()
    choose_seat(alice, game.slug, colour="green")
    assert fresh(game).version == game.version + 1
    assert [type(event) for event in heard] == [events.SeatsChanged]


def test_only_who_sits_there_may_change_their_seat(alice: User, bob: User, mallory: User) -> None:
    game, private = table(alice, invited("bob"), OPEN), table(alice, OPEN, OPEN, is_public=False)
    before = rows()
    for user, slug, error in ((bob, game.slug, NotSeated), (mallory, private.slug, NotFound)):
        with pytest.raises(error):
            choose_seat(user, slug, colour="red")
    assert rows() == before


@pytest.mark.parametrize("settings", [{"is_shuffled": True}, {"is_shuffled": False}])
def test_where_the_seats_are_set_or_drawn_no_one_changes_them(settings: dict[str, Any], alice: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, **settings)
    with pytest.raises(WrongStatus) as refused:
        choose_seat(alice, game.slug, colour="green")
    assert refused.value.code == "seats-set"


def test_at_drawn_seats_a_player_who_joins_gets_no_choice_and_at_set_ones_a_free_seat(alice: User, bob: User) -> None:
    drawn, agreed = (open_table(alice, ME, OPEN, OPEN, OPEN, is_shuffled=is_shuffled) for is_shuffled in (True, False))
    with pytest.raises(WrongStatus):
        join_game(bob, drawn.slug, colour="red")
    join_game(bob, agreed.slug, colour="red")
    assert colours(agreed)["bob"] == ("red",)
    with pytest.raises(SeatTaken):
        join_game(User.objects.create_user("carol"), agreed.slug, colour="red")


def test_a_game_that_has_begun_keeps_its_seats(alice: User, bob: User) -> None:
    game = join_game(bob, table(alice, OPEN).slug)
    with pytest.raises(WrongStatus) as refused:
        choose_seat(bob, game.slug, colour="blue")
    assert refused.value.code == "started"


def test_where_no_one_is_awaited_the_seats_are_drawn(alice: User) -> None:
    first = set()
    for _ in range(24):
        game = table(alice, bot(), bot(), bot())
        assert (game.lets_choose, game.is_shuffled) == (False, True)
        first.add(game.players.get(user=alice).seat)
    assert len(first) > 1


def test_bots_take_what_is_left_and_the_host_may_still_exchange(alice: User, bob: User) -> None:
    game = join_game(bob, table(alice, OPEN, OPEN).slug, colour="green")
    swap_seats(alice, game.slug, one=0, other=1)
    assert (colours(game)["alice"], colours(game)["bob"]) == (("green",), ("blue",))
    fill_seats(alice, game.slug, bot="greedy")
    game = fresh(game)
    assert (game.status, colours(game)["greedy"]) == (Status.RUNNING, ("red",))
    assert list(faults(game)) == []


def test_the_host_may_stop_the_choosing_and_allow_it_again(alice: User) -> None:
    game = table(alice, OPEN, OPEN)
    assert is_refused(lambda: choose_seat(alice, game.slug, colour="red")) is False
    for lets_choose in (False, True):
        edit_table(alice, game.slug, TableTerms.of(game, lets_choose=lets_choose))
        assert is_refused(lambda: choose_seat(alice, game.slug, colour="blue")) is not lets_choose
    made = TableChange.objects.filter(game=game, change=Change.CHOOSING).values_list("values", flat=True)
    assert list(made) == [{"lets_choose": False}, {"lets_choose": True}]


def is_refused(call: Callable[[], object]) -> bool:
    try:
        call()
    except GameError:
        return True
    return False


@pytest.mark.parametrize("rotates", [False, True])
def test_a_rematch_lets_the_players_choose_again_unless_the_seats_rotate(
    rotates: bool, alice: User, bob: User, carol: User
) -> None:
    game = join_game(bob, table(alice, OPEN, LINK).slug)
    join_game(carol, game.slug, token=game.invite_token)
    for user in (alice, bob):
        resign(user, game.slug)
    again = open_rematch(alice, game.slug, rotates=rotates)
    assert (again.lets_choose, again.is_shuffled) == (not rotates, False)
