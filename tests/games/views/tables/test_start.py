"""The doors of the first page: a friend by link, and anyone. Each is one tap, for a stranger as well."""

import pytest
from django.test import Client

from accounts.models import User
from games.errors import SeatTaken
from games.models import Game, Status
from tests.conftest import LogIn
from tests.games.tables import LINK, ME, OPEN, bot, fresh, open_table


def test_a_friend_by_link_is_one_tap_to_a_page_with_the_link(db: None) -> None:
    client = Client()
    answer = client.post("/play-friend/")
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert (game.status, game.is_public, game.creator.is_guest) == (Status.OPEN, False, True)
    assert f"/join/{game.invite_token}/" in client.get(answer["Location"]).content.decode()


def test_two_friends_are_sent_two_links(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert client.post("/play-friend/")["Location"] != client.post("/play-friend/")["Location"]
    assert {game.creator for game in Game.objects.all()} == {alice}


def test_anyone_is_one_tap_to_the_oldest_table_with_the_fewest_free_seats(alice: User) -> None:
    open_table(alice, ME, OPEN, OPEN)
    best = open_table(alice, ME, OPEN)
    open_table(alice, ME, OPEN)
    client = Client()
    answer = client.post("/play-anyone/")
    assert fresh(best).status == Status.RUNNING
    assert answer["Location"] == f"/accounts/name/?next=%2Fgames%2F{best.slug}%2F"


def test_a_player_with_a_name_is_asked_for_none(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN)
    assert log_in(bob).post("/play-anyone/")["Location"] == f"/games/{table.slug}/"


def test_no_one_is_seated_where_they_would_not_expect(alice: User, bob: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, declares_passes=True)
    open_table(alice, ME, LINK)
    open_table(alice, ME, OPEN, is_public=False)
    open_table(alice, ME, OPEN, variant="trigon-2")
    open_table(alice, ME, bot(), is_public=True)
    log_in(bob).post("/play-anyone/")
    assert [game.creator for game in Game.objects.filter(players__user=bob)] == [bob]


def test_without_a_table_to_join_one_is_opened_for_anyone_and_only_one(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    first, second = (client.post("/play-anyone/")["Location"] for _ in range(2))
    game = Game.objects.get()
    assert first == second == f"/games/{game.slug}/"
    assert game.is_listed


def test_a_seat_that_is_taken_meanwhile_is_no_dead_end(alice: User, monkeypatch: pytest.MonkeyPatch) -> None:
    table = open_table(alice, ME, OPEN)

    def too_late(*_of: object) -> Game:
        raise SeatTaken("too late")

    monkeypatch.setattr("games.views.waiting.start.join_game", too_late)
    Client().post("/play-anyone/")
    assert fresh(table).status == Status.OPEN
    assert Game.objects.count() == 2


@pytest.mark.parametrize("path", ["/play-friend/", "/play-anyone/"])
def test_looking_opens_no_table(path: str, db: None) -> None:
    assert Client().get(path).status_code == 405
    assert not User.objects.exists()


@pytest.mark.parametrize("path", ["/play-friend/", "/play-anyone/"])
def test_too_many_tables_are_refused(path: str, alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 0)
    assert log_in(alice).post(path).status_code == 429
    assert not Game.objects.exists()


def test_a_stranger_fills_in_a_new_game_and_becomes_a_guest_with_it(db: None) -> None:
    client = Client()
    assert client.get("/games/new/").status_code == 200
    assert not User.objects.exists()
    form = {"variant": "blockyou-2", "days": "3", "is_public": "yes", "passes": "automatic"}
    client.post("/games/new/", {**form, "seat-0": "me", "seat-1": "link"})
    assert Game.objects.get().creator.is_guest


def test_a_form_that_is_refused_makes_no_guest(db: None) -> None:
    assert Client().post("/games/new/", {"variant": "blockyou-2"}).status_code == 422
    assert not User.objects.exists()
