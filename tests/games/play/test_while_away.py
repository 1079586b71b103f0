"""What a player reads who comes back: what the others did, to which of their corners, and what is left."""

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.drawing.raster.board import BoardImage
from games.models import Game
from games.notifications.picture import board_picture
from games.pages.play import recent
from games.pages.play.recent import DAYS_AWAY, LONG_AWAY
from tests.conftest import LogIn, known_person, person
from tests.games.play.pages import Element, read
from tests.games.spoken.words import see, spoken
from tests.games.tables import fresh, place, play_out, running
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

pytestmark = pytest.mark.django_db

LONG_AGO = LONG_AWAY + timedelta(hours=1)
ALICES = ("X:e9,d10,e10,f10,e11", "I5:g5,g6,g7,g8,g9")
#: It covers h4, a corner of alice's.
CLOSING = "O:g3,h3,g4,h4"


def played(alice: User, bob: User, ago: timedelta = LONG_AGO, answer: str = CLOSING, **terms: bool) -> Game:
    """Return a game in which bob has answered the second piece of alice, who placed it so long ago."""
    then = timezone.now() - ago
    game = running(alice, bob, variant="duo", now=then, **terms)
    for text in (ALICES[0], "F:j4,i5,j5,j6,k6", ALICES[1], answer):
        place(game, text, now=then)
    return fresh(game)


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return played(alice, bob)


def away(log_in: LogIn, user: User, game: Game, asked: str = "") -> Element:
    return read(log_in(user).get(f"/games/{game.slug}/away/{asked}"))


def told(page: Element) -> list[str]:
    """Return the lines of what happened, each behind the number of its move."""
    return [line.text for line in page.find("ol", class_="moves__list").find_all("li")]


def offers(page: Element) -> list[str]:
    return [
        link.text
        for link in page.find_all("a")
        if link["href"].endswith("/away/") and "data-since" not in link.attributes
    ]


def test_it_says_who_closed_which_corner_and_what_can_still_be_reached(game: Game, alice: User, log_in: LogIn) -> None:
    page = away(log_in, alice, game)
    assert told(page) == ["4 bob placed O at g3 and closed your corner at h4."]
    assert page.find("p", class_="away__still").text == "You can still reach f4, d8, c9, h10, c11 and 3 more."


def test_a_move_that_closes_nothing_is_told_all_the_same(alice: User, bob: User, log_in: LogIn) -> None:
    game = played(alice, bob, answer="I5:l7,l8,l9,l10,l11")
    assert told(away(log_in, alice, game)) == ["4 bob placed I5 at l7."]


def test_without_hints_nothing_is_said_of_corners(alice: User, bob: User, log_in: LogIn) -> None:
    game = played(alice, bob, allows_hints=False)
    page = away(log_in, alice, game)
    assert told(page) == ["4 bob placed O at g3."]
    assert page.find_all("p", class_="away__still") == []


def test_those_who_look_on_read_the_last_round_and_nothing_of_corners(game: Game, log_in: LogIn) -> None:
    page = away(log_in, person("carol"), game)
    assert [line.partition(" ")[0] for line in told(page)] == ["3", "4"]
    assert "corner" not in page.find("section", class_="moves").text


def test_who_has_answered_reads_that_nothing_has_happened(game: Game, bob: User, log_in: LogIn) -> None:
    page = away(log_in, bob, game)
    assert told(page) == ["Nothing has happened since your last turn."]
    assert "data-plays-from" not in page.find("section", class_="game").attributes


def test_without_scripts_the_board_is_as_it_is_now_with_what_is_new(game: Game, alice: User, log_in: LogIn) -> None:
    page = away(log_in, alice, game)
    pieces = page.find(id="board").find_all("g", data_colour="orange")
    assert ["data-new" in piece.attributes for piece in pieces] == [False, True]
    assert all("display" not in piece.attributes for piece in pieces)
    assert page.find("section", class_="game")["data-plays-from"] == "3"


def test_a_move_that_is_asked_for_is_shown_and_does_not_play(game: Game, alice: User, log_in: LogIn) -> None:
    page = away(log_in, alice, game, "?move=3")
    assert "data-plays-from" not in page.find("section", class_="game").attributes
    assert page.find(id="move")["value"] == "3"


@pytest.mark.parametrize("words", [False, True])
def test_a_player_who_comes_back_after_long_is_offered_it(game: Game, alice: User, log_in: LogIn, words: bool) -> None:
    client = spoken(log_in(alice)) if words else log_in(alice)
    assert offers(see(client, game)) == ["While you were away: 1 move"]


def test_who_moved_lately_or_waits_is_offered_nothing(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    assert offers(see(log_in(bob), game)) == []
    lately = played(alice, bob, ago=LONG_AWAY - timedelta(hours=1))
    assert offers(see(log_in(alice), lately)) == []


def test_the_offer_costs_the_page_of_the_game_no_query(
    game: Game, alice: User, bob: User, log_in: LogIn, query_count: QueryCount
) -> None:
    client, lately = log_in(alice), played(alice, bob, ago=timedelta(hours=1))
    assert query_count(client, f"/games/{game.slug}/") == query_count(client, f"/games/{lately.slug}/")


@pytest.fixture
def after_days(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> Game:
    """Return a game of three in which two have answered the piece that alice placed two days ago."""
    # Other tests play at noon and look at any time (`tests.conftest`).
    monkeypatch.setattr(recent, "DAYS_AWAY", DAYS_AWAY)
    return of_three(alice, bob)


def of_three(alice: User, bob: User, turns: int = 6, ago: timedelta = DAYS_AWAY + timedelta(minutes=1)) -> Game:
    then = timezone.now() - ago
    return play_out(running(alice, bob, known_person("carol"), variant="blockyou-3", now=then), turns=turns, now=then)


@pytest.fixture
def duel_after_days(after_days: Game, alice: User, bob: User) -> Game:
    """Return a game of two in which bob has answered the second piece of alice, two days ago."""
    return played(alice, bob, ago=DAYS_AWAY + timedelta(minutes=1))


@pytest.mark.parametrize("words", [False, True])
@pytest.mark.parametrize("players", ["after_days", "duel_after_days"])
def test_after_days_it_is_what_a_player_sees_first_and_only_once(
    request: pytest.FixtureRequest, alice: User, log_in: LogIn, players: str, words: bool
) -> None:
    game = request.getfixturevalue(players)
    client, address = spoken(log_in(alice)) if words else log_in(alice), f"/games/{game.slug}/"
    assert client.get(address)["Location"] == f"{address}away/"
    page = read(client.get(f"{address}away/"))
    # One press leads to the board, from above and from below.
    assert [link["href"] for link in page.find_all("a") if link["href"] == address]
    assert client.get(address).status_code == 200
    # On another device too.
    assert log_in(alice).get(address).status_code == 200


def test_it_comes_first_again_after_the_next_days_away(after_days: Game, alice: User, log_in: LogIn) -> None:
    client, address = log_in(alice), f"/games/{after_days.slug}/"
    assert client.get(address).status_code == 302
    play_out(after_days, turns=3, now=timezone.now() - DAYS_AWAY)
    assert client.get(address).status_code == 302
    assert client.get(address).status_code == 200


def test_what_is_asked_for_by_name_or_by_the_open_page_is_answered_at_once(
    after_days: Game, alice: User, log_in: LogIn
) -> None:
    client, address = log_in(alice), f"/games/{after_days.slug}/"
    assert client.get(f"{address}?hold=I1:a1").status_code == 200
    assert client.get(address, headers={"HX-Request": "true"}).status_code == 200
    assert client.head(address).status_code == 200
    assert client.post(f"{address}place/", {"placement": "nonsense", "number": "7"}).status_code != 302
    assert client.get(address).status_code == 302


def test_the_board_comes_first_for_all_others(after_days: Game, bob: User, alice: User, log_in: LogIn) -> None:
    # Carol has just moved, and dave only looks.
    for user in (known_person("carol"), person("dave")):
        assert log_in(user).get(f"/games/{after_days.slug}/").status_code == 200
    for turns, ago in ((6, timedelta(days=1)), (4, DAYS_AWAY)):
        game = of_three(alice, bob, turns, ago)
        assert log_in(alice).get(f"/games/{game.slug}/").status_code == 200, turns


def test_one_move_is_enough_unless_it_was_days_in_coming(
    duel_after_days: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    client, then = log_in(alice), timezone.now() - DAYS_AWAY - timedelta(days=1)
    for ago, status in ((timedelta(hours=1), 200), (LONG_AGO, 302)):
        game = running(alice, bob, variant="duo", now=then)
        place(game, ALICES[0], now=then)
        place(game, "F:j4,i5,j5,j6,k6", now=timezone.now() - ago)
        assert client.get(f"/games/{game.slug}/").status_code == status, ago


def test_a_game_that_is_over_shows_its_end_first(after_days: Game, alice: User, bob: User, log_in: LogIn) -> None:
    resign(bob, after_days.slug)
    resign(known_person("carol"), after_days.slug)
    assert log_in(alice).get(f"/games/{after_days.slug}/").status_code == 200


def test_the_words_beside_the_board_say_what_each_move_means_for_its_reader(
    game: Game, alice: User, log_in: LogIn
) -> None:
    leaves = json.loads(away(log_in, alice, game).find("script", id="leaves").text)
    assert leaves[4][0] == "bob placed O at g3 and closed your corner at h4."
    assert leaves[3][0] == "You placed I5"


def test_the_picture_of_a_notice_marks_all_that_is_new(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    carol = person("carol")
    game = play_out(running(alice, bob, carol, variant="blockyou-3"), turns=7)
    moves, marked = list(game.moves.all()), list[str]()
    monkeypatch.setattr(BoardImage, "mark", lambda _self, path: marked.append(path))
    new = {}
    for user in (alice, bob, carol, person("dave")):
        marked.clear()
        board_picture(game, moves, user.pk)
        new[user.username] = len(marked)
    # Alice has just moved: the last piece, hers, is marked as for those who only look.
    assert new == {"alice": 1, "bob": 2, "carol": 1, "dave": 1}
