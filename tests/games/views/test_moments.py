"""Every move, game and row says when; every move says how long it took."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moves.play_placement import play_placement
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.expire_table import expire_table
from games.base import positions
from games.models import Game, Player
from games.words import moments
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.recorded import finished
from tests.games.tables import ME, OPEN, fresh, open_table, running
from tests.games.views.lists import many

NOW = datetime(2026, 11, 23, 18, tzinfo=UTC)
PREFERENCES = "/accounts/preferences/"


def open_page(client: Client, address: str) -> Element:
    return read(client.get(address))


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-5, "just now"),
        (59, "just now"),
        (60, "1 minute ago"),
        (3599, "59 minutes ago"),
        (7200, "2 hours ago"),
        (86400, "1 day ago"),
        (7 * 86400 - 1, "6 days ago"),
        (7 * 86400, "16 Nov 2026"),
    ],
)
def test_a_moment_is_said_in_its_largest_unit_and_after_a_week_by_its_date(seconds: int, words: str) -> None:
    assert moments.ago(NOW - timedelta(seconds=seconds), NOW) == words


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (0.9, ""),
        (1, "took 1 s"),
        (3599, "took 59 min"),
        (3600, "took 1 h"),
        (2 * 3600 + 300, "took 2 h 5 min"),
        (3 * 86400 + 3700, "took 3 d 1 h"),
    ],
)
def test_how_long_something_took_is_said_in_two_units(seconds: float, words: str) -> None:
    assert moments.took(seconds) == words


def test_the_exact_words_are_those_of_the_readers_zone() -> None:
    with timezone.override("Europe/Paris"):
        paris = moments.when(NOW, NOW)
    with timezone.override("UTC"):
        utc = moments.when(NOW, NOW)
    assert paris
    assert utc
    assert ("CET" in paris.exact, "UTC" in utc.exact) == (True, True)


@pytest.mark.parametrize("page", ["", "replay/"])
def test_each_move_says_when_and_how_long_it_took(page: str, alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    start = timezone.now() - timedelta(hours=5)
    Game.objects.filter(pk=game.pk).update(started_at=start)
    for number, (player, minutes) in enumerate([(alice, 120), (bob, 125)], start=1):
        first = str(positions.position_of(fresh(game)).legal_placements()[0])
        key, now = f"moments-{number}", start + timedelta(minutes=minutes)
        play_placement(player, game.slug, placement=first, number=number, key=key, now=now)
    lines = open_page(log_in(alice), f"/games/{game.slug}/{page}").find_all("li", class_="move")
    begun = re.compile(r".* placed (?:piece \d|\w+)(?: React| ☺\ufe0e)? ?")
    said = {line.find(class_="move__number").text: begun.sub("", line.text) for line in lines}
    assert said == {"1": "3 hours ago · took 2 h", "2": "2 hours ago · took 5 min"}
    assert all(line.find("time")["datetime"] and line.find("time")["title"] for line in lines)


def test_each_row_says_when(alice: User, bob: User, log_in: LogIn) -> None:
    recent = timezone.now() - timedelta(hours=3)
    many.finished(1, alice, bob, finished_at=recent)
    many.running(1, alice, bob, turn=1)
    rows = open_page(log_in(alice), "/games/").find("div", id="my-games").find_all("li", class_="list__row")
    assert [row.find("time", class_="when").text for row in rows] == ["1 Mar 2026", "3 hours ago"]


def test_when_it_happened_stands_beside_the_moves_and_not_beside_whom_a_game_waits_for(
    alice: User, bob: User, log_in: LogIn
) -> None:
    many.running(1, alice, bob, turn=1)
    many.finished(1, alice, bob, finished_at=timezone.now() - timedelta(hours=3))
    rows = open_page(log_in(alice), "/games/").find_all("li", class_="list__row")
    beside = [line.text for row in rows for line in row.find_all(class_="list__line") if line.find_all("time")]
    assert [" ".join(line.split()) for line in beside] == [
        "Block-You, 2 players · move 5 · 0:1 against bob · 1 Mar 2026",
        "Block-You, 2 players · 40 moves · 0:1 against bob · 3 hours ago",
    ]


def test_a_row_names_the_players_and_what_they_placed_beside_the_games_name(
    alice: User, bob: User, log_in: LogIn
) -> None:
    many.finished(1, alice, bob, scores=(4, -9), name="Sunday")
    board = Game.objects.get().board
    placed = [sum(map(board.count, numbers)) for numbers in ("02", "13")]
    for seat, count in enumerate(placed):
        Player.objects.filter(seat=seat).update(score=count - 178 + (20 if seat else 0))
    row = open_page(log_in(alice), "/history/").find("li", class_="list__row")
    assert row.find(class_="list__title").text == "Sunday"
    seats = [seat.text for seat in row.find_all(class_="seats__one")]
    words = [" ".join(seat.split()).partition(name)[2] for name, seat in zip(("you", "bob"), seats, strict=True)]
    assert words == [f" {placed[0]} of 178", f" {placed[1]} of 178 +20 Bonus"]


def test_a_game_says_when_it_began_and_ended(alice: User, bob: User, log_in: LogIn) -> None:
    game = fresh(running(alice, bob))
    shown = open_page(log_in(alice), f"/games/{game.slug}/").find("p", class_="moves__began")
    assert shown.text.startswith("Started")
    assert game.started_at
    assert shown.find("time")["datetime"] == game.started_at.isoformat()


def test_an_open_table_says_when_it_was_opened(alice: User, bob: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, now=timezone.now() - timedelta(hours=5))
    row = open_page(log_in(bob), "/lobby/").find("div", id="lobby").find("li", class_="list__row")
    assert row.find("time", class_="when").text == "5 hours ago"
    assert "Opened 5 hours ago" in open_page(log_in(bob), f"/games/{table.slug}/").find("div", class_="waiting").text


def test_a_table_that_was_cancelled_says_when(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, now=timezone.now() - timedelta(hours=5))
    cancel_game(alice, table.slug)
    shown = open_page(log_in(alice), f"/games/{table.slug}/").find("div", class_="waiting").text
    assert "Opened 5 hours ago · cancelled just now" in shown


def test_a_table_that_no_one_joined_was_closed(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, now=timezone.now() - timedelta(days=15))
    assert expire_table(table.slug, now=timezone.now())
    shown = open_page(log_in(alice), f"/games/{table.slug}/").find("div", class_="waiting").text
    assert "· closed just now" in shown
    assert ("open to anyone" in shown, "Free seat" in shown) == (False, True)


def test_the_replay_says_when_the_game_began_and_ended(alice: User, bob: User, log_in: LogIn) -> None:
    game = finished(alice, bob)
    shown = open_page(log_in(alice), f"/games/{game.slug}/replay/").find("p", class_="moves__began")
    assert [each["datetime"] for each in shown.find_all("time")] == [
        moment.isoformat() for moment in (game.started_at, game.finished_at) if moment
    ]


def test_times_are_said_to_be_in_utc_until_the_zone_is_known(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for address, sentence in [("/history/", "Times on this page are in UTC."), (PREFERENCES, "times are in UTC until")]:
        assert sentence in client.get(address).content.decode()
    User.objects.filter(pk=alice.pk).update(time_zone="Europe/Paris")
    assert not any("UTC" in client.get(address).content.decode() for address in ("/history/",))
    assert "times are in UTC until" not in client.get(PREFERENCES).content.decode()
