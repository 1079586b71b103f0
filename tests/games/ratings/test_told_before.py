"""That a game is rated is told before its end: in the lobby, at the table, in the game, and to programs."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.tables.fill_seats import fill_seats
from games.actions.tables.join_game import join_game
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.ratings.games import program
from tests.games.spoken.words import spoken
from tests.games.tables import LINK, ME, NOON, OPEN, bot, invited, open_table, running

pytestmark = pytest.mark.django_db

RATED, NOT_RATED = "This game is rated.", "This game is not rated."


def page_of(client: Client, game: Game) -> str:
    return read(client.get(f"/games/{game.slug}/")).text


def lobby_lines() -> list[str]:
    page = read(Client().get("/lobby/"))
    lines = page.find(id="lobby").find_all(class_="list__line")
    return [part.strip() for line in lines for part in line.text.split("·")]


@pytest.mark.parametrize(
    ("terms", "told"),
    [
        ({}, RATED),
        ({"is_public": False, "is_rated": True}, RATED),
        ({"is_rated": False}, NOT_RATED),
        ({"is_public": False}, ""),
    ],
)
def test_the_table_the_invitation_and_the_game_say_whether_it_is_rated(
    terms: dict[str, Any], told: str, alice: User, bob: User, log_in: LogIn
) -> None:
    table = open_table(alice, ME, invited("bob"), LINK, variant="blockyou-3", **terms)
    link = read(Client().get(f"/join/{table.invite_token}/")).text
    for text in (page_of(log_in(alice), table), page_of(log_in(bob), table), link):
        assert [each for each in (RATED, NOT_RATED) if each in text] == [told] * bool(told)
    game = running(alice, bob, variant="duo", **terms)
    for client in (log_in(alice), spoken(log_in(alice))):
        text = page_of(client, game)
        assert [each for each in (RATED, NOT_RATED) if each in text] == [told] * bool(told)


def test_it_is_told_where_bots_have_taken_all_seats_but_one(alice: User, log_in: LogIn) -> None:
    table = open_table(alice, ME, OPEN, bot("sage-4"), variant="blockyou-3")
    assert RATED in page_of(log_in(alice), table)


def test_it_is_told_that_a_game_of_one_person_and_bots_who_come_later_is_not(
    alice: User, bob: User, log_in: LogIn
) -> None:
    alone = "If no one else has joined by then, the game will not be rated."
    later: dict[str, Any] = {"variant": "blockyou-4", "fill_after": 6, "fill_bot": "sage-4"}
    seats = (ME, OPEN, OPEN, OPEN)
    table, unrated = open_table(alice, *seats, **later), open_table(alice, *seats, is_rated=False, **later)

    assert [alone in page_of(log_in(alice), each) for each in (table, unrated)] == [True, False]
    join_game(bob, table.slug, now=NOON)
    assert alone not in page_of(log_in(alice), table)
    fill_seats(alice, unrated.slug, bot="sage-4", now=NOON)
    assert RATED not in page_of(log_in(alice), unrated)


def test_the_lobby_says_it_of_each_table(alice: User) -> None:
    open_table(alice, ME, OPEN, variant="duo")
    assert [line for line in lobby_lines() if line == "rated"] == ["rated"]
    open_table(alice, ME, OPEN, variant="duo", is_rated=False, declares_passes=True)
    open_table(alice, ME, OPEN, variant="duo", declares_passes=True)
    assert [line for line in lobby_lines() if "rated" in line or "passes" in line] == [
        "rated",
        "manual passes",
        "manual passes",
        "rated",
    ]


def test_the_first_page_says_it_of_games_with_anyone(db: None, settings: Any) -> None:
    assert "Most such games are rated." in read(Client().get("/")).find(id="door-anyone").text
    settings.RATINGS = False
    assert "rated" not in read(Client().get("/")).text


def test_it_is_told_in_french(alice: User, bob: User) -> None:
    game, table = running(alice, bob, variant="duo"), open_table(alice, ME, OPEN, variant="duo")
    client = Client(headers={"accept-language": "fr"})
    assert "Cette partie est cotée." in page_of(client, game)
    assert "Cette partie est cotée." in page_of(client, table)
    assert "cotée" in [
        each.text.strip("· ") for each in read(client.get("/lobby/")).find(class_="list__parts").find_all("span")
    ]


def test_nothing_is_told_where_the_host_wants_no_ratings(alice: User, bob: User, settings: Any) -> None:
    game, table = running(alice, bob, variant="duo"), open_table(alice, ME, OPEN, variant="duo")
    assert game.is_rated
    settings.RATINGS = False
    for each in (game, table):
        assert not {RATED, NOT_RATED} & set(page_of(Client(), each).splitlines())
        assert RATED not in page_of(Client(), each)
    assert "rated" not in lobby_lines()
    assert Client().get(f"/api/v1/games/{game.slug}").json()["rated"] is False


def test_programs_are_told_of_games_tables_and_the_lobby(alice: User, bob: User) -> None:
    seats = [{"kind": "me"}, {"kind": "open"}]
    shown = [
        program(alice).post("games", variant="duo", seats=seats, **more).json()
        for more in ({}, {"rated": False}, {"public": False})
    ]
    assert [each["rated"] for each in shown] == [True, False, False]
    told = {line["slug"]: line["rated"] for line in program(bob).get("lobby").json()}
    assert told == {shown[0]["slug"]: True, shown[1]["slug"]: False}
    join_game(bob, shown[0]["slug"], now=NOON)
    assert program(bob).get(f"games/{shown[0]['slug']}").json()["rated"] is True


def test_the_button_that_has_bots_fill_the_table_says_that_the_game_is_not_rated_then(
    alice: User, bob: User, log_in: LogIn
) -> None:
    alone = "Without another player it is not rated."
    seats = (ME, OPEN, OPEN, OPEN)
    table, unrated = (open_table(alice, *seats, variant="blockyou-4", is_rated=each) for each in (None, False))
    browser = log_in(alice)
    told = [alone in read(browser.get(f"/games/{each.slug}/edit/")).text for each in (table, unrated)]
    assert told == [True, False]
    join_game(bob, table.slug, now=NOON)
    assert alone not in read(browser.get(f"/games/{table.slug}/edit/")).text
