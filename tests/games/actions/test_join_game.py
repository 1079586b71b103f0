"""Taking a seat."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.actions.tables.join_game import join_game
from games.clock import DAY, TimeControl
from games.errors import NotFound, NotSeated, SeatTaken, TooMany, WrongStatus
from games.models import Game, Player, Status
from tests.games.tables import LINK, ME, NOON, OPEN, bot, fresh, invited, open_table, rows, running


def who(game: Game) -> list[str]:
    return [player.user.username if player.user else player.bot for player in game.players.all()]


def test_the_last_seat_starts_the_game(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, time=TimeControl.days_a_move(2))
    later = NOON + timedelta(hours=5)
    game = join_game(bob, table.slug, now=later)
    assert (game.status, game.started_at, game.version) == (Status.RUNNING, later, 2)
    assert game.deadline == later + timedelta(days=2)
    assert [player.clock for player in game.players.all()] == [2 * DAY, 2 * DAY]


def test_a_seat_that_is_not_the_last_leaves_the_table_open(alice: User, bob: User) -> None:
    game = join_game(bob, open_table(alice, ME, OPEN, OPEN, OPEN).slug)
    assert (game.status, game.version) == (Status.OPEN, 2)
    assert who(game) == ["alice", "bob", "", ""]


def test_joining_twice_is_joining_once(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    join_game(bob, table.slug)
    before = rows()
    assert join_game(bob, table.slug) == table
    assert join_game(bob, table.slug, seat=2) == table
    assert rows() == before


def test_a_seat_may_be_chosen(alice: User, bob: User) -> None:
    game = join_game(bob, open_table(alice, ME, OPEN, OPEN, OPEN).slug, seat=3)
    assert who(game) == ["alice", "", "", "bob"]


@pytest.mark.parametrize("seat", [0, 1, 7, -1])
def test_a_seat_that_is_taken_or_none_is_refused(alice: User, bob: User, carol: User, seat: int) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug, seat=1)
    before = rows()
    with pytest.raises(SeatTaken):
        join_game(carol, table.slug, seat=seat)
    assert rows() == before


def test_only_the_invited_player_may_take_the_kept_seat(alice: User, bob: User, mallory: User) -> None:
    table = open_table(alice, ME, invited("bob"))
    with pytest.raises(SeatTaken):
        join_game(mallory, table.slug, token=table.invite_token)
    with pytest.raises(SeatTaken):
        join_game(mallory, table.slug, seat=1, token=table.invite_token)
    assert join_game(bob, table.slug).status == Status.RUNNING


def test_the_invited_player_takes_the_kept_seat_and_no_other(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, invited("bob"))
    with pytest.raises(SeatTaken):
        join_game(bob, table.slug, seat=1)
    assert who(join_game(bob, table.slug)) == ["alice", "", "bob"]


def test_a_link_seat_needs_the_token(alice: User, bob: User) -> None:
    table = open_table(alice, ME, LINK)
    for token in ("", "wrong", "ﬁ", "\ud800"):
        with pytest.raises(SeatTaken):
            join_game(bob, table.slug, token=token)
    assert who(join_game(bob, table.slug, token=table.invite_token)) == ["alice", "bob"]


def test_the_link_leads_to_its_seat_first(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, LINK)
    assert who(join_game(bob, table.slug, token=table.invite_token)) == ["alice", "", "bob"]


def test_a_private_table_does_not_exist_without_the_link(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=False)
    for slug, token in ((table.slug, ""), (table.slug, "wrong"), ("nosuchgame", "wrong"), ("A" * 500, ""), ("\0", "")):
        with pytest.raises(NotFound):
            join_game(bob, slug, token=token)
    assert join_game(bob, table.slug, token=table.invite_token).status == Status.RUNNING


def test_an_invited_player_finds_a_private_table_without_the_link(alice: User, bob: User) -> None:
    table = open_table(alice, ME, invited("bob"), is_public=False)
    assert join_game(bob, table.slug).status == Status.RUNNING


def test_a_guest_may_join(alice: User) -> None:
    guest = User.objects.create_user("guest", is_guest=True)
    assert join_game(guest, open_table(alice, ME, OPEN).slug).status == Status.RUNNING


def test_a_full_table_is_refused(alice: User, bob: User, carol: User) -> None:
    game = running(alice, bob)
    with pytest.raises(WrongStatus):
        join_game(carol, game.slug)


def test_a_cancelled_table_is_refused(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN)
    Game.objects.update(status=Status.CANCELLED)
    with pytest.raises(WrongStatus):
        join_game(bob, table.slug)


def test_the_creator_may_sit_down_later(alice: User) -> None:
    assert who(join_game(alice, open_table(alice, OPEN, bot()).slug)) == ["alice", "random"]


def test_forty_games_are_enough_for_whoever_joins(alice: User, bob: User) -> None:
    tables = [open_table(User.objects.create_user(f"host{number}"), ME, OPEN) for number in range(39)]
    for table in tables:
        join_game(bob, table.slug)
    open_table(bob, ME, OPEN)
    Game.objects.filter(pk=tables[0].pk).update(creator=bob)
    with pytest.raises(TooMany):
        join_game(bob, open_table(User.objects.create_user("zoe"), ME, OPEN).slug)


def test_a_closed_account_joins_nothing(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    with pytest.raises(NotSeated):
        join_game(bob, table.slug)


def test_bots_have_no_clock(alice: User) -> None:
    game = open_table(alice, bot(), ME, time=TimeControl.days_a_move(1))
    assert (game.turn_seat, game.deadline) == (0, None)
    assert list(Player.objects.values_list("clock", flat=True)) == [None, DAY]


def test_the_answer_is_what_is_stored(alice: User, bob: User) -> None:
    game = join_game(bob, open_table(alice, ME, OPEN).slug)
    stored = fresh(game)
    assert (game.version, game.status, game.turn_colour) == (stored.version, stored.status, stored.turn_colour)
