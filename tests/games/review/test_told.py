"""What the page of a review says of each move, counted after on the board."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.base.positions import positions_of
from games.models import Game, Move, Review
from games.queries.play.moves import move_rows
from games.rules import Placement, Position
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tasks.workers import jobs

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def page(reviewed: Game) -> Element:
    """Return the page of the finished review."""
    return read(Client().get(f"/games/{reviewed.slug}/review/"))


def before_each(game: Game) -> dict[int, Position]:
    """Return the position before each move, by number."""
    return dict(enumerate(positions_of(game, move_rows(game)), start=1))


def test_every_placement_has_its_best_alternatives_with_the_chance_of_each(page: Element, game: Game) -> None:
    stages = before_each(game)
    placed = Move.objects.filter(game=game, kind="place").order_by("number").values_list("number", flat=True)
    rows = page.find("table", class_="review__moves").find("tbody").find_all("tr")
    for number, row in zip(placed, rows, strict=True):
        best = [str(placement) for placement in stages[number].legal_placements()[:3]]
        # The engine that stands in for the strong one gives the first an even chance, and each further one less.
        told = [f"{text} {chance}%" for text, chance in zip(best, (50, 40, 30), strict=False)]
        assert [choice.text for choice in row.find_all("span", class_="review__choice")] == told
        assert bool(row.find_all("span", class_="badge")) == (best[0] == game.moves.get(number=number).placement)


def test_a_turning_point_tells_how_many_placements_each_colour_had_and_would_have_had(
    page: Element, game: Game
) -> None:
    stages = before_each(game)
    points = page.find_all("article", class_="point")
    assert 0 < len(points) <= 3
    for point in points:
        number = int(point.find("h3")["id"].removeprefix("point-"))
        before, move = stages[number], game.moves.get(number=number)
        played = before.play(Placement.parse(move.placement, game.variant))
        better = before.play(before.legal_placements()[0])
        counts = [[str(at.legal_count(colour)) for at in (before, played, better)] for colour in ("purple", "orange")]
        rows = point.find("table", class_="point__mobility").find("tbody").find_all("tr")
        assert [[cell.text for cell in row.find_all("td")] for row in rows] == counts


def test_a_review_is_kept_and_not_thought_about_again(page: Element, alice: User, game: Game, log_in: LogIn) -> None:
    before = Review.objects.values().get()
    log_in(alice).post(f"/games/{game.slug}/review/ask/")
    assert jobs() == []
    assert Review.objects.values().get() == before


def test_a_turning_point_is_told_in_sentences_that_end_with_why_another_placement_was_better(page: Element) -> None:
    points = page.find_all("article", class_="point")
    assert points
    for point in points:
        told = point.find("p", class_="point__told").text
        (piece,) = re.findall(
            r"It would have been better to place (?:piece )?(\w+) where the dashes are\. [A-Z].*\.", told
        )
        assert point.find("dl").find_all("dd")[1].text.startswith(piece)


@pytest.mark.parametrize(("value", "is_said"), [(0.4, True), (0.6, False), (None, False)])
def test_games_are_said_to_have_ended_better_where_they_did(
    value: float | None, is_said: bool, page: Element, game: Game
) -> None:
    review = Review.objects.get()
    for finding in review.findings:
        finding["best"][0]["reasons"], finding["played"]["value"] = [], value
        finding["best"][0]["legal"] = finding["played"]["legal"]
    review.save()
    points = read(Client().get(f"/games/{game.slug}/review/")).find_all("article", class_="point")
    assert points
    assert ["ended better" in point.text for point in points] == [is_said] * len(points)


def test_every_turning_point_cost_more_than_what_is_said_to_mean_nothing(page: Element) -> None:
    assert "a difference of less than 5% means nothing" in page.text
    for point in page.find_all("article", class_="point"):
        before, after = map(int, re.findall(r"(\d+)%", point.text)[:2])
        assert before - after >= 5
