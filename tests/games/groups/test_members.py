"""Who belongs to a group, who may change it, and what becomes of it when its people go."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.actions.groups.create_group import create_group
from games.actions.groups.delete_group import delete_group
from games.actions.groups.join_group import join_group
from games.actions.groups.leave_group import leave_group
from games.actions.groups.remove_member import remove_member
from games.actions.groups.rename_group import rename_group
from games.actions.groups.renew_group_link import renew_group_link
from games.actions.groups.set_role import set_role
from games.actions.moves.resign import resign
from games.actions.tables.create_game import create_game
from games.base import groups
from games.errors import BadRequest, GameError, NotFound, TooMany
from games.models import Group, Membership
from games.queries.people.groups import groups_joined_by
from games.table.groups import membership
from games.values import GroupRole
from tests.games.tables import ME, NOON, OPEN, running, setup

pytestmark = pytest.mark.django_db


def club(owner: User, *members: User, name: str = "Corner club") -> Group:
    """Return a group of these people, who joined one after the other."""
    group = create_group(owner, name, now=NOON)
    for number, member in enumerate(members):
        join_group(member, group.invite_token, now=NOON + timedelta(hours=number + 1))
    return Group.objects.get(pk=group.pk)


def roles(group: Group) -> dict[str, str]:
    rows = Membership.objects.filter(group=group).select_related("group", "person")
    return {row.person.username: row.role.value for row in rows}


def code_of(ask: Callable[[], object]) -> str:
    """Return the code with which the person is refused."""
    with pytest.raises(GameError) as caught:
        ask()
    return caught.value.code


def owner(group: Group) -> User | None:
    return Group.objects.get(pk=group.pk).owner


def test_who_has_the_link_joins_once_and_who_made_the_group_owns_it(alice: User, bob: User) -> None:
    group = club(alice, bob, bob)
    assert roles(group) == {"alice": "owner", "bob": "member"}
    assert [(own.group.pk, own.role, own.members) for own in groups_joined_by(bob)] == [(group.pk, GroupRole.MEMBER, 2)]
    with pytest.raises(NotFound):
        join_group(bob, "no such link")


def test_a_second_tap_makes_no_second_group_and_another_name_does(alice: User) -> None:
    first = create_group(alice, "Corner club", now=NOON)
    assert create_group(alice, " Corner club ", now=NOON + timedelta(seconds=2)) == first
    assert create_group(alice, "Chess club", now=NOON + timedelta(seconds=3)) != first
    assert create_group(alice, "Corner club", now=NOON + timedelta(minutes=2)) != first


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("Corner club of the Old Town and the Harbour", "bad-request"),
        ("see www.example.org", "name-address"),
        ("two\nlines", "bad-request"),
        ("\u202eclub", "bad-request"),
        ("bitch", "name-insult"),
        ("Admin Team", "name-reserved"),
        ("Moderators", "name-reserved"),
        ("sage-5", "name-reserved"),
    ],
)
def test_a_name_that_no_table_or_person_could_have_is_refused_for_a_group_as_well(
    alice: User, name: str, code: str
) -> None:
    group = club(alice)
    with pytest.raises(BadRequest) as caught:
        create_group(alice, name)
    assert (caught.value.field, caught.value.code) == ("name", code)
    assert code_of(lambda: rename_group(alice, group.slug, name)) == code


def test_guests_join_and_make_no_groups_and_bots_do_neither(alice: User) -> None:
    guest, group = create_guest(), club(alice)
    join_group(guest, group.invite_token)
    assert code_of(lambda: create_group(guest, "Visitors")) == "guest-group"
    assert code_of(lambda: set_role(alice, group.slug, guest.username, "owner")) == "guest-group"
    bot = User.objects.create_user("Fred", operator=alice)
    assert code_of(lambda: create_group(bot, "Machines")) == "bot-group"
    assert code_of(lambda: join_group(bot, group.invite_token)) == "bot-group"


def test_keepers_change_the_group_and_members_do_not(alice: User, bob: User, carol: User, dave: User) -> None:
    group = club(alice, bob, carol, dave)
    assert code_of(lambda: rename_group(bob, group.slug, "Mine")) == "not-keeper"
    assert code_of(lambda: renew_group_link(bob, group.slug)) == "not-keeper"
    assert code_of(lambda: remove_member(bob, group.slug, "carol")) == "not-keeper"
    assert code_of(lambda: set_role(bob, group.slug, "bob", "keeper")) == "not-owner"
    set_role(alice, group.slug, "bob", "keeper")
    set_role(alice, group.slug, "carol", "keeper")
    rename_group(bob, group.slug, "Ours")
    remove_member(bob, group.slug, "dave")
    assert roles(group) == {"alice": "owner", "bob": "keeper", "carol": "keeper"}
    assert code_of(lambda: remove_member(bob, group.slug, "alice")) == "not-owner"
    assert code_of(lambda: remove_member(bob, group.slug, "carol")) == "not-owner"
    assert code_of(lambda: remove_member(bob, group.slug, "bob")) == "oneself"
    assert code_of(lambda: delete_group(bob, group.slug)) == "not-owner"
    assert code_of(lambda: set_role(bob, group.slug, "carol", "member")) == "not-owner"


def test_who_is_removed_does_not_come_back_by_the_link_they_had(alice: User, bob: User) -> None:
    group = club(alice, bob)
    remove_member(alice, group.slug, "bob")
    with pytest.raises(NotFound):
        join_group(bob, group.invite_token)
    assert roles(group) == {"alice": "owner"}


def test_a_renewed_link_replaces_the_one_before(alice: User, bob: User) -> None:
    group = club(alice)
    renewed = renew_group_link(alice, group.slug)
    assert renewed.invite_token != group.invite_token
    with pytest.raises(NotFound):
        join_group(bob, group.invite_token)
    join_group(bob, renewed.invite_token)


def test_to_everybody_else_the_group_does_not_exist(alice: User, mallory: User) -> None:
    group = club(alice)
    asks: tuple[Callable[[str], object], ...] = (
        lambda slug: groups.membership_of(mallory, slug),
        lambda slug: rename_group(mallory, slug, "Mine"),
        lambda slug: leave_group(mallory, slug),
        lambda slug: delete_group(mallory, slug),
        lambda slug: remove_member(mallory, slug, "alice"),
        lambda slug: set_role(mallory, slug, "alice", "member"),
    )
    for slug in (group.slug, "nosuchgrou", "not a slug", ""):
        for ask in asks:
            with pytest.raises(NotFound, match="This group does not exist"):
                ask(slug)


def test_what_an_owner_leaves_passes_to_the_oldest_keeper_else_to_the_oldest_member(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    group = club(alice, bob, carol, dave)
    set_role(alice, group.slug, "dave", "keeper")
    leave_group(alice, group.slug)
    assert owner(group) == dave
    leave_group(dave, group.slug)
    assert owner(group) == bob
    leave_group(bob, group.slug)
    leave_group(carol, group.slug)
    assert (owner(group), roles(group)) == (None, {})
    with pytest.raises(NotFound):
        join_group(alice, group.invite_token)


def test_a_guest_inherits_a_group_only_where_there_is_no_one_else(alice: User, bob: User) -> None:
    guest = create_guest()
    group = club(alice, guest, bob)
    leave_group(alice, group.slug)
    assert owner(group) == bob


def test_an_owner_hands_the_group_on_and_keeps_it(alice: User, bob: User) -> None:
    group = club(alice, bob)
    with pytest.raises(BadRequest):
        set_role(alice, group.slug, "alice", "member")
    with pytest.raises(BadRequest) as caught:
        set_role(alice, group.slug, "bob", "king")
    assert caught.value.field == "role"
    set_role(alice, group.slug, "bob", "owner")
    assert roles(group) == {"alice": "keeper", "bob": "owner"}
    set_role(bob, group.slug, "alice", "member")
    assert roles(group) == {"alice": "member", "bob": "owner"}


def test_nobody_belongs_to_a_group_that_has_ended_and_its_name_is_gone(alice: User, bob: User) -> None:
    group = club(alice, bob)
    delete_group(alice, group.slug)
    assert (owner(group), roles(group), groups_joined_by(bob)) == (None, {}, [])
    assert Group.objects.get(pk=group.pk).name == ""
    with pytest.raises(NotFound):
        groups.membership_of(bob, group.slug)
    with pytest.raises(NotFound):
        join_group(bob, Group.objects.get(pk=group.pk).invite_token)


def test_there_is_an_end_to_a_persons_groups_and_to_a_groups_members(
    alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(membership, "MAX_GROUPS", 2)
    monkeypatch.setattr(membership, "MAX_MEMBERS", 2)
    group = club(alice, bob)
    with pytest.raises(TooMany, match="200 members"):
        join_group(carol, group.invite_token)
    join_group(bob, group.invite_token)
    create_group(bob, "Another")
    with pytest.raises(TooMany, match="20 groups"):
        create_group(bob, "A third")
    with pytest.raises(TooMany, match="20 groups"):
        join_group(bob, club(carol).invite_token)


def test_a_closed_account_leaves_its_groups_which_pass_on_without_its_name(alice: User, bob: User) -> None:
    group, alone = club(alice, bob, name="Friends of alice"), club(alice, name="Mine alone")
    theirs = club(bob, alice, name="alice and bob")
    erasure.close_account(alice)
    assert (owner(group), owner(alone), owner(theirs)) == (bob, None, bob)
    assert not Membership.objects.filter(person=alice).exists()
    assert not Group.objects.filter(name__icontains="alice").exists()


def test_an_owner_who_closes_the_account_leaves_nothing_of_a_name_with_theirs_in_it(alice: User, bob: User) -> None:
    family, other = club(alice, bob, name="Alices Familie"), club(alice, bob, name="Corner club")
    erasure.close_account(alice)
    assert [Group.objects.get(pk=group.pk).name for group in (family, other)] == ["", "Corner club"]


def test_a_closed_account_is_no_longer_named_by_a_group_that_it_had_left(alice: User, bob: User, carol: User) -> None:
    group, unknown = club(bob, alice, name="Friends of alice"), club(carol, name="Also of alice")
    leave_group(alice, group.slug)
    resign(alice, running(alice, bob).slug)
    erasure.close_account(alice)
    assert Group.objects.get(pk=group.pk).name == "Friends of deleted"
    assert Group.objects.get(pk=unknown.pk).name == "Also of alice"


def test_an_account_is_closed_though_its_group_ends_at_that_instant(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    group = club(alice, bob)

    def end_meanwhile(pk: int) -> None:
        membership.end_group(Group.objects.get(pk=pk))

    monkeypatch.setattr(membership, "lock_group", end_meanwhile)
    erasure.close_account(bob)
    assert not User.objects.get(pk=bob.pk).is_active
    assert (owner(group), roles(group)) == (None, {})


def test_who_is_suspended_inherits_a_group_only_where_there_is_no_one_else(alice: User, bob: User, carol: User) -> None:
    group, guest = club(alice, bob, carol), create_guest()
    set_role(alice, group.slug, "bob", "keeper")
    User.objects.filter(pk=bob.pk).update(suspended_until=NOON + timedelta(days=2))
    leave_group(alice, group.slug, now=NOON + timedelta(days=1))
    assert owner(group) == carol
    join_group(guest, group.invite_token)
    leave_group(carol, group.slug, now=NOON + timedelta(days=1))
    assert owner(group) == guest
    leave_group(guest, group.slug, now=NOON + timedelta(days=1))
    assert owner(group) == bob


def test_a_suspension_that_is_over_keeps_no_one_from_inheriting(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    User.objects.filter(pk=bob.pk).update(suspended_until=NOON + timedelta(days=2))
    leave_group(alice, group.slug, now=NOON + timedelta(days=3))
    assert owner(group) == bob


def test_the_link_is_renewed_after_the_games_are_locked_for_it_is_a_key(alice: User, bob: User) -> None:
    group = club(alice, bob)
    create_game(bob, setup(ME, OPEN), group=group.slug)
    with CaptureQueriesContext(connection) as asked:
        remove_member(alice, group.slug, "bob")
    said = [query["sql"] for query in asked]
    games = [number for number, sql in enumerate(said) if '"games_game"' in sql]
    (renewed,) = [number for number, sql in enumerate(said) if sql.startswith('UPDATE "games_group"')]
    assert renewed > games[-1]


def test_a_suspended_person_changes_no_group(alice: User, bob: User) -> None:
    group = club(alice, bob)
    User.objects.filter(pk=bob.pk).update(suspended_until=NOON + timedelta(days=99999))
    bob.refresh_from_db()
    assert code_of(lambda: leave_group(bob, group.slug)) == "suspended"
    assert code_of(lambda: create_group(bob, "Mine")) == "suspended"
