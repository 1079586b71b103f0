"""The audit takes each step of each rating since the last fit again, and says which is stored otherwise."""

from collections.abc import Sequence

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games.actions.ratings.rate_family import rate_family
from games.audit.ratings import faults_of_ratings
from games.models import PlayerRating, RatedFamily, RatedSeat
from tests.games.ratings.games import lost
from tests.games.tables import NOON

pytestmark = pytest.mark.django_db


@pytest.fixture
def people(alice: User, bob: User, carol: User) -> Sequence[User]:
    """Three of whom a fit knows; since then each of the first two has lost to the other, and to the third."""
    lost(alice, bob)
    lost(bob, carol)
    rate_family("duo", now=NOON)
    for loser, winner in ((alice, bob), (bob, alice), (alice, carol), (bob, carol)):
        lost(loser, winner)
    assert faults() == []
    return alice, bob, carol


def faults() -> list[str]:
    return [f"{fault.slug}: {fault.what}" for _family, fault in faults_of_ratings()]


def middle(person: User) -> RatedSeat:
    """Return the second of three steps of a person since the fit: neither the first nor the last is wrong."""
    return RatedSeat.objects.filter(player__user=person, is_new=True).order_by("pk")[1]


@pytest.mark.parametrize(
    ("column", "value"),
    [
        ("place", 3),
        ("others", 2),
        ("expected", 1.2),
        ("points_before", 1710.0),
        ("deviation_before", 100.0),
        ("points_after", 1700.0),
        ("deviation_after", 90.0),
    ],
)
def test_a_step_between_the_first_and_the_last_that_says_something_else_is_found(
    people: Sequence[User], column: str, value: float
) -> None:
    seat = middle(people[0])
    RatedSeat.objects.filter(pk=seat.pk).update(**{column: value})

    assert faults() == [f"seat {seat.player_id}: what a game did in duo"]


def test_a_step_that_was_lost_or_invented_is_found(people: Sequence[User]) -> None:
    middle(people[0]).delete()
    assert faults()


def test_a_step_of_a_game_that_is_not_rated_is_found(people: Sequence[User]) -> None:
    seat = middle(people[0])
    game = seat.player.game
    game.is_rated = False
    game.save()
    assert f"seat {seat.player_id}: what a game did in duo" in faults()


def test_a_rating_that_is_not_the_last_step_is_found(people: Sequence[User]) -> None:
    PlayerRating.objects.filter(user=people[2]).update(points=1700)
    assert faults() == [f"person {people[2].pk}: rating duo"]


def test_values_of_seats_that_no_fit_has_found_are_found(people: Sequence[User]) -> None:
    family = RatedFamily.objects.get(pk="duo")
    family.seats = {key: points + 1 for key, points in family.seats.items()}
    family.save()
    assert "seats: what they are worth in duo" in faults()


def test_what_a_game_did_is_right_though_an_account_was_closed_since(people: Sequence[User]) -> None:
    close_account(people[0])
    assert faults() == []
    seat = RatedSeat.objects.filter(player__user=people[2], is_new=True).order_by("pk")[1]
    RatedSeat.objects.filter(pk=seat.pk).update(points_before=1800)
    assert faults() == [f"seat {seat.player_id}: what a game did in duo"]


def test_nothing_is_amiss_where_a_guest_has_claimed_an_account_since(people: Sequence[User], dave: User) -> None:
    User.objects.filter(pk=dave.pk).update(is_guest=True)
    dave.refresh_from_db()
    lost(dave, people[0])
    lost(people[0], people[1])
    User.objects.filter(pk=dave.pk).update(is_guest=False)
    assert faults() == []
    rate_family("duo", now=NOON)
    assert faults() == []
