"""*Play anyone* offers tables of people about as strong first; the longer a table has waited, the less that matters."""

from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.models import Game, Player, PlayerRating, Reason
from games.queries.tables.pairing import EACH, tables_to_join
from games.queries.tables.reliability import shares_in_time
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


def played(user: User, out_of: int, late: int) -> None:
    """Let a person have ended so many games, in so many of which their time ran out."""
    for number in range(out_of):
        game = Game.objects.create(creator=user, variant="duo", status="finished", created_at=NOON, changed_at=NOON)
        ended, retired = NOON - timedelta(days=number + 1), Reason.OUT_OF_TIME if number < late else ""
        Player.objects.create(game=game, seat=0, user=user, is_going=False, ended_at=ended, retired=retired)


def test_people_about_as_reliable_come_before_a_table_that_has_waited_longer(alice: User) -> None:
    for name, late in (("Late", 10), ("Often", 2), ("New", None)):
        table(1500, name)
        if late is not None:
            played(User.objects.get(username=name), 20, late)
    played(alice, 20, 1)
    assert names(alice) == ["Often", "New", "Late"]
    assert names(alice, NOON + 3 * EACH) == ["Late", "Often", "New"]
    # Who runs out of time as often meets them first.
    other = User.objects.create_user("also late")
    played(other, 20, 11)
    assert names(other)[0] == "Late"


def test_of_the_many_games_of_a_person_the_latest_count(alice: User) -> None:
    table(1500, "Former")
    played(User.objects.get(username="Former"), 20, 0)
    for number in range(10):
        game = Game.objects.create(creator=alice, variant="duo", status="finished", created_at=NOON, changed_at=NOON)
        ended = NOON - timedelta(days=1000 + number)
        late = User.objects.get(username="Former")
        Player.objects.create(game=game, seat=0, user=late, is_going=False, ended_at=ended, retired=Reason.OUT_OF_TIME)
    assert shares_in_time({late.pk}) == {late.pk: 100}
    assert shares_in_time({alice.pk}) == {}


def test_without_ratings_the_table_that_has_waited_longest_comes_first(alice: User, settings: Any) -> None:
    settings.RATINGS = False
    for name, points in (("Far", 1900), ("Near", 1400)):
        table(points, name)
    assert names(rated(alice, 1400)) == ["Far", "Near"]
