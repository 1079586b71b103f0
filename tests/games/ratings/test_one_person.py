"""One person has one seat at a rated table, as far as it is known whose an account is."""

from collections.abc import Callable

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.actions.tables.repeat_table import repeat_table
from games.errors import InvitationRefused, NotSeated
from games.models import Game, Status
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.ratings.games import program
from tests.games.tables import ME, OPEN, fresh, invited, open_table, rows, running

pytestmark = pytest.mark.django_db


def robot(name: str, operator: User) -> User:
    return User.objects.create_user(name, operator=operator)


def seated(game: Game) -> list[str | None]:
    return list(fresh(game).players.order_by("seat").values_list("user__username", flat=True))


def test_who_runs_a_bot_account_does_not_sit_with_it_at_a_rated_table_nor_do_two_of_its_kind(
    alice: User, bob: User
) -> None:
    fred, frida, other = robot("Fred", alice), robot("Frida", alice), robot("Otto", bob)
    table = open_table(alice, ME, OPEN, OPEN, is_public=True)
    before = rows()
    for host, comer in ((table, fred), (table, frida)):
        with pytest.raises(NotSeated) as refused:
            join_game(comer, host.slug)
        assert refused.value.code == "same-person"
    assert rows() == before
    join_game(other, table.slug)
    with pytest.raises(NotSeated):
        join_game(bob, table.slug)
    own = open_table(fred, ME, OPEN, is_public=True)
    for comer in (alice, frida):
        with pytest.raises(NotSeated):
            join_game(comer, own.slug)
    join_game(other, own.slug)
    assert fresh(own).status == Status.RUNNING


def test_nobody_is_invited_to_a_rated_table_who_could_not_accept_it(alice: User, bob: User, log_in: LogIn) -> None:
    fred, other = robot("Fred", alice), robot("Otto", bob)
    before = rows()
    for host, seats in (
        (alice, (ME, invited("Fred"))),
        (fred, (ME, invited("alice"))),
        (alice, (ME, OPEN, invited("bob"), invited("Otto"))),
    ):
        with pytest.raises(InvitationRefused) as refused:
            open_table(host, *seats, is_public=True)
        assert (refused.value.code, refused.value.field) == ("same-person", f"seats-{len(seats) - 1}")
    assert rows() == before
    asked = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic", "name": ""}
    asked |= {"seat-0": "me", "seat-1": "named", "seat-1-name": "Fred"}
    answer = log_in(alice).post("/games/new/", asked)
    assert answer.status_code == 422
    assert "one person has one seat" in read(answer).text
    assert open_table(alice, ME, invited("Fred"), is_public=True, is_rated=False)
    assert open_table(alice, ME, invited("Fred"), is_public=False)
    assert open_table(alice, ME, invited("Otto"), is_public=True).is_rated
    assert other.operator == bob


def test_at_a_table_that_is_not_rated_one_may_play_against_ones_own_bot(alice: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=True, is_rated=False)
    join_game(robot("Fred", alice), table.slug)
    assert seated(table) == ["alice", "Fred"]


def test_joining_twice_is_still_joining_once(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN, is_public=True)
    join_game(bob, table.slug)
    join_game(bob, table.slug)
    assert seated(table).count("bob") == 1


@pytest.mark.parametrize(("address", "sent"), [("/play-anyone/", {}), ("/games/new/", {"fill_after": "15m"})])
def test_who_wants_to_play_anyone_is_led_past_the_rated_table_of_their_own_bot(
    address: str, sent: dict[str, str], alice: User, log_in: LogIn
) -> None:
    seats = (ME, OPEN, OPEN, OPEN)
    theirs = open_table(
        robot("Fred", alice), *seats, is_public=True, fill_soon=5, fill_bot="sage-2", now=timezone.now()
    )
    asked = {"preset": "anyone", "board": "blockyou-4", **sent}
    assert log_in(alice).post(address, asked).status_code == 302
    own = Game.objects.exclude(pk=theirs.pk).get()
    assert "alice" in seated(own)
    assert "alice" not in seated(theirs)


@pytest.mark.parametrize("again", [open_rematch, repeat_table])
def test_a_game_that_one_played_with_ones_bot_leads_to_one_that_is_not_rated_and_can_be_accepted(
    again: Callable[[User, str], object], alice: User
) -> None:
    fred = robot("Fred", alice)
    old = running(alice, fred, is_public=True, is_rated=False)
    resign(alice, old.slug)
    # As games were before one person had one seat.
    Game.objects.filter(pk=old.pk).update(is_rated=True)
    again(alice, old.slug)
    table = Game.objects.get(rematch_of=old)
    assert not table.is_rated
    again(fred, old.slug)
    assert {*seated(table)} == {"alice", "Fred"}


def test_programs_are_refused_the_same_seat(alice: User) -> None:
    table = open_table(alice, ME, OPEN, is_public=True)
    answer = program(robot("Fred", alice)).post(f"games/{table.slug}/join")
    assert (answer.status_code, answer.json()["code"]) == (403, "same-person")
    assert seated(table) == ["alice", None]
