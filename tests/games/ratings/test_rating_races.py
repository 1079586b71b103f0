"""Games that end at one instant, fits and accounts that close meanwhile: ratings stay what the games say."""

import itertools
from functools import partial

import pytest

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings.rate_family import rate_family
from games.audit.ratings import faults_of_ratings
from games.models import PlayerRating, RatedSeat
from tests.conftest import person
from tests.games.actions.test_races import at_once
from tests.games.tables import NOON, running

pytestmark = pytest.mark.django_db(transaction=True)


def amiss() -> list[object]:
    return [fault for _family, fault in faults_of_ratings()]


def people(number: int) -> list[User]:
    return [person(f"player{each}") for each in range(number)]


def test_games_that_end_at_once_all_move_the_ratings() -> None:
    cast = people(4)
    pairs = [(one, other) for one in cast for other in cast if one != other]
    games = [(running(one, other, variant="duo"), other) for one, other in pairs]
    at_once([partial(resign, loser, game.slug, now=NOON) for game, loser in games])

    assert {rating.games for rating in PlayerRating.objects.all()} == {6}
    assert RatedSeat.objects.count() == 24
    assert amiss() == []


def test_fits_while_games_end_and_an_account_closes_leave_what_the_games_say() -> None:
    cast = people(5)
    for one, other in itertools.pairwise(cast):
        resign(one, running(one, other, variant="duo").slug, now=NOON)
    games = [(running(one, other, variant="duo"), other) for one in cast[:3] for other in cast[:3] if one != other]
    leaving = cast[4]
    running(leaving, cast[0], variant="duo")
    ends = [partial(resign, loser, game.slug, now=NOON) for game, loser in games]
    fits = [partial(rate_family, "duo", now=NOON) for _ in range(3)]
    failed = [
        answer for answer in at_once([*ends, *fits, partial(close_account, leaving)]) if isinstance(answer, Exception)
    ]

    assert failed == []
    rate_family("duo", now=NOON)
    assert amiss() == []
    assert set(PlayerRating.objects.values_list("user", flat=True)) == {user.pk for user in cast[:4]}
    # Eleven games, of which the one who left played two.
    assert sum(PlayerRating.objects.values_list("games", flat=True)) == RatedSeat.objects.count() == 20
