"""The game of a study and all its variations, on one page to be read: for times without a network too."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.people.block_person import block_person
from games.actions.people.follow_person import follow_person
from games.actions.studies.add_editor import add_editor
from games.actions.studies.add_variation import add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.share_study import share_study
from games.models import Study, StudyComment
from games.pages.analysis import study_branches
from games.rules import Position
from games.rules.record import Record, play_on
from games.rules.records import GameRecord, VariedTurn
from games.table import records
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.studies.test_board import board
from tests.games.studies.test_comments import page_of, wrote
from tests.games.studies.test_comments import study as study
from tests.games.views.conftest import QueryCount
from tests.games.views.conftest import query_count as query_count

pytestmark = pytest.mark.django_db


def address(study: Study) -> str:
    return f"/studies/{study.slug}/board/branches/"


def shown(browser: Client, study: Study) -> Element:
    answer = browser.get(address(study))
    assert answer.status_code == 200
    return read(answer)


def numbers(article: Element) -> list[str]:
    """Return the numbers of the moves that are listed."""
    return [line.find("span").text for line in article.find("ol").find_all("li")]


def vary(user: User, study: Study, count: int, move: int = 1) -> None:
    """Try so many placements after a move, none that is there already."""
    game = records.stored(Study.objects.get(pk=study.pk).record)
    *_, there = play_on(game.start(), game.record.moves[:move])
    known = {*game.record.moves, *(one.turn for one in game.varied)}
    texts = [text for text in map(str, there.legal_placements()) if text not in known]
    for text in texts[:count]:
        add_variation(user, study.slug, move=move, placement=text, edition=Study.objects.get(pk=study.pk).edition)


def test_the_game_comes_first_and_then_each_variation_with_its_moves_and_the_board_at_its_end(
    alice: User, study: Study, log_in: LogIn
) -> None:
    browser = log_in(alice)
    for page in (page_of(browser, study), board(browser, study, "?move=1")):
        assert page.find("a", href=address(study)).text == "Read all"
    page = shown(browser, study)
    assert page.find("h1").text == "Variations · The cross"
    game, variation = page.find_all("article")
    assert [one.find("h2").text for one in (game, variation)] == ["The game", "Instead"]
    assert [numbers(one) for one in (game, variation)] == [["1", "2"], ["2", "3"]]
    assert [len(one.find_all("path", class_="piece")) for one in (game, variation)] == [2, 3]
    assert [len(one.find_all("g", class_="step")) for one in (game, variation)] == [0, 2]
    assert "from move 2 · 2 moves" in variation.text
    links = [one.find("h2").find("a")["href"] for one in (game, variation)]
    assert links == [f"/studies/{study.slug}/board/{query}" for query in ("?move=2", "?branch=2&move=3")]
    files = [link["href"] for link in page.find_all("a", download="")]
    assert files == [f"/studies/{study.slug}/record.{kind}" for kind in ("blksgf", "json")]


def test_whose_colour_each_move_was_is_said(alice: User, study: Study, log_in: LogIn) -> None:
    game, variation = shown(log_in(alice), study).find_all("article")
    said = [line.text.partition(":")[0] for one in (game, variation) for line in one.find("ol").find_all("li")]
    assert [each.split()[-1] for each in said] == ["Purple", "Orange", "Orange", "Purple"]


def test_what_is_written_stands_at_its_move_but_for_what_was_hidden_and_whom_the_reader_has_blocked(
    alice: User, bob: User, carol: User, study: Study, log_in: LogIn
) -> None:
    share_study(alice, study.slug, is_shared=True)
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    written = wrote(bob, study, "A calm <b>reply", move=2, branch=1)
    wrote(alice, study, "The last one", move=2)
    game, variation = shown(log_in(carol), study).find_all("article")
    told = [[each.text for each in one.find_all("p", class_="read__told")] for one in (game, variation)]
    assert told[0][0] == "Before all"
    assert told[0][1] == "A cross"
    assert "The last one" in told[0][2]
    [said] = told[1]
    assert said.startswith("Instead")
    assert "A calm <b>reply" in said
    assert "bob" in said
    block_person(carol, "bob")
    assert "A calm" not in shown(log_in(carol), study).text
    assert "The last one" in shown(log_in(carol), study).text
    StudyComment.objects.filter(pk=written.pk).update(is_hidden=True)
    assert "A calm" not in shown(log_in(alice), study).text


def test_all_who_see_the_study_read_it_and_only_the_device_of_one_with_an_account_keeps_it(
    alice: User, bob: User, study: Study, client: Client, log_in: LogIn
) -> None:
    assert client.get(address(study)).status_code == 404
    assert log_in(bob).get(address(study)).status_code == 404
    kept = log_in(alice).get(address(study))
    assert kept["X-Keep"] == "page"
    assert 'data-keeps="page"' in kept.content.decode()
    assert "This page stays on your devices" in kept.content.decode()
    # Of the board every step is asked for: what stands in for it is this page.
    assert "X-Keep" not in log_in(alice).get(f"/studies/{study.slug}/board/")
    share_study(alice, study.slug, is_shared=True)
    assert log_in(bob).get(address(study))["X-Keep"] == "page"
    assert (
        shown(log_in(bob), study)
        .find_all("article")[1]
        .find("h2")
        .find("a")["href"]
        .startswith(f"/studies/{study.slug}/?branch=2")
    )
    of_visitor = client.get(address(study))
    assert "X-Keep" not in of_visitor
    assert "This page stays on your devices" not in of_visitor.content.decode()
    follow_person(alice, "bob")
    add_editor(alice, study.slug, "bob")
    assert "/board/?branch=2" in shown(log_in(bob), study).find_all("article")[1].find("h2").find("a")["href"]


def test_of_many_variations_the_first_are_drawn_and_those_beyond_a_hundred_are_counted(
    alice: User, study: Study, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(study_branches, "BRANCHES_PICTURED", 1)
    monkeypatch.setattr(study_branches, "VARIATIONS_READ", 3)
    vary(alice, study, 2)
    page = shown(log_in(alice), study)
    assert [len(one.find_all("svg")) for one in page.find_all("article")] == [1, 1, 0, 0]
    assert "in the study." not in page.text
    vary(alice, study, 2)
    page = shown(log_in(alice), study)
    assert len(page.find_all("article")) == 4
    assert "2 more variations are in the study." in page.text


def test_what_variations_share_is_commented_once_and_their_moves_are_listed_up_to_a_sum(
    alice: User, study: Study, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrote(alice, study, "Both go through here", move=2, branch=1)
    game = records.stored(Study.objects.get(pk=study.pk).record)
    first = game.varied[0]
    _start, *_, there = play_on(game.start(), (*game.record.moves[: first.after], first.turn))
    other = next(text for text in map(str, there.legal_placements()) if text != game.varied[1].turn)
    edition = Study.objects.get(pk=study.pk).edition
    add_variation(alice, study.slug, branch=1, move=2, placement=other, edition=edition)
    page = shown(log_in(alice), study)
    assert [numbers(one) for one in page.find_all("article")[1:]] == [["2", "3"], ["2", "3"]]
    assert page.text.count("Both go through here") == 1
    monkeypatch.setattr(study_branches, "VARIED_MOVES_READ", 3)
    page = shown(log_in(alice), study)
    assert len(page.find_all("article")) == 2
    assert "1 more variation is in the study." in page.text


def test_more_variations_cost_no_more_queries(
    alice: User, study: Study, log_in: LogIn, query_count: QueryCount
) -> None:
    browser = log_in(alice)
    vary(alice, study, 1)
    before = query_count(browser, address(study))
    vary(alice, study, 6)
    assert query_count(browser, address(study)) == before


def test_what_begins_from_a_position_that_was_set_up_or_ends_by_a_resignation_is_read_too(
    alice: User, log_in: LogIn
) -> None:
    placed = (("purple", "X:e9,d10,e10,f10,e11"), ("orange", "F:j4,i5,j5,j6,k6"))
    move = str(Position.setup("duo", placed).legal_placements("purple")[0])
    varied = (VariedTurn(0, 0, move), VariedTurn(0, 0, "retire:0"))
    study = create_study(alice, GameRecord(Record("duo", ()), placed=placed, varied=varied))
    articles = shown(log_in(alice), study).find_all("article")
    assert [len(one.find_all("path", class_="piece")) for one in articles] == [3, 2]
    assert articles[1].find("h2").text == "resigned"


def test_an_empty_study_says_so(alice: User, log_in: LogIn) -> None:
    study = create_study(alice, GameRecord.of(Position.start("duo")))
    page = shown(log_in(alice), study)
    assert not page.find_all("article")
    assert "Nothing has been placed in this study yet." in page.find(class_="empty").text
