"""A fit writes what has changed and no more, so that it holds up no game that ends meanwhile for longer than that."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any
from unittest.mock import patch

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from games.actions.ratings import rate_family as module
from games.actions.ratings.rate_family import rate_family
from games.audit.ratings import faults_of_ratings
from games.base.rated import locked_families
from games.models import Game, PlayerRating, RatedFamily, RatedSeat
from tests.games.ratings.games import lost
from tests.games.tables import NOON

pytestmark = pytest.mark.django_db

#: A statement that writes ratings.
WRITES = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM) "games_playerrating"')


def meanwhile(happen: Callable[[], object]) -> Callable[..., Any]:
    """Return what fits ratings while something happens."""

    def think(fit: Callable[..., Any], tables: Sequence[object], *, pinned: Mapping[Any, float]) -> Any:
        happen()
        return fit(tables, pinned=pinned)

    return think


def written_by_fit() -> list[str]:
    """Fit Duo, and return the statements that have written ratings."""
    with CaptureQueriesContext(connection) as queries:
        rate_family("duo", now=NOON)
    return [each["sql"] for each in queries if WRITES.match(each["sql"])]


def keys() -> dict[int, int]:
    return dict(PlayerRating.objects.values_list("user", "pk"))


def test_a_fit_after_which_everyone_is_as_strong_as_before_writes_no_rating(alice: User, bob: User) -> None:
    lost(alice, bob)
    rate_family("duo", now=NOON)

    assert written_by_fit() == []


def test_a_fit_writes_only_the_ratings_that_have_changed(alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    lost(bob, carol)
    rate_family("duo", now=NOON)
    before, strength = keys(), PlayerRating.objects.get(user=alice).strength
    PlayerRating.objects.filter(user=alice).update(points=1900)
    (statement,) = written_by_fit()

    # It names the family once for each rating.
    assert statement.count("'duo'") == 1
    assert keys() == before
    assert PlayerRating.objects.get(user=alice).strength == strength
    assert list(faults_of_ratings()) == []


def test_a_fit_writes_the_rating_of_somebody_new_beside_those_there_were(alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    rate_family("duo", now=NOON)
    before = keys()
    lost(bob, carol)
    PlayerRating.objects.filter(user=carol).delete()
    rate_family("duo", now=NOON)

    assert keys().items() > before.items()
    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 1, "bob": 2, "carol": 1}
    assert list(faults_of_ratings()) == []


def test_whose_games_count_no_more_has_no_rating_any_more(alice: User, bob: User, carol: User) -> None:
    lost(alice, bob)
    game = lost(bob, carol)
    rate_family("duo", now=NOON)
    Game.objects.filter(pk=game.pk).update(is_rated=False)
    rate_family("duo", now=NOON)

    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 1, "bob": 1}


def test_however_many_games_end_meanwhile_they_move_the_new_ratings_by_as_many_queries(alice: User, bob: User) -> None:
    lost(alice, bob)
    costs = []
    for number in (1, 4):
        with CaptureQueriesContext(connection) as queries:
            begun: list[int] = []

            def play(number: int = number, begun: list[int] = begun) -> None:
                for _ in range(number):
                    lost(alice, bob)
                begun.append(len(queries))

            rate_family("duo", now=NOON, think=meanwhile(play))
            costs.append(len(queries) - begun[0])
        assert RatedSeat.objects.filter(is_new=True).count() == 2 * number
        assert list(faults_of_ratings()) == []
    assert costs[0] == costs[1]
    assert PlayerRating.objects.get(user=bob).games == 6


def test_who_closes_the_account_meanwhile_keeps_nothing_and_counts_for_the_others(
    alice: User, bob: User, carol: User
) -> None:
    lost(alice, bob)
    lost(bob, carol)
    rate_family("duo", now=NOON)

    def play_and_close() -> None:
        lost(carol, bob)
        close_account(carol)

    rate_family("duo", now=NOON, think=meanwhile(play_and_close))
    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 1, "bob": 3}
    assert not RatedSeat.objects.filter(player__user=carol).exists()
    assert list(faults_of_ratings()) == []


def test_a_guest_who_has_just_claimed_an_account_and_closes_it_before_ratings_are_stored_gets_no_rating(
    alice: User, bob: User, carol: User
) -> None:
    lost(alice, bob)
    User.objects.filter(pk=carol.pk).update(is_guest=True)
    carol.refresh_from_db()
    lost(alice, carol)
    User.objects.filter(pk=carol.pk).update(is_guest=False)
    carol.refresh_from_db()

    def close_and_lock(families: Sequence[str]) -> dict[str, RatedFamily]:
        if not User.objects.filter(pk=carol.pk, erased_at__isnull=False).exists():
            close_account(carol)
        return locked_families(families)

    with patch.object(module, "locked_families", close_and_lock):
        rate_family("duo", now=NOON)

    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 2, "bob": 1}
