"""Same group again, from any earlier game."""

import pytest

from accounts.erasure import close_account
from accounts.models import InvitedBy, User
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.tables.create_game import create_game
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.errors import InvitationRefused, NotFound, NotSeated, TooMany, WrongStatus
from games.models import Access, Game, Notification, Occasion, Player, Status
from games.queries.people.circle import latest_together
from games.table.seats import MAX_GAMES
from tests.games.tables import ME, OPEN, bot, finished, fresh, open_table, running, setup

pytestmark = pytest.mark.django_db


def at(game: Game) -> set[str]:
    """Return who sits at the table or is invited to it."""
    rows = Player.objects.filter(game=game).values_list("user__username", "invitee__username")
    return {name for row in rows for name in row if name}


def test_an_old_game_is_set_again_with_its_people_and_terms(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob, carol, name="Sunday", is_public=False, allows_hints=False)
    finished(alice, bob)
    new = repeat_table(bob, old.slug).game
    assert at(new) == {"alice", "bob", "carol"}
    assert (new.creator, new.name, new.is_public, new.allows_hints) == (bob, "Sunday", False, False)
    assert (new.variant, new.rematch_of) == (old.variant, old)
    told = Notification.objects.filter(game=new, occasion=Occasion.REMATCH)
    assert {notice.user.username for notice in told} == {"alice", "carol"}


def test_a_game_whose_rematch_is_over_can_be_set_again(alice: User, bob: User) -> None:
    old = finished(alice, bob)
    rematch = open_rematch(alice, old.slug)
    join_game(bob, rematch.slug)
    resign(bob, rematch.slug)
    new = repeat_table(alice, old.slug).game
    assert new.pk not in (old.pk, rematch.pk)
    assert (new.rematch_of, at(new)) == (None, {"alice", "bob"})
    assert Notification.objects.filter(game=new, user=bob, occasion=Occasion.INVITED).exists()


def test_two_taps_and_the_tap_of_another_lead_to_one_table(alice: User, bob: User, carol: User) -> None:
    old, later = finished(alice, bob, carol), finished(carol, alice, bob)
    new = repeat_table(alice, old.slug).game
    assert repeat_table(alice, old.slug).game == new
    assert repeat_table(bob, later.slug).game == new
    assert set(Player.objects.filter(game=new, user__isnull=False).values_list("user__username", flat=True)) == {
        "alice",
        "bob",
    }
    assert fresh(repeat_table(carol, old.slug).game).status == Status.RUNNING
    assert repeat_table(carol, old.slug).game == new


def test_two_taps_on_a_game_with_bots_are_one_game(alice: User) -> None:
    old = create_game(alice, setup(ME, bot()))
    resign(alice, old.slug)
    open_rematch(alice, old.slug)
    assert repeat_table(alice, old.slug).game == repeat_table(alice, old.slug).game


def test_whoever_cannot_be_invited_leaves_a_seat_by_link_and_a_sentence(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    old = finished(alice, bob, carol, dave)
    block_person(bob, "alice")
    User.objects.filter(pk=carol.pk).update(invited_by=InvitedBy.NO_ONE)
    repeated = repeat_table(alice, old.slug)
    assert at(repeated.game) == {"alice", "dave"}
    assert sorted(str(each.sentence) for each in repeated.refused) == [
        f"{name} cannot be invited at the moment. Send a link, or invite again later." for name in ("bob", "carol")
    ]
    free = Player.objects.filter(game=repeated.game, user=None, invitee=None)
    assert {player.access for player in free} == {Access.LINK}
    assert repeat_table(alice, old.slug).game == repeated.game


def test_a_table_for_no_one_is_not_opened(alice: User, bob: User, carol: User) -> None:
    of_two, of_three = finished(alice, bob), finished(alice, bob, carol)
    block_person(alice, "bob")
    with pytest.raises(InvitationRefused, match="You have blocked bob"):
        repeat_table(alice, of_two.slug)
    close_account(carol)
    with pytest.raises(InvitationRefused, match="You have blocked bob"):
        repeat_table(alice, of_three.slug)
    close_account(bob)
    with pytest.raises(InvitationRefused, match="closed their accounts"):
        repeat_table(alice, of_three.slug)
    assert not Game.objects.filter(status=Status.OPEN).exists()


def test_a_closed_account_leaves_a_seat_by_link(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob, carol)
    close_account(carol)
    repeated = repeat_table(alice, old.slug)
    assert (at(repeated.game), repeated.gone, repeated.refused) == ({"alice", "bob"}, 1, ())


def test_only_players_of_a_finished_game_set_it_again(alice: User, bob: User, carol: User) -> None:
    going = running(alice, bob)
    with pytest.raises(WrongStatus):
        repeat_table(alice, going.slug)
    resign(bob, going.slug)
    with pytest.raises(NotSeated):
        repeat_table(carol, going.slug)
    hidden = finished(alice, bob, is_public=False)
    with pytest.raises(NotFound):
        repeat_table(carol, hidden.slug)


def test_a_waiting_table_of_another_board_or_with_others_is_another_one(alice: User, bob: User, carol: User) -> None:
    old = finished(alice, bob, variant="duo")
    join_game(bob, open_table(alice, ME, OPEN, OPEN).slug)
    finished(alice, bob, carol)
    new = repeat_table(alice, old.slug).game
    assert (new.variant, at(new)) == ("duo", {"alice", "bob"})


def test_no_more_than_as_many_games_as_one_may_have(alice: User, bob: User) -> None:
    old = finished(alice, bob)
    for _ in range(MAX_GAMES):
        open_table(alice, ME, bot())
    with pytest.raises(TooMany):
        repeat_table(alice, old.slug)


def test_the_last_game_of_two_is_found(alice: User, bob: User, carol: User) -> None:
    assert latest_together(alice, bob) == ""
    finished(alice, bob)
    last = finished(carol, alice, bob)
    finished(alice, carol)
    running(alice, bob)
    assert latest_together(alice, bob) == latest_together(bob, alice) == last.slug
