"""Tables of a group: its members see them and sit down, nobody else does but by the link; blocks hold."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from django.contrib.auth.models import AnonymousUser
from django.test import Client
from django.utils import timezone

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.actions.groups.delete_group import delete_group
from games.actions.groups.leave_group import leave_group
from games.actions.groups.remove_member import remove_member
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.create_game import create_game
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.base import access
from games.base.setup import SeatSetup
from games.base.terms import TableTerms
from games.errors import BadRequest, InvitationRefused, NotFound, SeatTaken, TooMany
from games.models import Game, Group, Notification, Occasion, Status
from games.notifications.kinds import EMAIL, PUSH, SITE, is_on
from games.pages.waiting.create import last_choice
from games.pages.waiting.edit_table import edit_page
from games.pages.waiting.invitation import waiting_table
from games.queries.people.groups import (
    finished_games_of_group,
    has_seat_for,
    running_games_of_group,
    table_to_sit_down,
    tables_of_group,
)
from games.queries.tables.open_tables import open_tables
from games.queries.tables.table import table_state
from tests.conftest import LogIn
from tests.games.groups.test_members import club
from tests.games.play.pages import read
from tests.games.tables import LINK, ME, NOON, OPEN, bot, fresh, invited, open_table, setup

pytestmark = pytest.mark.django_db


def table(creator: User, group: Group, players: int = 2, **settings: object) -> Game:
    return create_game(creator, setup(ME, *[OPEN] * (players - 1), **settings), group=group.slug)


def test_members_take_the_open_seats_and_the_last_one_starts_the_game(
    alice: User, bob: User, carol: User, dave: User
) -> None:
    group = club(alice, bob, carol, dave)
    game = table(alice, group, 4)
    for player in (bob, carol, dave):
        join_game(player, game.slug)
    assert fresh(game).status == Status.RUNNING
    assert [each.pk for each in running_games_of_group(group, frozenset())] == [game.pk]


def test_no_one_else_knows_of_the_table_and_no_list_shows_it(alice: User, bob: User, mallory: User) -> None:
    group = club(alice, bob)
    game = table(alice, group)
    for viewer in (mallory, AnonymousUser()):
        with pytest.raises(NotFound):
            access.game_to_view(viewer, game.slug)
        assert access.games_to_view([(viewer, game.slug, ""), (bob, game.slug, "")])[0] is None
        assert not open_tables(viewer)
    with pytest.raises(NotFound):
        join_game(mallory, game.slug)
    assert not game.is_listed
    assert access.game_to_view(bob, game.slug) == game
    assert access.games_to_view([(bob, game.slug, "")]) == [game]


def test_the_link_of_a_table_lets_in_whom_it_is_sent_to_as_everywhere(alice: User, mallory: User) -> None:
    game = table(alice, club(alice))
    join_game(mallory, game.slug, token=game.invite_token)
    assert fresh(game).status == Status.RUNNING


def test_a_seat_kept_for_somebody_is_no_other_members(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    game = create_game(alice, setup(ME, invited("bob")), group=group.slug)
    with pytest.raises(SeatTaken):
        join_game(carol, game.slug)
    assert not table_state(fresh(game), carol).rights.can_join
    join_game(bob, game.slug)


def test_a_seat_by_link_is_open_to_members_as_well(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = create_game(alice, setup(ME, LINK), group=group.slug)
    assert table_state(fresh(game), bob).rights.can_join
    join_game(bob, game.slug)


def test_members_watch_a_game_of_their_group_and_read_how_it_ended(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    game = table(alice, group)
    join_game(bob, game.slug)
    assert access.started_game_to_view(carol, game.slug) == game
    resign(bob, game.slug)
    assert [each.pk for each in finished_games_of_group(group, frozenset(), 0, 9)] == [game.pk]
    leave_group(carol, group.slug)
    with pytest.raises(NotFound):
        access.game_to_view(carol, game.slug)


def test_who_is_no_member_opens_no_table_for_a_group(alice: User, mallory: User) -> None:
    group = club(alice)
    for slug in (group.slug, "nosuchgrou"):
        with pytest.raises(NotFound):
            create_game(mallory, setup(ME, OPEN), group=slug)
    assert not Game.objects.exists()


def test_a_table_of_a_group_is_public_to_no_one_whatever_is_asked(alice: User) -> None:
    game = table(alice, club(alice), is_public=True)
    assert (game.is_public, game.is_listed) == (False, False)
    with pytest.raises(BadRequest) as caught:
        edit_table(alice, game.slug, TableTerms.of(game, is_public=True))
    assert caught.value.field == "is_public"


def test_two_of_whom_one_has_blocked_the_other_belong_to_one_group_and_do_not_sit_down_together(
    alice: User, bob: User, carol: User
) -> None:
    group = club(alice, bob, carol)
    block_person(bob, "alice")
    for user in (alice, bob, carol):
        user.refresh_from_db()
    game = table(alice, group, 3)
    with pytest.raises(SeatTaken, match="There is no free seat for you at this table"):
        join_game(bob, game.slug)
    away = frozenset({alice.pk})
    assert tables_of_group(group, away) == []
    assert table_to_sit_down(group, bob) is None
    assert table_to_sit_down(group, carol) == game
    join_game(carol, game.slug)


def test_a_rematch_and_the_same_people_again_stay_in_the_group(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = table(alice, group)
    join_game(bob, game.slug)
    resign(bob, game.slug)
    following = open_rematch(alice, game.slug)
    assert (following.group, following.is_public) == (group, False)
    join_game(bob, following.slug)
    resign(bob, following.slug)
    leave_group(bob, group.slug)
    assert repeat_table(bob, following.slug).game.group is None


def test_who_leaves_or_is_removed_goes_from_tables_that_wait_and_stays_in_running_games(
    alice: User, bob: User, carol: User
) -> None:
    group = club(alice, bob, carol)
    waiting, started, own = table(alice, group, 4), table(alice, group), table(bob, group)
    join_game(bob, waiting.slug)
    join_game(carol, waiting.slug)
    join_game(bob, started.slug)
    leave_group(bob, group.slug)
    remove_member(alice, group.slug, "carol")
    assert set(waiting.players.values_list("user__username", flat=True)) == {"alice", None}
    assert fresh(own).status == Status.CANCELLED
    assert fresh(started).status == Status.RUNNING
    assert access.game_to_view(bob, started.slug) == started
    with pytest.raises(NotFound):
        access.game_to_view(bob, waiting.slug)


def test_the_games_of_a_group_that_has_ended_stay_with_their_players(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    game, waiting = table(alice, group), table(alice, group)
    join_game(bob, game.slug)
    delete_group(alice, group.slug)
    assert access.game_to_view(bob, game.slug) == game
    with pytest.raises(NotFound):
        access.game_to_view(carol, game.slug)
    join_game(carol, waiting.slug, token=waiting.invite_token)


def test_a_closed_account_leaves_the_tables_of_its_groups(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    waiting, own = table(alice, group, 3), table(bob, group)
    join_game(bob, waiting.slug)
    erasure.close_account(bob)
    assert fresh(own).status == Status.CANCELLED
    assert not waiting.players.filter(user=bob).exists()


def test_the_first_table_with_a_seat_for_any_member_is_the_one_to_sit_down_at(
    alice: User, bob: User, carol: User
) -> None:
    group = club(alice, bob, carol)
    create_game(alice, setup(ME, invited("bob")), group=group.slug)
    chosen = create_game(bob, setup(ME, OPEN, lets_choose=True), group=group.slug)
    free, later = table(alice, group), table(alice, group)
    assert chosen.lets_choose
    assert table_to_sit_down(group, carol) == free
    join_game(bob, free.slug)
    assert table_to_sit_down(group, carol) == later
    assert table_to_sit_down(group, None) == later
    assert table_to_sit_down(group, alice) is None


def test_the_bots_of_who_is_removed_go_from_tables_that_wait_as_they_do(alice: User, bob: User, mallory: User) -> None:
    group, fred = club(alice, bob, mallory), User.objects.create_user("Fred", operator=mallory)
    seated, asked = (create_game(alice, setup(ME, invited("Fred"), OPEN), group=group.slug) for _ in range(2))
    join_game(fred, seated.slug)
    remove_member(alice, group.slug, "mallory")
    for game in (seated, asked):
        assert not game.players.filter(user=fred).exists()
        assert not game.players.filter(invitee=fred).exists()
        with pytest.raises(NotFound):
            access.game_to_view(fred, game.slug)


def test_who_is_removed_can_use_no_link_of_a_table_that_waits(
    alice: User, bob: User, mallory: User, carol: User
) -> None:
    group = club(alice, bob, mallory)
    sat, other = table(alice, group, 4), table(bob, group, 4)
    join_game(mallory, sat.slug)
    join_game(carol, sat.slug, token=sat.invite_token)
    remove_member(alice, group.slug, "mallory")
    for game in (sat, other):
        for visitor in (mallory, create_guest()):
            with pytest.raises(NotFound):
                join_game(visitor, game.slug, token=game.invite_token)
        assert fresh(game).version > game.version
        assert table_state(fresh(game), bob).rights.can_join == (game == sat)
    assert access.game_to_view(carol, sat.slug) == sat


def test_who_leaves_keeps_the_links_of_tables_as_they_are(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = table(alice, group)
    leave_group(bob, group.slug)
    assert fresh(game).invite_token == game.invite_token


def ended(group: Group, *people: User) -> Game:
    """Return a game of a group that these people have played."""
    game = table(people[0], group, len(people))
    for player in people[1:]:
        join_game(player, game.slug)
    for player in people[:-1]:
        resign(player, game.slug)
    return fresh(game)


def test_a_rematch_of_a_group_invites_no_one_who_was_removed_nor_their_bots(
    alice: User, bob: User, mallory: User
) -> None:
    group, fred = club(alice, bob, mallory), User.objects.create_user("Fred", operator=mallory)
    game = create_game(alice, setup(ME, OPEN, OPEN, invited("Fred")), group=group.slug)
    for player in (bob, mallory, fred):
        join_game(player, game.slug)
    for player in (alice, bob, mallory):
        resign(player, game.slug)
    remove_member(alice, group.slug, "mallory")
    following = open_rematch(bob, game.slug)
    invited_again = set(following.players.values_list("invitee__username", flat=True))
    assert (following.group, invited_again) == (group, {"alice", None})
    with pytest.raises(NotFound):
        join_game(mallory, following.slug)


def test_the_same_group_again_invites_no_one_who_was_removed_and_says_so(alice: User, bob: User, mallory: User) -> None:
    group = club(alice, bob, mallory)
    game = ended(group, alice, bob, mallory)
    remove_member(alice, group.slug, "mallory")
    again = repeat_table(bob, game.slug)
    assert [each.code for each in again.refused] == ["not-member"]
    assert "mallory is not a member of the group" in str(again.refused[0].sentence)
    assert set(again.game.players.values_list("invitee__username", flat=True)) == {"alice", None}
    duel = ended(group, alice, bob)
    leave_group(bob, group.slug)
    with pytest.raises(InvitationRefused, match="bob is not a member"):
        repeat_table(alice, duel.slug)


def test_a_person_has_three_tables_that_wait_in_a_group_with_those_of_rematches(
    alice: User, bob: User, carol: User
) -> None:
    group, other = club(alice, bob, carol), club(alice, name="Another")
    game = ended(group, alice, bob)
    for _ in range(3):
        table(alice, group)
    asks: tuple[Callable[[], Game], ...] = (lambda: table(alice, group), lambda: open_rematch(alice, game.slug))
    for ask in asks:
        with pytest.raises(TooMany, match="already waiting in this group"):
            ask()
    assert not Game.objects.filter(rematch_of=game).exists()
    assert create_game(alice, setup(ME, bot()), group=group.slug).status == Status.RUNNING
    table(alice, other)
    table(bob, group)
    join_game(carol, Game.objects.filter(group=group, status=Status.OPEN, creator=alice)[0].slug)
    assert open_rematch(alice, game.slug).group == group


def test_the_table_of_a_group_that_has_ended_is_one_of_its_host_who_may_make_it_public(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = table(alice, group)
    assert table_state(game, alice).game.is_of_group
    assert edit_page(alice, game.slug).is_of_group
    delete_group(alice, group.slug)
    state = table_state(fresh(game), alice)
    assert (state.game.is_of_group, state.game.is_public) == (False, False)
    assert "open to members" not in " ".join(seat.note for seat in waiting_table(state, alice).seats)
    assert not edit_page(alice, game.slug).is_of_group
    edited = edit_table(alice, game.slug, TableTerms.of(fresh(game), is_public=True))
    assert (edited.group, edited.is_listed) == (None, True)
    join_game(bob, game.slug)


def test_a_rated_table_of_a_group_takes_moves_back_only_where_it_says_so(alice: User, bob: User) -> None:
    group = club(alice, bob)
    asked: tuple[dict[str, bool], ...] = ({}, {"is_rated": True}, {"is_rated": True, "allows_takebacks": True})
    found = [create_game(alice, setup(ME, OPEN, **terms), group=group.slug) for terms in asked]
    assert [(game.is_rated, game.allows_takebacks) for game in found] == [(False, True), (True, False), (True, True)]


def test_the_choice_for_a_group_is_not_remembered_for_a_table_of_ones_own(alice: User) -> None:
    open_table(alice, ME, OPEN, variant="duo", now=NOON)
    before = last_choice(alice)
    assert (before["is_public"], before["takebacks"]) == ("usual", "usual")
    create_game(alice, setup(ME, OPEN, OPEN, OPEN, variant="classic-4"), group=club(alice).slug)
    after = last_choice(alice)
    assert after["variant"] == "classic-4"
    assert not [name for name in after if name.startswith("seat-") or name in ("is_public", "takebacks", "rated")]


def test_a_new_game_leads_to_a_table_for_each_group_and_says_nothing_of_groups_without_one(
    alice: User, bob: User, log_in: LogIn
) -> None:
    group = club(alice, bob)
    for user in (alice, bob):
        (link,) = read(log_in(user).get("/games/new/")).find_all("a", href=f"/games/new/?group={group.slug}")
        assert link.text == group.name
    leave_group(bob, group.slug)
    assert "With a club or group" not in read(log_in(bob).get("/games/new/")).text
    assert "With a club or group" not in read(Client().get("/games/new/")).text


def test_the_last_table_of_a_group_is_not_opened_again_outside_of_it(alice: User, log_in: LogIn) -> None:
    create_game(alice, setup(ME, OPEN, variant="duo"), group=club(alice).slug)
    assert not read(log_in(alice).get("/games/new/")).find_all("button", value="again")


def called(game: Game) -> list[str]:
    """Return who is notified of a group's table."""
    rows = Notification.objects.filter(game=game, occasion=Occasion.GROUP_TABLE)
    return sorted(rows.values_list("user__username", flat=True))


def test_members_are_notified_of_a_table_that_has_a_seat_for_them_once_an_hour_for_a_group(
    alice: User, bob: User, carol: User, dave: User, eve: User
) -> None:
    group, other = club(alice, bob, carol, dave), club(bob, alice, name="Other")
    block_person(dave, "alice")
    now = timezone.now()

    def opened(creator: User, at: Group, minutes: int, *seats: SeatSetup) -> Game:
        setup_of = setup(ME, *(seats or [OPEN]))
        return create_game(creator, setup_of, group=at.slug, now=now + timedelta(minutes=minutes))

    # Neither a table without a seat for members, nor one of no group.
    assert called(opened(alice, group, 0, bot())) == []
    assert called(create_game(alice, setup(ME, OPEN, is_public=False), now=now)) == []
    first = opened(alice, group, 1, OPEN, invited("bob"))
    # Not who opened it or is invited there by name, nor who is kept apart from them.
    assert called(first) == ["carol"]
    assert called(opened(bob, group, 60)) == []
    assert called(opened(bob, other, 60)) == ["alice"]
    assert called(opened(bob, group, 62)) == ["alice", "carol", "dave"]


def test_a_table_that_is_gone_silences_nobody_but_one_person_calls_a_few_times_an_hour(
    alice: User, bob: User, carol: User
) -> None:
    group, now = club(alice, bob, carol), timezone.now()
    told = []
    for minute in range(5):
        game = create_game(alice, setup(ME, OPEN), group=group.slug, now=now + timedelta(minutes=minute))
        told.append(called(game))
        cancel_game(alice, game.slug)
    assert told == [["bob", "carol"]] * 3 + [[], []]
    full = create_game(bob, setup(ME, OPEN), group=group.slug, now=now + timedelta(minutes=6))
    assert called(full) == ["alice", "carol"]
    join_game(alice, full.slug)
    assert called(create_game(carol, setup(ME, OPEN), group=group.slug, now=now + timedelta(minutes=7))) == [
        "alice",
        "bob",
    ]


def test_a_table_of_a_group_is_news_as_long_as_a_member_can_sit_down(alice: User, bob: User, carol: User) -> None:
    group = club(alice, bob, carol)
    game = table(alice, group)
    assert has_seat_for(fresh(game), carol)
    assert not has_seat_for(fresh(game), alice)
    block_person(carol, "alice")
    carol.refresh_from_db()
    assert not has_seat_for(fresh(game), carol)
    assert has_seat_for(fresh(game), bob)
    join_game(bob, game.slug)
    assert not has_seat_for(fresh(game), carol)
    again = table(bob, group)
    leave_group(carol, group.slug)
    assert not has_seat_for(fresh(again), carol)


def test_who_wants_no_such_notices_gets_none(alice: User, bob: User) -> None:
    assert is_on(bob, "group", SITE)
    assert is_on(bob, "group", PUSH)
    assert not is_on(bob, "group", EMAIL)
    bob.notice_choices = {"group.site": False}
    assert not is_on(bob, "group", SITE)
