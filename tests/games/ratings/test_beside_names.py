"""Ratings beside names at tables: for readers who want them, and nowhere where the host wants none."""

from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from games.models import PlayerRating
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, open_table, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def wants(bob: User) -> User:
    """Bob, who wants to read ratings, of a site on which Alice has one of Duo."""
    bob.shows_ratings = True
    bob.save()
    return bob


@pytest.fixture(autouse=True)
def _rated(alice: User) -> None:
    for family, points in (("duo", 1612), ("trigon", 1711)):
        PlayerRating.objects.create(user=alice, family=family, points=points, deviation=60, games=9, is_listed=True)


def test_a_table_that_waits_says_them_to_who_wants_them(
    alice: User, wants: User, carol: User, log_in: LogIn, settings: Any
) -> None:
    game = open_table(alice, ME, OPEN, variant="duo:N:W")
    address = f"/games/{game.slug}/"
    assert "rated 1612 ± 60" in read(log_in(wants).get(address)).text
    assert "1711" not in read(log_in(wants).get(address)).text
    assert "1612" not in read(log_in(carol).get(address)).text
    settings.RATINGS = False
    assert "1612" not in read(log_in(wants).get(address)).text


def test_a_game_says_them_to_its_players_who_want_them(alice: User, wants: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, wants, variant="duo")
    address = f"/games/{game.slug}/"
    assert "Ratings: alice 1612 ± 60." in read(log_in(wants).get(address)).text
    assert "1612" not in read(log_in(alice).get(address)).text
    carol.shows_ratings = True
    carol.save()
    assert "1612" not in read(log_in(carol).get(address)).text


def test_only_who_wants_them_pays_a_query_for_them(alice: User, wants: User, log_in: LogIn) -> None:
    address = f"/games/{running(alice, wants, variant='duo').slug}/"

    def queries(user: User) -> int:
        client = log_in(user)
        client.get(address)
        with CaptureQueriesContext(connection) as found:
            client.get(address)
        return len(found)

    assert queries(wants) == queries(alice) + 1


def test_the_part_of_a_page_that_changes_is_sent_again_once_the_reader_wants_them(
    alice: User, bob: User, log_in: LogIn
) -> None:
    address = f"/games/{running(alice, bob, variant='duo').slug}/board/"
    client = log_in(bob)
    tag = client.get(address)["ETag"]
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 304
    User.objects.filter(pk=bob.pk).update(shows_ratings=True)
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_the_choice_is_among_the_preferences_where_there_are_ratings(alice: User, log_in: LogIn, settings: Any) -> None:
    client = log_in(alice)
    for box, is_on in (({"shows_ratings": "on"}, True), ({}, False)):
        client.post("/accounts/preferences/", {"theme": "system", "language": "", **box})
        assert User.objects.get(pk=alice.pk).shows_ratings is is_on
    assert 'name="shows_ratings"' in client.get("/accounts/preferences/").content.decode()
    settings.RATINGS = False
    assert 'name="shows_ratings"' not in client.get("/accounts/preferences/").content.decode()
    assert client.post("/accounts/preferences/", {"theme": "dark", "language": ""}).status_code == 302


def test_a_closed_account_wants_nothing(wants: User) -> None:
    close_account(wants)
    wants.refresh_from_db()
    assert not wants.shows_ratings


def test_a_calm_site_has_ratings_but_not_beside_names(alice: User, wants: User, log_in: LogIn, settings: Any) -> None:
    settings.RATINGS_BESIDE_NAMES = False
    waiting, game = open_table(alice, ME, OPEN, variant="duo"), running(alice, wants, variant="duo")
    client = log_in(wants)
    for each in (waiting, game):
        assert "1612" not in read(client.get(f"/games/{each.slug}/")).text
    assert "Ratings at tables" not in read(client.get("/accounts/preferences/")).text
    assert "1612" in read(client.get("/players/alice/")).text
    assert "1612" in read(client.get("/players/alice/ratings/duo/")).text
