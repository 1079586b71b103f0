"""Two branches side by side, or one and the game itself."""

import random

import pytest
from django.test import Client

from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch
from games.actions.analysis.name_branch import name_branch
from games.base import positions
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import advance, fresh, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return advance(running(alice, bob), random.Random(1))


def shown(browser: Client, game: Game, query: str = "") -> Element:
    answer = browser.get(f"/games/{game.slug}/analysis/compare/{query}")
    assert answer.status_code == 200
    return read(answer)


def test_two_branches_are_shown_with_what_was_tried_and_figures_of_both(alice: User, game: Game, log_in: LogIn) -> None:
    browser, position = log_in(alice), positions.position_of(game)
    texts = [str(each) for each in position.legal_placements()]
    nodes = [extend_branch(alice, game.slug, move=text).node for text in (texts[0], texts[-1])]
    name_branch(alice, game.slug, node=nodes[0], name="Idea", edition=2)
    board = read(browser.get(f"/games/{game.slug}/analysis/"))
    assert board.find("a", href=f"/games/{game.slug}/analysis/compare/")
    # The branch that is shown is one of the two.
    board = read(browser.get(f"/games/{game.slug}/analysis/?node={nodes[0]}"))
    link = next(one for one in board.find_all("a") if one.text == "Compare two")
    assert link["href"] == f"/games/{game.slug}/analysis/compare/?other={nodes[0]}"
    assert shown(browser, game, f"?other={nodes[0]}").find_all("article")[1].find("h2").text == "Idea"
    page = shown(browser, game, f"?one={nodes[0]}&other={nodes[1]}")
    sides = page.find_all("article")
    assert ["Idea" in sides[0].text, "from move 2" in sides[1].text] == [True, True]
    assert [len(side.find_all("svg")) for side in sides] == [1, 1]
    figures = page.find("table")
    assert len(figures.find_all("td")) == 2 * (2 + 4)
    # Swiped, or by a link without scripts.
    assert [side.find("a", class_="button")["href"] for side in sides] == ["#other", "#one"]
    assert [one["value"] for one in page.find_all("option")[:3]] == ["0", str(nodes[0]), str(nodes[1])]


def test_by_default_and_for_what_is_no_branch_the_game_is_beside_what_was_tried_last(
    alice: User, game: Game, log_in: LogIn
) -> None:
    browser = log_in(alice)
    text = str(positions.position_of(game).legal_placements()[0])
    node = extend_branch(alice, game.slug, move=text).node
    for query in ("", "?one=99&other=77", "?one=x"):
        page = shown(browser, game, query)
        assert [side.find("h2").find("a")["href"] for side in page.find_all("article")] == [
            f"/games/{game.slug}/analysis/",
            f"/games/{game.slug}/analysis/?node={node}",
        ]


def test_a_game_in_which_nothing_was_tried_is_not_put_beside_itself(alice: User, game: Game, log_in: LogIn) -> None:
    for query in ("", "?one=0&other=0", "?one=7"):
        page = shown(log_in(alice), game, query)
        assert not page.find_all("article")
        assert not page.find_all("option")
        assert "Nothing to compare yet" in page.find(class_="empty").text
        assert page.find("a", href=f"/games/{game.slug}/analysis/")


def test_where_a_table_allows_no_hints_no_moves_are_counted(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, allows_hints=False)
    extend_branch(alice, game.slug, move=str(positions.position_of(game).legal_placements()[0]))
    page = shown(log_in(alice), fresh(game))
    assert page.find("table")
    assert "Possible moves" not in page.text
