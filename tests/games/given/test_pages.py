"""Play from here, as people find it: from a replay, a study and the analysis board, by a form that needs no scripts."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client

from accounts.limits import LimitReached
from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.analysis.name_branch import name_branch
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.base import positions
from games.models import Game, Study
from games.queries.play.moves import move_rows
from games.rules import Position
from games.rules.records import read as read_record
from games.table.records import game_record, stored
from tests.conftest import LogIn
from tests.games.api.conftest import program
from tests.games.play.pages import read
from tests.games.tables import play_out, running

__all__ = ["program"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def ended(alice: User, bob: User) -> Game:
    return play_out(running(alice, bob, variant="duo"), 1)


def latest() -> Game:
    return Game.objects.order_by("-pk")[0]


def test_the_replay_leads_to_it_and_one_press_begins(alice: User, ended: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    replay = read(browser.get(f"/games/{ended.slug}/replay/?move=7"))
    way = replay.find("form", action=f"/games/{ended.slug}/from/")
    assert way.find("input", name="move")["value"] == "7"
    page = read(browser.get(f"/games/{ended.slug}/from/?move=7"))
    form = page.find("form", action=f"/games/{ended.slug}/from/")
    assert {one["name"] for one in form.find_all("input")} >= {"move", "seat", "others"}
    position = positions.position_of(ended, move_rows(ended)[:7])
    assert str(position.seat) == next(
        one["value"] for one in form.find_all("input", name="seat") if "checked" in one.attributes
    )
    sent = {"move": "7", "seat": str(position.seat), "others": "bots", "strength": "3", "time": "normal"}
    answer = browser.post(f"/games/{ended.slug}/from/", sent)
    game = latest()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert (game.given_moves, game.status, game.turn_user) == (7, "running", alice)
    assert browser.post(f"/games/{ended.slug}/from/", sent)["Location"] == f"/games/{game.slug}/"


def test_the_new_game_says_where_it_begins_and_leads_there(alice: User, ended: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(f"/games/{ended.slug}/from/", {"move": "7", "seat": "1", "others": "friends", "time": "slow"})
    game = latest()
    sentence = "It begins at a given position, after 7 moves."
    assert sentence in read(browser.get(f"/games/{game.slug}/")).text
    assert game.time_initial
    # Without an account, with the link, one sits down and the game begins.
    guest = Client()
    token = game.invite_token
    assert sentence in read(guest.get(f"/join/{token}/")).text
    guest.post(f"/games/{game.slug}/join/", {"token": token})
    assert sentence in read(browser.get(f"/games/{game.slug}/")).text
    replay = read(browser.get(f"/games/{game.slug}/replay/"))
    assert sentence in replay.text
    assert replay.find("a", href=f"/games/{ended.slug}/replay/?move=7")
    # No player did what was given.
    first = replay.find("ol", class_="moves__list").find_all("li")[0].text
    assert "Purple placed" in first
    assert "alice" not in first
    words = read(browser.get(f"/games/{game.slug}/ask/?say=last")).text
    assert "7. Purple placed" in words


def test_a_study_leads_to_it_for_everyone_who_may_see_it(alice: User, ended: Game, log_in: LogIn) -> None:
    study: Study = create_study(alice, game_record(alice, ended.slug))
    assert Client().get(f"/studies/{study.slug}/from/?move=5").status_code == 404
    share_study(alice, study.slug, is_shared=True)
    guest = Client()
    shown = read(guest.get(f"/studies/{study.slug}/?move=5"))
    assert shown.find("form", action=f"/studies/{study.slug}/from/").find("input", name="move")["value"] == "5"
    assert guest.get(f"/studies/{study.slug}/from/?move=5").status_code == 200
    guest.post(f"/studies/{study.slug}/from/", {"move": "5", "seat": "0", "others": "bots", "strength": "3"})
    assert (latest().given_moves, latest().begun_from, latest().creator.is_guest) == (5, "", True)


def test_a_study_of_pieces_that_were_set_up_leads_to_it_where_a_game_can_have_placed_them(
    alice: User, log_in: LogIn
) -> None:
    browser, position = log_in(alice), Position.start("duo")
    for _ in range(4):
        position = position.play(position.legal_placements()[-1])
    laid = [(turn.colour, str(turn.placement)) for turn in position.history]
    for pieces, to_play, begins in ((laid, position.colour, True), (laid[::2], "orange", False)):
        placed = {f"placed-{colour}": "\n".join(text for own, text in pieces if own == colour) for colour, _t in pieces}
        study = browser.post("/studies/set-up/", {"board": "duo", "to_play": to_play, **placed})["Location"]
        address = study.removesuffix("board/")
        shown = read(browser.get(address))
        ways = shown.find_all("form", action=f"{address}from/")
        assert bool(ways) is begins
        assert ("there is no order in which a game could place its first pieces" in shown.text) is not begins
        answer = browser.get(f"{address}from/")
        assert answer.status_code == (200 if begins else 409)
        if begins:
            assert "After move 4." in read(answer).text
            sent = {"seat": "0", "others": "bots", "strength": "3"}
            assert browser.post(f"{address}from/", sent).status_code == 302
            assert (latest().given_moves, latest().board) == (4, position.board)
        else:
            assert answer["X-Error-Code"] == "set-up"
            assert "there is no order" in read(answer).text


def test_the_analysis_board_leads_to_it_at_what_was_tried(alice: User, ended: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    stage = positions.position_of(ended, move_rows(ended)[:6])
    text = next(str(each) for each in stage.legal_placements() if str(each) != move_rows(ended)[6].placement)
    node = extend_branch(alice, ended.slug, move=text, after=6).node
    board = read(browser.get(f"/games/{ended.slug}/analysis/?node={node}"))
    way = board.find("form", action=f"/games/{ended.slug}/from/")
    asked = {one["name"]: one["value"] for one in way.find_all("input")}
    assert asked["node"] == str(node)
    assert browser.get(f"/games/{ended.slug}/from/", asked).status_code == 200
    browser.post(f"/games/{ended.slug}/from/", {**asked, "seat": "0", "others": "bots", "strength": "3"})
    assert latest().moves.get(number=7).placement == text


def test_where_no_game_can_begin_the_page_says_why(alice: User, bob: User, ended: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    answer = browser.get(f"/games/{ended.slug}/from/?move=0")
    assert (answer.status_code, "empty board" in read(answer).text) == (409, True)
    assert "No game can begin here" in read(answer).text
    assert browser.get(f"/games/{running(alice, bob).slug}/from/?move=1").status_code == 409
    sent = {"move": "7", "seat": "9", "others": "nobody", "strength": "no", "time": "never"}
    refused = browser.post(f"/games/{ended.slug}/from/", sent)
    assert refused.status_code == 422
    assert "Choose your colours from the list." in read(refused).text
    assert not Game.objects.filter(given_moves__gt=0).exists()


def test_a_game_that_one_may_not_see_is_not_there(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    private = play_out(running(alice, bob, variant="duo", is_public=False), 1)
    browser = log_in(carol)
    assert browser.get(f"/games/{private.slug}/from/?move=5").status_code == 404
    assert browser.post(f"/games/{private.slug}/from/", {"move": "5", "seat": "0", "others": "bots"}).status_code == 404
    link = {"move": "5", "token": private.invite_token}
    assert (
        browser.get(f"/games/{private.slug}/from/", link).status_code
        == log_in(carol).get(f"/games/{private.slug}/replay/", {"token": private.invite_token}).status_code
    )


def test_a_program_begins_there_too(alice: User, ended: Game, program: Callable[..., Any]) -> None:
    own = program(alice)
    seats = [{"kind": "me"}, {"kind": "bot", "name": "greedy"}]
    shown = own.post("games", variant="duo", seats=seats, from_game=ended.slug, move=6).json()
    assert (shown["given"], shown["from_game"], shown["number"], len(shown["moves"])) == (6, ended.slug, 7, 6)
    assert [move["at"] for move in shown["moves"]] == [None] * 6
    refused = own.post("games", variant="junior", seats=seats, from_game=ended.slug, move=6)
    assert (refused.status_code, refused.json()["field"]) == (400, "variant")
    both = own.post("games", variant="duo", seats=seats, from_game=ended.slug, from_study="a", move=6)
    assert both.json()["field"] == "from_study"
    assert own.post("games", variant="duo", seats=seats, from_game=ended.slug, move=0).status_code == 409
    assert own.post("games", variant="duo", seats=seats, from_study="nothing").status_code == 404


def test_a_variation_of_a_study_is_shown_and_played_from(alice: User, log_in: LogIn) -> None:
    study = create_study(alice, read_record("(;GM[Blokus Duo];B[e10](;W[j5];B[f9,g9])(;W[j5,k5]C[Longer];B[f9,g9]))"))
    browser = log_in(alice)
    page = read(browser.get(f"/studies/{study.slug}/"))
    listed = page.find("nav", class_="study__variations")
    assert [one["href"] for one in listed.find("ul").find_all("a")] == [
        f"/studies/{study.slug}/",
        f"/studies/{study.slug}/?branch=2&move=2",
    ]
    shown = read(browser.get(f"/studies/{study.slug}/?branch=2&move=2"))
    assert "Longer" in shown.find("p", class_="comment").text
    way = shown.find("form", action=f"/studies/{study.slug}/from/")
    asked = {one["name"]: one["value"] for one in way.find_all("input")}
    assert asked == {"branch": "2", "move": "2"}
    browser.post(f"/studies/{study.slug}/from/", {**asked, "seat": "0", "others": "bots", "strength": "3"})
    assert list(latest().moves.values_list("placement", flat=True)[:2]) == ["1:e10", "2:j5,k5"]
    assert read(browser.get(f"/studies/{study.slug}/?branch=99")).find("nav", class_="study__variations")
    assert b"W[j5,k5]" in browser.get(f"/studies/{study.slug}/record.blksgf").content


def test_all_branches_of_a_finished_game_become_one_study(alice: User, ended: Game, log_in: LogIn) -> None:
    browser, rows = log_in(alice), move_rows(ended)
    stage = positions.position_of(ended, rows[:6])
    texts = [str(each) for each in stage.legal_placements() if str(each) != rows[6].placement][:2]
    nodes = [extend_branch(alice, ended.slug, move=text, after=6).node for text in texts]
    name_branch(alice, ended.slug, node=nodes[0], name="Idea", edition=2)
    board = read(browser.get(f"/games/{ended.slug}/analysis/"))
    assert board.find("button", name="what", value="tree").text == "All branches as a study"
    answer = browser.post(f"/games/{ended.slug}/analysis/study/", {"what": "tree"})
    record = stored(Study.objects.get(slug=answer["Location"].split("/")[2]).record)
    assert [(one.after, one.turn, one.name) for one in record.varied] == [(6, texts[0], "Idea"), (6, texts[1], "")]
    assert record.record.moves == game_record(alice, ended.slug).record.moves


def test_against_bots_it_is_no_public_game(alice: User, ended: Game, log_in: LogIn) -> None:
    sent = {"move": "7", "seat": "0", "strength": "3", "time": "slow"}
    for others, is_public in (("bots", False), ("friends", True)):
        log_in(alice).post(f"/games/{ended.slug}/from/", {**sent, "others": others})
        assert (ended.is_public, latest().given_moves, latest().is_public) == (True, 7, is_public)


def test_studies_from_branches_are_counted_before_the_work(
    alice: User, ended: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []

    def refuse(key: str, *_limit: int) -> None:
        raise LimitReached(60)

    monkeypatch.setattr("games.views.analysis.board.limits.count_use", refuse)
    for name in ("reviewed_record", "branch_record", "varied_turns"):
        monkeypatch.setattr(f"games.views.analysis.board.{name}", lambda *_: asked.append("work"))
    for what in ("tree", ""):
        answer = log_in(alice).post(f"/games/{ended.slug}/analysis/study/", {"what": what})
        assert (answer.status_code, asked) == (429, [])
