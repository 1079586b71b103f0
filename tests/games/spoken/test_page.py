"""The game in words: what stands on the page, for every board and for whoever looks."""

import re
from datetime import UTC, datetime, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.clock import TimeControl
from games.models import Game
from games.rules import Position
from tests.conftest import LogIn
from tests.games.play.pages import Element
from tests.games.spoken.words import BOARDS, blocked, part, see, spoken, table_for
from tests.games.tables import fresh, large_first, place, play_out, running


@pytest.fixture
def people(alice: User, bob: User, carol: User, dave: User) -> list[User]:
    return [alice, bob, carol, dave]


def cells(page: Element) -> dict[str, str]:
    """Return what the table of the board says of every cell, by its name."""
    table = page.find("table", class_="told__board")
    texts = [cell.text for cell in table.find_all("td") if cell.text]
    return dict(text.split(" ", 1) for text in texts)


def held(position: Position) -> dict[str, str]:
    """Return the colour on every cell that is taken, read off the moves."""
    placed = [(turn.colour, turn.placement) for turn in position.history if turn.placement]
    return {
        position.variant.cells[cell]: (colour or "").capitalize()
        for colour, placement in placed
        for cell in placement.cells
    }


@pytest.mark.parametrize("variant", BOARDS)
def test_every_cell_says_what_is_on_it_under_its_column_and_beside_its_row(
    variant: str, people: list[User], log_in: LogIn
) -> None:
    game = play_out(table_for(variant, people), 5, large_first, turns=13)
    position = positions.position_of(game)
    page = see(spoken(log_in(people[-1])), game)
    said = cells(page)
    assert set(said) == set(position.variant.cells)
    taken = {name: text for name, text in said.items() if text not in ("empty", "corner you can use")}
    assert taken == held(position)
    for row in page.find("table", class_="told__board").find("tbody").find_all("tr"):
        assert {re.sub("[a-z]", "", cell.text.split()[0]) for cell in row.find_all("td") if cell.text} == {
            row.find("th", scope="row").text
        }
        assert sum(int(cell.attributes.get("colspan", "1")) for cell in row.find_all("td")) == position.variant.width


def test_the_page_says_when_the_game_was_paused_and_for_how_long(alice: User, bob: User, log_in: LogIn) -> None:
    game = play_out(running(alice, bob), turns=1)
    Game.objects.filter(pk=game.pk).update(
        pauses=[[3, "2026-03-02T09:30:00+00:00", "2026-03-05T13:30:00+00:00"], [9, "2026-03-06T10:00:00+00:00", None]],
        pause_ends_at=datetime(2026, 4, 5, 10, tzinfo=UTC),
        is_paused=True,
    )
    said = [line.text for line in see(spoken(log_in(alice)), game).find(id="moves").find_all("p")]
    wanted = ["Paused since 6 Mar 2026, 10:00 UTC.", "Paused on 2 Mar 2026, 09:30 UTC for 3 d 4 h."]
    assert [line for line in said if line.startswith("Paused")] == wanted


def test_the_page_says_with_which_pieces_the_sides_open(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo:N:W")
    head = part(see(spoken(log_in(alice)), game)).find(class_="told__head").text
    for line in ("Duo, Freestyle", "Purple opens with N.", "Orange opens with W."):
        assert line in head


def test_the_ways_to_other_games_stand_before_the_turn(alice: User, bob: User, log_in: LogIn) -> None:
    game, other = running(alice, bob, variant="duo"), running(alice, bob, variant="junior")
    head = part(see(spoken(log_in(alice)), game)).find(class_="told__head")
    assert [link["href"] for link in head.find_all("a")] == ["/games/", f"/games/{other.slug}/"]
    guest = part(see(spoken(Client()), game)).find(class_="told__head")
    assert [link["href"] for link in guest.find_all("a")] == ["/", f"/accounts/login/?next=/games/{game.slug}/"]


@pytest.mark.parametrize("variant", BOARDS)
def test_a_player_to_move_has_every_piece_that_fits_with_its_places(
    variant: str, people: list[User], log_in: LogIn
) -> None:
    game = play_out(table_for(variant, people), 6, large_first, turns=9)
    position = positions.position_of(game)
    client = spoken(log_in(people[position.seat or 0]))
    pieces = [link["id"].removeprefix("piece-") for link in see(client, game).find(id="legal").find_all("a")]
    legal = [str(placement) for placement in position.legal_placements()]
    assert set(pieces) == {text.partition(":")[0] for text in legal}
    listed = all_places(client, game, pieces[0])
    assert listed == [text for text in legal if text.startswith(pieces[0] + ":")]


def all_places(client: Client, game: Game, piece: str) -> list[str]:
    """Return the places of a piece from all pages of their list, each of which has 20 at most."""
    found: list[str] = []
    asked = f"ask/?piece={piece}"
    while asked:
        places = see(client, game, asked).find(id="places")
        buttons = [button["value"] for button in places.find_all("button")]
        assert 0 < len(buttons) <= 20
        found += buttons
        more = places.find_all("a", id="after")
        asked = more[0]["hx-get"].removeprefix(f"/games/{game.slug}/") if more else ""
    return found


def test_corners_to_use_are_told_to_who_plays_and_to_nobody_else(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    game = running(alice, bob, variant="duo")
    place(game, "I5:e10,f10,g10,h10,i10")
    place(game, "I5:j5,k5,l5,m5,n5")
    corners = {name for name, text in cells(see(spoken(log_in(alice)), game)).items() if "corner" in text}
    assert corners == {"d9", "d11", "j9", "j11"}
    assert "corner you can use" not in cells(see(spoken(log_in(eve)), game)).values()


def test_before_the_first_piece_the_start_cell_is_the_corner(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    said = cells(see(spoken(log_in(alice)), game))
    assert [name for name, text in said.items() if text == "corner you can use"] == ["a1"]


def test_scores_and_stocks_of_every_colour_stand_in_a_table(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    page = see(spoken(log_in(bob)), game)
    rows = page.find("table", class_="told__scores").find("tbody").find_all("tr")
    assert [cell.text for cell in rows[0].walk() if cell.tag in ("th", "td")] == [
        "Blue", "alice", "5 of 89", "20", "84",
    ]  # fmt: skip
    assert [row.find("th").text for row in rows] == ["Blue", "Red", "Yellow", "Green"]
    assert rows[2].find_all("td")[0].text == "You (to play)"
    told = {term.text: text.text for term, text in terms(page)}
    assert "V5" not in told["Pieces: Blue"].split(", ")
    assert "V5" in told["Pieces: Red"].split(", ")


def terms(page: Element) -> list[tuple[Element, Element]]:
    """Return what stands beside the scores, each with what it is."""
    scores = page.find(id="scores")
    return list(zip(scores.find_all("dt"), scores.find_all("dd"), strict=True))


def test_a_player_of_two_colours_has_a_total_and_one_of_a_single_colour_needs_none(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    told = {term.text: text.text for term, text in terms(see(spoken(log_in(bob)), game))}
    assert (told["Total: alice"], told["Total: You"]) == ("5 of 178", "0 of 178")
    duo = running(alice, bob, variant="duo")
    assert not any(term.text.startswith("Total") for term, _text in terms(see(spoken(log_in(bob)), duo)))


def test_clocks_are_said_in_words(alice: User, bob: User, log_in: LogIn) -> None:
    now = timezone.now() - timedelta(hours=1, minutes=30)
    game = running(alice, bob, variant="duo", now=now, time=TimeControl.days_a_move(3))
    page = see(spoken(log_in(alice)), game)
    assert page.find("time", data_behaviour="time-left").text == "2 days 22 hours"
    told = {term.text: text.text for term, text in terms(page)}
    assert (told["Your clock"], told["bob's clock"]) == ("2 days 22 hours", "3 days")


def test_clocks_are_said_in_words_in_french_too(alice: User, bob: User, log_in: LogIn) -> None:
    now = timezone.now() - timedelta(hours=1, minutes=30)
    game = running(alice, bob, variant="duo", now=now, time=TimeControl.days_a_move(3))
    User.objects.filter(pk=alice.pk).update(language="fr")
    left = see(spoken(log_in(alice)), game).find("time", data_behaviour="time-left").text
    assert left.replace("\N{NO-BREAK SPACE}", " ") == "2 jours 22 heures"


def test_a_piece_whose_name_is_a_number_is_called_a_piece_in_a_list(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo")
    assert see(spoken(log_in(alice)), game).find(id="piece-2").text.startswith("Piece 2, 2 cells: ")
    User.objects.filter(pk=alice.pk).update(language="fr")
    choice = see(spoken(log_in(alice)), game).find(id="piece-2").text
    assert choice.replace("\N{NO-BREAK SPACE}", " ").startswith("Pièce 2, 2 cases : ")


def test_a_shared_colour_says_who_places_it(people: list[User], log_in: LogIn) -> None:
    game = table_for("classic-3", people)
    page = see(spoken(log_in(people[0])), game)
    assert "You play piece 1 of Green" in page.find(id="turn").text
    assert "shared" in page.find("table", class_="told__scores").text


def test_two_copies_of_a_piece_are_told_as_two(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="junior")
    page = see(spoken(log_in(alice)), game)
    assert "2 times O" in page.find("dl").find_all("dd")[0].text


def test_a_colour_nobody_plays_is_named(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol, colours=("blue", "red", "green"))
    assert "Yellow is not played." in see(spoken(log_in(alice)), game).find(id="scores").text


def test_the_page_is_headings_and_words_and_no_picture(alice: User, bob: User, log_in: LogIn) -> None:
    page = see(spoken(log_in(alice)), running(alice, bob))
    assert len(page.find_all("h1")) == 1
    titles = [title.text for title in page.find_all("h2")]
    assert titles[:2] == ["Turn", "Place a piece"]
    assert {"Ask", "Scores and pieces", "Last moves", "Board"} < set(titles)
    assert not part(page).find_all("svg")
    named = [section["aria-labelledby"] for section in part(page).find_all("section") if section is not part(page)]
    assert all(page.find(id=name).text for name in named)


def test_the_last_moves_are_told_with_their_cells(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    moves = see(spoken(log_in(bob)), game).find(id="moves")
    (line,) = moves.find_all("li")
    assert line.text.startswith("1. alice placed V5 at a1 (Blue): a1, b1, c1, a2, a3. ")
    told = [moves.find("p", class_="moves__began").find("time")["datetime"], line.find("time")["datetime"]]
    assert told == [
        moment.isoformat() for moment in (fresh(game).started_at, fresh(game).moves.get().played_at) if moment
    ]


def test_a_watcher_reads_everything_and_has_nothing_to_play_with(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob), 3, turns=8)
    for client in (Client(), log_in(eve)):
        page = see(spoken(client), game)
        assert cells(page)
        assert [form["id"] for form in part(page).find_all("form")] == ["asking"]


@pytest.mark.parametrize("path", ["", "board/", "ask/", "ask/?say=l"])
def test_nobody_else_learns_of_a_private_game(path: str, alice: User, bob: User, mallory: User, log_in: LogIn) -> None:
    game = running(alice, bob, is_public=False)
    assert spoken(log_in(mallory)).get(f"/games/{game.slug}/{path}").status_code == 404


def test_a_blocked_colour_is_passed_for_by_a_button(alice: User, bob: User, log_in: LogIn) -> None:
    game = blocked(alice, bob)
    page = see(spoken(log_in([alice, bob][positions.position_of(game).seat or 0])), game)
    assert page.find("form", action=f"/games/{game.slug}/pass/")
    assert not page.find_all(id="place")


def test_a_game_that_is_over_tells_the_result(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    resign(bob, game.slug)
    page = see(spoken(log_in(alice)), game)
    assert page.find(class_="end__lead").text == "You won"
    assert page.find(id="turn-title").text == "Result"
    assert page.find("table", class_="result__table")
    assert not page.find_all(id="typed")


def test_an_update_is_the_part_of_the_page(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), spoken(log_in(alice))
    page, update = see(client, game), see(client, game, "board/")
    for name in ("data-version", "hx-get", "hx-trigger", "data-socket"):
        assert part(page)[name] == part(update)[name]
    assert update.find(id="text-board")
