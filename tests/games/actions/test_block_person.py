"""Two people of whom one has blocked the other: neither joins, invites or finds the other, and no one is told."""

from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import erasure
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.people.mute_person import mute_person
from games.actions.people.unblock_person import unblock_person
from games.actions.people.unmute_person import unmute_person
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.talk.read_messages import read_messages
from games.actions.talk.send_message import send_message
from games.base.apart import apart_from
from games.errors import BadRequest, InvitationRefused, NotFound, SeatTaken, TooMany
from games.models import Access, BlockedPerson, Game, MutedPerson, Notification, Occasion, Player, Status
from games.notifications.announce import announce_game
from games.queries.people.known import latest_companions
from games.queries.tables.open_tables import open_tables
from games.queries.tables.pairing import tables_to_join
from games.queries.tables.table import table_state
from games.queries.talk.messages import messages_of
from games.table.people import relations
from tests.games.tables import LINK, ME, NOON, OPEN, fresh, invited, open_table, place, running

pytestmark = pytest.mark.django_db


def people_at(game: Game) -> set[str]:
    """Return who sits at a table or is invited to it."""
    rows = Player.objects.filter(game=game).values_list("user__username", "invitee__username")
    return {name for row in rows for name in row if name}


NO_ONE = frozenset[int]()


def fresh_person(user: User) -> User:
    return User.objects.get(pk=user.pk)


@pytest.fixture(params=["alice has blocked bob", "bob has blocked alice"])
def block(request: pytest.FixtureRequest, alice: User, bob: User) -> Callable[[], User]:
    """Return what keeps the two apart, in one way or the other."""
    one, other = (alice, bob) if request.param.startswith("alice") else (bob, alice)
    return partial(block_person, one, other.username)


@pytest.fixture
def apart(block: Callable[[], User]) -> None:
    block()


def refusal(call: Callable[[], object]) -> tuple[type[Exception], str, str, int]:
    """Return what an action refuses with, and how many queries that took."""
    with CaptureQueriesContext(connection) as asked, pytest.raises(SeatTaken) as caught:
        call()
    return type(caught.value), str(caught.value), getattr(caught.value, "code", ""), len(asked)


@pytest.mark.usefixtures("apart")
def test_neither_joins_a_table_of_the_other_by_the_lobby_or_by_the_link(alice: User, bob: User) -> None:
    for host, guest in ((alice, bob), (bob, alice)):
        for game in (open_table(host, ME, OPEN, is_public=True), open_table(host, ME, LINK)):
            with pytest.raises(SeatTaken, match="There is no free seat for you at this table"):
                join_game(guest, game.slug, token=game.invite_token)
            assert people_at(game) == {host.username}
            assert not table_state(fresh(game), fresh_person(guest), game.invite_token).rights.can_join


@pytest.mark.usefixtures("apart")
def test_the_refusal_is_that_of_a_table_whose_seats_are_kept_and_takes_as_many_queries(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    blocked, kept = open_table(alice, ME, OPEN, is_public=True), open_table(carol, ME, invited("dave"), is_public=True)
    found = [refusal(partial(join_game, bob, game.slug)) for game in (blocked, kept)]
    assert found[0] == found[1]


@pytest.mark.usefixtures("apart")
def test_neither_joins_where_the_other_sits_or_waits_as_host(alice: User, bob: User, carol: User) -> None:
    game = open_table(carol, ME, OPEN, OPEN, is_public=True)
    join_game(alice, game.slug)
    with pytest.raises(SeatTaken):
        join_game(bob, game.slug)
    hosted = open_table(bob, OPEN, OPEN, is_public=True)
    with pytest.raises(SeatTaken):
        join_game(alice, hosted.slug)


@pytest.mark.usefixtures("apart")
def test_neither_accepts_what_a_third_person_invites_both_to_once_the_other_sits_there(
    alice: User, bob: User, carol: User
) -> None:
    game = open_table(carol, ME, invited("alice"), invited("bob"))
    join_game(alice, game.slug)
    with pytest.raises(SeatTaken):
        join_game(bob, game.slug)
    decline_invitation(bob, game.slug)
    assert not Notification.objects.filter(user=alice, other=bob).exists()
    assert Notification.objects.filter(user=carol, other=bob, occasion=Occasion.DECLINED).exists()


def test_who_is_blocked_hears_what_is_said_of_one_with_many_invitations_and_who_has_blocked_the_reason(
    alice: User, bob: User
) -> None:
    block_person(alice, "bob")
    with pytest.raises(InvitationRefused, match="alice cannot be invited at the moment") as told:
        open_table(bob, ME, invited("alice"))
    assert told.value.code == "invitations-full"
    with pytest.raises(InvitationRefused, match="You have blocked bob"):
        open_table(alice, ME, invited("bob"))
    assert not Game.objects.exists()


def test_a_rematch_is_for_the_others_and_neither_sits_down_at_that_of_the_other(
    alice: User, bob: User, carol: User, block: Callable[[], User]
) -> None:
    game = running(alice, bob, carol)
    for user in (bob, carol):
        resign(user, game.slug)
    block()
    following = open_rematch(alice, game.slug)
    assert people_at(following) == {"alice", "carol"}
    assert {seat.access for seat in following.players.all() if seat.seat == 1} == {Access.OPEN}
    # As for one who has declined: a public table is shown, a private one does not exist.
    assert open_rematch(bob, game.slug) == following
    Game.objects.update(is_public=False)
    with pytest.raises(NotFound):
        open_rematch(bob, game.slug)
    assert people_at(following) == {"alice", "carol"}
    assert not Notification.objects.filter(user=bob, occasion=Occasion.REMATCH).exists()


def test_of_two_invited_to_a_rematch_the_second_does_not_sit_down_with_the_first(
    alice: User, bob: User, carol: User
) -> None:
    game = running(carol, alice, bob)
    for user in (alice, bob):
        resign(user, game.slug)
    following = open_rematch(carol, game.slug)
    block_person(alice, "bob")
    open_rematch(alice, game.slug)
    assert open_rematch(bob, game.slug) == following
    assert [seat.user_id for seat in fresh(following).players.all()].count(bob.pk) == 0


def test_lists_and_quick_pairing_offer_neither_a_table_of_the_other(
    alice: User, bob: User, carol: User, block: Callable[[], User]
) -> None:
    running(alice, bob)
    assert latest_companions(alice, 20) == [("bob", False)]
    block()
    for host, guest in ((alice, bob), (bob, alice)):
        game = open_table(host, ME, OPEN, is_public=True)
        assert game.slug not in tables_to_join(fresh_person(guest), {"blockyou-2"}, NOON)
        assert game.slug not in [table.slug for table in open_tables(fresh_person(guest))]
        assert game.slug in [table.slug for table in open_tables(carol)]
        assert host.username not in [name for name, _is_bot in latest_companions(fresh_person(guest), 20)]


def test_at_tables_that_wait_both_ways_part_and_the_other_is_not_notified(alice: User, bob: User, carol: User) -> None:
    hers = open_table(alice, ME, OPEN, OPEN, is_public=True)
    his = open_table(bob, ME, OPEN, OPEN, is_public=True)
    join_game(bob, hers.slug)
    join_game(alice, his.slug)
    invitation, answer = open_table(alice, ME, invited("bob")), open_table(bob, ME, invited("alice"))
    third = open_table(carol, ME, OPEN, OPEN, OPEN, is_public=True)
    for user in (alice, bob):
        join_game(user, third.slug)
    for game in (hers, his, invitation, answer):
        announce_game(game.pk, now=NOON)
    assert fresh_person(bob).unread_notices
    block_person(alice, "bob")
    assert [people_at(game) for game in (hers, invitation)] == [{"alice"}, {"alice"}]
    assert [people_at(game) for game in (his, answer, third)] == [{"bob"}, {"bob"}, {"carol", "bob"}]
    assert not Notification.objects.filter(user__in=(alice, bob), other__in=(alice, bob)).exists()
    assert [fresh_person(user).unread_notices for user in (alice, bob)] == [0, 0]
    assert Notification.objects.filter(user=carol, other=alice, occasion=Occasion.LEFT).exists()
    assert table_state(fresh(hers), bob).removal == "other"


def test_a_running_game_goes_on(alice: User, bob: User) -> None:
    game = running(alice, bob)
    block_person(alice, "bob")
    place(game, "1:a1", alice)
    assert fresh(game).status == Status.RUNNING
    assert people_at(game) == {"alice", "bob"}


def test_it_holds_for_the_bots_that_both_answer_for(alice: User, bob: User) -> None:
    hers, his = (User.objects.create_user(f"Fred{user.pk}", operator=user) for user in (alice, bob))
    block_person(alice, "bob")
    for one, others in ((alice, {bob.pk, his.pk}), (hers, {bob.pk, his.pk}), (his, {alice.pk, hers.pk})):
        assert apart_from(fresh_person(one)) == others
    game = open_table(alice, ME, OPEN, is_public=True)
    with pytest.raises(SeatTaken):
        join_game(his, game.slug)
    unblock_person(alice, "bob")
    block_person(alice, his.username)
    assert [apart_from(fresh_person(user)) for user in (alice, bob)] == [{his.pk}, NO_ONE]


def test_it_ends_when_the_last_of_the_two_unblocks(alice: User, bob: User) -> None:
    game = open_table(alice, ME, OPEN, OPEN, is_public=True)
    block_person(alice, "bob")
    block_person(alice, "bob")
    block_person(bob, "alice")
    unblock_person(alice, "bob")
    with pytest.raises(SeatTaken):
        join_game(bob, game.slug)
    unblock_person(bob, "alice")
    unblock_person(bob, "alice")
    assert people_at(join_game(bob, game.slug)) == {"alice", "bob"}


@pytest.mark.parametrize("action", [block_person, mute_person])
def test_only_another_player_can_be_blocked_or_muted(alice: User, action: Callable[..., User]) -> None:
    fred = User.objects.create_user("Fred", operator=alice)
    for user, name in ((alice, "alice"), (alice, "Fred"), (fred, "alice")):
        with pytest.raises(BadRequest):
            action(user, name)
    with pytest.raises(NotFound):
        action(alice, "no one")


@pytest.mark.parametrize("action", [block_person, mute_person])
def test_there_is_an_end_to_the_list(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch, action: Callable[..., User]
) -> None:
    monkeypatch.setattr(relations, "LONGEST_LIST", 1)
    for _ in range(2):
        action(alice, "bob")
    with pytest.raises(TooMany):
        action(alice, "carol")


def heard(reader: User, game: Game) -> list[str]:
    """Return what a person reads of what was said at a table, and how many lines they have not read."""
    lines, _has_older = messages_of(game, fresh_person(reader))
    unread = Player.objects.get(game=game, user=reader).unread_messages or 0
    return [*(line.phrase for line in lines), str(unread)]


def test_words_are_hidden_both_ways_by_a_block_and_one_way_by_a_mute_and_are_not_counted_as_unread(
    alice: User, bob: User, carol: User
) -> None:
    game = running(alice, bob, carol)
    send_message(bob, game.slug, phrase="hello")
    assert heard(alice, game) == ["hello", "1"]
    block_person(alice, "bob")
    mute_person(alice, "carol")
    read_messages(fresh_person(alice), game.slug, last=0)
    assert heard(alice, game) == ["0"]
    for user in (alice, bob, carol):
        send_message(fresh_person(user), game.slug, phrase="thanks")
    assert heard(alice, game) == ["thanks", "0"]
    assert heard(bob, game) == ["hello", "thanks", "thanks", "1"]
    assert heard(carol, game) == ["hello", "thanks", "thanks", "thanks", "0"]
    unmute_person(alice, "carol")
    unblock_person(alice, "bob")
    assert heard(alice, game)[:-1] == ["hello", "thanks", "thanks", "thanks"]


@pytest.mark.parametrize("closing", ["alice", "bob"])
def test_a_closed_account_leaves_no_trace_on_any_list(closing: str, alice: User, bob: User) -> None:
    block_person(alice, "bob")
    mute_person(alice, "bob")
    erasure.close_account(alice if closing == "alice" else bob)
    assert not BlockedPerson.objects.exists()
    assert not MutedPerson.objects.exists()
    assert not User.objects.get(pk=(alice if closing == "alice" else bob).pk).is_kept_apart
