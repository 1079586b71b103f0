"""*Play anyone* offers tables of people about as strong first; the longer a table has waited, the less that matters."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, PlayerRating
from games.queries.tables.open_tables import EACH, tables_to_join
from tests.games.tables import ME, NOON, OPEN, open_table

pytestmark = pytest.mark.django_db

LATER = NOON + timedelta(minutes=1)


def rated(user: User, points: float, family: str = "duo") -> User:
    PlayerRating.objects.create(user=user, family=family, points=points, deviation=60, games=20, is_listed=True)
    return user


def table(points: float | None, name: str, **terms: Any) -> Game:
    host = User.objects.create_user(name)
    if points is not None:
        rated(host, points)
    return open_table(host, ME, OPEN, variant="duo", **terms)


def names(user: Any, now: Any = LATER) -> list[str]:
    slugs = tables_to_join(user, ["duo"], now)
    return [Game.objects.get(slug=slug).creator.username for slug in slugs]


def test_people_about_as_strong_come_before_a_table_that_has_waited_longer(alice: User) -> None:
    for name, points in (("Far", 1900), ("Near", 1420), ("New", None)):
        table(points, name)
    assert names(rated(alice, 1400)) == ["Near", "New", "Far"]


def test_who_has_no_rating_counts_as_a_newcomer(alice: User) -> None:
    for name, points in (("Far", 1900), ("Near", 1450)):
        table(points, name)
    assert names(alice) == ["Near", "Far"]


def test_the_longer_a_table_has_waited_the_farther_it_reaches(alice: User) -> None:
    table(1900, "Far")
    table(1400, "Near", now=NOON + EACH)
    rated(alice, 1400)
    assert names(alice, NOON + EACH) == ["Near", "Far"]
    assert names(alice, NOON + 3 * EACH) == ["Near", "Far"]
    assert names(alice, NOON + 10 * EACH) == ["Far", "Near"]


def test_what_counts_is_the_rating_on_the_board_of_the_table(alice: User) -> None:
    for name, points in (("Far", 1900), ("Near", 1500)):
        table(points, name)
    rated(alice, 1900, "trigon")
    assert names(alice) == ["Near", "Far"]


def test_without_ratings_the_table_that_has_waited_longest_comes_first(alice: User, settings: Any) -> None:
    settings.RATINGS = False
    for name, points in (("Far", 1900), ("Near", 1400)):
        table(points, name)
    assert names(rated(alice, 1400)) == ["Far", "Near"]
