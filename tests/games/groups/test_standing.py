"""A group that always has a table: the next opens when one ends, exactly once, whatever is lost or happens twice."""

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from accounts import erasure
from accounts.models import User
from games.actions.groups.delete_group import delete_group
from games.actions.groups.drop_standing_table import drop_standing_table
from games.actions.groups.leave_group import leave_group
from games.actions.groups.open_standing_table import open_standing_table
from games.actions.groups.set_role import set_role
from games.actions.groups.set_standing_table import set_standing_table
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.expire_table import expire_table
from games.actions.tables.join_game import join_game
from games.background.sweep import sweep
from games.clock import TimeControl
from games.errors import BadRequest
from games.models import Game, Group, Notification, Occasion, StandingTable, Status
from games.words.notices import notice_words
from tests.conftest import LogIn, person
from tests.games.actions.test_races import at_once
from tests.games.groups.test_members import club, code_of
from tests.games.groups.test_races import clear
from tests.games.play.pages import read
from tests.games.tables import OPEN, fresh, setup
from tests.games.tasks.workers import forget_jobs, jobs, run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def standing(owner: User, group: Group, **settings: Any) -> Game:
    return set_standing_table(owner, group.slug, setup(OPEN, OPEN, **{"variant": "duo", **settings}))


def end(game: Game, *people: User) -> None:
    """Let these people sit down at a table, and the last of them resign."""
    for player in people:
        join_game(player, game.slug)
    resign(people[-1], game.slug)


def present(group: Group) -> Game:
    found = StandingTable.objects.get(group=group).game
    assert found
    return found


def test_the_next_table_opens_when_the_game_ends_and_takes_over_what_was_agreed(alice: User, bob: User) -> None:
    group = club(alice, bob)
    first = standing(alice, group, time=TimeControl.days_a_move(2), name="Evening table", allows_hints=False)
    assert (first.group, first.creator, first.is_public, first.is_listed) == (group, alice, False, False)
    end(first, alice, bob)
    assert ("open_next_of_group", [StandingTable.objects.get().pk, 0]) in jobs()
    run_jobs()
    following = present(group)
    assert (following.pk != first.pk, following.status) == (True, Status.OPEN)
    for game in (first, following):
        assert (game.variant, game.name, game.allows_hints) == ("duo", "Evening table", False)
        assert game.time_control == TimeControl.days_a_move(2)
    end(following, alice, bob)
    run_jobs()
    assert Game.objects.filter(group=group).count() == 3


def test_a_lost_job_is_asked_for_again_and_one_that_comes_twice_opens_one(alice: User, bob: User) -> None:
    group = club(alice, bob)
    end(standing(alice, group), alice, bob)
    forget_jobs()
    found = StandingTable.objects.get()
    assert sweep(timezone.now()).standing == 0
    assert sweep(timezone.now() + timedelta(seconds=10)).standing == 1
    assert open_standing_table(found.pk)
    assert open_standing_table(found.pk) is None
    run_jobs()
    assert Game.objects.filter(group=group).count() == 2
    assert sweep(timezone.now() + timedelta(seconds=20)).standing == 0


def test_the_owner_is_told_of_it_like_all_members_and_not_as_of_a_deed_of_theirs(alice: User, bob: User) -> None:
    group = club(alice, bob)
    end(standing(alice, group), alice, bob)
    Notification.objects.all().delete()
    game = open_standing_table(StandingTable.objects.get().pk)
    rows = {row.user: row for row in Notification.objects.filter(game=game, occasion=Occasion.GROUP_TABLE)}
    assert {*rows} == {alice, bob}
    subjects = {user: notice_words(row)[0] for user, row in rows.items()}
    assert subjects == {alice: "A table is open for your group", bob: "alice opened a table for your group"}


def test_two_workers_at_one_instant_open_one_table() -> None:
    alice, bob = person("alice"), person("bob")
    for _ in range(6):
        clear()
        group = club(alice, bob)
        end(standing(alice, group), alice, bob)
        found = StandingTable.objects.get()
        answers = at_once([partial(open_standing_table, found.pk) for _ in range(3)])
        assert sum(answer is not None for answer in answers) == 1, answers
        assert Game.objects.filter(group=group).count() == 2


def test_a_game_that_ends_opens_the_next_of_its_own_group_alone(alice: User, bob: User) -> None:
    one, other = club(alice, bob, name="One"), club(bob, alice, name="Other")
    games = [standing(alice, one), standing(bob, other)]
    end(games[0], alice, bob)
    run_jobs()
    assert (present(one).pk != games[0].pk, present(other)) == (True, games[1])


def test_a_table_that_no_one_joins_or_that_is_cancelled_rests_until_it_is_set_again(alice: User, bob: User) -> None:
    group = club(alice, bob)
    for close in (
        lambda game: cancel_game(alice, game.slug),
        lambda game: expire_table(game.slug, now=game.expires_at),
    ):
        close(standing(alice, group))
        run_jobs()
        assert sweep(timezone.now() + timedelta(minutes=1)).standing == 0
        assert present(group).status == Status.CANCELLED
    assert standing(alice, group).status == Status.OPEN


def test_to_set_it_again_while_it_goes_on_changes_the_next_one_alone(alice: User, bob: User) -> None:
    group = club(alice, bob)
    first = standing(alice, group)
    assert standing(alice, group, variant="junior") == first
    assert fresh(first).variant == "duo"
    end(first, alice, bob)
    run_jobs()
    assert present(group).variant == "junior"
    assert StandingTable.objects.count() == 1


def test_it_goes_on_under_the_next_owner_when_the_one_before_leaves_or_closes_their_account(
    alice: User, bob: User, carol: User
) -> None:
    group = club(alice, bob, carol)
    first = standing(alice, group, name="Table of alice")
    leave_group(alice, group.slug)
    run_jobs()
    assert fresh(first).status == Status.CANCELLED
    assert (present(group).creator, present(group).status) == (bob, Status.OPEN)
    erasure.close_account(bob)
    run_jobs()
    assert (present(group).creator, present(group).status) == (carol, Status.OPEN)


def test_it_goes_on_when_who_has_handed_the_group_on_leaves_it(alice: User, bob: User) -> None:
    group = club(alice, bob)
    first = standing(alice, group)
    set_role(alice, group.slug, "bob", "owner")
    leave_group(alice, group.slug)
    run_jobs()
    assert fresh(first).status == Status.CANCELLED
    assert (present(group).creator, present(group).status) == (bob, Status.OPEN)


def test_a_closed_account_leaves_no_name_in_what_tables_will_be_called(alice: User, bob: User) -> None:
    group = club(alice, bob)
    standing(alice, group, name="Evenings with alice")
    erasure.close_account(alice)
    run_jobs()
    assert "alice" not in present(group).name
    assert "alice" not in str(StandingTable.objects.get().terms)


def test_nothing_opens_by_itself_once_it_was_stopped_and_the_game_that_there_is_goes_on(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = standing(alice, group)
    for _ in range(2):
        drop_standing_table(alice, group.slug)
    end(game, alice, bob)
    run_jobs()
    assert not StandingTable.objects.exists()
    assert Game.objects.get() == game


def test_a_group_that_has_ended_opens_nothing(alice: User, bob: User) -> None:
    group = club(alice, bob)
    game = standing(alice, group)
    join_game(alice, game.slug)
    join_game(bob, game.slug)
    delete_group(alice, group.slug)
    resign(bob, game.slug)
    run_jobs()
    assert Game.objects.get() == game


def test_owners_and_keepers_alone_set_and_stop_it(alice: User, bob: User, mallory: User) -> None:
    group = club(alice, bob)
    assert code_of(lambda: standing(bob, group)) == "not-keeper"
    assert code_of(lambda: drop_standing_table(bob, group.slug)) == "not-keeper"
    assert code_of(lambda: standing(mallory, group)) == "not-found"
    assert code_of(lambda: standing(alice, group, variant="chess")) == "bad-request"
    assert not Game.objects.exists()


def test_it_is_set_and_stopped_on_the_page_of_the_group(alice: User, bob: User, log_in: LogIn) -> None:
    group, browser = club(alice, bob), log_in(alice)
    address = f"/groups/{group.slug}/"
    assert not read(log_in(bob).get(address)).find_all("form", action=f"{address}standing/")
    answer = read(browser.post(f"{address}standing/", {"players": "4"}, follow=True))
    assert "From now on a new table opens whenever its game ends." in answer.text
    game = present(group)
    assert game.players.filter(user=None, access="open").count() == game.players.count() == 4
    for reader in (browser, log_in(bob)):
        page = read(reader.get(address))
        assert "Block-You, 4 players. When its game ends, the next table opens automatically." in page.text
        assert page.find_all("form", action=f"/games/{game.slug}/join/")
    cancel_game(alice, game.slug)
    assert "It rests, since no one came" in read(browser.get(address)).text
    answer = read(browser.post(f"{address}standing/stop/", follow=True))
    assert "No further table opens automatically." in answer.text
    assert not StandingTable.objects.exists()


def test_a_suspended_owners_table_rests(alice: User, bob: User) -> None:
    group = club(alice, bob)
    end(standing(alice, group), alice, bob)
    User.objects.filter(pk=alice.pk).update(suspended_until=timezone.now() + timedelta(days=9))
    run_jobs()
    assert sweep(timezone.now() + timedelta(minutes=1)).standing == 0
    assert Game.objects.filter(group=group).count() == 1


def test_while_the_owner_is_suspended_a_keepers_table_opens_under_the_keepers_name(alice: User, bob: User) -> None:
    group = club(alice, bob)
    set_role(alice, group.slug, "bob", "keeper")
    User.objects.filter(pk=alice.pk).update(suspended_until=timezone.now() + timedelta(days=9))
    game = standing(bob, group)
    assert (game.creator, game.status) == (bob, Status.OPEN)
    cancel_game(bob, game.slug)
    User.objects.filter(pk=alice.pk).update(suspended_until=None)
    assert standing(bob, group).creator == alice


def test_a_standing_table_names_no_opening_pieces(alice: User) -> None:
    with pytest.raises(BadRequest) as refused:
        standing(alice, club(alice), variant="duo:N:W")
    assert refused.value.field == "variant"
