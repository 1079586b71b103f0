"""A guest who logs in to an account: what goes along, what is refused, and what the pages ask."""

import re
from contextlib import suppress
from datetime import datetime, timedelta
from functools import partial
from typing import Any

import pytest
from django.apps import apps
from django.db import IntegrityError, connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts import guests
from accounts.database import lots
from accounts.erasure import close_account
from accounts.guests import create_guest
from accounts.models import Session, User
from accounts.personal.listed import NO_PERSONS
from accounts.sign_on.linked import link_account
from accounts.signals import sessions_ended
from games import events
from games.actions.groups.join_group import join_group
from games.actions.guests import merge_guest as action
from games.actions.guests.merge_guest import merge_guest
from games.actions.people.block_person import block_person
from games.actions.ratings.rate_family import rate_family
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.audit.counts import drifts
from games.audit.ratings import faults_of_ratings
from games.background import upkeep
from games.background.upkeep import Upkeep
from games.base import merging, positions
from games.base.merging import MERGED_FIELDS, Merge, Merging, mergings, undecided_fields
from games.errors import NotSeated, TooMany, WrongStatus
from games.models import (
    BlockedPerson,
    FollowedPerson,
    Game,
    Membership,
    Note,
    Notification,
    Player,
    PlayerRating,
    PlayerReport,
    RatedSeat,
    Reported,
    ReportReason,
    Study,
    TalkMessage,
    Tally,
)
from games.queries.people.tallies import tallies_amiss
from games.ratings.families import rating_family
from games.table.people import relations
from tests.accounts.conftest import PASSWORD, who
from tests.accounts.factors import BETWEEN, code_of, with_codes
from tests.accounts.factors import clock as clock
from tests.accounts.provider import Provider, signed_on
from tests.accounts.provider import provider as provider
from tests.accounts.soft_key import SoftKey, asked_of_anyone
from tests.accounts.test_passkeys import LOGIN, add
from tests.games.archives.everything import person_with_everything
from tests.games.children.families import child_of
from tests.games.groups.test_members import club
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, place, play_out, running, take_turn

pytestmark = pytest.mark.django_db

BRING, LEAVE, BACK = "/guest/", "/guest/leave/", "/guest/back/"
TABLES = [model for model in apps.get_models(include_auto_created=True) if model._meta.label not in NO_PERSONS]
NAMING = [
    (model, field.name) for model in TABLES for field in model._meta.concrete_fields if field.related_model is User
]


@pytest.fixture
def guest(db: None) -> User:
    return create_guest()


def browser_of(guest: User) -> Client:
    client = Client()
    client.force_login(guest)
    return client


def logged_in_over(guest: User, name: str = "alice") -> Client:
    """Return a guest's browser in which this person has logged in."""
    client = browser_of(guest)
    client.post("/accounts/login/", {"login": name, "password": PASSWORD})
    return client


def named(person: User) -> list[str]:
    """Return the tables and fields that name this person."""
    return [f"{model.__name__}.{field}" for model, field in NAMING if model._default_manager.filter(**{field: person})]


# What goes along


def test_of_every_field_that_names_a_person_it_is_said_what_becomes_of_it() -> None:
    assert list(undecided_fields(TABLES)) == []


@pytest.mark.parametrize("each", MERGED_FIELDS, ids=lambda each: each.label)
def test_a_field_that_is_forgotten_is_found(each: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merging, "MERGED_FIELDS", tuple(other for other in MERGED_FIELDS if other is not each))
    assert list(undecided_fields(TABLES)) == [each.label]


def test_what_stays_with_the_guest_has_a_reason() -> None:
    assert all(bool(each.why) == (each.rule is Merge.DROP) for each in MERGED_FIELDS)
    assert all(bool(each.beside) == (each.rule is Merge.KEEP_OWN) for each in MERGED_FIELDS)


def test_nothing_names_a_guest_with_everything_any_more(bob: User, carol: User, dave: User) -> None:
    guest = person_with_everything(bob, carol)
    User.objects.filter(pk=guest.pk).update(is_guest=True, is_moderator=False, is_staff=False, is_superuser=False)
    guest.refresh_from_db()
    games = set(Player.objects.filter(user=guest).values_list("game", flat=True))
    before = {each.label for each in MERGED_FIELDS if each.model._default_manager.filter(**{each.field: guest})}
    assert before >= {each.label for each in MERGED_FIELDS if each.rule is not Merge.DROP} - {
        # A table that waits for an answer, and what a guest never has.
        *("games.Player.invitee", "games.Notification.other"),
    }
    assert merge_guest(guest, dave, now=NOON)
    assert named(guest) == []
    assert set(Player.objects.filter(user=dave).values_list("game", flat=True)) == games
    moved = {each.label for each in MERGED_FIELDS if each.rule in (Merge.MOVE, Merge.KEEP_OWN, Merge.ADD_UP)}
    assert {each.label for each in MERGED_FIELDS if each.model._default_manager.filter(**{each.field: dave})} >= (
        before & moved
    ) - {
        # A report of the guest's name, which is gone.
        "games.PlayerReport.person",
    }
    guest.refresh_from_db()
    assert guest.erased_at is not None
    dave.refresh_from_db()
    assert dave.is_kept_apart
    assert dave.silenced_until is not None
    assert list(drifts()) == []


def test_games_count_as_if_the_member_had_played_them(guest: User, alice: User, bob: User) -> None:
    play_out(running(guest, bob, variant="duo"))
    play_out(running(alice, bob, variant="duo"), 2)
    going = running(bob, guest, variant="duo")
    before = {key: sum(Tally.objects.filter(user=key).values_list("number", flat=True)) for key in (guest.pk, alice.pk)}
    assert before == {guest.pk: 1, alice.pk: 1}
    merge_guest(guest, alice)
    assert sum(Tally.objects.filter(user=alice).values_list("number", flat=True)) == 2
    assert list(drifts()) == []
    over = play_out(fresh(going), 3)
    assert {player.user_id for player in over.players.all()} == {alice.pk, bob.pk}
    assert sum(Tally.objects.filter(user=alice).values_list("number", flat=True)) == 3
    assert list(drifts()) == []


def test_the_games_that_a_guest_has_watched_count_too(guest: User, alice: User) -> None:
    for _ in range(2):
        open_table(guest, bot(), bot(seed=2))
    play_out(Game.objects.earliest("pk"))
    merge_guest(guest, alice)
    assert {game.creator for game in Game.objects.all()} == {alice}
    assert Tally.objects.get(user=alice).number == 2
    assert list(tallies_amiss()) == []


def test_a_running_game_goes_on_and_its_pages_hear_of_it(
    guest: User,
    alice: User,
    bob: User,
    heard: list[events.GameEvent],
    django_capture_on_commit_callbacks: Any,
) -> None:
    game = running(guest, bob, variant="duo", now=NOON)
    assert fresh(game).turn_user == guest
    version = fresh(game).version
    heard.clear()
    with django_capture_on_commit_callbacks(execute=True):
        merge_guest(guest, alice, now=NOON)
    game = fresh(game)
    assert (game.turn_user, game.creator, game.version) == (alice, alice, version + 1)
    assert game.slug in {event.slug for event in heard}
    take_turn(game)
    assert fresh(game).move_count == 1


def test_what_both_have_the_member_keeps(guest: User, alice: User, bob: User, carol: User) -> None:
    game = play_out(running(bob, carol, variant="duo"))
    for person, text in ((guest, "the guest's"), (alice, "alice's")):
        Note.objects.create(user=person, game=game, text=text, changed_at=NOON)
        FollowedPerson.objects.create(person=person, other=bob, made_at=NOON)
        FollowedPerson.objects.create(person=carol, other=person, made_at=NOON)
    FollowedPerson.objects.create(person=alice, other=guest, made_at=NOON)
    merge_guest(guest, alice)
    assert Note.objects.get(user=alice).text == "alice's"
    assert FollowedPerson.objects.filter(person=alice).get().other == bob
    assert FollowedPerson.objects.filter(other=alice).get().person == carol


def test_a_block_of_the_guest_holds_for_the_member_and_ends_that_they_follow(
    guest: User, alice: User, bob: User
) -> None:
    BlockedPerson.objects.create(person=bob, other=guest, made_at=NOON)
    FollowedPerson.objects.create(person=alice, other=bob, made_at=NOON)
    merge_guest(guest, alice)
    alice.refresh_from_db()
    assert alice.is_kept_apart
    assert BlockedPerson.objects.get().other == alice
    assert not FollowedPerson.objects.exists()


def test_what_moderators_have_decided_is_not_left_behind(guest: User, alice: User) -> None:
    later, sooner = NOON + timedelta(days=9), NOON + timedelta(days=2)
    User.objects.filter(pk=guest.pk).update(silenced_until=later, suspended_until=sooner, has_decisions=True)
    User.objects.filter(pk=alice.pk).update(suspended_until=later)
    merge_guest(guest, alice)
    alice.refresh_from_db()
    assert (alice.silenced_until, alice.suspended_until, alice.has_decisions) == (later, later, True)


def test_unread_notices_are_counted_again(guest: User, alice: User, bob: User) -> None:
    game = running(guest, bob, variant="duo")
    Notification.objects.filter(user=guest).delete()
    Notification.objects.create(user=guest, game=game, occasion="turn", event=7, created_at=NOON, is_listed=True)
    merge_guest(guest, alice)
    alice.refresh_from_db()
    assert alice.unread_notices == Notification.objects.filter(user=alice, is_listed=True, read_at=None).count() > 0


# What is refused, and what breaks off


def test_where_both_sit_at_one_table_nothing_goes_along_and_it_is_said(guest: User, alice: User, bob: User) -> None:
    table = running(alice, guest, variant="duo", name="The duel")
    other = running(guest, bob, variant="duo")
    with pytest.raises(WrongStatus) as refused:
        merge_guest(guest, alice)
    assert refused.value.code == "both-seated"
    assert "The duel" in str(refused.value.sentence)
    assert {player.user_id for player in fresh(table).players.all()} == {alice.pk, guest.pk}
    assert fresh(other).creator == guest
    guest.refresh_from_db()
    assert guest.is_guest
    assert guest.erased_at is None


def test_where_both_have_played_at_one_table_it_is_said_otherwise(guest: User, alice: User) -> None:
    over = play_out(running(alice, guest, variant="duo", name="The duel"))
    with pytest.raises(WrongStatus) as refused:
        merge_guest(guest, alice)
    assert "You have played against this guest at the table The duel" in str(refused.value.sentence)
    assert {player.user_id for player in fresh(over).players.all()} == {alice.pk, guest.pk}


def test_twice_is_once(guest: User, alice: User, bob: User) -> None:
    running(guest, bob, variant="duo")
    assert merge_guest(guest, alice)
    assert not merge_guest(guest, alice)
    assert not merge_guest(guest, bob)
    assert Player.objects.filter(user=alice).count() == 1


def test_a_guest_who_has_claimed_the_account_meanwhile_is_not_brought(guest: User, alice: User, bob: User) -> None:
    running(guest, bob, variant="duo")
    User.objects.filter(pk=guest.pk).update(is_guest=False, username="Otis", name_key="otis")
    assert not merge_guest(guest, alice)
    assert Player.objects.filter(user=guest).exists()


def test_what_breaks_off_at_the_end_has_changed_nothing(
    guest: User, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_out(running(guest, bob, variant="duo"))
    before = [sorted(model._default_manager.values_list()) for model in (Player, Tally, Membership)]

    def broken(*_people: object) -> None:
        raise RuntimeError("killed")

    with monkeypatch.context() as patched:
        patched.setattr("games.base.counters.join_games", broken)
        with pytest.raises(RuntimeError):
            merge_guest(guest, alice)
    assert [sorted(model._default_manager.values_list()) for model in (Player, Tally, Membership)] == before
    guest.refresh_from_db()
    assert guest.is_guest
    # All is brought, and the guest is not closed: the next tap does that.
    with monkeypatch.context() as patched:
        patched.setattr(action, "close_account", broken)
        with pytest.raises(RuntimeError):
            merge_guest(guest, alice)
    assert not Player.objects.filter(user=guest).exists()
    assert not merge_guest(guest, alice)
    guest.refresh_from_db()
    assert guest.erased_at is not None
    assert Player.objects.filter(user=alice).count() == 1
    assert not mergings()


def killed_after(steps: int, patched: pytest.MonkeyPatch) -> None:
    """Break off once so many steps after the first transaction of a merging have changed something."""
    left = [steps]

    def dying(take: Any, *arguments: Any) -> Any:
        if not left[0]:
            raise RuntimeError("killed")
        is_again = take is close_account and User.objects.get(pk=arguments[0].pk).erased_at is not None
        answer = take(*arguments)
        left[0] -= answer is not False and not is_again
        return answer

    for name in ("_take_step", "_forget_companions", "close_account", "end_merging"):
        patched.setattr(action, name, partial(dying, getattr(action, name)))


def much_of(guest: User, bob: User, carol: User) -> None:
    """Store for a guest some games of every kind, and rows of many tables."""
    for number in range(3):
        play_out(running(guest, bob, variant="duo"), number)
    over = play_out(running(carol, guest, bob, variant="classic-3", is_public=False), 9)
    open_table(guest, bot(), bot(seed=2))
    running(guest, carol, variant="duo")
    open_table(guest, ME, OPEN)
    Note.objects.create(user=guest, game=over, text="mine", changed_at=NOON)
    FollowedPerson.objects.create(person=guest, other=bob, made_at=NOON)
    TalkMessage.objects.create(game=over, author=guest, text="Well played", created_at=NOON)
    Study.objects.create(owner=guest, slug="abc123", title="Mine", record="{}", created_at=NOON, move_count=0)


def test_wherever_a_merging_breaks_off_all_is_whole_and_counted_and_goes_on(
    guest: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    play_out(running(alice, bob, variant="duo"), 5)
    much_of(guest, bob, carol)
    seats = Player.objects.filter(user__in=(guest, alice)).count()
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 1)
    broken_off = 0
    with monkeypatch.context() as patched:
        killed_after(0, patched)
        with pytest.raises(RuntimeError, match="killed"):
            merge_guest(guest, alice, now=NOON)
    while mergings():
        check_between(guest, alice, seats)
        broken_off += 1
        with monkeypatch.context() as patched, suppress(RuntimeError):
            killed_after(1, patched)
            # Another account has no part in it, whoever taps.
            assert not merge_guest(guest, bob, now=NOON)
    # Four games that are over and one between bots, a table that waits, a note, one who is followed, a line, a study,
    # companions and boards on either side, the closing.
    assert broken_off > 16
    check_merged(guest, alice, seats)


def check_between(guest: User, alice: User, seats: int) -> None:
    """Check what is so wherever a merging has broken off."""
    assert list(drifts()) == []
    assert list(tallies_amiss()) == []
    assert Player.objects.filter(user__in=(guest, alice)).count() == seats
    # No one acts as the guest any more, and what goes on has been the account's from the first step on.
    assert not User.objects.get(pk=guest.pk).is_active
    assert not Player.objects.filter(user=guest, is_going=True).exists()


def check_merged(guest: User, alice: User, seats: int) -> None:
    """Check that all is the account's now, and that it is counted."""
    assert Player.objects.filter(user=alice).count() == seats
    assert named(guest) == []
    assert User.objects.get(pk=guest.pk).erased_at is not None
    assert not mergings()
    assert list(drifts()) == []
    assert list(tallies_amiss()) == []


def test_the_sweep_finishes_a_merging_that_broke_off_and_takes_no_such_guest_away(
    guest: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    much_of(guest, bob, carol)
    User.objects.filter(pk=guest.pk).update(date_joined=NOON - timedelta(days=99))
    seats = Player.objects.filter(user=guest).count()
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 2)
    with monkeypatch.context() as patched:
        # All seats and tables are the account's: nothing but notes and the like is left.
        killed_after(6, patched)
        with pytest.raises(RuntimeError, match="killed"):
            merge_guest(guest, alice, now=NOON)
    assert Note.objects.get().user == guest
    assert Upkeep().tidy(NOON + timedelta(seconds=30)).merged == 0
    assert Note.objects.get().user == guest
    assert Upkeep().tidy(NOON + timedelta(minutes=5)).merged == 1
    assert Note.objects.get().user == alice
    check_merged(guest, alice, seats)


@pytest.mark.parametrize("failure", [RuntimeError, IntegrityError])
def test_one_merging_that_fails_keeps_the_sweep_from_no_other(
    failure: type[Exception],
    alice: User,
    bob: User,
    carol: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    guests = [create_guest() for _ in range(2)]
    for guest, member in zip(guests, (alice, carol), strict=True):
        play_out(running(guest, bob, variant="duo"))
        with monkeypatch.context() as patched:
            killed_after(0, patched)
            with pytest.raises(RuntimeError, match="killed"):
                merge_guest(guest, member, now=NOON)

    def finish_second(guest: User, now: datetime) -> bool:
        if guest == guests[0]:
            raise failure("broken")
        return action.finish_merge(guest, now)

    monkeypatch.setattr(upkeep, "finish_merge", finish_second)
    assert upkeep.finish_merges(NOON + timedelta(minutes=5)) == 1
    assert "could not be merged" in caplog.text
    assert {each.guest for each in mergings()} == {guests[0].pk}
    assert mergings(NOON + timedelta(minutes=5)) == []


def test_two_who_finish_one_merging_count_each_game_once(
    guest: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    much_of(guest, bob, carol)
    seats = Player.objects.filter(user=guest).count()
    next_games, read = action._next_games, list[list[int]]()

    def as_read_before_the_other_was_done(merging: Merging) -> list[int]:
        read.append(next_games(merging))
        return read[0] if len(read) == 2 else read[-1]

    monkeypatch.setattr(action, "_next_games", as_read_before_the_other_was_done)
    merge_guest(guest, alice, now=NOON)
    assert len(read[0]) > 3
    check_merged(guest, alice, seats)


def test_an_account_that_is_closed_in_between_takes_nothing_more_and_the_guest_goes_too(
    guest: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    much_of(guest, bob, carol)
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 1)
    with monkeypatch.context() as patched:
        killed_after(3, patched)
        with pytest.raises(RuntimeError, match="killed"):
            merge_guest(guest, alice, now=NOON)
    close_account(alice)
    assert upkeep.finish_merges(NOON + timedelta(minutes=5)) == 1
    assert not Note.objects.exists()
    assert TalkMessage.objects.get().text == ""
    assert {person.erased_at is None for person in User.objects.filter(pk__in=(guest.pk, alice.pk))} == {False}
    assert list(drifts()) == []
    assert list(tallies_amiss()) == []


def test_a_move_of_the_other_session_counts_or_is_refused(
    guest: User, alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = running(guest, bob, variant="duo", now=NOON)
    play_out(running(guest, bob, variant="duo"), 1)
    for _ in range(2):
        take_turn(game)
    with monkeypatch.context() as patched:
        killed_after(0, patched)
        with pytest.raises(RuntimeError, match="killed"):
            merge_guest(guest, alice, now=NOON)
    # A page that is still the guest's of before: the seat is the account's.
    text = str(positions.position_of(fresh(game)).legal_placements()[0])
    with pytest.raises(NotSeated):
        place(game, text, guest)
    assert fresh(game).move_count == 2
    place(game, text, alice)
    assert fresh(game).move_count == 3


def test_a_guest_of_many_games_asks_no_more_than_one_of_few(alice: User, bob: User) -> None:
    asked = []
    for number in (3, 6):
        guest = create_guest()
        for seed in range(number):
            play_out(running(guest, bob, variant="duo"), seed)
        with CaptureQueriesContext(connection) as found:
            merge_guest(guest, alice)
        asked.append(len(found))
    assert asked[0] == asked[1]


def test_what_one_transaction_changes_does_not_grow_with_the_games(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lots, "ROWS_A_TRANSACTION", 2)
    most = []
    for number in (3, 7):
        guest = create_guest()
        for seed in range(number):
            over = play_out(running(guest, bob, variant="duo"), seed)
            Note.objects.create(user=guest, game=over, text="mine", changed_at=NOON)
        changed = list[int]()

        def count(
            execute: Any, statement: str, values: Any, many: bool, context: Any, changed: list[int] = changed
        ) -> Any:
            answer = execute(statement, values, many, context)
            if statement.startswith(("UPDATE", "DELETE", "INSERT")):
                changed.append(context["cursor"].rowcount)
            return answer

        with connection.execute_wrapper(count):
            merge_guest(guest, alice)
        most.append(max(changed))
    # A game has two rows of those who have met there, and two games at most two kinds of results of either person.
    assert most == [4, 4]


def test_rated_games_of_the_guest_stay_rated_and_count_for_the_member_from_the_next_fit(
    guest: User, alice: User, bob: User, carol: User
) -> None:
    over = play_out(running(guest, bob, carol, variant="classic-3", is_rated=True))
    going = running(guest, bob, variant="duo", is_rated=True)
    waiting = open_table(guest, ME, OPEN, variant="duo", is_rated=True)
    moved = dict(RatedSeat.objects.values_list("player__user__username", "points_after"))
    assert moved.keys() == {"bob", "carol"}
    merge_guest(guest, alice)
    assert [fresh(game).is_rated for game in (over, going, waiting)] == [True, True, True]
    # Nothing that bob and carol have won of each other is taken from them.
    assert dict(RatedSeat.objects.values_list("player__user__username", "points_after")) == moved
    assert list(faults_of_ratings()) == []
    play_out(fresh(going))
    assert PlayerRating.objects.get(user=alice, family="duo").games == 1
    family = rating_family(over.variant)
    rate_family(family, now=NOON)
    ratings = PlayerRating.objects.filter(family=family)
    assert {row.user: row.games for row in ratings} == dict.fromkeys((alice, bob, carol), 1)
    assert list(faults_of_ratings()) == []


def test_a_guest_who_has_played_the_members_own_bot_is_brought_along(guest: User, alice: User) -> None:
    robot = User.objects.create_user("robot", operator=alice)
    over, going = play_out(running(robot, guest, variant="duo")), running(guest, robot, variant="duo")
    assert merge_guest(guest, alice)
    for game in (over, going):
        assert {player.user for player in fresh(game).players.all()} == {alice, robot}
    take_turn(fresh(going))
    assert list(drifts()) == []


def test_who_have_blocked_each_other_part_at_tables_that_wait(guest: User, alice: User, bob: User, carol: User) -> None:
    own = open_table(guest, ME, OPEN, OPEN, variant="classic-3")
    join_game(bob, own.slug)
    other = open_table(carol, ME, OPEN, OPEN, OPEN, variant="classic-4")
    join_game(bob, other.slug)
    join_game(guest, other.slug)
    block_person(bob, "alice")
    merge_guest(guest, alice)
    assert {player.user for player in fresh(own).players.all()} == {alice, None}
    assert {player.user for player in fresh(other).players.all()} == {carol, bob, None}
    assert list(drifts()) == []


def test_a_report_of_the_guests_name_is_none_of_the_members(guest: User, alice: User, bob: User) -> None:
    same = {"reason": ReportReason.values[0], "gravity": 1, "trust": 1, "made_at": NOON, "thing": f"player-{guest.pk}"}
    PlayerReport.objects.create(reporter=bob, person=guest, kind=Reported.NAME, **same)
    PlayerReport.objects.create(reporter=alice, person=guest, kind=Reported.LINE, **same)
    PlayerReport.objects.create(reporter=carl(), person=guest, kind=Reported.LINE, **same)
    merge_guest(guest, alice)
    left = PlayerReport.objects.get()
    assert (left.kind, left.person) == (Reported.LINE, alice)


def carl() -> User:
    return User.objects.create_user("carl")


def test_a_table_of_both_that_was_cancelled_stops_nothing(guest: User, alice: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN, variant="classic-3")
    join_game(guest, table.slug)
    cancel_game(alice, table.slug)
    assert merge_guest(guest, alice)
    assert {player.user for player in fresh(table).players.all()} == {alice, None}


@pytest.mark.parametrize("most", ["MAX_GAMES", "MAX_STUDIES", "MAX_GROUPS", "LONGEST_LIST"])
def test_nobody_has_more_by_a_guest_than_one_person_may(
    most: str, guest: User, alice: User, bob: User, carol: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(relations if most == "LONGEST_LIST" else action, most, 1)
    for person, other in ((guest, bob), (alice, carol)):
        if most == "MAX_GAMES":
            running(person, other, variant="duo")
        elif most == "MAX_STUDIES":
            Study.objects.create(owner=person, slug=f"s{person.pk}", record="{}", created_at=NOON, move_count=0)
        elif most == "MAX_GROUPS":
            join_group(person, club(other).invite_token)
        else:
            FollowedPerson.objects.create(person=person, other=other, made_at=NOON)
    client = logged_in_over(guest)
    page = client.post(BRING)
    assert page.status_code == 409
    assert "Nothing has been brought along:" in page.content.decode()
    with pytest.raises(TooMany):
        merge_guest(guest, alice)
    guest.refresh_from_db()
    assert guest.is_guest


def test_an_invitation_goes_along_and_its_table_hears_of_it(guest: User, alice: User, bob: User) -> None:
    table = open_table(bob, ME, OPEN, variant="duo")
    Player.objects.filter(game=table, user=None).update(access="named", invitee=guest)
    version = fresh(table).version
    merge_guest(guest, alice)
    assert fresh(table).version == version + 1
    join_game(alice, table.slug)
    assert {player.user for player in fresh(table).players.all()} == {alice, bob}


# The pages


def ways_in(alice: User, provider: Provider) -> dict[str, Any]:
    """Return the ways in which alice logs in, each a function of a browser."""
    key, _kept = add(logged_in_plainly())
    assert isinstance(key, SoftKey)
    link_account(alice, "otis-1")

    def by_passkey(client: Client) -> Any:
        return client.post(LOGIN, {"credential": key.show(asked_of_anyone(client)), "next": "/rules/"})

    def by_sign_on(client: Client) -> Any:
        return signed_on(provider, client, next="/rules/")

    return {"passkey": by_passkey, "sign-on": by_sign_on}


def logged_in_plainly() -> Client:
    client = Client()
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    return client


def check_story(client: Client, answer: Any, guest: User, alice: User) -> None:
    """Check that the page asks, and that a yes brings the game along and goes on."""
    assert who(client) == alice
    assert answer.headers["Location"] == f"{BRING}?next=%2Frules%2F"
    page = client.get(answer.headers["Location"]).content.decode()
    assert "1 game" in page
    assert guest.shown_name in page
    on = re.findall(r'name="next" value="([^"]*)"', page)[0]
    assert client.post(BRING, {"next": on}).headers["Location"] == "/rules/"
    assert Player.objects.filter(user=alice).exists()
    assert not Player.objects.filter(user=guest).exists()
    assert "All that you played as a guest is in your account now." in client.get("/rules/").content.decode()
    assert client.get(BRING).headers["Location"] == "/games/"


def test_after_the_password_the_page_asks(guest: User, alice: User, bob: User) -> None:
    running(guest, bob, variant="duo")
    client = browser_of(guest)
    assert "you can bring the games of this guest along" in client.get("/accounts/login/").content.decode()
    sent = {"login": "alice", "password": PASSWORD, "next": "/rules/"}
    check_story(client, client.post("/accounts/login/", sent), guest, alice)


def test_after_the_password_and_a_code_the_page_asks(guest: User, alice: User, bob: User) -> None:
    running(guest, bob, variant="duo")
    secret, client = with_codes(alice), browser_of(guest)
    client.post("/accounts/login/", {"login": "alice", "password": PASSWORD, "next": "/rules/"})
    assert who(client) == guest
    check_story(client, client.post(BETWEEN, {"code": code_of(secret)}), guest, alice)


def test_after_a_passkey_the_page_asks(guest: User, alice: User, bob: User, provider: Provider) -> None:
    running(guest, bob, variant="duo")
    client = browser_of(guest)
    check_story(client, ways_in(alice, provider)["passkey"](client), guest, alice)


def test_after_the_sign_on_of_the_site_the_page_asks(guest: User, alice: User, provider: Provider) -> None:
    link_account(alice, "otis-1")
    open_table(guest, ME, OPEN)
    client = browser_of(guest)
    check_story(client, signed_on(provider, client, next="/rules/"), guest, alice)


def test_a_guest_with_nothing_is_not_asked_about(guest: User, alice: User) -> None:
    client = logged_in_over(guest)
    assert client.get(BRING, {"next": "/rules/"}).headers["Location"] == "/rules/"
    guest.refresh_from_db()
    assert guest.is_guest


def test_a_guest_who_follows_someone_alone_is_asked_about(guest: User, alice: User, bob: User) -> None:
    FollowedPerson.objects.create(person=guest, other=bob, made_at=NOON)
    client = logged_in_over(guest)
    assert "groups, invitations or lists of people" in client.get(BRING).content.decode()
    client.post(BRING)
    assert FollowedPerson.objects.get().person == alice


def test_a_look_at_the_page_forgets_no_guest(guest: User, alice: User, bob: User) -> None:
    client = logged_in_over(guest)
    guests_things = client.get(BRING)
    assert guests_things.status_code == 302
    FollowedPerson.objects.create(person=guest, other=bob, made_at=NOON)
    assert client.get(BRING).status_code == 200


def test_a_no_leaves_it_with_the_guest(guest: User, alice: User, bob: User) -> None:
    game = running(guest, bob, variant="duo")
    client = logged_in_over(guest)
    assert client.post(LEAVE, {"next": "/rules/"}).headers["Location"] == "/rules/"
    assert client.post(BRING).headers["Location"] == "/games/"
    assert client.post(BACK).headers["Location"] == "/games/"
    assert who(client) == alice
    assert fresh(game).creator == guest


def test_the_way_back_leads_to_the_guest(guest: User, alice: User, bob: User) -> None:
    running(alice, guest, variant="duo", name="The duel")
    client = logged_in_over(guest)
    refused = client.post(BRING)
    assert refused.status_code == 409
    page = refused.content.decode()
    assert "Both of you sit at the table The duel, and one person cannot have two seats." in page
    assert BACK in page
    client.post(BACK)
    assert who(client) == guest
    assert not Session.objects.filter(user_id=alice.pk).exists()


def test_no_other_browser_and_no_later_hour_brings_a_guest_along(
    guest: User, alice: User, bob: User, clock: Any
) -> None:
    running(guest, bob, variant="duo")
    plain = logged_in_plainly()
    assert plain.post(BRING).headers["Location"] == "/games/"
    client = logged_in_over(guest)
    clock(3601)
    for address in (BRING, BACK):
        client.post(address)
        assert who(client) == alice
    assert Player.objects.filter(user=guest).exists()


def test_one_member_who_logs_in_after_another_brings_nothing(alice: User, bob: User, guest: User) -> None:
    running(guest, bob, variant="duo")
    client = logged_in_over(guest)
    client.post("/accounts/logout/")
    client.post("/accounts/login/", {"login": "bob", "password": PASSWORD})
    assert client.get(BRING).headers["Location"] == "/games/"


def test_the_pages_are_for_members_alone(guest: User, client: Client) -> None:
    for address in (BRING, LEAVE, BACK):
        assert client.post(address).headers["Location"].startswith("/accounts/login/")
        assert browser_of(guest).post(address).headers["Location"].startswith("/accounts/claim/")


def test_the_sockets_of_the_guest_close_when_somebody_logs_in(
    guest: User, alice: User, django_capture_on_commit_callbacks: Any
) -> None:
    heard: list[int] = []

    def hear(user_id: int, **_signal: Any) -> None:
        heard.append(user_id)

    sessions_ended.connect(hear)
    try:
        with django_capture_on_commit_callbacks(execute=True):
            logged_in_over(guest)
    finally:
        sessions_ended.disconnect(hear)
    assert guest.pk in heard


def test_studies_and_words_go_along(guest: User, alice: User, bob: User) -> None:
    game = play_out(running(guest, bob, variant="duo"))
    TalkMessage.objects.create(game=game, author=guest, text="Well played", created_at=NOON)
    Study.objects.create(owner=guest, slug="abc123", title="Mine", record="{}", created_at=NOON, move_count=0)
    merge_guest(guest, alice)
    assert TalkMessage.objects.get().author == alice
    assert TalkMessage.objects.get().text == "Well played"
    assert Study.objects.get().owner == alice


# A child's account


def test_a_child_who_logs_in_where_a_guest_was_is_not_asked_and_brings_nothing_along(alice: User, guest: User) -> None:
    child = child_of(alice, "Mia", password=PASSWORD)
    open_table(guest, ME, OPEN)
    client = browser_of(guest)
    answer = client.post("/accounts/login/", {"login": "Mia", "password": PASSWORD})
    assert answer.status_code == 302
    assert not answer["Location"].startswith(BRING)
    assert guests.LEFT not in client.session
    assert not merge_guest(guest, child, now=NOON)
    assert not Player.objects.filter(user=child).exists()
