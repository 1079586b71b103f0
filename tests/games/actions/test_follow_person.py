"""Following people, who are not notified, and who may invite whom by name."""

import pytest

from accounts import erasure
from accounts.models import User, Welcome
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.people.unfollow_person import unfollow_person
from games.actions.tables.open_rematch import open_rematch
from games.errors import BadRequest, InvitationRefused, NotFound, TooMany
from games.models import FollowedPerson, Game, Notification
from games.queries.people.circle import followed_by, played_lately, scores_with
from games.table.people import relations
from games.values import ScoreOfTwo
from tests.games.tables import ME, fresh, invited, open_table, play_out, running

pytestmark = pytest.mark.django_db


def pairs() -> set[tuple[str, str]]:
    return set(FollowedPerson.objects.values_list("person__username", "other__username"))


def test_who_follows_back_is_a_friend_and_no_one_is_notified(alice: User, bob: User, carol: User) -> None:
    for name in ("bob", "carol", "bob"):
        follow_person(alice, name)
    follow_person(bob, "alice")
    assert followed_by(alice, 0, 9) == [(bob, True), (carol, False)]
    assert followed_by(carol, 0, 9) == []
    assert not Notification.objects.exists()
    unfollow_person(alice, "bob")
    unfollow_person(alice, "bob")
    assert followed_by(bob, 0, 9) == [(alice, False)]


def test_only_another_player_can_be_followed_and_there_is_an_end_to_the_list(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    with pytest.raises(BadRequest):
        follow_person(alice, "alice")
    with pytest.raises(NotFound):
        follow_person(alice, "no one")
    monkeypatch.setattr(relations, "LONGEST_LIST", 1)
    for _ in range(2):
        follow_person(alice, "bob")
    with pytest.raises(TooMany):
        follow_person(alice, "carol")


def test_a_block_ends_it_both_ways_and_following_again_does_not_tell_the_blocked(alice: User, bob: User) -> None:
    follow_person(alice, "bob")
    follow_person(bob, "alice")
    block_person(alice, "bob")
    assert pairs() == set()
    with pytest.raises(InvitationRefused, match="You have blocked bob"):
        follow_person(alice, "bob")
    follow_person(bob, "alice")
    assert pairs() == {("bob", "alice")}


@pytest.mark.parametrize("closing", ["alice", "bob"])
def test_a_closed_account_follows_no_one_and_is_followed_by_no_one(closing: str, alice: User, bob: User) -> None:
    follow_person(alice, "bob")
    follow_person(bob, "alice")
    erasure.close_account(alice if closing == "alice" else bob)
    assert pairs() == set()


def test_those_one_played_with_lately_are_listed_but_not_whom_one_follows_or_has_blocked(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    for other in (bob, carol, dave):
        running(alice, other)
    assert set(played_lately(alice, 9)) == {bob, carol, dave}
    follow_person(alice, "bob")
    block_person(alice, "carol")
    assert played_lately(User.objects.get(pk=alice.pk), 9) == [dave]


def test_the_score_counts_games_of_both_by_board_and_of_more_the_better_place(
    alice: User, bob: User, carol: User
) -> None:
    for loser in (alice, bob, bob):
        resign(loser, running(alice, bob, variant="duo").slug)
    three = fresh(play_out(running(alice, bob, carol), 5))
    places = {seat.user_id: seat.place or 0 for seat in three.players.all()}
    found = scores_with(alice, {bob.pk, carol.pk})
    assert found[bob.pk]["duo"] == ScoreOfTwo(won=2, lost=1)
    for other in (bob, carol):
        mine, theirs = places[alice.pk], places[other.pk]
        wanted = "tied" if mine == theirs else "won" if mine < theirs else "lost"
        assert found[other.pk]["blockyou-3"] == ScoreOfTwo(**{wanted: 1})
    assert scores_with(alice, ()) == {}


@pytest.mark.parametrize(
    ("choice", "stranger", "companion", "followed"),
    [
        (Welcome.EVERYONE, True, True, True),
        (Welcome.PLAYED, False, True, True),
        (Welcome.FOLLOWED, False, False, True),
        (Welcome.NO_ONE, False, False, False),
    ],
)
def test_a_person_says_who_may_invite_them(
    choice: Welcome, stranger: bool, companion: bool, followed: bool, alice: User, bob: User, carol: User, dave: User
) -> None:
    running(alice, carol)
    follow_person(alice, "dave")
    User.objects.filter(pk=alice.pk).update(invited_by=choice)
    for host, may in ((bob, stranger), (carol, companion), (dave, followed)):
        if may:
            open_table(host, ME, invited("alice"))
        else:
            with pytest.raises(InvitationRefused, match="alice cannot be invited at the moment") as told:
                open_table(host, ME, invited("alice"))
            # Nothing tells it from a person with many invitations, or from a block.
            assert told.value.code == "invitations-full"


def test_a_rematch_asks_whoever_has_just_played(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    User.objects.filter(pk=alice.pk).update(invited_by=Welcome.NO_ONE)
    following = open_rematch(bob, game.slug)
    assert {seat.invitee for seat in Game.objects.get(pk=following.pk).players.all()} == {alice, None}
