"""All that a person has tried in a game, on one page to be read: for times without a network too."""

import random

import pytest
from django.test import Client

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.analysis.name_branch import name_branch
from games.actions.moves.resign import resign
from games.base import positions
from games.models import Game
from games.pages.analysis import branches
from games.rules.records import read as read_record
from tests.conftest import LogIn, known_person
from tests.games.children.families import child_of
from tests.games.play.pages import Element, read
from tests.games.tables import ME, advance, bot, fresh, open_table, running
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return advance(running(alice, bob), random.Random(1))


def address(game: Game) -> str:
    return f"/games/{game.slug}/analysis/branches/"


def shown(browser: Client, game: Game) -> Element:
    answer = browser.get(address(game))
    assert answer.status_code == 200
    return read(answer)


def try_some(user: User, game: Game, count: int = 2) -> list[str]:
    """Try the last placements of the colour to play, each in a branch of its own; return them."""
    texts = [str(each) for each in positions.position_of(fresh(game)).legal_placements()[-count:]]
    for text in texts:
        extend_branch(user, game.slug, move=text)
    return texts


def test_every_branch_is_there_with_its_name_its_moves_and_the_board_at_its_end(
    alice: User, game: Game, log_in: LogIn
) -> None:
    first, _second = try_some(alice, game)
    name_branch(alice, game.slug, node=1, name="Idea <b>", edition=2)
    beyond = extend_branch(alice, game.slug, move=first)
    answer = positions.position_of(game).play(first).legal_placements()[0]
    extend_branch(alice, game.slug, move=str(answer), node=beyond.node)
    browser = log_in(alice)
    link = read(browser.get(f"/games/{game.slug}/analysis/")).find("a", href=address(game))
    assert link.text == "Read all"
    page = shown(browser, game)
    # What was tried last comes first.
    heads = [one.find("h2").text for one in page.find_all("article")]
    assert len(heads) == 2
    assert "Idea <b>" in heads
    idea = next(one for one in page.find_all("article") if one.find("h2").text == "Idea <b>")
    assert [line.text[0] for line in idea.find("ol").find_all("li")] == ["2", "3"]
    assert len(idea.find("svg").find_all("g", class_="step")) == 2
    assert "from move 2 · 2 moves" in idea.text


def test_of_many_branches_the_boards_of_the_last_are_drawn_and_the_moves_of_all_are_listed(
    alice: User, game: Game, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(branches, "BRANCHES_PICTURED", 2)
    try_some(alice, game, 3)
    articles = shown(log_in(alice), game).find_all("article")
    assert [len(one.find_all("svg")) for one in articles] == [1, 1, 0]
    assert [len(one.find_all("li")) for one in articles] == [1, 1, 1]


def test_others_see_their_own_alone_and_who_only_looks_nothing(
    alice: User, bob: User, game: Game, log_in: LogIn
) -> None:
    try_some(alice, game)
    assert "You have tried nothing in this game yet." in shown(log_in(bob), game).text
    assert log_in(known_person("carol")).get(address(game)).status_code == 403
    resign(bob, game.slug)
    assert "You have tried nothing in this game yet." in shown(log_in(known_person("carol")), game).text


def test_a_device_may_keep_it_for_its_reader(alice: User, game: Game, log_in: LogIn) -> None:
    browser = log_in(alice)
    assert browser.get(address(game))["X-Keep"] == "page"
    # Of the board every step is asked for: what stands in for it is this page.
    assert "X-Keep" not in browser.get(f"/games/{game.slug}/analysis/")
    assert "X-Keep" not in browser.get(address(game), {"token": "x"})


def test_more_branches_cost_no_more_queries(alice: User, game: Game, log_in: LogIn, query_count: QueryCount) -> None:
    browser = log_in(alice)
    try_some(alice, game, 1)
    before = query_count(browser, address(game))
    try_some(alice, game, 8)
    assert query_count(browser, address(game)) == before


def test_a_child_reads_what_it_has_tried(alice: User, log_in: LogIn) -> None:
    child = child_of(alice)
    game = open_table(child, ME, bot())
    assert log_in(child).get(f"/games/{game.slug}/analysis/").status_code == 200
    assert log_in(child).get(address(game)).status_code == 200


def test_ones_own_record_of_a_running_game_has_ones_branches_and_no_one_elses(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = advance(running(alice, bob, variant="duo"), random.Random(1))
    texts = try_some(alice, game)
    name_branch(alice, game.slug, node=1, name="Idea", edition=2)
    [theirs] = try_some(bob, game, 1)
    browser = log_in(alice)
    links = [link["href"] for link in shown(browser, game).find_all("a", download="")]
    assert links == [f"/games/{game.slug}/record.{kind}?branches=yes" for kind in ("blksgf", "json")]
    for link in links:
        record = read_record(browser.get(link).content.decode())
        assert [(one.parent, one.after, one.turn, one.name) for one in record.varied] == [
            (0, 1, texts[0], "Idea"),
            (0, 1, texts[1], ""),
        ]
        assert len(record.record.moves) == 1
        assert not read_record(browser.get(link.partition("?")[0]).content.decode()).varied
    his = read_record(log_in(bob).get(links[0]).content.decode())
    assert [(one.turn, one.name) for one in his.varied] == [(theirs, "")]


def test_who_only_watches_has_no_branches_in_a_running_game(game: Game, client: Client, log_in: LogIn) -> None:
    for browser in (client, log_in(known_person("eve"))):
        assert browser.get(f"/games/{game.slug}/record.json?branches=yes").status_code == 403
        assert browser.get(f"/games/{game.slug}/record.json").status_code == 200
