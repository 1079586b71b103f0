"""Whom a child meets: its guardian, who was allowed by name, and bots; for all others there is no such person."""

import random
from typing import Any

import pytest

from accounts.children.keeping import release_child
from accounts.erasure import close_account
from accounts.models import User
from games.actions.children.allow_person import allow_person
from games.actions.children.ask_to_meet import ask_to_meet
from games.actions.children.remove_person import remove_person
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.moves.resign import resign
from games.actions.notices.set_game_channel import set_game_channel
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.actions.talk.give_reaction import give_reaction
from games.actions.talk.send_message import send_message
from games.base.access import game_to_view, games_to_view
from games.base.children import allowed_for, is_hidden, may_meet
from games.base.talk import may_react
from games.base.terms import TableTerms
from games.errors import BadRequest, GameError, InvitationRefused, NotFound, NotSeated
from games.models import AllowedPerson, Game, Notification
from games.queries.people.circle import played_lately
from games.queries.people.known import lately_met, latest_companions, player_called, player_seen
from games.queries.tables.table import table_of_link, table_state
from games.table import records
from tests.games.children.families import child_of
from tests.games.tables import LINK, ME, NOON, OPEN, advance, bot, fresh, invited, open_table, play_out, running, setup

pytestmark = pytest.mark.django_db


def of_two(one: User, other: User, **settings: Any) -> Game:
    """Return a running game that one has opened and the other was invited to."""
    table = open_table(one, ME, invited(other.username), **settings)
    return fresh(join_game(other, table.slug, now=NOON))


def test_a_child_plays_bots_at_a_table_that_no_one_else_sees(alice: User, eve: User) -> None:
    child = child_of(alice)
    game = fresh(open_table(child, ME, bot()))
    assert (game.is_sheltered, game.is_public, game.is_rated, game.allows_texts) == (True, False, False, False)
    assert game_to_view(child, game.slug) == game
    with pytest.raises(NotFound):
        game_to_view(eve, game.slug, game.invite_token)


def test_the_guardian_sees_the_childs_games_and_sits_nowhere_by_it(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    game = of_two(bob, child)
    assert game_to_view(alice, game.slug) == game
    assert games_to_view([(alice, game.slug, "")]) == [game]
    with pytest.raises(NotSeated):
        resign(alice, game.slug)
    with pytest.raises(NotSeated):
        send_message(alice, game.slug, phrase="hello")


@pytest.mark.parametrize("seat", [OPEN, LINK])
def test_a_child_opens_no_table_with_a_free_seat(alice: User, seat: Any) -> None:
    with pytest.raises(BadRequest, match="for a bot or for a person by name") as refused:
        open_table(child_of(alice), ME, seat)
    assert refused.value.code == "child-seats"


@pytest.mark.parametrize("seat", [OPEN, LINK])
def test_no_table_with_a_free_seat_has_an_invitation_for_a_child(alice: User, bob: User, seat: Any) -> None:
    child_of(alice, "Mia", bob)
    with pytest.raises(BadRequest, match="for a bot or for a person by name"):
        open_table(bob, ME, invited("Mia"), seat, bot())


def test_a_table_with_a_child_is_private_and_nameless_whatever_was_asked_for(alice: User, bob: User) -> None:
    child_of(alice, "Mia", bob)
    table = open_table(bob, ME, invited("Mia"), name="Come here", is_public=True)
    assert (table.is_public, table.name, table.is_listed, table.is_featured) == (False, "", False, False)
    for terms in ({"is_public": True}, {"name": "Come here"}):
        with pytest.raises(BadRequest) as refused:
            edit_table(bob, table.slug, TableTerms.of(fresh(table), **terms))
        assert refused.value.code == "child-table"


def test_for_a_stranger_there_is_no_such_player(alice: User, bob: User, eve: User) -> None:
    child = child_of(alice, "Mia", bob)
    assert player_called("Mia", eve) is None
    assert player_seen("Mia", eve) is None
    assert player_called("Mia", bob) == child
    assert player_called("Mia", alice) == child
    with pytest.raises(BadRequest, match="There is no player named Mia"):
        open_table(eve, ME, invited("Mia"))
    for act in (follow_person, block_person):
        with pytest.raises(NotFound):
            act(eve, "Mia")


def test_for_a_child_there_is_no_other_player_either(alice: User, bob: User, eve: User) -> None:
    child = child_of(alice, "Mia", bob)
    assert player_called("eve", child) is None
    with pytest.raises(BadRequest, match="There is no player named eve"):
        open_table(child, ME, invited("eve"))
    assert allowed_for(child) == [alice, bob]


def test_everyone_at_a_table_with_a_child_is_allowed(alice: User, bob: User, carol: User) -> None:
    child_of(alice, "Mia", bob)
    with pytest.raises(InvitationRefused) as refused:
        open_table(bob, ME, invited("Mia"), invited("carol"), bot())
    assert refused.value.code == "child-company"


def test_two_children_meet_only_if_both_guardians_have_said_so(alice: User, bob: User) -> None:
    mia, tom = child_of(alice, "Mia", bob), child_of(bob, "Tom", alice)
    assert not may_meet([mia, tom])
    allow_person(alice, mia.pk, "Tom")
    assert not may_meet([mia, tom])
    allow_person(bob, tom.pk, "Mia")
    assert may_meet([mia, tom])


def test_two_children_of_one_guardian_meet_once_one_is_on_the_list(alice: User) -> None:
    mia, tom = child_of(alice, "Mia"), child_of(alice, "Tom")
    assert not may_meet([mia, tom])
    allow_person(alice, mia.pk, "Tom")
    assert may_meet([mia, tom])
    remove_person(alice, tom.pk, mia.pk)
    assert not may_meet([mia, tom])


def test_a_child_takes_no_seat_at_other_tables(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    public, linked = open_table(bob, ME, OPEN, is_public=True), open_table(bob, ME, LINK)
    for table in (public, linked):
        with pytest.raises(GameError):
            join_game(child, table.slug, token=table.invite_token)
    with pytest.raises(NotFound):
        game_to_view(child, public.slug)


def test_who_was_removed_from_the_list_finds_the_seat_shut(alice: User, bob: User, carol: User) -> None:
    """As where the removal comes between the invitation and its answer, and a third person has opened the table."""
    child = child_of(alice, "Mia", bob, carol)
    table = open_table(bob, ME, invited("Mia"), invited("carol"), bot())
    AllowedPerson.objects.filter(child=child, other=carol).delete()
    for person in (child, carol):
        with pytest.raises(NotSeated) as refused:
            join_game(person, table.slug)
        assert refused.value.code == "child-company"


def test_the_seat_of_a_child_who_says_no_is_no_one_elses(alice: User, bob: User, eve: User) -> None:
    child = child_of(alice, "Mia", bob)
    table = open_table(bob, ME, invited("Mia"))
    decline_invitation(child, table.slug)
    assert table_of_link(table.invite_token) is None
    for person in (eve, alice):
        with pytest.raises(GameError):
            join_game(person, table.slug, token=table.invite_token)


def test_tables_with_a_child_show_no_link(alice: User, bob: User) -> None:
    child_of(alice, "Mia", bob)
    table = open_table(bob, ME, invited("Mia"))
    assert table_state(game_to_view(bob, table.slug), bob).token == ""


def test_removing_a_person_parts_the_two_at_tables_that_wait(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    theirs, own = open_table(bob, ME, invited("Mia")), open_table(child, ME, invited("bob"))
    going = of_two(bob, child)
    remove_person(alice, child.pk, bob.pk)
    for table in (theirs, own):
        at = {key for seat in fresh(table).players.all() for key in (seat.user_id, seat.invitee_id)}
        assert not {child.pk, bob.pk} <= at
    assert fresh(going).status == "running"
    assert not Notification.objects.filter(user__in=(child, bob), other__in=(child, bob), occasion="invited").exists()


def test_who_was_removed_says_nothing_more_in_a_game_that_goes_on(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = of_two(bob, child)
    send_message(bob, going.slug, phrase="hello")
    remove_person(alice, child.pk, bob.pk)
    for person in (bob, child):
        with pytest.raises(NotSeated) as refused:
            send_message(person, going.slug, phrase="hello")
        assert refused.value.code == "child-company"


def test_nobody_writes_words_of_their_own_at_a_table_with_a_child(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = of_two(bob, child)
    for person in (bob, child):
        with pytest.raises(GameError):
            send_message(person, going.slug, text="What is your address?")
        send_message(person, going.slug, phrase="hello")


def test_a_child_says_no_phrase_while_its_guardian_has_switched_them_off(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = of_two(bob, child)
    User.objects.filter(pk=child.pk).update(says_phrases=False)
    with pytest.raises(NotSeated) as refused:
        send_message(User.objects.get(pk=child.pk), going.slug, phrase="hello")
    assert refused.value.code == "phrases-off"


def test_a_child_reacts_to_a_move_only_as_it_may_say_a_phrase(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = advance(of_two(bob, child, variant="duo"), random.Random(1))
    mover = going.players.get(seat=going.moves.get().seat).user
    assert mover is not None
    other = bob if mover.pk == child.pk else child
    assert may_react(fresh(going), other, NOON)
    give_reaction(other, going.slug, number=1, word="nice", now=NOON)
    User.objects.filter(pk=child.pk).update(says_phrases=False)
    child.refresh_from_db()
    assert not may_react(fresh(going), child, NOON)
    with pytest.raises(NotSeated) as refused:
        give_reaction(child, going.slug, number=1, word="wow", now=NOON)
    assert refused.value.code == "phrases-off"


def test_nobody_reacts_at_a_table_with_a_child_who_may_not_meet_them_any_more(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = advance(of_two(bob, child, variant="duo"), random.Random(1))
    remove_person(alice, child.pk, bob.pk)
    for person in (bob, child):
        assert not may_react(fresh(going), person, NOON)
        with pytest.raises(NotSeated) as refused:
            give_reaction(person, going.slug, number=1, word="nice", now=NOON)
        assert refused.value.code == "child-company"


def test_a_game_with_a_child_goes_to_no_channel_and_records_do_not_name_the_child(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = of_two(bob, child)
    with pytest.raises(NotSeated):
        set_game_channel(bob, going.slug, "https://discord.com/api/webhooks/1/a-secret", now=NOON)
    assert records.game_record(bob, going.slug).players == ("bob", "Child")


def test_a_rematch_with_a_child_is_sheltered_too_and_waits_for_no_one_removed(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    over = play_out(of_two(bob, child))
    rematch = open_rematch(child, over.slug)
    assert rematch.is_sheltered
    remove_person(alice, child.pk, bob.pk)
    cancel_game(child, rematch.slug)
    for again in (open_rematch, repeat_table):
        for person in (bob, child):
            with pytest.raises(GameError):
                again(person, over.slug, now=NOON)


def test_lists_of_companions_leave_out_a_child_once_it_is_not_to_be_met(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    play_out(of_two(bob, child))
    assert [user.username for user, _score in lately_met(bob, frozenset(), 4)] == ["Mia"]
    remove_person(alice, child.pk, bob.pk)
    assert lately_met(bob, frozenset(), 4) == []
    assert latest_companions(bob, 4) == []
    assert played_lately(bob, 4) == []


def test_a_child_neither_follows_nor_is_followed_and_belongs_to_no_group(alice: User, bob: User) -> None:
    child, group = child_of(alice, "Mia", bob), create_group(bob)
    for one, other in ((child, "bob"), (bob, "Mia")):
        with pytest.raises(NotSeated) as refused:
            follow_person(one, other)
        assert refused.value.code == "child"
    with pytest.raises(NotSeated):
        join_group(child, group.invite_token)
    with pytest.raises(BadRequest) as shut:
        create_game(bob, setup(ME, invited("Mia")), group=group.slug)
    assert shut.value.code == "child-group"


def test_only_the_guardian_decides_whom_a_child_meets(alice: User, bob: User, eve: User) -> None:
    child = child_of(alice, "Mia")
    for act in (
        lambda: allow_person(eve, child.pk, "bob"),
        lambda: allow_person(child, child.pk, "bob"),
        lambda: remove_person(eve, child.pk, bob.pk),
        lambda: allow_person(alice, bob.pk, "eve"),
    ):
        with pytest.raises(NotFound):
            act()
    assert not AllowedPerson.objects.exists()


def test_a_child_asks_for_people_and_is_not_told_whether_they_exist(alice: User, bob: User) -> None:
    child = child_of(alice)
    ask_to_meet(child, "Bob")
    ask_to_meet(child, "nobody at all"[:20])
    ask_to_meet(child, "alice")
    assert [(row.other, row.allowed_at) for row in AllowedPerson.objects.all()] == [(bob, None)]
    assert is_hidden(bob, child)
    allow_person(alice, child.pk, "bob")
    assert not is_hidden(bob, child)


def test_a_child_who_has_grown_up_is_a_player_like_all_others(alice: User, bob: User, eve: User) -> None:
    child = child_of(alice, "Mia", bob)
    game = of_two(bob, child)
    assert release_child(alice, child)
    assert not release_child(alice, child)
    mia = User.objects.get(pk=child.pk)
    assert not AllowedPerson.objects.exists()
    assert player_called("Mia", eve) == mia
    running(eve, mia)
    with pytest.raises(NotFound):
        game_to_view(alice, game.slug)


def test_with_the_guardians_account_the_children_go(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    going = of_two(bob, child)
    close_account(alice)
    gone = User.objects.get(pk=child.pk)
    assert (gone.is_active, gone.guardian_id) == (False, None)
    assert gone.username != "Mia"
    assert fresh(going).status == "finished"
    assert not AllowedPerson.objects.exists()


def test_with_a_friends_account_the_friend_goes_from_the_list(alice: User, bob: User) -> None:
    child = child_of(alice, "Mia", bob)
    close_account(bob)
    assert allowed_for(child) == [alice]


@pytest.mark.parametrize("blocks_first", [True, False])
def test_a_block_of_the_guardian_holds_for_the_child_too(alice: User, bob: User, blocks_first: bool) -> None:
    """Or a child's account would be a way around it."""
    if blocks_first:
        block_person(bob, "alice")
    child = child_of(alice, "Mia", bob)
    if not blocks_first:
        table = open_table(child, ME, invited("bob"))
        block_person(bob, "alice")
        assert not fresh(table).players.filter(invitee=bob).exists()
    with pytest.raises(InvitationRefused) as refused:
        open_table(child, ME, invited("bob"))
    assert refused.value.code == "invitations-full"
