"""A finished review as it is found and passed on: its link, what is said of its end, the numbers above its graph."""

from itertools import pairwise

import pytest
from django.test import Client

from accounts.models import User
from games.base.positions import positions_of
from games.models import Game, Review
from games.pages.board.table import players_at
from games.pages.replay.graphs import LEFT, RIGHT, chances_graph
from games.queries.play.moves import move_rows
from games.queries.play.players import seated_of
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.play.pages import Element, read
from tests.games.tasks.workers import run_jobs

pytestmark = pytest.mark.django_db(transaction=True)


def review(client: Client, game: Game, query: str = "") -> Element:
    return read(client.get(f"/games/{game.slug}/review/{query}"))


def link(page: Element) -> str:
    return page.find("input", id="review-link")["value"].removeprefix("http://testserver")


def test_whoever_gets_the_link_reads_the_review_without_an_account(alice: User, reviewed: Game, log_in: LogIn) -> None:
    address = link(review(log_in(alice), reviewed))
    assert address == f"/games/{reviewed.slug}/review/"
    assert read(Client().get(address)).find("table", class_="review__moves")


def test_of_a_private_game_the_link_is_passed_on_with_its_secret(alice: User, bob: User, log_in: LogIn) -> None:
    game = recorded.reviewed(alice, recorded.finished(alice, bob, variant="duo", is_public=False))
    address = link(review(log_in(alice), game, f"?token={game.invite_token}"))
    assert read(Client().get(address)).find("table", class_="review__moves")
    assert Client().get(address.partition("?")[0]).status_code == 404


def test_what_is_not_finished_has_no_link_yet_and_its_end_is_said_aloud(alice: User, game: Game, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post(f"/games/{game.slug}/review/ask/")
    under_way = review(client, game)
    assert not under_way.find_all("input", id="review-link")
    run_jobs()
    said = [page.find("p", id="review-said", role="status").text for page in (under_way, review(client, game))]
    assert said == ["The game is being reviewed", "The review is finished."]


def test_how_many_games_were_played_is_told_in_groups_of_three(alice: User, reviewed: Game, log_in: LogIn) -> None:
    Review.objects.update(simulations=12_000)
    *_points, folded = review(log_in(alice), reviewed).find_all("details", class_="folded")
    assert "open" not in folded.attributes
    assert "Based on 12,000 simulated games" in folded.find("p").text


@pytest.mark.parametrize("numbers", [[39, 42, 45], [1, 2, 3], [64, 65, 66], [10, 40, 41], []])
def test_the_numbers_of_near_turning_points_can_be_told_apart(numbers: list[int], alice: User, game: Game) -> None:
    last = list(positions_of(game, move_rows(game)))[-1]
    (graph,) = chances_graph([(0.5, 0.5)] * 67, players_at(last, seated_of(game)), numbers).graphs
    assert [number for number, _, _ in graph.events] == numbers
    assert all(LEFT <= label <= RIGHT for _, _, label in graph.events)
    assert all(after - before >= 16 for (_, _, before), (_, _, after) in pairwise(graph.events))
    for number, place, _ in graph.events:
        assert place == pytest.approx(LEFT + (RIGHT - LEFT) * number / 66, abs=0.1)
