"""Blocking on the pages: from a player's page in one tap, from a table in two, and the list; nobody is told."""

import html

import pytest
from django.test import Client

from accounts.guests import create_guest
from accounts.models import User
from games.actions.people.block_person import block_person
from games.actions.tables.join_game import join_game
from games.models import BlockedPerson, Game
from tests.conftest import LogIn
from tests.games.play.pages import read, text_at
from tests.games.tables import LINK, ME, OPEN, fresh, invited, open_table, running
from tests.games.views.conftest import QueryCount

pytestmark = pytest.mark.django_db


def pairs() -> set[tuple[str, str]]:
    return set(BlockedPerson.objects.values_list("person__username", "other__username"))


def test_two_taps_from_a_table_or_a_game_block_a_player_and_one_more_ends_it(
    alice: User, bob: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    waiting = open_table(bob, ME, OPEN, is_public=True)
    for game in (waiting, running(alice, bob)):
        page = read(browser.get(f"/games/{game.slug}/"))
        way = next(link["href"] for link in page.find_all("a") if link["href"] == "/players/bob/")
        form = read(browser.get(way)).find("form", action="/players/bob/block/")
        assert form.find("button").text.strip() == "Block"
        assert form.find("input", name="csrfmiddlewaretoken")["value"]
    answer = browser.post("/players/bob/block/", follow=True)
    assert answer.redirect_chain == [("/players/bob/", 302)]
    assert "You have blocked bob." in answer.content.decode()
    assert pairs() == {("alice", "bob")}
    form = read(answer).find("form", action="/players/bob/unblock/")
    assert form.find("button").text.strip() == "Unblock"
    assert "opponent=bob" not in answer.content.decode()
    answer = browser.post("/players/bob/unblock/", follow=True)
    assert "bob is not blocked any more." in answer.content.decode()
    assert pairs() == set()


def test_the_list_stands_under_preferences_and_lets_people_in_again(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    browser = log_in(alice)
    assert 'href="/blocked/"' in text_at(browser, "/accounts/preferences/")
    assert "You have blocked no one." in text_at(browser, "/blocked/")
    for name in ("bob", "carol"):
        browser.post(f"/players/{name}/block/")
    page = text_at(browser, "/blocked/")
    assert 0 < page.index("/players/carol/unblock/") < page.index("/players/bob/unblock/")
    answer = browser.post("/players/carol/unblock/", {"listed": "on"})
    assert (answer.status_code, answer["Location"]) == (302, "/blocked/")
    assert pairs() == {("alice", "bob")}
    assert "bob" not in text_at(log_in(bob), "/blocked/").replace('"/players/bob/"', "")


def test_who_was_blocked_sees_the_page_of_a_player_as_before(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(bob)
    before = text_at(browser, "/players/alice/")
    block_person(alice, "bob")
    after = text_at(browser, "/players/alice/")
    assert [line for line in after.splitlines() if "csrf" not in line.lower()] == [
        line for line in before.splitlines() if "csrf" not in line.lower()
    ]


def test_the_pages_of_a_table_offer_no_seat_to_either_and_say_no_more_than_that(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    block_person(alice, "bob")
    game = open_table(alice, ME, LINK)
    browser = log_in(bob)
    page = text_at(browser, f"/join/{game.invite_token}/")
    assert "There is no free seat for you at this table. You can open a table of your own." in page
    assert f"/games/{game.slug}/join/" not in page
    answer = browser.post(f"/games/{game.slug}/join/", {"token": game.invite_token})
    kept = open_table(eve, ME, invited("alice"))
    other = browser.post(f"/games/{kept.slug}/join/", {"token": kept.invite_token})
    assert (answer.status_code, other.status_code) == (409, 409)
    sentence = "There is no free seat for you at this table."
    assert sentence in answer.content.decode()
    assert sentence in other.content.decode()
    assert "block" not in read(answer).find("main").text.lower().replace("block-you", "")


def test_the_lobby_and_the_first_page_leave_the_tables_of_each_out_for_the_other(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    block_person(bob, "alice")
    table, watched, ended = open_table(alice, ME, OPEN, is_public=True), running(alice, carol), running(alice, carol)
    Game.objects.filter(pk__in=(watched.pk, ended.pk)).update(is_featured=True)
    for page in ("/lobby/", "/"):
        shown = {slug for slug in (table.slug, watched.slug) if slug in text_at(log_in(carol), page)}
        assert shown or page == "/"
        for slug in (table.slug, watched.slug, ended.slug):
            assert slug not in text_at(log_in(bob), page)
        assert watched.slug in text_at(Client(), page)


def test_quick_pairing_passes_over_the_tables_of_each(alice: User, bob: User, log_in: LogIn) -> None:
    block_person(alice, "bob")
    theirs = open_table(alice, ME, OPEN, is_public=True)
    answer = log_in(bob).post("/play-anyone/")
    assert theirs.slug not in answer["Location"]
    assert fresh(theirs).players.filter(user=bob).count() == 0


def test_a_guest_blocks_and_is_blocked_like_anyone(alice: User, log_in: LogIn) -> None:
    guest = create_guest()
    assert log_in(guest).post("/players/alice/block/").status_code == 302
    assert log_in(alice).post(f"/players/{guest.username}/block/").status_code == 302
    assert pairs() == {(guest.username, "alice"), ("alice", guest.username)}


def test_one_is_not_offered_to_block_oneself_and_hears_why_not(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert "/players/alice/block/" not in text_at(browser, "/players/alice/")
    answer = browser.post("/players/alice/block/")
    assert answer.status_code == 400
    assert "That is you, or a bot of yours." in answer.content.decode()
    assert browser.post("/players/no%20one/block/").status_code == 404
    assert "/block/" not in text_at(Client(), "/players/alice/")


def test_blocking_too_often_is_refused_for_a_while(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.PEOPLE_AN_HOUR", 1)
    browser = log_in(alice)
    assert [browser.post(f"/players/bob/{what}/").status_code for what in ("block", "unblock")] == [302, 429]
    assert pairs() == {("alice", "bob")}


def test_pages_cost_as_much_with_a_thousand_blocked_as_with_one(
    alice: User, bob: User, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    free = {page: query_count(browser, page) for page in ("/", "/lobby/", "/players/bob/", "/blocked/")}
    block_person(alice, "bob")
    one = {page: query_count(browser, page) for page in free}
    others = User.objects.bulk_create(
        User(username=f"x{number}", name_key=f"x{number}", shape=f"s{number}", shape_of_six=f"t{number}")
        for number in range(1000)
    )
    BlockedPerson.objects.bulk_create(
        BlockedPerson(person=alice, other=other, made_at=other.date_joined) for other in others
    )
    assert {page: query_count(browser, page) for page in free} == one
    assert text_at(browser, "/blocked/").count("/unblock/") == 24
    assert "Page 1 of 42" in text_at(browser, "/blocked/")
    # Two more where it is asked from whom they are kept apart; none for a person without any block.
    assert {page: one[page] - free[page] for page in free} == {"/": 2, "/lobby/": 2, "/players/bob/": 0, "/blocked/": 0}


def test_who_was_taken_from_a_table_reads_that_they_were_removed(alice: User, bob: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN, OPEN, is_public=True)
    join_game(bob, game.slug)
    block_person(alice, "bob")
    page = text_at(log_in(bob), f"/games/{game.slug}/")
    assert "The player who opened this table has removed you from it." in page


def test_a_player_is_muted_from_their_page_and_listed_under_preferences(alice: User, bob: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    form = read(browser.get("/players/bob/")).find("form", action="/players/bob/mute/")
    assert form.find("input", name="csrfmiddlewaretoken")["value"]
    answer = browser.post("/players/bob/mute/", follow=True)
    assert "You have muted bob." in answer.content.decode()
    assert read(answer).find("form", action="/players/bob/unmute/")
    assert 'href="/muted/"' in text_at(browser, "/accounts/preferences/")
    assert "/players/bob/unmute/" in text_at(browser, "/muted/")
    answer = browser.post("/players/bob/unmute/", {"listed": "on"}, follow=True)
    assert answer.redirect_chain == [("/muted/", 302)]
    assert "You have muted no one." in html.unescape(answer.content.decode())
