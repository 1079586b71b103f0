"""Open tables wait two weeks for players; the people at them are told, and the lobby finds them by an index."""

from datetime import datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games import events
from games.actions.moves.resign import resign
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.decline_invitation import decline_invitation
from games.actions.tables.expire_table import expire_table
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.actions.tables.open_rematch import open_rematch
from games.background.upkeep import close_tables
from games.errors import NotFound
from games.models import Game, Status
from games.queries.versions import lists_version, lobby_version
from tests.conftest import LogIn
from tests.games.tables import LINK, ME, NOON, OPEN, bot, fresh, invited, open_table, running
from tests.plans import tables_read_whole

TWO_WEEKS = timedelta(days=14)


def listed() -> set[str]:
    return set(Game.objects.filter(is_listed=True).values_list("name", flat=True))


def test_a_table_waits_two_weeks_from_the_last_change_of_its_seats(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, OPEN)
    assert fresh(table).expires_at == NOON + TWO_WEEKS
    join_game(bob, table.slug, now=NOON + timedelta(days=3))
    assert fresh(table).expires_at == NOON + timedelta(days=17)
    assert running(alice, bob).expires_at is None
    cancel_game(alice, table.slug)
    assert fresh(table).expires_at is None


def test_the_lobby_lists_a_table_while_a_seat_is_free_for_anyone(alice: User, bob: User, carol: User) -> None:
    table = open_table(alice, ME, OPEN, invited("carol"), name="one")
    open_table(alice, ME, OPEN, name="private", is_public=False)
    open_table(alice, ME, LINK, bot(), name="by link")
    assert listed() == {"one"}
    join_game(bob, table.slug)
    assert listed() == set()
    decline_invitation(carol, table.slug)
    assert listed() == {"one"}
    join_game(carol, table.slug)
    assert (fresh(table).status, listed()) == (Status.RUNNING, set())


def test_a_table_that_someone_leaves_is_listed_again(alice: User, bob: User) -> None:
    table = open_table(alice, ME, OPEN, LINK, name="one")
    join_game(bob, table.slug)
    leave_game(bob, table.slug)
    assert listed() == {"one"}
    cancel_game(alice, table.slug)
    assert listed() == set()


def test_a_table_whose_time_is_over_is_closed_once(alice: User, bob: User) -> None:
    table, other = open_table(alice, ME, OPEN), open_table(bob, ME, OPEN, now=NOON + timedelta(days=1))
    before = lists_version(alice.pk), lobby_version()
    assert close_tables(NOON + TWO_WEEKS - timedelta(seconds=1)) == 0
    assert close_tables(NOON + TWO_WEEKS) == 1
    assert close_tables(NOON + TWO_WEEKS) == 0
    assert (fresh(table).status, fresh(table).reason, fresh(table).version) == (Status.CANCELLED, "expired", 2)
    assert fresh(other).status == Status.OPEN
    assert (lists_version(alice.pk), lobby_version()) == tuple(str(int(version) + 1) for version in before)


def test_a_table_that_has_changed_meanwhile_stays(alice: User, bob: User) -> None:
    table, now = open_table(alice, ME, OPEN, OPEN), NOON + TWO_WEEKS
    join_game(bob, table.slug, now=now)
    assert not expire_table(table.slug, now=now)
    assert fresh(table).status == Status.OPEN
    with pytest.raises(NotFound):
        expire_table("nosuchgame", now=now)


@pytest.mark.django_db(transaction=True)
def test_closing_is_told_to_the_people_of_the_table(heard: list[events.GameEvent], alice: User, bob: User) -> None:
    table = join_game(bob, open_table(alice, ME, OPEN, OPEN).slug, now=NOON)
    heard.clear()
    close_tables(NOON + TWO_WEEKS)
    (event,) = heard
    assert isinstance(event, events.GameCancelled)
    assert (event.slug, event.users) == (table.slug, (alice.pk, bob.pk))


def test_a_rematch_that_expires_may_be_asked_for_again(alice: User, bob: User) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    again = open_rematch(alice, game.slug, now=NOON)
    close_tables(NOON + TWO_WEEKS)
    assert fresh(again).status == Status.CANCELLED
    assert open_rematch(bob, game.slug).pk != again.pk


def page(client: Client, address: str) -> str:
    return client.get(address).content.decode()


def test_the_page_of_a_table_says_to_its_people_when_it_closes(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, now=datetime(2026, 3, 1, 12, tzinfo=NOON.tzinfo))
    assert "If no one joins, the table closes on 15 Mar 2026." in page(log_in(alice), f"/games/{table.slug}/")
    assert "the table closes" not in page(log_in(bob), f"/games/{table.slug}/")
    close_tables(NOON + TWO_WEEKS)
    text = page(log_in(alice), f"/games/{table.slug}/")
    assert "This table was closed because no one joined it for two weeks." in text


@pytest.mark.parametrize(("days", "is_told"), [(10, False), (12, True)])
def test_my_games_say_so_in_the_last_days(days: int, is_told: bool, alice: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, now=timezone.now() - timedelta(days=days))
    assert ("until the table closes" in page(log_in(alice), "/games/")) is is_told


@pytest.mark.parametrize("address", ["/lobby/", "/lobby/?page=2"])
def test_the_lobby_finds_its_tables_by_an_index(address: str, alice: User) -> None:
    open_table(alice, ME, OPEN)
    assert tables_read_whole(lambda: Client().get(address), ["games_game", "games_player", "games_listversion"]) == {}


def test_tables_to_close_are_found_by_an_index(alice: User) -> None:
    open_table(alice, ME, OPEN)
    assert tables_read_whole(lambda: close_tables(NOON), ["games_game"]) == {}


def test_a_page_of_the_lobby_that_is_gone_leads_to_the_first(alice: User) -> None:
    open_table(alice, ME, OPEN)
    assert Client().get("/lobby/?page=7").headers["Location"] == "/lobby/"
