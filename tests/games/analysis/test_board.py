"""The analysis board, as its reader: tried, gone through, kept on all devices, and never sent as a move."""

import json
import random
import re
from datetime import timedelta

import pytest
from django.test import Client

from accounts import erasure
from accounts.guests import create_guest
from accounts.models import User
from games.actions.takebacks.agree_to_takeback import agree_to_takeback
from games.actions.takebacks.ask_for_takeback import ask_for_takeback
from games.base import branches, positions
from games.models import Analysis, Game, Study
from games.queries.tables.turns import next_number
from games.rules import Position
from games.rules.records.data import read_json
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import NOON, advance, declare_pass, fresh, place, play_out, running
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return advance(advance(running(alice, bob, is_public=True), random.Random(1)), random.Random(2))


def board(browser: Client, game: Game, query: str = "") -> Element:
    answer = browser.get(f"/games/{game.slug}/analysis/{query}")
    assert answer.status_code == 200
    return read(answer)


def some(position: Position, number: int = 0) -> str:
    return str(position.legal_placements()[number])


def attempt(browser: Client, game: Game, text: str, **where: int | str) -> str:
    """Try a move, and return where the board is then."""
    answer = browser.post(f"/games/{game.slug}/analysis/try/", {"placement": text, **where})
    assert answer.status_code == 302, answer.content.decode()
    return str(answer["Location"]).partition("?")[2]


def edition_of(browser: Client, game: Game) -> str:
    return board(browser, game).find("form", id="undo").find("input", name="edition")["value"]


def change(browser: Client, game: Game, path: str, **sent: int | str) -> int:
    sent = {"edition": edition_of(browser, game), **sent}
    return browser.post(f"/games/{game.slug}/analysis/{path}/", sent).status_code


def tried_on(page: Element) -> list[str]:
    """Return the moves of the branch that the page shows."""
    return [one["aria-label"] for one in page.find_all("a", class_="tried")]


def test_moves_are_tried_for_any_colour_in_turn_and_the_game_does_not_hear_of_it(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    browser, before, position = log_in(alice), fresh(game), positions.position_of(game)
    watching = len(log_in(bob).get(f"/games/{game.slug}/").content)
    assert f"/games/{game.slug}/analysis/" in browser.get(f"/games/{game.slug}/").content.decode()
    query, seats = "", []
    for _turn in range(4):
        text = some(position)
        where = {"node": query.removeprefix("node=")} if query else {}
        query = attempt(browser, game, text, **where)
        position = position.play(text)
        seats.append(position.seat)
        data = json.loads(board(browser, game, f"?{query}").find("script", id="position").text)
        assert data["toPlay"] == position.colour
        assert data["colours"].keys() == {position.colour}
    assert len(set(seats)) == 2
    assert len(tried_on(board(browser, game, f"?{query}"))) == 4
    after = fresh(game)
    assert (after.version, after.move_count, after.changed_at) == (before.version, before.move_count, before.changed_at)
    assert len(log_in(bob).get(f"/games/{game.slug}/").content) == watching


def test_what_does_not_fit_is_refused_with_the_reasons_of_the_rules_and_their_cells(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    taken = next(turn.placement for turn in position.history if turn.placement)
    answer = browser.post(f"/games/{game.slug}/analysis/try/", {"placement": str(taken)})
    page = read(answer)
    assert answer.status_code == 422
    assert answer["X-Error-Code"] == "illegal-placement"
    assert page.find_all("path", class_="fault")
    assert "Already taken" in page.find("div", role="alert").text
    assert not Analysis.objects.exists()
    unread = browser.post(f"/games/{game.slug}/analysis/try/", {"placement": "nonsense"})
    assert (unread.status_code, unread["X-Error-Code"]) == (400, "bad-request")
    assert browser.post(f"/games/{game.slug}/analysis/try/", {"placement": "pass"}).status_code == 422


def test_branches_are_there_on_every_device_and_are_seen_by_no_one_else(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    position = positions.position_of(game)
    first = attempt(log_in(alice), game, some(position))
    attempt(log_in(alice), game, some(position, 5))
    page = board(log_in(alice), game)
    assert len(page.find("ul", class_="branches__list").find_all("li")) == 2
    assert len(page.find_all("a", class_="tried")) == 2
    assert not board(log_in(bob), game).find_all("ul", class_="branches__list")
    # Bob's address bar leads to no place of Alice's.
    other = board(log_in(bob), game, f"?{first}")
    assert "no longer there" in other.find("div", role="alert").text
    assert not other.find_all("a", class_="tried")


def test_until_the_game_is_over_only_those_who_sit_there_try_moves_and_then_all_who_may_see_it(
    alice: User, bob: User, carol: User, game: Game, log_in: LogIn
) -> None:
    watchers = [log_in(carol), log_in(create_guest())]
    for watcher in watchers:
        for path in ("", "try/", "name/", "remove/", "undo/"):
            send = watcher.post if path else watcher.get
            assert send(f"/games/{game.slug}/analysis/{path}").status_code == 403
        assert "/analysis/" not in watcher.get(f"/games/{game.slug}/").content.decode()
        assert "/analysis/" not in watcher.get(f"/games/{game.slug}/replay/").content.decode()
    assert Client().get(f"/games/{game.slug}/analysis/").status_code == 302
    play_out(game)
    for watcher in watchers:
        assert "/analysis/" in watcher.get(f"/games/{game.slug}/replay/").content.decode()
        attempt(watcher, game, some(positions.start_of(game)), move=0)
    hidden = running(alice, bob, is_public=False)
    play_out(hidden)
    assert log_in(carol).get(f"/games/{hidden.slug}/analysis/").status_code == 404
    token = f"?token={hidden.invite_token}"
    assert hidden.invite_token in board(log_in(carol), hidden, token).find("form", id="undo")["action"]


def test_a_branch_can_be_named_removed_and_all_of_it_undone_and_redone(alice: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    node = attempt(browser, game, some(position)).removeprefix("node=")
    then = position.play(some(position))
    attempt(browser, game, some(then), node=node)
    assert change(browser, game, "name", node=node, name="  Through the <middle>  ") == 302
    page = browser.get(f"/games/{game.slug}/analysis/").content.decode()
    assert "Through the &lt;middle&gt;" in page
    assert "<middle>" not in page
    assert change(browser, game, "remove", node=node) == 302
    assert not board(browser, game).find_all("a", class_="tried")
    assert [change(browser, game, "undo", what="undo") for _step in range(4)] == [302] * 4
    assert change(browser, game, "undo", what="undo") == 409
    assert [change(browser, game, "undo", what="redo") for _step in range(4)] == [302] * 4
    assert change(browser, game, "undo", what="redo") == 409
    assert change(browser, game, "undo", what="undo") == 302
    assert len(tried_on(board(browser, game, f"?node={node}"))) == 2


def test_two_tabs_lose_nothing_of_each_other(alice: User, game: Game, log_in: LogIn) -> None:
    phone, desk, position = log_in(alice), log_in(alice), positions.position_of(game)
    stale = edition_of(desk, game)
    node = attempt(phone, game, some(position)).removeprefix("node=")
    # Both try the same: it is there once. Each tries another: both are there.
    assert attempt(desk, game, some(position)) == f"node={node}"
    attempt(desk, game, some(position, 3))
    assert len(board(phone, game).find("ul", class_="branches__list").find_all("li")) == 2
    # What would take something away is not done unseen.
    for what in ("remove", "undo", "name"):
        answer = phone.post(f"/games/{game.slug}/analysis/{what}/", {"node": node, "edition": stale, "name": "A"})
        assert (answer.status_code, answer["X-Error-Code"]) == (409, "analysis-changed")
    assert change(phone, game, "remove", node=node) == 302
    answer = desk.post(f"/games/{game.slug}/analysis/try/", {"node": node, "placement": some(position)})
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "no-such-branch")


def test_a_double_tap_tries_once(alice: User, game: Game, log_in: LogIn) -> None:
    browser, text = log_in(alice), some(positions.position_of(game))
    assert attempt(browser, game, text) == attempt(browser, game, text)
    assert Analysis.objects.get().edition == 1


def test_the_tree_shows_where_the_real_game_has_left_it(alice: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    text = some(position)
    node = attempt(browser, game, text).removeprefix("node=")
    attempt(browser, game, some(position.play(text)), node=node)
    page = board(browser, game, f"?node={node}")
    (playable,) = {link["href"] for link in page.find_all("a") if "hold=" in link.attributes.get("href", "")}
    assert playable == f"/games/{game.slug}/?hold={text}"
    game = place(game, text).game
    page = board(browser, game, f"?node={node}")
    assert "The game has followed it for 1 move." in page.text
    assert not [link for link in page.find_all("a") if "hold=" in link.attributes.get("href", "")]
    game = place(game, some(positions.position_of(game), 7)).game
    page = board(browser, game, f"?node={node}")
    assert "The game went another way at move 4." in page.text
    assert len(tried_on(page)) == 2


def test_the_buttons_lead_through_the_game_and_the_branches(alice: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    first = attempt(browser, game, some(position))
    second = attempt(browser, game, some(position, 4))

    def leads(query: str, way: str) -> str:
        links = [link.attributes.get("href", "") for link in board(browser, game, query).find_all(data_go=way)]
        return "".join(links).partition("?")[2]

    assert [leads("", "back"), leads("?move=1", "back"), leads("?move=0", "back")] == ["move=1", "move=0", ""]
    assert [leads("?move=0", "forward"), leads("?move=1", "forward")] == ["move=1", "move=2"]
    assert leads("", "forward") == first
    assert [leads(f"?{first}", "back"), leads(f"?{first}", "down"), leads(f"?{second}", "up")] == [
        "move=2",
        second,
        first,
    ]


def test_without_scripts_a_piece_of_the_tray_lists_where_it_fits_each_as_a_button(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    page = board(browser, game)
    tray = page.find("form", class_="tray")
    piece = next(slot["value"] for slot in tray.find_all("button") if "aria-disabled" not in slot.attributes)
    hidden = {one["name"]: one["value"] for one in tray.find_all("input")}
    page = read(browser.get(tray["action"], {**hidden, "piece": piece}))
    offered = [one["value"] for one in page.find_all("button", name="placement")]
    assert offered == [str(each) for each in position.legal_placements() if each.piece == piece]
    attempt(browser, game, offered[-1])
    assert board(browser, game, "?piece=nonsense").find("form", class_="tray")


def test_where_no_one_can_place_a_pass_is_made_as_in_the_game(alice: User, bob: User, log_in: LogIn) -> None:
    for declares in (True, False):
        game = running(alice, bob, variant="duo", declares_passes=declares)
        rng = random.Random(3)
        while not positions.position_of(game).is_over and positions.position_of(game).has_legal():
            game = advance(game, rng)
        browser = log_in(alice)
        game = fresh(game)
        if declares:
            assert board(browser, game).find("button", name="placement")["value"] == "pass"
            query = attempt(browser, game, "pass")
            assert "pass" in tried_on(board(browser, game, f"?{query}"))[-1].lower()
            declare_pass(game)
        else:
            # The passes that make themselves are no places where anyone could choose.
            stops = [board(browser, game, f"?move={number}") for number in range(game.move_count + 1)]
            assert all(not page.find_all("button", name="placement") for page in stops)


def test_engines_are_not_asked_and_hints_are_given_only_where_the_table_allows_them(
    alice: User, bob: User, log_in: LogIn
) -> None:
    for allows in (True, False):
        game = running(alice, bob, allows_hints=allows)
        page = board(log_in(alice), game)
        assert ("possible move" in page.find(data_say="").text) is allows
        assert bool(page.find_all("path", class_="corners")) is allows
        assert "data-no-hints" not in page.find("svg", id="board").attributes or not allows
        assert not page.find_all("form", id="advise")


def test_a_piece_of_it_answers_htmx_and_the_address_bar_follows(alice: User, game: Game, log_in: LogIn) -> None:
    browser, text = log_in(alice), some(positions.position_of(game))
    sent = {"placement": text}
    answer = browser.post(f"/games/{game.slug}/analysis/try/", sent, headers={"HX-Request": "true"})
    assert answer.status_code == 200
    assert "<html" not in answer.content.decode()
    assert re.fullmatch(rf"/games/{game.slug}/analysis/\?node=\d+", answer["HX-Replace-Url"])


def test_a_board_asks_for_little_and_the_game_for_nothing_more(
    alice: User, game: Game, log_in: LogIn, query_count: QueryCount
) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    before = query_count(browser, f"/games/{game.slug}/")
    for number in range(8):
        attempt(browser, game, some(position, number))
    assert query_count(browser, f"/games/{game.slug}/") == before
    assert query_count(browser, f"/games/{game.slug}/analysis/") <= 7


def test_branches_go_with_the_account_and_with_the_game_and_not_with_the_opponents(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    text = some(positions.position_of(game))
    attempt(log_in(alice), game, text)
    attempt(log_in(bob), game, text)
    erasure.close_account(bob)
    assert [one.user for one in Analysis.objects.all()] == [alice]
    game.delete()
    assert not Analysis.objects.exists()


def test_a_full_analysis_refuses_the_next_move_with_what_helps(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    attempt(browser, game, some(position))
    monkeypatch.setattr(branches, "MAX_TRIED", 1)
    answer = browser.post(f"/games/{game.slug}/analysis/try/", {"placement": some(position, 2)})
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "analysis-full")
    assert "Remove a branch" in read(answer).find("div", role="alert").text


def test_trying_too_often_is_refused_for_a_while(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.views.analysis.board.TRIED_AN_HOUR", 1)
    browser, position = log_in(alice), positions.position_of(game)
    attempt(browser, game, some(position))
    answer = browser.post(f"/games/{game.slug}/analysis/try/", {"placement": some(position, 2)})
    assert answer.status_code == 429


def test_a_branch_outlives_the_moves_that_it_began_after_and_that_were_taken_back(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, allows_takebacks=True)
    game = advance(advance(game, random.Random(1)), random.Random(2))
    browser, position = log_in(alice), positions.position_of(game)
    gone = str(position.history[-1].placement)
    node = attempt(browser, game, some(position, 3)).removeprefix("node=")
    before = board(browser, game, f"?node={node}").find_all("path", class_="piece")
    later = NOON + timedelta(seconds=11)
    asked = ask_for_takeback(bob, game.slug, number=next_number(game), now=later)
    assert asked.asked_takeback
    agree_to_takeback(alice, game.slug, request=asked.asked_takeback.version, now=later)
    assert fresh(game).move_count == 1
    page = board(browser, game, f"?node={node}")
    assert len(page.find_all("path", class_="piece")) == len(before)
    assert [label.partition(".")[0] for label in tried_on(page)] == ["2", "3"]
    # What is stored goes on from there: tried, and undone.
    then = position.play(some(position, 3))
    attempt(browser, game, some(then), node=node)
    assert len(tried_on(board(browser, game, f"?node={node}"))) == 3
    assert change(browser, game, "undo", what="undo") == 302
    texts = map(str, positions.position_of(fresh(game)).legal_placements())
    game = place(game, next(text for text in texts if text != gone)).game
    assert "The game went another way at move 2." in board(browser, game, f"?node={node}").text


def test_a_branch_of_a_game_that_is_over_becomes_a_study_and_one_of_a_running_game_does_not(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    start = positions.start_of(game)
    first = attempt(browser, game, some(start, 2), move=0).removeprefix("node=")
    then = start.play(some(start, 2))
    attempt(browser, game, some(then, 1), node=first)
    assert change(browser, game, "name", node=first, name="Another beginning") == 302
    answer = browser.post(f"/games/{game.slug}/analysis/study/", {"node": first})
    assert (answer.status_code, answer["X-Error-Code"]) == (409, "not-over")
    play_out(game)
    answer = browser.post(f"/games/{game.slug}/analysis/study/", {"node": first})
    study = Study.objects.get()
    assert answer["Location"] == f"/studies/{study.slug}/?move=1"
    assert (study.title, study.owner, study.is_shared) == ("Another beginning", alice, False)
    record = read_json(study.record)
    assert record.record.moves == (some(start, 2), some(then, 1))
    assert "Another beginning" in record.comments[1]
    assert "Another beginning" in browser.get(answer["Location"]).content.decode()
    gone = browser.post(f"/games/{game.slug}/analysis/study/", {"node": 99})
    assert (gone.status_code, gone["X-Error-Code"]) == (409, "no-such-branch")
