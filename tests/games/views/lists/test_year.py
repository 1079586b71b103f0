"""A year of games on the profile, as a strip of weeks and in words."""

from datetime import timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.pages.people import year
from games.queries.lists.finished import own_finished
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.views.lists import many


def strip(client: Client) -> Element | None:
    return next(iter(read(client.get("/players/alice/")).find_all(class_="year")), None)


def label(found: Element | None) -> str:
    return found.find("svg")["aria-label"] if found else ""


def ended(number: int, weeks: int, *people: User, is_public: bool = True) -> None:
    moment = timezone.now() - timedelta(weeks=weeks)
    for _ in range(number):
        many.finished(1, *people, finished_at=moment, is_public=is_public)


def test_each_week_has_a_square_and_its_number_in_words(alice: User, bob: User, log_in: LogIn) -> None:
    ended(3, 0, alice, bob)
    ended(1, 52, alice, bob)
    ended(1, 60, alice, bob)
    found = strip(log_in(alice))
    assert found
    assert label(found) == "4 games finished in the last 12 months"
    assert "Each square is a week; the stronger its colour, the more games." in found.text
    shades = [rect["data-shade"] for rect in found.find_all("rect")]
    assert (shades[0], shades[-1], len(shades), shades.count("0")) == ("1", "2", 53, 51)
    assert [line.text.partition(": ")[2] for line in found.find_all("li")] == ["3 games", "1 game"]


def test_others_see_what_is_public(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    ended(2, 1, alice, bob, is_public=False)
    assert strip(log_in(eve)) is None
    found = strip(log_in(alice))
    assert label(found).startswith("2 games")


def test_a_year_costs_one_query_and_reads_a_bounded_number_of_games(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(year, "COUNTED", 2)
    ended(3, 1, alice, bob)
    with CaptureQueriesContext(connection) as queries:
        found = year.year_view(own_finished(alice), timezone.now())
    assert found
    assert found.label == "At least 2 games finished in the last 12 months"
    assert len(queries) == 1
