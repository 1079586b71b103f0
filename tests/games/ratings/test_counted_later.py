"""Games that come to count later, as claimed guests' do, get their rows a lot at a time, before the ratings change."""

from collections.abc import Iterator
from unittest.mock import patch

import pytest

from accounts.models import User
from games.actions.ratings import rate_family as module
from games.actions.ratings.rate_family import rate_family
from games.audit.ratings import faults_of_ratings
from games.base.rated import EndedGame, rated_games, ratings_due
from games.models import PlayerRating, RatedFamily, RatedSeat
from tests.games.ratings.games import lost
from tests.games.tables import NOON

pytestmark = pytest.mark.django_db


def make_guest(person: User, *, is_guest: bool = True) -> None:
    User.objects.filter(pk=person.pk).update(is_guest=is_guest)
    person.refresh_from_db()


@pytest.fixture
def claimed(alice: User, bob: User, carol: User) -> User:
    """Return carol, who has got an account after three games as a guest, and has been in no fit since."""
    lost(alice, bob)
    make_guest(carol)
    for _ in range(3):
        lost(alice, carol)
    rate_family("duo", now=NOON)
    make_guest(carol, is_guest=False)
    return carol


def stored() -> list[tuple[object, ...]]:
    return list(PlayerRating.objects.order_by("pk").values_list())


def interrupted() -> None:
    """Fit Duo, and break off after the rows of games that have come to count were written."""
    with patch.object(module, "_store", side_effect=KeyboardInterrupt), pytest.raises(KeyboardInterrupt):
        rate_family("duo", now=NOON)


def test_their_rows_are_written_a_lot_at_a_time(claimed: User, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "RATING_ROWS_AT_ONCE", 4)
    rate_family("duo", now=NOON)

    later = RatedSeat.objects.filter(place=None)
    assert {(row.is_new, row.points_after) for row in later} == {(False, None)}
    assert later.filter(player__user=claimed).count() == 3
    assert later.count() == 6
    assert PlayerRating.objects.get(user=claimed).games == 3
    assert list(faults_of_ratings()) == []


def test_a_fit_that_breaks_off_after_them_leaves_the_old_ratings_and_is_asked_for_again(claimed: User) -> None:
    before, due = stored(), NOON.replace(day=NOON.day + 1)
    assert ratings_due(due) == []
    interrupted()

    assert stored() == before
    assert RatedSeat.objects.filter(place=None, is_new=True).count() == 6
    assert list(faults_of_ratings()) == []
    assert ratings_due(due) == ["duo"]
    rate_family("duo", now=due)
    assert PlayerRating.objects.get(user=claimed).games == 3
    assert not RatedSeat.objects.filter(is_new=True).exists()
    assert list(faults_of_ratings()) == []


def test_games_that_end_meanwhile_are_counted(claimed: User, alice: User, bob: User) -> None:
    interrupted()
    lost(alice, claimed)
    lost(alice, bob)

    assert list(faults_of_ratings()) == []
    rate_family("duo", now=NOON)
    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 6, "bob": 2, "carol": 4}
    assert list(faults_of_ratings()) == []


def test_a_game_that_ends_while_they_are_counted_moves_the_new_ratings(claimed: User, alice: User) -> None:
    def read_and_play(family: str) -> Iterator[EndedGame]:
        found = list(rated_games(family))
        lost(alice, claimed)
        return iter(found)

    with patch.object(module, "rated_games", read_and_play):
        rate_family("duo", now=NOON)

    assert {row.user.username: row.games for row in PlayerRating.objects.all()} == {"alice": 5, "bob": 1, "carol": 4}
    assert RatedSeat.objects.filter(place=None, is_new=False).count() == 6
    assert RatedSeat.objects.filter(is_new=True).count() == 2
    assert list(faults_of_ratings()) == []


def test_a_fit_that_does_not_know_of_them_stores_nothing_any_more(claimed: User) -> None:
    make_guest(claimed)

    def read_and_claim(family: str) -> Iterator[EndedGame]:
        found = list(rated_games(family))
        make_guest(claimed, is_guest=False)
        with patch.object(module, "rated_games", rated_games):
            interrupted()
        return iter(found)

    before = stored()
    with patch.object(module, "rated_games", read_and_claim):
        rate_family("duo", now=NOON)

    assert stored() == before
    assert RatedSeat.objects.filter(place=None, is_new=True).count() == 6
    rate_family("duo", now=NOON)
    assert PlayerRating.objects.get(user=claimed).games == 3
    assert RatedFamily.objects.get(pk="duo").people == 3
    assert list(faults_of_ratings()) == []
