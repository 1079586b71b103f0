"""What the play page shows, to whom, and at what cost."""

import gzip
import random
import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.actions.moves.resign import resign
from games.base import positions
from games.models import Game
from games.pages.play.page import PICTURED
from games.rules.variants import get_variant
from tests.conftest import LogIn
from tests.games.play.pages import game_part, read
from tests.games.spoken.words import see
from tests.games.tables import ME, OPEN, advance, bot, fresh, large_first, open_table, place, play_out, running

pytestmark = pytest.mark.same_queries


def midgame(*people: User, **settings: Any) -> Game:
    return play_out(running(*people, **settings), 7, large_first, turns=40)


def test_a_player_to_move_is_told_so_with_the_colour(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    page = see(log_in(alice), game)
    assert page.find(class_="say__turn").text == "Your turn Blue: tap a piece, then your corner a1"
    assert page.find("title").text.startswith("Your turn")


#: Where the first colours of boards begin, in both languages.
FIRST_PIECES = {
    "duo": (
        "Your turn Purple: tap a piece, then your start cell e10",
        "À vous Violet\N{NO-BREAK SPACE}: touchez une pièce, puis votre case de départ e10",
    ),
    "trigon-3": (
        "Your turn Blue: tap a piece, then one of the marked start cells",
        "À vous Bleu\N{NO-BREAK SPACE}: touchez une pièce, puis l’une des cases de départ marquées",
    ),
    "blockyou-4": (
        "Your turn Blue: tap a piece, then your corner a1",
        "À vous Bleu\N{NO-BREAK SPACE}: touchez une pièce, puis votre coin a1",
    ),
}


@pytest.mark.parametrize("variant", FIRST_PIECES)
def test_before_a_colours_first_piece_the_line_says_how_and_where_it_is_placed(
    variant: str, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    people = (alice, bob, carol, dave)[: get_variant(variant).seats]
    game, client = running(*people, variant=variant), log_in(alice)
    for language, told in zip(("en", "fr"), FIRST_PIECES[variant], strict=True):
        User.objects.filter(pk=alice.pk).update(language=language)
        assert see(client, game).find(class_="say__turn").text == told


def test_what_to_do_is_said_until_there_are_moves_of_others_to_see_again(alice: User, bob: User, log_in: LogIn) -> None:
    game = play_out(running(alice, bob), turns=4)
    page = see(log_in(alice), game)
    assert page.find(class_="say__since").text.split() == ["1"]
    assert page.find(class_="say__turn").text == "Your turn Blue"


def test_a_colour_without_a_piece_is_told_where_it_begins_though_others_have_moved(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    page = see(log_in(bob), game)
    assert page.find(class_="say__since").text.split() == ["1"]
    assert page.find(class_="say__turn").text == "Your turn Yellow: tap a piece, then your corner t1"
    place(game, "V5:r1,s1,t1,t2,t3")
    # The other colour of the same player has its own corner.
    assert "Red: tap a piece, then your corner a20" in see(log_in(alice), game).find(class_="say__turn").text


def test_posts_to_a_channel_are_offered_where_other_people_play(alice: User, bob: User, log_in: LogIn) -> None:
    alone = open_table(alice, ME, bot("random"), variant="duo")
    menus = [see(log_in(alice), game).find(id="menu").text for game in (running(alice, bob), fresh(alone))]
    assert ["Post to a channel" in menu for menu in menus] == [True, False]


def test_everybody_else_is_told_who_is_to_play_and_which_colour(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    for client in (log_in(bob), Client()):
        assert see(client, game).find(class_="say__turn").text == "alice to play Blue"


def test_a_colour_nobody_plays_is_named(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol, colours=("blue", "red", "green"))
    assert see(log_in(alice), game).find(class_="players__note").text == "Yellow is not played."


def test_each_player_stands_with_colour_score_and_pieces_left(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    first, second = see(log_in(bob), game).find_all("li", class_="player")
    assert first.find(class_="player__name").text == "alice"
    assert (first.find("data")["value"], first.find("data").text) == ("5", "5")
    assert first.find("data")["data-unit"] == "/178"
    assert (first.find("progress")["value"], first.find("progress")["max"]) == ("5", "178")
    # Of one who has placed nothing yet no empty bar is drawn.
    assert not second.find_all("progress")
    blue, red = first.find_all(class_="stock__line")
    assert blue.text == "20 pieces · 84 cells left 5 of 89"
    assert red.text == "21 pieces · 89 cells left 0 of 89"
    assert second.find(class_="player__name").text == "You"
    assert "data-turn" in second.attributes
    assert "data-turn" not in first.attributes


def test_a_bot_is_called_a_bot(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("greedy"))
    assert "bot" in see(log_in(alice), game).find_all(class_="player__name")[1].text


def test_the_last_move_is_marked_and_said(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    page = see(log_in(bob), game)
    (piece,) = page.find_all("path", class_="piece")
    assert page.find("path", class_="last")["d"] == piece["d"]
    assert page.find("svg", id="board")["aria-label"] == "Board, 20 by 20. Last move: alice placed V5."


def test_automatic_passes_and_retirements_stand_in_the_history(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol, dave)
    resign(bob, game.slug)
    end = play_out(game, 3)
    lines = [line.text for line in see(log_in(alice), end).find_all("li", class_="move")]
    # Several passes in a row are one line, which says from which move to which.
    spans = [[int(number) for number in line.split()[0].split("–")] for line in lines]
    assert sum(span[-1] - span[0] + 1 for span in spans) == end.move_count
    assert any("bob resigned" in line for line in lines)
    assert any("passed: no moves left" in line for line in lines)


def test_passes_just_made_are_told_beside_the_turn(alice: User, bob: User, log_in: LogIn) -> None:
    game, rng = running(alice, bob), random.Random(5)
    while not game.moves.filter(is_automatic=True).exists():
        game = advance(game, rng)
    assert game.status == "running"
    assert see(log_in(alice), game).find(class_="say__note").text.endswith("passed: no moves left.")


def test_a_tool_of_a_short_name_has_its_long_one_for_mice_and_ears(alice: User, log_in: LogIn) -> None:
    page = see(log_in(alice), open_table(alice, ME, bot("random")))
    tools = page.find(class_="tools__view").find_all("button")
    said = [(tool.text, tool.attributes.get("title"), tool.attributes.get("aria-label")) for tool in tools]
    assert said == [
        ("Suggest", "Suggest a move", "Suggest a move"),
        ("View", "Hints and view", "Hints and view"),
        ("Turn board", None, "Turn board"),
        ("Zoom", None, None),
    ]


def test_a_watcher_sees_the_board_and_nothing_to_press(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    game = midgame(alice, bob)
    page = see(log_in(eve), game)
    assert len(page.find_all("path", class_="piece")) == 40
    assert not page.find_all(class_="tray")
    assert not game_part(page).find_all("form")
    assert not page.find_all(id="position")


def test_nobody_else_learns_of_a_private_game(alice: User, bob: User, mallory: User, log_in: LogIn) -> None:
    game = running(alice, bob, is_public=False)
    for path in ("", "board/", "replay/", "placements/"):
        assert log_in(mallory).get(f"/games/{game.slug}/{path}").status_code == 404
    assert log_in(mallory).post(f"/games/{game.slug}/place/", {"number": 1, "placement": "1:a1"}).status_code == 404


def test_a_link_opens_a_private_game_and_goes_on_in_its_addresses(alice: User, bob: User) -> None:
    game = running(alice, bob, is_public=False)
    page = read(Client().get(f"/games/{game.slug}/?token={game.invite_token}"))
    assert page.find(id="game")["hx-get"].endswith(f"/board/?token={game.invite_token}")


def test_two_colours_have_a_tray_each_and_the_one_to_play_is_shown(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "V5:a1,b1,c1,a2,a3")
    blue, red = see(log_in(alice), game).find_all("form", class_="tray")
    assert (blue["data-tray"], "hidden" in blue.attributes) == ("blue", True)
    assert (red["data-tray"], "hidden" in red.attributes) == ("red", False)


def stuck_pieces(game: Game, colour: str) -> set[str]:
    """Return the pieces that a colour holds and cannot place, by the rules."""
    position = positions.position_of(game)
    return set(position.stock(colour)) - {placement.piece for placement in position.legal_placements(colour)}


def test_spent_pieces_leave_a_trace_and_pieces_that_fit_nowhere_say_so(
    alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game, rng = play_out(running(alice, bob, carol, dave), 11, turns=16), random.Random(11)
    while not stuck_pieces(game, "blue"):
        game = advance(game, rng)
    tray = see(log_in(alice), game).find("form", class_="tray")
    spent = [slot for slot in tray.find_all(class_="slot") if "data-spent" in slot.attributes]
    assert len(spent) == game.moves.filter(colour="blue", kind="place").count()
    stuck = tray.find_all("button", aria_disabled="true")
    assert {slot["value"] for slot in stuck} == stuck_pieces(game, "blue")
    assert all(slot["title"].endswith("does not fit anywhere now") for slot in stuck)


def test_a_table_that_waits_is_shown_instead_of_a_board(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot(), bot(), bot())
    waiting = open_table(alice, ME, bot(), bot(), OPEN)
    assert see(log_in(alice), game).find_all(id="board")
    page = see(log_in(alice), waiting)
    assert not page.find_all(id="board")
    assert page.find(id="game")["data-version"] == str(waiting.version)


# A game that is over asks for one thing more: what its player won before.
@pytest.mark.parametrize(("turns", "most"), [(0, 7), (40, 7), (1000, 8)])
def test_the_page_costs_a_constant_number_of_queries(
    turns: int, most: int, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    game = play_out(running(alice, bob, carol, dave), 2, turns=turns)
    client = log_in(alice)
    client.get(f"/games/{game.slug}/")
    with CaptureQueriesContext(connection) as captured:
        client.get(f"/games/{game.slug}/")
    assert len(captured) <= most


@pytest.mark.parametrize("seats", [2, 3, 4])
@pytest.mark.parametrize("turns", [4, 20, 40, 60])
def test_the_page_stays_small(
    seats: int, turns: int, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    people = (alice, bob, carol, dave)[:seats]
    game = play_out(running(*people), 4, turns=turns)
    response = log_in(alice).get(f"/games/{game.slug}/")
    page = read(response)
    assert len(gzip.compress(response.content)) <= 14 * 1024
    # One more a player than the board and all around it need: the bar of what is placed.
    assert sum(1 for _ in page.walk()) <= 800 + seats
    assert len(page.find("svg", id="board").find_all("path")) <= 84 + 16


def test_every_move_leads_to_the_board_after_it_and_the_latest_show_their_pieces(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game, client = midgame(alice, bob), log_in(alice)
    lines = see(client, game).find_all("li", class_="move")
    moves = list(game.moves.order_by("-number"))
    assert len(lines) == len(moves) > PICTURED
    for line, move in zip(lines, moves, strict=True):
        pictures = [each["href"] for each in line.find_all("use")]
        piece = move.placement.partition(":")[0]
        assert pictures == ([f"#p-{piece}"] if move.number > len(moves) - PICTURED else [])
    replay = read(client.get(lines[5].find("a")["href"]))
    assert replay.find(id="move")["value"] == str(moves[5].number)


def test_a_link_of_an_invitation_stays_in_the_links_of_the_moves(alice: User, bob: User) -> None:
    game = midgame(alice, bob, is_public=False)
    seen = read(Client().get(f"/games/{game.slug}/?token={game.invite_token}"))
    link = seen.find_all("li", class_="move")[0].find("a")["href"]
    assert Client().get(link).status_code == 200


def test_an_update_stays_small(alice: User, bob: User, log_in: LogIn) -> None:
    game = midgame(alice, bob)
    response = log_in(alice).get(f"/games/{game.slug}/board/")
    assert len(gzip.compress(response.content)) <= 8 * 1024


def test_the_strict_policy_holds_because_nothing_is_inline(alice: User, bob: User, log_in: LogIn) -> None:
    game = midgame(alice, bob)
    for path in ("", "board/", "replay/", "placements/?piece=V3"):
        response = log_in(alice).get(f"/games/{game.slug}/{path}")
        for element in read(response).walk():
            assert "style" not in element.attributes
            assert element.tag != "style"
            assert not [name for name in element.attributes if re.match(r"on[a-z]|hx-on", name)]
            is_code = element.tag == "script" and element.attributes.get("type") != "application/json"
            assert not is_code or "src" in element.attributes


def test_names_are_text_wherever_they_stand(alice: User, bob: User, log_in: LogIn) -> None:
    game = midgame(alice, bob, name="</script><b>&quot;'x")
    for path in ("", "board/", "replay/", "placements/"):
        response = log_in(alice).get(f"/games/{game.slug}/{path}")
        assert not read(response).find_all("b", class_="")
        assert b"</script><b>" not in response.content


def test_next_leads_to_the_game_that_waits_longest_for_me(alice: User, bob: User, log_in: LogIn) -> None:
    here, other = running(alice, bob), running(alice, bob)
    link = see(log_in(alice), here).find(class_="head__next")
    assert (link["href"], link.text) == (f"/games/{other.slug}/", "To play · 1")
    place(other, "1:a1")
    assert not see(log_in(alice), fresh(here)).find_all(class_="head__next")


def test_a_stranger_is_led_home_and_a_player_to_their_games(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    assert see(Client(), game).find("a", class_="head__back")["href"] == "/"
    assert see(log_in(alice), game).find("a", class_="head__back")["href"] == "/games/"


@pytest.mark.parametrize(
    ("variant", "seat", "quarters"),
    [
        ("blockyou-4", 0, 0),
        ("blockyou-4", 1, 0),
        ("blockyou-4", 2, 2),
        ("blockyou-4", 3, 2),
        ("blockyou-2", 0, 0),
        ("duo", 0, 2),
        ("duo", 1, 0),
        ("trigon-4", 3, 0),
    ],
)
def test_the_board_is_turned_so_that_my_own_start_lies_near(
    variant: str, seat: int, quarters: int, alice: User, bob: User, carol: User, dave: User, log_in: LogIn
) -> None:
    people = (alice, bob, carol, dave)[: get_variant(variant).seats]
    game = running(*people, variant=variant)
    board = see(log_in(people[seat]), game).find("svg", id="board")
    assert board["data-near"] == str(quarters)


def test_the_board_of_a_watcher_stays_upright_and_is_a_picture(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    board = see(log_in(eve), running(alice, bob, variant="duo")).find("svg", id="board")
    assert (board["data-near"], board["role"]) == ("0", "img")
