"""The page of a person's rating: its course, the best wins, by opponent and by seat; private games are theirs alone."""

import random
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.erasure import close_account
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.people.block_person import block_person
from games.actions.ratings.rate_family import rate_family
from games.clock import TimeControl
from games.models import Game, Player, RatedSeat
from games.pages.people.rating_course import BOTTOM, LEFT, RIGHT, TOP, rating_page
from games.queries.people.rating_course import share_placed
from games.rules import Position
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import (
    ME,
    NOON,
    any_placement,
    bot,
    due,
    fresh,
    large_first,
    open_table,
    place,
    play_out,
    running,
)

pytestmark = pytest.mark.django_db


def lost(loser: User, winner: User, day: int = 0, **terms: Any) -> Game:
    """Return a game of Duo that the one has lost to the other on that day; the loser began."""
    now = NOON + timedelta(days=day)
    game = running(loser, winner, variant="duo", now=now, **terms)
    resign(loser, game.slug, now=now)
    return fresh(game)


@pytest.fixture
def season(alice: User, bob: User, carol: User) -> list[Game]:
    """Alice loses to Bob and to Carol, then beats Bob and, in private, Carol."""
    return [
        lost(alice, bob),
        lost(alice, carol, 1),
        lost(bob, alice, 2),
        lost(carol, alice, 3, is_public=False, is_rated=True),
    ]


def test_the_course_goes_from_the_first_game_to_the_last(season: list[Game], alice: User, client: Client) -> None:
    page = rating_page("alice", "duo", alice)
    assert page.picture is not None
    points = [tuple(map(float, each.split(","))) for each in page.picture.line.split()]
    # Four games, and today.
    assert (points[0][0], points[-1][0], len(points)) == (LEFT, RIGHT, 5)
    assert all(TOP <= y <= BOTTOM for _x, y in points)
    # Two games lost and two won: down, and up again. Lower on the page is a greater number.
    assert points[0][1] < points[1][1] > points[2][1] > points[3][1] == points[4][1]
    assert len(page.picture.band.split()) == 10
    after = [
        round(points or 0)
        for points in RatedSeat.objects.filter(player__user=alice).order_by("pk").values_list("points_after", flat=True)
    ]
    assert f"from 1500 to {after[-1]}" in page.words
    assert f"The highest was {max(after)}, the lowest {min(after)}." in page.words


def test_the_course_is_that_of_the_latest_games(
    season: list[Game], alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.queries.people.rating_course.GAMES_OF_COURSE", 2)
    assert [game.slug for game in rating_page("alice", "duo", alice).games] == [season[3].slug, season[2].slug]
    # Of those that others may see.
    assert [game.slug for game in rating_page("alice", "duo", bob).games] == [season[2].slug, season[1].slug]


def test_boards_that_are_one_family_have_one_course(alice: User, bob: User, carol: User) -> None:
    of_two = running(alice, bob, variant="trigon-2")
    resign(alice, of_two.slug)
    of_three = running(bob, alice, carol, variant="trigon-3")
    for loser in (bob, alice):
        resign(loser, of_three.slug)
    found = {game.slug for game in rating_page("alice", "trigon", alice).games}
    assert found == {of_two.slug, of_three.slug}


def test_others_see_public_games_alone(season: list[Game], alice: User, bob: User, carol: User) -> None:
    own, others = (rating_page("alice", "duo", viewer) for viewer in (alice, bob))
    assert [game.slug for game in own.games] == [game.slug for game in season[::-1]]
    assert [game.slug for game in others.games] == [game.slug for game in season[2::-1]]
    assert [win.name for win in own.wins] == ["bob", "carol"]
    assert [win.name for win in others.wins] == ["bob"]


def test_wins_are_listed_by_how_strong_the_other_was_then(season: list[Game], alice: User) -> None:
    wins = rating_page("alice", "duo", alice).wins
    assert [win.rating for win in wins] == sorted((win.rating for win in wins), reverse=True)
    assert all(win.rating > 1500 for win in wins)


def test_games_are_counted_by_opponent_and_by_seat(season: list[Game], alice: User) -> None:
    page = rating_page("alice", "duo", alice)
    assert {(line.name, line.words, line.bar) for line in page.opponents} == {
        ("bob", "1 won, 1 lost", 50), ("carol", "1 won, 1 lost", 50)
    }  # fmt: skip
    assert [(line.name, line.words, line.bar) for line in page.seats] == [
        ("Purple", "0 won, 2 lost", 0), ("Orange", "2 won, 0 lost", 100)
    ]  # fmt: skip


def test_games_are_counted_by_month_with_the_rating_after_the_last_of_each(alice: User, bob: User) -> None:
    for day in (0, 1, 40):
        lost(alice, bob, day)
    page = rating_page("bob", "duo", alice)
    points = list(RatedSeat.objects.filter(player__user=bob).order_by("pk").values_list("points_after", flat=True))
    assert [line.games for line in page.months] == [1, 2]
    assert [line.bar for line in page.months] == [100, 100]
    assert all(
        f"rated {round(after or 0)} ±" in line.words for line, after in zip(page.months, points[:0:-1], strict=True)
    )
    assert page.months[1].name == f"{NOON:%B %Y}"


def test_strengths_are_told_month_by_month(alice: User, bob: User, log_in: LogIn) -> None:
    for day in (0, 40):
        game = running(alice, bob, variant="duo", now=NOON + timedelta(days=day))
        play_out(game, 3 + day, any_placement if day == 0 else large_first, now=NOON + timedelta(days=day))
    lost(alice, bob, 41)
    games = list(Game.objects.order_by("pk"))
    shares = [share_placed("duo", [], game.board, game.players.get(user=alice).seat) for game in games[:2]]
    page = rating_page("alice", "duo", alice)
    assert [line.cells for line in page.strengths] == [f"{round(100 * share)}%" for share in shares[::-1]]
    places = [
        [seat.place for seat in Player.objects.filter(user=alice, game__in=lot)] for lot in (games[1:], games[:1])
    ]
    assert [line.place for line in page.strengths] == [f"{sum(each) / len(each):.1f}" for each in places]  # type: ignore[arg-type]
    assert [line.in_time for line in page.strengths] == ["100%", "100%"]
    assert f"cells placed from {page.strengths[1].cells} to {page.strengths[0].cells}" in page.growth
    text = read(log_in(alice).get("/players/alice/ratings/duo/")).text
    assert page.growth in text


def test_a_game_that_was_lost_by_time_says_nothing_of_cells(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo", time=TimeControl(3600, 600, 3600))
    game = play_out(game, turns=2)
    assert game.deadline is not None
    time_out(game.slug, number=due(game), now=game.deadline)
    for name, in_time, is_told in (("alice", "0%", False), ("bob", "100%", True)):
        page = rating_page(name, "duo", alice)
        (line,) = page.strengths
        assert (line.in_time, bool(line.cells), page.growth) == (in_time, is_told, "")


@pytest.mark.parametrize(("variant", "seat"), [("classic-2", 1), ("blockyou-3", 2), ("codingame-2:9:5", 0)])
def test_the_share_of_cells_is_that_of_all_colours_of_a_seat(variant: str, seat: int) -> None:
    position, luck = Position.start(variant), random.Random(4)
    while not position.is_over:
        position = (
            position.play(luck.choice(position.legal_placements())) if position.has_legal() else position.pass_turn()
        )
    own = position.variant.seat_colours()[seat]
    placed = sum(len(turn.placement.cells) for turn in position.history if turn.placement and turn.colour in own)
    assert share_placed(variant, [], position.board, seat) == placed / (len(own) * position.variant.stock_cells)


def test_games_are_counted_by_the_piece_that_was_placed_first(alice: User, bob: User) -> None:
    for piece in ("X", "X", "F"):
        game = running(alice, bob, variant="duo")
        place(game, next(str(each) for each in Position.start("duo").legal_placements() if each.piece == piece))
        resign(bob, game.slug, now=NOON)
    page = rating_page("alice", "duo", alice)
    assert [(line.name, line.games, line.words) for line in page.openings] == [
        ("X", 2, "2 won, 0 lost"),
        ("F", 1, "1 won, 0 lost"),
    ]
    # Bob has placed nothing.
    assert rating_page("bob", "duo", bob).openings == ()


def test_a_bot_is_an_opponent_too(alice: User) -> None:
    game = open_table(alice, ME, bot("sage-4"), variant="duo", is_rated=True, allows_advice=False, is_public=True)
    assert not game.is_rated
    other = running(alice, User.objects.create_user("Dora"), variant="duo")
    resign(alice, other.slug, now=NOON)
    assert [line.name for line in rating_page("alice", "duo", alice).opponents] == ["Dora"]


def test_who_is_kept_apart_or_gone_is_not_named(season: list[Game], alice: User, bob: User, carol: User) -> None:
    block_person(bob, "carol", now=NOON)
    assert [line.name for line in rating_page("alice", "duo", User.objects.get(pk=bob.pk)).opponents] == ["bob"]
    close_account(bob)
    assert [line.name for line in rating_page("alice", "duo", alice).opponents] == ["carol"]


def test_the_page_is_found_from_the_profile_and_shows_all_of_it(season: list[Game], log_in: LogIn, bob: User) -> None:
    client = log_in(bob)
    address = "/players/alice/ratings/duo/"
    assert f'href="{address}"' in client.get("/players/alice/").content.decode()
    page = read(client.get(address))
    titles = ["Duo", "Best wins", "By opponent", "By seat", "By month", "Strengths over time"]
    assert [each.text for each in page.find_all("h2")] == titles
    assert page.find("svg", class_="course__picture")["role"] == "img"
    assert "Lost against bob" in page.text
    assert client.get("/players/ALICE/ratings/duo/").status_code == 200


@pytest.mark.parametrize(
    "address", ["/players/alice/ratings/trigon/", "/players/alice/ratings/chess/", "/players/nobody/ratings/duo/"]
)
def test_there_is_no_page_without_a_rating(address: str, season: list[Game], client: Client) -> None:
    assert client.get(address).status_code == 404


def test_there_is_no_page_where_the_host_wants_no_ratings(season: list[Game], client: Client, settings: Any) -> None:
    settings.RATINGS = False
    assert client.get("/players/alice/ratings/duo/").status_code == 404


def test_a_rating_of_games_that_came_to_count_later_has_no_course_and_the_page_says_why(
    alice: User, bob: User, client: Client, log_in: LogIn
) -> None:
    User.objects.filter(pk=alice.pk).update(is_guest=True)
    lost(bob, User.objects.get(pk=alice.pk))
    User.objects.filter(pk=alice.pk).update(is_guest=False)
    rate_family("duo", now=NOON)
    address = "/players/alice/ratings/duo/"
    pages = [read(browser.get(address)) for browser in (log_in(alice), client)]
    assert not any(page.find_all("svg", class_="course__picture") for page in pages)
    own, others = (" ".join(page.text.split()) for page in pages)
    for words in (own, others):
        assert "None of the rated games can be shown here." in words
        assert "a player at the table was a guest" in words
    assert "They have counted since that guest got an account" in own
    assert ("They were private" in own, "They were private" in others) == (False, True)
    User.objects.filter(pk=alice.pk).update(language="fr")
    french = " ".join(read(log_in(alice).get(address)).text.split())
    assert "quelqu’un à la table, peut-être vous, jouait comme invité." in french


def test_of_private_games_alone_others_read_why_nothing_is_shown(alice: User, bob: User, client: Client) -> None:
    lost(alice, bob, is_public=False, is_rated=True)
    assert "They were private" in read(client.get("/players/alice/ratings/duo/")).text
    page = rating_page("alice", "duo", alice)
    assert (page.why_none, bool(page.words)) == ("", True)


def test_the_page_costs_the_same_for_many_games(season: list[Game], alice: User, bob: User, client: Client) -> None:
    with CaptureQueriesContext(connection) as few:
        client.get("/players/alice/ratings/duo/")
    for day in range(4, 9):
        lost(bob, alice, day)
    with CaptureQueriesContext(connection) as many:
        client.get("/players/alice/ratings/duo/")
    assert len(many) == len(few) <= 6


def test_one_game_is_told_in_words_alone(alice: User, bob: User) -> None:
    lost(alice, bob)
    page = rating_page("bob", "duo", alice)
    assert page.picture is None
    assert page.words.startswith("In the last 1 game shown here, the rating went from 1500 to ")
