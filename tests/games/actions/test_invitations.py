"""How many invitations wait for one person: few of one inviter, few of strangers, none of guests."""

import pytest

from accounts.bots.keeping import make_bot
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.errors import InvitationRefused
from games.models import Game, Player
from tests.games.tables import LINK, ME, NOON, bot, finished, invited, open_table, running

pytestmark = pytest.mark.django_db


def invite(inviter: User, name: str = "bob") -> Game:
    return open_table(inviter, ME, invited(name))


def refusal(inviter: User, name: str = "bob") -> tuple[str, str]:
    with pytest.raises(InvitationRefused) as caught:
        invite(inviter, name)
    return caught.value.code, caught.value.field


def strangers(number: int) -> list[User]:
    return [User.objects.create_user(f"stranger{each}") for each in range(number)]


def test_one_person_has_three_invitations_to_another_open_at_most(alice: User, bob: User, carol: User) -> None:
    for _ in range(3):
        invite(alice)
    assert refusal(alice) == ("invited-enough", "seats-1")
    invite(alice, "carol")
    invite(carol)
    assert Player.objects.filter(invitee=bob).count() == 4


def test_an_invitation_that_is_withdrawn_makes_room_for_another(alice: User, bob: User) -> None:
    first, _second, _third = [invite(alice) for _ in range(3)]
    cancel_game(alice, first.slug)
    invite(alice)
    assert refusal(alice)[0] == "invited-enough"


def test_ten_strangers_may_wait_for_an_answer_and_no_more(alice: User, bob: User) -> None:
    running(alice, bob)
    *first, last = strangers(11)
    for each in first:
        invite(each)
    assert refusal(last) == ("invitations-full", "seats-1")
    invite(alice)
    assert refusal(last)[0] == "invitations-full"


def test_invitations_of_people_one_has_played_with_take_no_room_of_strangers(alice: User, bob: User) -> None:
    running(alice, bob)
    for _ in range(3):
        invite(alice)
    for each in strangers(10):
        invite(each)


def test_a_bot_account_invites_as_its_operator(alice: User, bob: User) -> None:
    bots = [make_bot(alice, name) for name in ("Fred", "Gina")]
    for each in (alice, *bots):
        invite(each)
    assert {refusal(each)[0] for each in (alice, *bots)} == {"invited-enough"}


def test_ones_own_bot_may_be_invited_more_often(alice: User) -> None:
    make_bot(alice, "Fred")
    for _ in range(5):
        open_table(alice, ME, invited("Fred"), is_public=False)


def test_a_guest_invites_by_link_alone(bob: User) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    assert refusal(guest) == ("guest-invites", "seats-1")
    open_table(guest, ME, LINK)


def test_a_rematch_with_a_guest_goes_on(bob: User) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    game = running(guest, bob)
    resign(guest, game.slug, now=NOON)
    assert open_rematch(guest, game.slug, now=NOON).players.filter(invitee=bob).exists()


def test_a_guest_who_has_played_with_somebody_invites_them_by_link_too(bob: User) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    over = finished(guest, bob)
    rematch = open_rematch(guest, over.slug, now=NOON)
    cancel_game(guest, rematch.slug)
    with pytest.raises(InvitationRefused, match="Guests invite by link") as caught:
        repeat_table(guest, over.slug, now=NOON)
    assert caught.value.code == "guest-invites"
    assert not Player.objects.filter(invitee=bob, is_going=True).exists()


def test_a_guest_sits_down_at_the_table_that_a_member_has_set_again(bob: User) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    over = finished(guest, bob)
    again = repeat_table(bob, over.slug, now=NOON).game
    assert repeat_table(guest, over.slug, now=NOON).game.pk == again.pk
    assert again.players.filter(user=guest).exists()


def test_a_guest_plays_again_with_bots_as_often_as_they_like(db: None) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    over = open_table(guest, ME, bot("greedy"))
    resign(guest, over.slug, now=NOON)
    assert repeat_table(guest, over.slug, now=NOON).game.pk != over.pk


def test_rematches_of_many_games_are_invitations_like_others(alice: User, bob: User, carol: User) -> None:
    games = [finished(alice, bob) for _ in range(4)]
    for each in games[:3]:
        open_rematch(alice, each.slug, now=NOON)
    with pytest.raises(InvitationRefused, match="bob has 3 invitations from you") as caught:
        open_rematch(alice, games[3].slug, now=NOON)
    assert caught.value.code == "invited-enough"
    assert refusal(alice)[0] == "invited-enough"
    assert open_rematch(bob, games[3].slug, now=NOON).players.filter(invitee=alice).exists()
    assert open_rematch(carol, finished(carol, bob).slug, now=NOON).players.filter(invitee=bob).exists()


def test_a_rematch_that_is_refused_can_be_asked_for_once_another_is_answered(alice: User, bob: User) -> None:
    games = [finished(alice, bob) for _ in range(4)]
    first, *_others = [open_rematch(alice, each.slug, now=NOON) for each in games[:3]]
    with pytest.raises(InvitationRefused):
        open_rematch(alice, games[3].slug, now=NOON)
    decline_invitation(bob, first.slug)
    assert open_rematch(alice, games[3].slug, now=NOON).rematch_of == games[3]
