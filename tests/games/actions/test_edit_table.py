"""What the person who opened a table changes before the start: terms, seats, and bots for those that stay empty."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.edit_table import edit_table
from games.actions.tables.fill_seats import fill_seats, fill_when_due
from games.actions.tables.join_game import join_game
from games.actions.tables.remove_player import remove_player
from games.actions.tables.swap_seats import swap_seats
from games.audit.checks import faults
from games.background.upkeep import fill_tables
from games.base.terms import TableTerms
from games.clock import PACES, TimeControl
from games.errors import BadRequest, NotFound, NotSeated, SeatTaken, TooMany, WrongStatus
from games.models import Access, Change, Game, Notification, Occasion, Player, Status, TableChange
from games.queries.tables.table import table_state
from tests.games.tables import ME, NOON, OPEN, bot, fresh, invited, open_table, rows, running

LATER = NOON + timedelta(hours=6)


def terms(game: Game, **changes: object) -> TableTerms:
    """Return what is agreed at a table, but for what is given."""
    return TableTerms.of(game, **changes)


def made(game: Game) -> list[tuple[str, object]]:
    return list(TableChange.objects.filter(game=game).values_list("change", "values"))


def test_every_term_can_be_changed_and_each_change_is_kept(alice: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    changed = terms(table, name="Sunday", is_public=False, time=PACES["slow"], stand_in="")
    game = fresh(edit_table(alice, table.slug, changed, now=NOON))
    assert (game.name, game.is_public, game.time_control, game.stand_in) == ("Sunday", False, PACES["slow"], "")
    assert (game.version, game.is_listed) == (table.version + 1, False)
    assert {change for change, _values in made(game)} == {Change.NAME, Change.TIME, Change.STAND_IN, Change.PRIVACY}


def test_weekends_alone_are_a_change_of_time(alice: User) -> None:
    table = open_table(alice, ME, OPEN, time=PACES["slow"])
    resting = replace(PACES["slow"], rests_weekends=True)
    game = fresh(edit_table(alice, table.slug, terms(table, time=resting)))
    assert game.time_control == resting
    assert [change.time for change in table_state(game, alice).changes] == [resting]
    game = fresh(edit_table(alice, table.slug, terms(game, time=PACES["slow"])))
    assert not game.rests_weekends


def test_what_is_as_it_was_changes_nothing(alice: User) -> None:
    table = open_table(alice, ME, OPEN, name="Sunday")
    before = rows()
    edit_table(alice, table.slug, terms(table, name=" Sunday "))
    assert rows() == before


def test_players_of_the_table_see_what_changed_and_spectators_do_not(alice: User, bob: User, mallory: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    edit_table(alice, table.slug, terms(table, time=TimeControl.days_a_move(1)))
    game = fresh(table)
    assert [change.change for change in table_state(game, bob).changes] == [Change.TIME]
    assert table_state(game, mallory).changes == ()


@pytest.mark.parametrize(
    "nonsense",
    [
        {"name": "x" * 41},
        {"time": TimeControl(1, 1, 1)},
        {"stand_in": "no-bot"},
        {"fill_after": 5},
        {"fill_after": 6, "fill_bot": "no-bot"},
    ],
)
def test_terms_that_make_no_sense_are_refused(alice: User, nonsense: dict[str, object]) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    before = rows()
    with pytest.raises(BadRequest):
        edit_table(alice, table.slug, terms(table, **nonsense))
    assert rows() == before


def test_a_table_that_becomes_public_counts_in_the_lobby(alice: User) -> None:
    for _table in range(3):
        open_table(alice, ME, OPEN)
    table = open_table(alice, ME, OPEN, is_public=False)
    with pytest.raises(TooMany):
        edit_table(alice, table.slug, terms(table, is_public=True))


def test_only_the_host_changes_anything_and_only_before_the_start(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    started = running(alice, bob)
    actions: tuple[Callable[[User, Game], Game], ...] = (
        lambda user, game: edit_table(user, game.slug, terms(game, name="Mine")),
        lambda user, game: swap_seats(user, game.slug, one=0, other=1),
        lambda user, game: remove_player(user, game.slug, seat=1),
        lambda user, game: fill_seats(user, game.slug, bot="greedy"),
    )
    before = rows()
    for act in actions:
        with pytest.raises(NotSeated):
            act(bob, table)
        with pytest.raises(WrongStatus):
            act(alice, started)
    assert rows() == before


def test_a_private_table_does_not_exist_for_those_who_would_change_it(alice: User, mallory: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=False)
    with pytest.raises(NotFound):
        edit_table(mallory, table.slug, terms(table, name="Mine"))


def test_a_player_who_is_removed_is_given_the_reason_and_stays_out(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    remove_player(alice, table.slug, seat=1, reason="kept")
    assert not Player.objects.filter(user=bob, game=table).exists()
    notice = Notification.objects.get(occasion=Occasion.REMOVED)
    assert (notice.user, notice.other, notice.detail) == (bob, alice, "kept")
    with pytest.raises(SeatTaken) as refused:
        join_game(bob, table.slug)
    assert refused.value.code == "removed"
    state = table_state(fresh(table), bob)
    assert (state.removal, state.rights.can_join) == ("kept", False)


def test_an_invitation_is_withdrawn_and_its_seat_is_for_anyone(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, invited("bob"), OPEN)
    remove_player(alice, table.slug, seat=1, reason="silent")
    with pytest.raises(NotSeated):
        decline_invitation(bob, table.slug)
    assert join_game(carol, table.slug, seat=1).players.get(seat=1).access == Access.OPEN


def test_a_bot_can_be_removed_and_an_empty_seat_stays_empty(alice: User) -> None:
    table = open_table(alice, ME, OPEN, bot())
    remove_player(alice, table.slug, seat=2)
    assert Player.objects.get(game=table, seat=2).bot == ""
    before = rows()
    remove_player(alice, table.slug, seat=2)
    assert rows() == before


def test_the_host_removes_neither_themselves_nor_for_a_made_up_reason(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    before = rows()
    with pytest.raises(NotSeated):
        remove_player(alice, table.slug, seat=0)
    for nonsense in ({"seat": 1, "reason": "ugly"}, {"seat": 7}, {"seat": None}):
        with pytest.raises(BadRequest):
            remove_player(alice, table.slug, **nonsense)
    assert rows() == before


def test_seats_are_exchanged_with_all_that_belongs_to_them(alice: User, bob: User) -> None:
    table = open_table(alice, ME, invited("bob"), bot(seed=7), OPEN, is_shuffled=True)
    before = {player.seat: (player.user, player.invitee, player.bot_seed) for player in table.players.all()}
    swap_seats(alice, table.slug, one=0, other=2)
    game = fresh(table)
    after = {player.seat: (player.user, player.invitee, player.bot_seed) for player in game.players.all()}
    assert after == {0: before[2], 1: before[1], 2: before[0], 3: before[3]}
    assert (game.is_shuffled, made(game)) == (False, [(Change.SWAPPED, {"seats": [0, 2]})])


def test_bots_take_every_empty_seat_and_the_game_starts(alice: User, bob: User, carol: User) -> None:
    table = join_game(carol, open_table(alice, ME, OPEN, invited("bob"), OPEN).slug)
    game = fresh(fill_seats(alice, table.slug, bot="greedy"))
    assert game.status == Status.RUNNING
    assert [player.bot for player in game.players.all()] == ["", "", "greedy", "greedy"]
    assert not Player.objects.filter(invitee=bob).exists()
    assert list(faults(game)) == []


def test_bots_sit_down_at_the_hour_that_was_chosen_and_once(alice: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    edit_table(alice, table.slug, terms(table, fill_after=6, fill_bot="greedy"), now=NOON)
    assert fill_tables(LATER - timedelta(seconds=1)) == 0
    assert (fill_tables(LATER), fill_tables(LATER)) == (1, 0)
    game = fresh(table)
    assert (game.status, game.fill_at, game.fill_bot) == (Status.RUNNING, None, "")
    assert not fill_when_due(table.slug, now=LATER)


def test_the_hour_is_forgotten_where_people_are_quicker_or_the_host_changes_their_mind(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN)
    edit_table(alice, table.slug, terms(table, fill_after=6, fill_bot="greedy"), now=NOON)
    edit_table(alice, table.slug, terms(table, fill_after=0), now=NOON)
    assert fresh(table).fill_at is None
    edit_table(alice, table.slug, terms(table, fill_after=6, fill_bot="greedy"), now=NOON)
    join_game(bob, table.slug)
    assert fill_tables(LATER) == 0
