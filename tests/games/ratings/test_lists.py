"""Lists of ratings: whom yesterday's games moved most, and the members of a group."""

from datetime import UTC, datetime, time, timedelta

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.erasure import close_account
from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.groups.create_group import create_group
from games.actions.groups.join_group import join_group
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.models import Game, Group, PlayerRating
from games.queries.people.ratings import FEW
from tests.games.play.pages import read
from tests.games.ratings.games import program
from tests.games.tables import running

pytestmark = pytest.mark.django_db

#: Noon of the day before, in UTC.
YESTERDAY = datetime.combine(timezone.now().astimezone(UTC).date(), time(12), UTC) - timedelta(days=1)


def lost_at(moment: datetime, loser: User, winner: User) -> Game:
    game = running(loser, winner, variant="duo", now=moment)
    resign(loser, game.slug, now=moment)
    return game


def rows(client: Client, address: str) -> list[list[str]]:
    page = read(client.get(address))
    found = [row for body in page.find_all("tbody") for row in body.find_all("tr")]
    cells = [[cell for cell in row.walk() if cell.tag in ("th", "td")] for row in found]
    # Before a name stands a face, which is a letter.
    return [
        [" ".join(cell.text.split()[-1:] if cell.tag == "th" else cell.text.split()) for cell in row] for row in cells
    ]


@pytest.fixture
def club(alice: User, bob: User, carol: User) -> Group:
    found = create_group(alice, "The club")
    join_group(bob, found.invite_token)
    return found


def test_yesterdays_movers_are_listed_by_how_far_they_moved_and_only_if_they_are_on_the_list(
    client: Client, alice: User, bob: User, carol: User, dave: User
) -> None:
    lost_at(YESTERDAY - timedelta(days=1), alice, bob)
    lost_at(YESTERDAY, bob, alice)
    lost_at(YESTERDAY, bob, alice)
    lost_at(YESTERDAY, dave, carol)
    PlayerRating.objects.exclude(user=dave).update(is_listed=True)
    found = rows(client, "/ratings/duo/?since=yesterday")

    less = "\N{MINUS SIGN}"
    # Few are listed: so Dave is on the list, though his rating is provisional.
    assert {row[1]: row[2][0] for row in found} == {"alice": "+", "bob": less, "carol": "+", "dave": less}
    for number in range(FEW):
        other = User.objects.create_user(f"other{number}")
        PlayerRating.objects.create(user=other, family="duo", points=1500, deviation=60, games=9, is_listed=True)
    found = rows(client, "/ratings/duo/?since=yesterday")
    assert {row[1]: row[2][0] for row in found} == {"alice": "+", "bob": less, "carol": "+"}
    changes = [int(row[2][1:]) for row in found]
    assert changes == sorted(changes, reverse=True)
    assert changes[-1] > 0
    told = client.get("/api/v1/ratings/duo/movers").json()
    assert [each["name"] for each in told] == [row[1] for row in found]
    assert [abs(each["change"]) for each in told] == changes
    close_account(alice)
    assert "alice" not in {row[1] for row in rows(client, "/ratings/duo/?since=yesterday")}


def test_games_of_today_and_of_before_yesterday_move_nobody_yesterday(client: Client, alice: User, bob: User) -> None:
    lost_at(YESTERDAY - timedelta(days=1), alice, bob)
    lost_at(YESTERDAY + timedelta(days=1), alice, bob)
    PlayerRating.objects.update(is_listed=True)
    page = read(client.get("/ratings/duo/?since=yesterday"))

    assert "No one on this list finished a rated game yesterday." in page.text
    assert client.get("/api/v1/ratings/duo/movers").json() == []


def test_a_group_has_a_list_of_its_members_those_who_are_provisional_last(
    client: Client, club: Group, alice: User, bob: User, carol: User
) -> None:
    for user, points, is_listed in ((alice, 1400, True), (bob, 1900, False), (carol, 1700, True)):
        PlayerRating.objects.create(
            user=user, family="duo", points=points, deviation=60 if is_listed else 150, games=9, is_listed=is_listed
        )
    lost_at(YESTERDAY, bob, alice)
    PlayerRating.objects.filter(user=bob).update(points=1900, deviation=150, is_listed=False)
    client.force_login(bob)
    found = rows(client, f"/groups/{club.slug}/ratings/duo/")

    assert [row[:2] for row in found] == [["1", "alice"], ["–", "bob"]]
    assert found[1][2] == "1900 ± 150 provisional"
    assert [row[1] for row in rows(client, f"/groups/{club.slug}/ratings/duo/?since=month")] == ["alice", "bob"]
    page = read(client.get(f"/groups/{club.slug}/"))
    assert page.find("a", href=f"/groups/{club.slug}/ratings/") is not None


def test_programs_of_members_read_which_ratings_of_a_group_yesterdays_games_moved_most(
    client: Client, club: Group, alice: User, bob: User, carol: User
) -> None:
    lost_at(YESTERDAY, bob, alice)
    lost_at(YESTERDAY, bob, carol)
    address = f"groups/{club.slug}/ratings/duo/movers"
    client.force_login(bob)
    found = rows(client, f"/groups/{club.slug}/ratings/duo/?since=yesterday")
    told = program(bob).get(address).json()

    assert [each["name"] for each in told] == [row[1] for row in found]
    assert {each["name"]: each["change"] > 0 for each in told} == {"alice": True, "bob": False}
    assert {each["name"]: each["points"] for each in told} == {
        each.user.username: round(each.points) for each in PlayerRating.objects.filter(user__in=(alice, bob))
    }
    assert program(carol).get(address).status_code == 404
    assert program(bob).get(address.replace("duo", "chess")).status_code == 404
    block_person(bob, "alice")
    assert [each["name"] for each in program(bob).get(address).json()] == ["bob"]


def test_a_groups_list_is_for_members_alone_and_without_those_kept_apart_from_the_reader(
    client: Client, club: Group, alice: User, bob: User, carol: User
) -> None:
    for user in (alice, bob):
        PlayerRating.objects.create(user=user, family="duo", points=1500, deviation=60, games=9, is_listed=True)
    address = f"/groups/{club.slug}/ratings/"
    assert client.get(address).status_code == 302
    client.force_login(carol)
    assert client.get(address).status_code == 404
    client.force_login(bob)
    assert [row[1] for row in rows(client, f"{address}duo/")] == ["alice", "bob"]
    assert client.get(f"{address}chess/").status_code == 404
    block_person(bob, "alice")
    assert [row[1] for row in rows(client, f"{address}duo/")] == ["bob"]


def test_who_has_blocked_another_does_not_read_their_name_in_lists_of_all_and_nobody_else_sees_a_difference(
    client: Client, alice: User, bob: User, carol: User
) -> None:
    lost_at(YESTERDAY, bob, alice)
    lost_at(YESTERDAY, bob, carol)
    PlayerRating.objects.update(is_listed=True)
    PlayerRating.objects.filter(user=alice).update(points=1900)
    PlayerRating.objects.filter(user=carol).update(points=1800)
    addresses = ("/ratings/duo/", "/ratings/duo/?since=month", "/ratings/duo/?since=yesterday")
    programs = ("/api/v1/ratings/duo", "/api/v1/ratings/duo/movers")

    def read_by(user: User | None) -> list[list[list[str]]]:
        client.logout()
        if user is not None:
            client.force_login(user)
        return [[row[:2] for row in rows(client, address)] for address in addresses]

    def told(user: User) -> list[set[str]]:
        headers = {"Authorization": f"Bearer {make_token(user, 'lists', [Scope.READ], timezone.now())}"}
        return [{each["name"] for each in client.get(address, headers=headers).json()} for address in programs]

    before = [read_by(each) for each in (alice, carol, None)]
    block_person(bob, "alice")
    assert [read_by(each) for each in (alice, carol, None)] == before
    assert [{name for _rank, name in found} for found in read_by(bob)] == [{"bob", "carol"}] * 3
    # The places are those that everybody reads.
    assert read_by(bob)[0] == [["2", "carol"], ["3", "bob"]]
    assert [told(bob), told(alice)] == [[{"bob", "carol"}] * 2, [{"alice", "bob", "carol"}] * 2]


def test_lists_cost_the_same_for_many_games(client: Client, alice: User, bob: User) -> None:
    costs = []
    for _round in range(2):
        lost_at(YESTERDAY, alice, bob)
        PlayerRating.objects.update(is_listed=True)
        with CaptureQueriesContext(
            connection,
        ) as queries:
            client.get("/ratings/duo/?since=yesterday")
        costs.append(len(queries))
    assert costs[0] == costs[1]
