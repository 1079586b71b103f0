"""The end of a game: who took which place, what is said of it, and how it is passed on."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone, translation

from accounts.guests import create_guest
from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.base.positions import position_of
from games.clock import TimeControl
from games.models import Game
from games.queries.people import feats
from games.rules import VARIANTS, Position
from games.words import endings
from tests.conftest import LogIn
from tests.games import recorded
from tests.games.play.pages import Element, read
from tests.games.spoken.words import see
from tests.games.tables import NOON, due, fresh, place, running


def of_size(position: Position, size: int) -> Position:
    """Return the position after a piece of that many cells, the first that fits."""
    return position.play(next(one for one in position.legal_placements() if len(one.points) == size))


# What has been placed, in the order of play, and the places that follow. All by hand.
@pytest.mark.parametrize(
    ("variant", "sizes", "places"),
    [
        ("blockyou-4", (), (1, 1, 1, 1)),
        ("blockyou-4", (5, 4, 5, 3), (1, 3, 1, 4)),
        ("classic-4", (3, 5, 5, 5), (4, 1, 1, 1)),
        # Blue and Red, Yellow and Green: 5 + 3 and 4 + 4, then 1 more.
        ("blockyou-2", (5, 4, 3, 4), (1, 1)),
        ("classic-2", (5, 4, 3, 4, 1), (1, 2)),
        ("blockyou-3", (4, 5, 4), (2, 1, 2)),
        # The fourth piece is of the shared colour, which counts for nobody.
        ("classic-3", (4, 5, 4, 5), (2, 1, 2)),
        ("duo", (5, 5), (1, 1)),
        ("duo", (4, 5), (2, 1)),
        ("junior", (3, 3, 4), (1, 2)),
        ("trigon-2", (6, 5, 5, 6), (1, 1)),
        ("trigon-3", (5, 6, 6), (3, 1, 1)),
        ("trigon-4", (6, 4, 4, 4), (1, 2, 2, 2)),
    ],
)
def test_equal_scores_share_a_place_on_every_board(
    variant: str, sizes: tuple[int, ...], places: tuple[int, ...]
) -> None:
    position = Position.start(variant)
    for size in sizes:
        position = of_size(position, size)
    assert position.places() == places


def test_a_seat_that_left_early_comes_last_whatever_its_score() -> None:
    position = of_size(Position.start("blockyou-4"), 5)
    assert position.retire(0).places() == (4, 1, 1, 1)


@dataclass(frozen=True)
class Seat:
    """A player at the end of a game."""

    name: str
    score: int
    is_winner: bool = False
    is_retired: bool = False
    has_run_out: bool = False
    colours: tuple[endings.Colour, ...] = ()

    placed: int = 0
    cells: int = 89

    @property
    def placed_text(self) -> str:
        return f"{self.placed} of {self.cells}"

    @property
    def is_you(self) -> bool:
        return self.name == "You"


ANN, BEN, CAT = Seat("Ann", 9, is_winner=True), Seat("Ben", 4), Seat("Cat", 4)


@pytest.mark.parametrize(
    ("seats", "places", "said"),
    [
        ((Seat("You", 9, is_winner=True), BEN, CAT), (1, 2, 2), ("You won by 5 points", "")),
        # Of two players the second is simply the one who lost.
        ((ANN, Seat("You", 8)), (1, 2), ("Ann won by 1 point", "")),
        ((ANN, Seat("You", 9, is_winner=True)), (1, 1), ("You and Ann tied", "")),
        (
            (ANN, Seat("You", 4), BEN, Seat("Dan", 1)),
            (1, 2, 2, 4),
            ("You tied with Ben for 2nd of 4", "Ann won by 5 points"),
        ),
        ((ANN, BEN, CAT, Seat("You", 1)), (1, 2, 2, 4), ("You came 4th of 4", "Ann won by 5 points")),
        ((ANN, Seat("You", 9, is_winner=True), BEN), (1, 1, 3), ("You and Ann tied for 1st", "")),
        ((ANN, BEN), (1, 2), ("Ann won by 5 points", "")),
        # What a player who left had does not count.
        ((ANN, Seat("You", 20, is_retired=True)), (1, 2), ("You resigned", "Ann won")),
        ((ANN, Seat("You", 20, is_retired=True, has_run_out=True)), (1, 2), ("You lost on time", "Ann won")),
        ((ANN, Seat("Ben", 20, is_retired=True)), (1, 2), ("Ann won", "")),
    ],
)
def test_the_viewer_hears_their_place_and_who_won(
    seats: tuple[Seat, ...], places: tuple[int, ...], said: tuple[str, str]
) -> None:
    assert endings.outcome(seats, places) == said


@pytest.mark.parametrize(
    ("seats", "places", "said"),
    [
        ((Seat("You", 9, is_winner=True), BEN, CAT), (1, 2, 2), ("Vous gagnez avec 5 points d’avance", "")),
        ((ANN, Seat("You", 8)), (1, 2), ("Ann gagne avec 1 point d’avance", "")),
        (
            (ANN, Seat("You", 4), BEN, Seat("Dan", 1)),
            (1, 2, 2, 4),
            ("Vous êtes à égalité avec Ben à la 2e place sur 4", "Ann gagne avec 5 points d’avance"),
        ),
        (
            (ANN, BEN, CAT, Seat("You", 1)),
            (1, 2, 2, 4),
            ("Vous terminez à la 4e place sur 4", "Ann gagne avec 5 points d’avance"),
        ),
        ((ANN, Seat("You", 20, is_retired=True)), (1, 2), ("Vous avez abandonné", "Ann l’emporte")),
        (
            (ANN, Seat("You", 20, is_retired=True, has_run_out=True)),
            (1, 2),
            ("Vous avez perdu au temps", "Ann l’emporte"),
        ),
    ],
)
def test_the_viewer_hears_it_in_french_too(
    seats: tuple[Seat, ...], places: tuple[int, ...], said: tuple[str, str]
) -> None:
    with translation.override("fr"):
        assert endings.outcome(seats, places) == said


@dataclass(frozen=True)
class Held:
    """A colour at the end of a game."""

    bonus: int
    label: str = "Blue"
    pieces_left: int = 0


@pytest.mark.parametrize(
    ("name", "colours", "said"),
    [
        ("You", (Held(20),), "You placed every piece, the one-cell piece last: +20."),
        ("Ann", (Held(20),), "Ann placed every piece, the one-cell piece last: +20."),
        ("You", (Held(15),), "You placed every piece: +15."),
        ("Ann", (Held(15),), "Ann placed every piece: +15."),
        ("You", (Held(0),), "You placed every piece."),
        ("Ann", (Held(0),), "Ann placed every piece."),
        ("You", (Held(15), Held(0, "Red", 3)), "Blue placed every piece: +15."),
        ("You", (Held(0, "Blue", 2), Held(0, "Red", 3)), "You placed 37 of 42 pieces."),
        ("Ann", (Held(0, "Blue", 2),), "Ann placed 19 of 21 pieces."),
    ],
)
def test_what_a_player_placed_is_said_with_what_it_brought(name: str, colours: tuple[Held, ...], said: str) -> None:
    variant = VARIANTS["blockyou-2" if len(colours) > 1 else "blockyou-4"]
    assert endings.pieces_placed(Seat(name, 0, colours=colours), variant) == [said]


def test_what_a_player_placed_won_and_scored_best_is_said_in_french_too() -> None:
    you, ann = (Seat(name, 0, colours=(Held(20),), placed=80) for name in ("You", "Ann"))
    with translation.override("fr"):
        said = [
            *(endings.pieces_placed(each, VARIANTS["blockyou-4"])[0] for each in (you, ann)),
            endings.own_cells([you]),
        ]
        feats_said = endings.feats_text(3, 4, may_be_longer=False)
    nb = "\N{NO-BREAK SPACE}"
    assert said == [
        f"Vous avez posé toutes vos pièces, celle d’une case en dernier{nb}: +20.",
        f"Ann a posé toutes ses pièces, celle d’une case en dernier{nb}: +20.",
        "Vous avez posé 80 cases sur 89.",
    ]
    assert feats_said == (
        "Cela fait 3 victoires de suite sur ce plateau. Votre meilleur score de vos 4 dernières parties sur ce plateau."
    )


def test_a_tie_is_said_in_the_banner_and_in_the_table(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = recorded.finished(alice, bob, carol)
    first, also_first, last = sorted(game.players.select_related("user"), key=lambda player: -(player.score or 0))
    assert first.score == also_first.score != last.score
    assert first.user
    assert last.user
    page = see(log_in(last.user), game)
    assert [place.text for place in page.find_all(class_="result__place")] == ["1.", "1.", "3."]
    assert page.find(class_="end__lead").text == "You came 3rd of 3"
    assert page.find(class_="end__won").text == f"{first.user} and {also_first.user} tied for 1st."
    assert see(log_in(first.user), game).find(class_="end__lead").text == f"You and {also_first.user} tied for 1st"


def test_a_player_who_lost_reads_at_once_how_much_they_placed_and_the_winner_does_not(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = recorded.finished(alice, bob)
    first, last = sorted(game.players.select_related("user"), key=lambda player: -(player.score or 0))
    assert first.user
    assert last.user
    board = position_of(game).board
    cells = sum(map(board.count, ("02", "13")[last.seat]))
    end = see(log_in(last.user), game).find(class_="end")
    assert end.find(class_="end__lead").text.startswith(f"{first.user} won by")
    assert end.find(class_="end__placed").text == f"You placed {cells} of 178 cells."
    assert not see(log_in(first.user), game).find_all(class_="end__placed")


def test_a_player_who_left_is_last(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    left = running(alice, bob, carol)
    place(left, "1:a1")
    for user in (alice, bob):
        resign(user, left.slug)
    page = see(log_in(alice), left)
    assert page.find(class_="end__lead").text == "You came 2nd of 3"
    assert page.find(class_="how").text == "carol placed 0 of 21 pieces. You resigned. bob resigned."
    assert page.find(class_="end__won").text == "carol won."


def test_of_two_players_the_one_who_left_reads_once_how_and_who_won(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "1:a1")
    resign(alice, game.slug)
    page = see(log_in(alice), game)
    told = [page.find(class_=name).text for name in ("end__lead", "end__won", "how")]
    assert told == ["You resigned", "bob won.", "bob placed 0 of 42 pieces."]
    page = see(log_in(bob), game)
    assert page.find(class_="end__lead").text == "You won"
    assert page.find(class_="how").text == "You placed 0 of 42 pieces. alice resigned."


def test_names_in_a_result_lead_to_profiles_and_the_winner_has_the_crown(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    resign(alice, game.slug)
    page = see(log_in(alice), game)
    links = [link["href"] for link in page.find("table", class_="result__table").find_all("a")]
    assert links == ["/players/bob/", "/players/alice/"]
    crowned = [player for player in page.find_all("li", class_="player") if player.find_all(class_="player__crown")]
    assert [player.find(class_="player__name").text for player in crowned] == ["bob"]


def test_a_guest_who_has_played_is_asked_to_keep_the_game_and_others_are_not(alice: User, log_in: LogIn) -> None:
    guest = create_guest()
    game = running(alice, guest)
    assert not see(log_in(guest), game).find_all(id="keep")
    resign(alice, game.slug)
    assert see(log_in(guest), game).find(id="keep").find("a")["href"] == f"/accounts/claim/?next=/games/{game.slug}/"
    for client in (log_in(alice), log_in(create_guest()), Client()):
        assert not see(client, game).find_all(id="keep")


def test_a_sentence_about_time_begins_with_a_capital_in_french(alice: User, bob: User) -> None:
    now = timezone.now() - timedelta(days=3)
    game = running(alice, bob, variant="duo", now=now, time=TimeControl.days_a_move(2), stand_in="")
    for text in ("1:e10", "1:j5"):
        place(game, text, now=now)
    time_out(game.slug, number=due(fresh(game)))
    assert "Temps écoulé pour alice." in see(Client(headers={"Accept-Language": "fr"}), game).find(id="game").text


def test_the_link_to_a_result_says_it_in_the_language_of_its_reader(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "1:e10")
    resign(bob, game.slug)
    page = see(Client(), game)
    assert page.find("meta", property="og:title")["content"] == "alice won"
    assert page.find("meta", property="og:description")["content"].startswith("1. alice 1 of 89, 2. bob")
    assert page.find("meta", property="og:image")["content"] == f"http://testserver/games/{game.slug}/picture.png"
    share = page.find("a", data_behaviour="share")
    assert share["data-link"] == f"http://testserver/games/{game.slug}/"
    assert share["data-text"].startswith("alice won. 1. alice")
    assert "duo" in share["data-text"].lower()
    replay = read(Client().get(f"/games/{game.slug}/replay/"))
    assert replay.find("meta", property="og:title")["content"] == "alice won"
    assert replay.find("input", id="result-text")["value"] == share["data-text"]


def test_a_private_result_is_shown_to_its_players_alone(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    game = running(alice, bob, is_public=False)
    resign(bob, game.slug)
    assert log_in(eve).get(f"/games/{game.slug}/picture.png").status_code == 404
    assert "opens only for its players" in see(log_in(alice), game).text
    assert game.invite_token not in see(log_in(alice), game).find("a", data_behaviour="share")["data-link"]


def test_the_picture_of_the_result_is_shown_with_the_way_to_share_it_below(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, is_public=False)
    resign(bob, game.slug)
    client = log_in(alice)
    shown = see(client, game).find(class_="passed")
    picture, share = (child for child in shown.children if isinstance(child, Element) and child.tag in ("img", "a"))
    assert (picture["loading"], share["data-behaviour"]) == ("lazy", "share")
    assert client.get(picture["src"])["Content-Type"] == "image/png"
    query = f"?token={game.invite_token}"
    with_link = read(Client().get(f"/games/{game.slug}/{query}")).find(class_="passed").find("img")
    assert with_link["src"].endswith(query)


def test_playing_again_comes_before_all_else(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    page = see(log_in(alice), game)
    buttons = page.find("form", class_="again").find_all("button")
    assert [button["value"] for button in buttons] == ["same", "rotated"]
    answer = log_in(alice).post(f"/games/{game.slug}/rematch/", {"seats": "rotated"})
    following = fresh(game).rematch
    assert answer["Location"] == f"/games/{following.slug}/"
    assert following.players.get(seat=1).user == alice


def won(winner: User, other: User, size: int, hour: int, **settings: Any) -> Game:
    """Return a game that the other resigned after a piece of that many cells, ended at that hour."""
    now = NOON + timedelta(hours=hour)
    game = running(winner, other, variant="duo", now=now, **settings)
    place_of_size(game, size, now)
    resign(other, game.slug, now=now)
    return fresh(game)


def told(user: User, game: Game) -> str:
    client = Client()
    client.force_login(user)
    return "".join(part.text for part in see(client, game).find_all(class_="end__feats"))


def test_a_streak_and_a_best_score_are_told_to_whose_they_are(alice: User, bob: User, eve: User) -> None:
    games = [won(alice, bob, size, hour) for hour, size in enumerate((1, 3, 2, 4, 2))]
    streak, best = "That makes {} wins in a row on this board.", "Your best score in your last {} games on this board."
    said = ["", "", streak.format(3), f"{streak.format(4)} {best.format(4)}", streak.format(5)]
    assert [told(alice, game) for game in games] == said
    assert [told(user, game) for user in (bob, eve) for game in games] == [""] * 10
    # A game that was lost ends the streak, and what was won before stays.
    won(bob, alice, 5, 5)
    assert told(alice, won(alice, bob, 3, 6)) == ""
    assert told(alice, games[2]) == streak.format(3)
    assert told(alice, won(alice, bob, 5, 7)) == best.format(8)


def test_of_a_streak_that_goes_further_back_than_is_looked_no_wrong_number_is_told(alice: User, bob: User) -> None:
    for hour in range(feats.GAMES_OF_FEATS):
        won(alice, bob, 2, hour)
    last = won(alice, bob, 2, feats.GAMES_OF_FEATS)
    assert told(alice, last) == "That makes at least 10 wins in a row on this board."


def test_scores_of_another_way_of_scoring_are_not_compared(alice: User, bob: User) -> None:
    for hour in range(3):
        won(alice, bob, 2, hour, scoring="coverage")
    assert told(alice, won(alice, bob, 5, 3)) == "That makes 4 wins in a row on this board."


def test_the_winner_wears_a_crown_beside_the_name_and_nobody_else_does(alice: User, bob: User) -> None:
    game = running(alice, bob, variant="duo")
    resign(bob, game.slug)
    people = read(Client().get(f"/games/{game.slug}/")).find_all("span", class_="player__who")
    crowned = [person for person in people if person.find_all("svg", class_="player__crown")]
    assert [person.find(class_="player__name").text for person in crowned] == ["alice"]
    assert crowned[0].find("svg", class_="player__crown")["aria-label"] == "winner"


def place_of_size(game: Game, size: int, now: datetime = NOON) -> None:
    """Place a piece of that many cells, the first that fits."""
    position = position_of(fresh(game))
    place(game, str(next(one for one in position.legal_placements() if len(one.points) == size)), now=now)


def test_the_cells_that_each_player_placed_are_counted_in_a_bar_of_each_of_their_colours(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    for size in (3, 4, 1):
        place_of_size(game, size)
    resign(alice, game.slug)
    rows = see(log_in(alice), game).find("ul", class_="count").find_all("li")
    assert [row.text for row in rows] == ["bob 4 of 178", "You 4 of 178"]
    bars = [bar for row in rows for bar in row.find_all("progress")]
    assert [bar["data-colour"] for bar in bars] == ["yellow", "green", "blue", "red"]
    assert [bar["value"] for bar in bars] == ["4", "0", "3", "1"]
    assert {bar["max"] for bar in bars} == {"89"}


def test_the_pieces_of_the_winners_ripple_once_and_those_of_others_do_not(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, variant="duo")
    place_of_size(game, 1)
    assert not see(log_in(alice), game).find_all("g", class_="won")
    place_of_size(game, 2)
    place_of_size(game, 2)
    resign(bob, game.slug)
    page = see(log_in(alice), game)
    rippling = "".join(path["d"] for path in page.find("g", class_="won").find_all("path"))
    mine = [path["d"] for path in page.find_all("path", class_="piece", data_colour=VARIANTS["duo"].colours[0])]
    assert len(mine) == 2
    assert rippling == "".join(mine)
