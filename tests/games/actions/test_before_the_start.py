"""Leaving, declining and cancelling, before a game starts."""

import pytest
from django.contrib.auth.models import AnonymousUser

from accounts.models import User
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.errors import NotFound, NotSeated, WrongStatus
from games.models import Access, Status
from tests.games.tables import ME, OPEN, invited, open_table, rows, running


def test_leaving_empties_the_seat_for_others(alice: User, bob: User, carol: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    game = leave_game(bob, table.slug)
    assert [player.user for player in game.players.all()] == [alice, None, None]
    assert (game.status, game.version) == (Status.OPEN, 3)
    assert join_game(carol, table.slug).players.filter(user=carol).exists()


def test_leaving_twice_is_leaving_once(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    leave_game(bob, table.slug)
    before = rows()
    leave_game(bob, table.slug)
    assert rows() == before


def test_an_invited_player_who_leaves_gives_the_seat_to_anyone(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, invited("bob"), OPEN)
    join_game(bob, table.slug)
    seat = leave_game(bob, table.slug).players.get(seat=1)
    assert (seat.user, seat.invitee, seat.access) == (None, None, Access.OPEN)
    join_game(carol, table.slug, seat=1)


def test_the_creator_cancels_instead_of_leaving(alice: User) -> None:
    table = open_table(alice, ME, OPEN)
    with pytest.raises(NotSeated) as refused:
        leave_game(alice, table.slug)
    assert refused.value.code == "creator-cancels"


def test_a_running_game_cannot_be_left(alice: User, bob: User) -> None:
    game = running(alice, bob)
    with pytest.raises(WrongStatus):
        leave_game(bob, game.slug)


def test_a_declined_seat_is_open_to_others(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, invited("bob"))
    game = decline_invitation(bob, table.slug)
    assert (game.status, game.version) == (Status.OPEN, 2)
    assert join_game(carol, table.slug).status == Status.RUNNING


def test_a_declined_seat_of_a_private_table_needs_the_link(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, invited("bob"), is_public=False)
    decline_invitation(bob, table.slug)
    with pytest.raises(NotFound):
        join_game(carol, table.slug)
    with pytest.raises(NotFound):
        join_game(bob, table.slug)
    assert join_game(carol, table.slug, token=table.invite_token).status == Status.RUNNING


def test_nobody_declines_for_somebody_else(alice: User, bob: User, mallory: User) -> None:
    table = open_table(alice, ME, invited("bob"))
    for user in (mallory, alice, AnonymousUser()):
        with pytest.raises(NotSeated):
            decline_invitation(user, table.slug)


def test_an_accepted_invitation_can_be_left_but_not_declined(alice: User, bob: User) -> None:
    table = open_table(alice, ME, invited("bob"), OPEN)
    join_game(bob, table.slug)
    with pytest.raises(NotSeated):
        decline_invitation(bob, table.slug)


def test_the_creator_gives_up_the_table(alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    game = cancel_game(alice, table.slug)
    assert (game.status, game.version) == (Status.CANCELLED, 3)


def test_cancelling_twice_is_cancelling_once(alice: User) -> None:
    table = open_table(alice, ME, OPEN)
    cancel_game(alice, table.slug)
    before = rows()
    cancel_game(alice, table.slug)
    assert rows() == before


def test_nobody_else_gives_up_the_table(alice: User, bob: User, mallory: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    for user in (bob, mallory, AnonymousUser()):
        with pytest.raises(NotSeated):
            cancel_game(user, table.slug)


def test_a_running_game_cannot_be_cancelled(alice: User, bob: User) -> None:
    game = running(alice, bob)
    with pytest.raises(WrongStatus):
        cancel_game(alice, game.slug)


@pytest.mark.parametrize("action", [leave_game, decline_invitation, cancel_game])
def test_a_private_table_does_not_exist_for_strangers(alice: User, mallory: User, action) -> None:  # type: ignore[no-untyped-def]
    table = open_table(alice, ME, OPEN, is_public=False)
    with pytest.raises(NotFound) as hidden:
        action(mallory, table.slug)
    with pytest.raises(NotFound) as missing:
        action(mallory, "nosuchgame")
    assert hidden.value == missing.value
