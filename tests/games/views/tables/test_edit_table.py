"""The page on which the host of a table changes it, and what those who sit there are shown."""

from collections.abc import Callable
from dataclasses import replace
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.tables.edit_table import edit_table
from games.actions.tables.join_game import join_game
from games.actions.tables.remove_player import remove_player
from games.actions.tables.swap_seats import swap_seats
from games.base.terms import TableTerms
from games.clock import PACES
from games.models import Game, Status
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, fresh, invited, open_table

pytestmark = pytest.mark.django_db
LogIn = Callable[[User], Client]


@pytest.fixture
def table(alice: User, bob: User) -> Game:
    return join_game(bob, open_table(alice, ME, OPEN, invited("carol"), bot(), name="Sunday").slug)


def test_the_form_begins_with_what_is_agreed_and_saving_it_changes_nothing(
    alice: User, carol: User, table: Game, log_in: LogIn
) -> None:
    client = log_in(alice)
    page = client.get(f"/games/{table.slug}/edit/")
    form = page.context["form"]
    client.post(f"/games/{table.slug}/edit/", {**form.initial})
    assert fresh(table).version == table.version
    assert 'value="Sunday"' in page.content.decode()


def test_every_page_says_one_length_of_a_game_at_the_table_in_which_bots_take_no_time(
    alice: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, OPEN, bot(), bot(), time=PACES["fast"])
    client, own = log_in(alice), f"/games/{table.slug}/"
    lobby, waiting, edit = (read(client.get(path)).text for path in ("/lobby/", own, f"{own}edit/"))
    assert "takes about 7 days" in lobby
    assert "takes about 7 days" in waiting
    assert "about 3 moves a day · takes about 7 days" in edit
    assert "The length of a game for 2 people is an estimate" in edit


def test_a_player_reads_on_the_page_what_the_host_changed(
    alice: User, bob: User, carol: User, table: Game, log_in: LogIn
) -> None:
    sent = {"name": "Monday", "is_public": "no", "time": "fast", "stand_in": "none", "fill_after": "6", "strength": "3"}
    log_in(alice).post(f"/games/{table.slug}/edit/", sent)
    page = log_in(bob).get(f"/games/{table.slug}/").content.decode()
    for text in ("Only the players can watch now.", "Time: 1 day + 8 hours per move", "takes the seats that are still"):
        assert text in page


def test_every_change_is_told_in_a_sentence_of_its_own(
    alice: User, bob: User, carol: User, table: Game, log_in: LogIn
) -> None:
    def told() -> str:
        return read(log_in(bob).get(f"/games/{table.slug}/")).find(class_="waiting__changes").text

    terms = TableTerms.of(table, is_public=False)
    swap_seats(alice, table.slug, one=0, other=1)
    remove_player(alice, table.slug, seat=2, reason="plans")
    remove_player(alice, table.slug, seat=3)
    assert "Seats 1 and 2 were exchanged." in told()
    assert "A player was removed: the plans for this table have changed." in told()
    assert "A bot was removed." in told()
    terms = replace(terms, fill_after=6, fill_bot="greedy", lets_choose=True)
    edit_table(alice, table.slug, terms)
    assert "Only the players can watch now." in told()
    assert "After 6 hours, Greedy bot takes the empty seats." in told()
    assert "Players choose their colours now." in told()
    terms = replace(terms, is_public=True, stand_in="", fill_after=0, lets_choose=False)
    edit_table(alice, table.slug, terms)
    assert "Everyone can watch now." in told()
    assert "A player who runs out of time is out of the game; their pieces stay." in told()
    assert "Bots no longer take the empty seats." in told()
    assert "The colours now stay as they are." in told()
    edit_table(alice, table.slug, replace(terms, stand_in="greedy"))
    assert "If a player runs out of time, the bot Greedy plays that turn;" in told()


def test_what_makes_no_sense_is_said_beside_the_field(alice: User, carol: User, table: Game, log_in: LogIn) -> None:
    sent = {"name": "x" * 60, "is_public": "yes", "time": "fast"}
    answer = log_in(alice).post(f"/games/{table.slug}/edit/", sent)
    assert answer.status_code == 422
    assert fresh(table).name == "Sunday"


def test_only_the_host_is_offered_to_change_the_table(
    alice: User, bob: User, carol: User, table: Game, log_in: LogIn
) -> None:
    path = f"/games/{table.slug}/edit/"
    assert path in log_in(alice).get(f"/games/{table.slug}/").content.decode()
    assert path not in log_in(bob).get(f"/games/{table.slug}/").content.decode()


def test_a_player_who_is_removed_reads_why_and_finds_no_seat(
    alice: User, bob: User, carol: User, table: Game, log_in: LogIn
) -> None:
    log_in(alice).post(f"/games/{table.slug}/remove/", {"seat": "1", "reason": "silent"})
    page = log_in(bob).get(f"/games/{table.slug}/").content.decode()
    assert "has removed you from it. Reason: no answer for a long time." in page
    assert "Take a seat" not in page


def test_bots_fill_the_empty_seats_at_one_tap(alice: User, carol: User, table: Game, log_in: LogIn) -> None:
    answer = log_in(alice).post(f"/games/{table.slug}/fill/", {"strength": "3"})
    assert answer.headers["Location"] == f"/games/{table.slug}/"
    assert fresh(table).status == Status.RUNNING


def test_the_hour_at_which_bots_sit_down_stays_unless_it_is_changed(alice: User, carol: User, table: Game) -> None:
    terms = TableTerms.of(table)
    edit_table(alice, table.slug, replace(terms, fill_after=6, fill_bot="greedy"))
    edit_table(alice, table.slug, replace(terms, name="Monday"))
    fill_at = fresh(table).fill_at
    assert fill_at
    assert timedelta(hours=5) < fill_at - timezone.now() < timedelta(hours=7)


def test_the_host_may_leave_the_colours_as_they_are(alice: User, carol: User, table: Game, log_in: LogIn) -> None:
    page = read(log_in(alice).get(f"/games/{table.slug}/edit/"))
    labels = [
        each.text.strip() for each in page.find_all("label") if each.find_all("input", name="dealing", value="set")
    ]
    assert labels == ["The colours stay as they are now"]
