"""Ratings are seen: on a person's page, on the page of the game that changed them, and in the list of a family."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.ratings.rate_family import rate_family
from games.models import PlayerRating
from games.queries.people.ratings import FEW
from tests.games.play.pages import read
from tests.games.ratings.games import lost
from tests.games.tables import NOON, running

pytestmark = pytest.mark.django_db


def listed(user: User, points: float, family: str = "duo") -> None:
    PlayerRating.objects.create(user=user, family=family, points=points, deviation=60, games=40, is_listed=True)


def test_a_person_page_shows_ratings_by_family(client: Client, alice: User, bob: User) -> None:
    lost(alice, bob)
    page = read(client.get("/players/bob/")).text

    assert "provisional" in page
    assert "±" in page


def test_the_page_of_the_game_says_what_it_did(client: Client, alice: User, bob: User) -> None:
    game = lost(alice, bob)
    client.force_login(bob)
    page = read(client.get(f"/games/{game.slug}/")).text
    rating = PlayerRating.objects.get(user=bob)

    after = f"{round(rating.points)} ± {round(rating.deviation)}"
    assert f"Rated: your chance was 50%. Your rating goes from 1500 to {after}." in page
    client.logout()
    assert "Your rating" not in read(client.get(f"/games/{game.slug}/")).text


def test_a_list_shows_the_strongest_first_and_those_who_are_provisional_last(
    client: Client, alice: User, bob: User, carol: User, dave: User
) -> None:
    listed(alice, 1500)
    listed(bob, 1720)
    listed(carol, 1800, "trigon")
    PlayerRating.objects.create(user=dave, family="duo", points=1900, deviation=200, games=2)
    page = read(client.get("/ratings/duo/")).text

    assert page.index("bob") < page.index("alice") < page.index("dave")
    assert "1720 ± 60" in page
    assert "1900 ± 200 provisional" in " ".join(page.split())
    assert "carol" not in page
    assert "carol" in read(client.get("/ratings/trigon/")).text


def test_a_list_of_twenty_or_more_has_none_who_is_provisional(client: Client, dave: User) -> None:
    for number in range(FEW - 1):
        listed(User.objects.create_user(f"player{number}"), 1500 + number)
    PlayerRating.objects.create(user=dave, family="duo", points=1900, deviation=200, games=2)
    addresses = ("/ratings/duo/", "/ratings/duo/?since=month", "/api/v1/ratings/duo")
    resigned = running(dave, User.objects.get(username="player1"), variant="duo", now=timezone.now())
    resign(dave, resigned.slug)
    PlayerRating.objects.filter(user=dave).update(points=1900, deviation=200, is_listed=False)
    PlayerRating.objects.exclude(user=dave).update(deviation=60, is_listed=True)

    assert ["dave" in client.get(address).content.decode() for address in addresses] == [True] * 3
    listed(User.objects.create_user("another"), 1400)
    assert ["dave" in client.get(address).content.decode() for address in addresses] == [False] * 3


def test_a_few_people_who_play_only_each_other_have_a_list(client: Client, alice: User, bob: User, carol: User) -> None:
    for _round in range(8):
        for loser, winner in ((alice, bob), (alice, carol), (bob, carol)):
            lost(loser, winner)
    rate_family("duo", now=NOON)
    assert not PlayerRating.objects.filter(is_listed=True).exists()
    page = read(client.get("/ratings/")).find("tbody")

    rows = [" ".join(row.text.split()) for row in page.find_all("tr")]
    assert [name for row in rows for name in ("alice", "bob", "carol") if name in row] == ["carol", "bob", "alice"]
    assert all(row.startswith("–") and "provisional" in row for row in rows)
    told = client.get("/api/v1/ratings/duo").json()
    assert [(each["name"], each["provisional"]) for each in told] == [("carol", True), ("bob", True), ("alice", True)]


def test_one_who_is_provisional_and_not_on_the_list_reads_their_own_rating_below_it(
    client: Client, alice: User, bob: User
) -> None:
    lost(alice, bob)
    client.force_login(bob)
    assert "Your rating:" not in read(client.get("/ratings/duo/")).text  # it stands in the list
    for number in range(FEW):
        listed(User.objects.create_user(f"player{number}"), 1500 + number)

    assert "Your rating:" in read(client.get("/ratings/duo/")).text
    assert "Your rating:" not in read(client.get("/ratings/trigon/")).text


def test_a_closed_account_and_a_bot_account_are_not_listed(client: Client, alice: User, bob: User) -> None:
    robot = User.objects.create_user("Fred", operator=alice)
    listed(robot, 2000)
    listed(bob, 1900)
    close_account(bob)
    page = read(client.get("/ratings/duo/")).text

    assert "Fred" not in page
    assert "No one is listed yet" in page


def test_an_unknown_list_is_not_found(client: Client) -> None:
    assert client.get("/ratings/chess/").status_code == 404
    assert client.get("/api/v1/ratings/chess").status_code == 404


def test_nothing_is_shown_where_the_host_does_not_want_it(
    client: Client, alice: User, bob: User, settings: Any
) -> None:
    lost(alice, bob)
    settings.RATINGS = False

    assert client.get("/ratings/").status_code == 404
    assert "±" not in read(client.get("/players/bob/")).text
    assert client.get("/api/v1/players/bob").json()["ratings"] == []


def test_programs_read_ratings_and_lists(client: Client, alice: User, bob: User) -> None:
    lost(alice, bob)
    listed(alice, 1600, "trigon")
    (own,) = client.get("/api/v1/players/bob").json()["ratings"]

    assert own["family"] == "duo"
    assert own["provisional"]
    assert client.get("/api/v1/ratings/trigon").json() == [
        {"name": "alice", "points": 1600, "deviation": 60, "games": 40, "provisional": False}
    ]
    assert [each["name"] for each in client.get("/api/v1/ratings/duo").json()] == ["bob", "alice"]
    assert client.get("/api/v1/ratings/junior").json() == []


def test_a_list_may_be_of_those_who_have_played_lately(client: Client, alice: User, bob: User, carol: User) -> None:
    now = timezone.now()
    for user, days in ((alice, 3), (bob, 100), (carol, 500)):
        listed(user, 1500 + days)
        other = User.objects.create_user(f"other of {user.username}"[:20])
        game = running(user, other, variant="duo", now=now - timedelta(days=days))
        resign(user, game.slug, now=now - timedelta(days=days))
    PlayerRating.objects.update(is_listed=True)

    def names(since: str) -> set[str]:
        page = client.get(f"/ratings/duo/{since}").content.decode()
        return {name for name in ("alice", "bob", "carol") if f'href="/players/{name}/"' in page}

    assert names("") == names("?since=ever") == {"alice", "bob", "carol"}
    assert names("?since=year") == {"alice", "bob"}
    assert names("?since=month") == {"alice"}
    page = read(client.get("/ratings/duo/?since=month"))
    assert [each.text.strip() for each in page.find_all("a", aria_current="page")][-1] == "Last 30 days"
