"""Playing again."""

import pytest
from pytest_django import DjangoCaptureOnCommitCallbacks

from accounts.models import User
from games import events
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.clock import TimeControl
from games.errors import NotFound, NotSeated, WrongStatus
from games.models import Game, Status
from tests.games.tables import ME, NOON, bot, finished, fresh, play_out, running, setup


def test_a_rematch_has_the_same_settings(alice: User, bob: User, carol: User) -> None:
    old = finished(
        alice,
        bob,
        carol,
        name="Sunday",
        is_public=False,
        declares_passes=True,
        allows_hints=False,
        time=TimeControl.days_a_move(7),
        colours=("red", "green", "blue"),
    )
    new = Game.objects.get(pk=open_rematch(alice, old.slug, now=NOON).pk)
    for field in (
        "name",
        "variant",
        "colours",
        "is_public",
        "declares_passes",
        "allows_hints",
        "time_initial",
        "time_cap",
        "is_shuffled",
    ):
        assert getattr(new, field) == getattr(old, field), field
    assert (new.rematch_of, new.creator, new.version, new.created_at) == (old, alice, 1, NOON)
    assert new.invite_token != old.invite_token


def test_the_others_are_invited_and_bots_sit_again_with_new_seeds(alice: User, bob: User) -> None:
    old = create_game(alice, setup(ME, bot("greedy", seed=5), bot("random", seed=6)), now=NOON)
    resign(alice, old.slug)
    new = open_rematch(alice, play_out(old).slug)
    seats = list(new.players.all())
    assert [(seat.user, seat.bot) for seat in seats] == [(alice, ""), (None, "greedy"), (None, "random")]
    assert {seat.bot_seed for seat in seats[1:]}.isdisjoint({5, 6})
    assert new.status == Status.RUNNING


def test_it_is_one_table_however_often_asked_by_however_many(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob, carol)
    asked = [open_rematch(user, old.slug) for user in (bob, alice, bob, carol, alice, carol)]
    assert len({game.pk for game in asked}) == 1
    assert Game.objects.count() == 2


def test_who_asks_later_accepts_the_invitation(alice: User, bob: User) -> None:
    old = finished(alice, bob)
    assert open_rematch(bob, old.slug).status == Status.OPEN
    new = open_rematch(alice, old.slug)
    assert new.status == Status.RUNNING
    assert {player.user for player in new.players.all()} == {alice, bob}


def test_a_guest_is_invited_again(alice: User) -> None:
    guest = User.objects.create_user("guest", is_guest=True)
    new = open_rematch(alice, finished(alice, guest).slug)
    assert join_game(guest, new.slug).status == Status.RUNNING


def test_the_seat_of_a_closed_account_is_open(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob)
    User.objects.filter(pk=bob.pk).update(is_active=False)
    new = open_rematch(alice, old.slug)
    assert join_game(carol, new.slug).status == Status.RUNNING


def test_after_a_cancelled_rematch_another_may_be_asked_for(alice: User, bob: User) -> None:
    old = finished(alice, bob)
    first = open_rematch(alice, old.slug)
    cancel_game(alice, first.slug)
    assert open_rematch(bob, old.slug) != first


def test_the_finished_game_shows_what_becomes_of_its_rematch(
    alice: User,
    bob: User,
    heard: list[events.GameEvent],
    django_capture_on_commit_callbacks: DjangoCaptureOnCommitCallbacks,
) -> None:
    old = finished(alice, bob)
    with django_capture_on_commit_callbacks(execute=True):
        first = open_rematch(alice, old.slug)
    assert fresh(old).version == old.version + 1
    with django_capture_on_commit_callbacks(execute=True):
        cancel_game(alice, first.slug)
    assert fresh(old).version == old.version + 2
    told = [(type(event), event.version) for event in heard if event.game_id == old.pk]
    assert told[-2:] == [(events.RematchOpened, old.version + 1), (events.RematchCancelled, old.version + 2)]


def test_who_opened_a_game_of_bots_may_have_them_play_again(alice: User) -> None:
    old = play_out(create_game(alice, setup(bot(), bot()), now=NOON))
    assert open_rematch(alice, old.slug).status == Status.RUNNING


def test_a_rematch_of_a_rematch_is_another_table(alice: User, bob: User) -> None:
    old = finished(alice, bob)
    open_rematch(alice, old.slug)
    new = open_rematch(bob, old.slug)
    resign(alice, new.slug)
    assert open_rematch(alice, new.slug) not in (old, new)


def test_a_running_game_has_no_rematch(alice: User, bob: User) -> None:
    with pytest.raises(WrongStatus):
        open_rematch(alice, running(alice, bob).slug)


def test_who_did_not_play_asks_for_no_rematch(alice: User, bob: User, eve: User, mallory: User) -> None:
    with pytest.raises(NotSeated):
        open_rematch(eve, finished(alice, bob).slug)
    with pytest.raises(NotFound):
        open_rematch(mallory, finished(alice, bob, is_public=False).slug)


def test_the_seats_of_a_shuffled_table_are_shuffled_again(alice: User, bob: User) -> None:
    seats = set[int]()
    # By chance it would be the same seat forty times once in 2**39 runs.
    while len(seats) < 2 and Game.objects.count() < 80:
        seats.add(open_rematch(alice, finished(alice, bob, is_shuffled=True).slug).players.get(user=alice).seat)
        Game.objects.update(status=Status.FINISHED, turn_seat=None, turn_colour="", turn_since=None)
    assert seats == {0, 1}


def test_the_same_group_again_moves_everybody_one_seat_on(alice: User, bob: User) -> None:
    old = create_game(alice, setup(ME, bot("greedy"), bot("random"), bot("random")), now=NOON)
    resign(alice, old.slug)
    new = open_rematch(alice, play_out(old).slug, rotates=True)
    seats = [(seat.user, seat.bot) for seat in new.players.all()]
    assert seats == [(None, "random"), (alice, ""), (None, "greedy"), (None, "random")]
    # And once more: a seat further from there.
    resign(alice, new.slug)
    again = open_rematch(alice, play_out(new).slug, rotates=True)
    assert again.players.get(user=alice).seat == 2


def test_seats_that_move_on_are_not_drawn_and_keep_the_chosen_colours(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob, carol, colours=("red", "green", "blue"), is_shuffled=True)
    before = {player.user_id or player.invitee_id: player.seat for player in old.players.all()}
    new = Game.objects.get(pk=open_rematch(alice, old.slug, rotates=True).pk)
    after = {player.user_id or player.invitee_id: player.seat for player in new.players.all()}
    assert after == {user: (seat + 1) % 3 for user, seat in before.items()}
    assert (new.colours, new.is_shuffled) == (old.colours, False)
