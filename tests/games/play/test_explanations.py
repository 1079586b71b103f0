"""Why a bot made a move: one press away from the game where the table allows it, with the cells shown."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.join_game import join_game
from games.bots.turns import play_turn
from games.drawing.thumbnails import mark_path
from games.models import Game, Move, Thought
from games.rules import Placement
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.tables import ME, OPEN, bot, fresh, open_table, play_out
from tests.games.views.conftest import QueryCount, query_count

__all__ = ["query_count"]

REASONS = [["opens", "", 3], ["hampers", "blue", 14], ["takes", "blue", 1]]


def bots_game(alice: User, **terms: Any) -> Game:
    """Return a game of two in which alice has placed a piece and then the bot, which has thought about it."""
    game = open_table(alice, ME, bot("greedy"), variant="blockyou-2", **terms)
    play_out(game, turns=2)
    think(game, 2)
    return fresh(game)


def think(game: Game, number: int, **thought: object) -> None:
    usual = {"engine": "search", "level": 5, "simulations": 1667, "milliseconds": 1200, "value": 0.625}
    move = Move.objects.get(game=game, number=number)
    Thought.objects.update_or_create(move=move, defaults={**usual, "reasons": REASONS, **thought})


def why(game: Game, query: str = "", client: Client | None = None) -> Element:
    return read((client or Client()).get(f"/games/{game.slug}/why/{query}"))


def links(client: Client, game: Game) -> list[Element]:
    page = read(client.get(f"/games/{game.slug}/"))
    return [
        link for link in page.find_all("a") if link.attributes.get("href", "").startswith(f"/games/{game.slug}/why")
    ]


def test_the_last_move_of_a_bot_is_explained_one_press_away(alice: User, log_in: LogIn) -> None:
    game, client = bots_game(alice), log_in(alice)
    (link,) = links(client, game)
    move = game.moves.get(number=2)
    assert link.text == f"Why there? Greedy bot: {move.placement.partition(':')[0]}"
    told = read(client.get(link["href"])).find("article")
    assert told.find("h2").text == "Move 2: Greedy bot"
    assert [line.text for line in told.find_all("li")] == [
        "Opens 3 new corners for itself.",
        "Blocks 14 of Blue's moves.",
        "Takes 1 of Blue's corners.",
    ]
    assert "The bot simulated 1,667 games before it chose this move." in told.text
    assert "It gives itself a 62% chance of winning." in told.text
    (folded,) = told.find_all("details")
    assert "open" not in folded.attributes
    figures = "tree search · level 5 · 1,667 simulated games · 1.2\u00a0s · win chance 62%"
    assert [line.text for line in folded.find_all("p")] == [figures]
    assert told.text.count(figures) == 1


def test_with_scripts_it_opens_over_the_game(alice: User, log_in: LogIn) -> None:
    game, client = bots_game(alice), log_in(alice)
    page = read(client.get(f"/games/{game.slug}/"))
    (link,) = links(client, game)
    assert (link["hx-get"], link["hx-target"]) == (link["href"], "#why")
    assert page.find(id="why").children == []
    answer = client.get(link["href"], headers={"HX-Request": "true"})
    assert "HX-Request" in answer["Vary"]
    told = read(answer)
    assert [told.find_all("html"), told.find("dialog")["data-behaviour"]] == [[], "over"]
    assert told.find("dialog").find("article").find("h2").text == "Move 2: Greedy bot"
    assert told.find("form")["method"] == "dialog"
    assert told.find("button").text == "Close"


def test_the_cells_of_the_move_are_outlined_on_the_board_before_it(alice: User) -> None:
    game = bots_game(alice)
    move = game.moves.get(number=2)
    picture = why(game).find("svg", class_="explained__picture")
    (edge,) = picture.find_all("path", class_="explained__edge")
    (mark,) = [path for path in picture.find_all("path") if path.attributes.get("data-colour") == move.colour]
    others = [path["data-colour"] for path in picture.find("g").find_all("path")]
    assert others == [game.moves.get(number=1).colour]
    cells = Placement.parse(move.placement, game.variant).cells
    assert edge["d"].count("M") == len(cells)
    assert mark["d"] == mark_path(cells, move.colour, game.variant)


def test_on_triangles_the_edge_is_that_of_the_piece(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="trigon-2")
    play_out(game, turns=2)
    picture = why(game).find("svg", class_="explained__picture")
    (edge,) = picture.find_all("path", class_="explained__edge")
    assert edge["d"] in [path["d"] for path in picture.find_all("path") if "data-colour" in path.attributes]


def test_what_a_bot_itself_keeps_is_what_the_page_tells(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, bot("greedy", 3), ME, variant="duo")
    play_turn(game.pk, 1)
    told = why(game).find("article")
    assert "The bot placed its largest piece where it opens the most corners." in told.text
    assert 1 <= len(told.find_all("li")) <= 3


@pytest.mark.parametrize(
    ("thought", "how"),
    [
        ({"engine": "search", "simulations": 1, "value": None}, "The bot simulated 1 game before it chose"),
        ({"engine": "search", "simulations": 0, "value": 1.0}, "The bot looked through all that can still follow."),
        ({"engine": "prior", "value": 0.5}, "without simulating games. It gives itself a 50% chance of winning."),
        ({"engine": "random", "value": None}, "The bot drew this move at random."),
        ({"engine": "fallback", "value": None}, "The bot failed here, and a greedy bot chose this move instead."),
        ({"engine": "another", "value": 0.25}, "It gives itself a 25% chance of winning."),
    ],
)
def test_how_a_move_was_chosen_is_said_as_a_sentence(thought: dict[str, object], how: str, alice: User) -> None:
    game = bots_game(alice)
    think(game, 2, **thought)
    assert how in why(game).find("article").text


def test_of_an_engine_that_says_nothing_of_itself_only_the_figures_are_told(alice: User) -> None:
    game = bots_game(alice)
    think(game, 2, engine="another", value=None, simulations=0, reasons=None)
    told = why(game).find("article")
    assert [line.text for line in told.find(class_="explained__words").find_all("p")][1:] == [
        "another · level 5 · 1.2\u00a0s"
    ]


def test_between_people_nothing_is_explained_before_the_end_unless_the_table_says_so(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game = open_table(alice, bot("greedy"), ME, OPEN, variant="blockyou-3")
    game = running_with(game, bob)
    think(game, 1)
    assert links(log_in(alice), game) == []
    refused = log_in(alice).get(f"/games/{game.slug}/why/")
    assert refused.status_code == 409
    assert "Opens 3 new corners" not in refused.content.decode()
    resign(alice, game.slug)
    resign(bob, game.slug)
    assert "Opens 3 new corners for itself." in why(game).text


def running_with(game: Game, guest: User) -> Game:
    """Return the game after another person has joined and the bot has placed the first piece."""
    join_game(guest, game.slug, token=game.invite_token)
    return play_out(game, turns=1)


def test_a_table_of_people_may_let_its_bots_explain_themselves_to_all(alice: User, bob: User) -> None:
    game = open_table(alice, bot("greedy"), ME, OPEN, variant="blockyou-3", allows_explanations=True)
    game = running_with(game, bob)
    think(game, 1)
    assert len(links(Client(), game)) == 1
    assert "The bots explain their moves during the game." in read(Client().get(f"/games/{game.slug}/")).text


def test_a_table_against_bots_may_keep_the_explanations_for_the_end_and_says_so(alice: User, log_in: LogIn) -> None:
    game = bots_game(alice, allows_explanations=False)
    page = read(log_in(alice).get(f"/games/{game.slug}/")).text
    assert "The bots explain their moves once the game is over." in page
    assert links(log_in(alice), game) == []


@pytest.mark.parametrize("seats", [(ME, OPEN), (ME, bot())])
def test_a_table_says_nothing_of_what_is_usual(
    seats: tuple[object, ...], alice: User, bob: User, log_in: LogIn
) -> None:
    game = open_table(alice, *seats, variant="duo")  # type: ignore[arg-type]
    assert "explain their moves" not in read(log_in(alice).get(f"/games/{game.slug}/")).text


def test_a_move_of_which_nothing_was_kept_says_so(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(game, turns=2)
    assert "No explanation of this move was kept." in why(game).find("article").text


def test_older_moves_of_bots_are_explained_too(alice: User) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(game, turns=6)
    for number in (2, 4, 6):
        think(game, number)
    page = why(game)
    assert page.find("h2").text == "Move 6: Greedy bot"
    assert not page.find_all("a", rel="next")
    page = why(game, page.find("a", rel="prev")["href"].partition("/why/")[2])
    assert page.find("h2").text == "Move 4: Greedy bot"
    assert page.find("a", rel="next")["href"] == f"/games/{game.slug}/why/?move=6"
    assert why(game, "?move=3").find("h2").text == "Move 2: Greedy bot"
    assert why(game, "?move=1").find("h2").text == "Move 2: Greedy bot"
    assert why(game, "?move=99999").find("h2").text == "Move 6: Greedy bot"


@pytest.mark.parametrize("number", ["", "x", "-1", "1.5", "\u00b2", "9" * 5000, "2\x01"])
def test_a_move_that_is_no_number_is_the_last_of_the_bots(number: str, alice: User) -> None:
    game = bots_game(alice)
    page = read(Client().get(f"/games/{game.slug}/why/", {"move": number}))
    assert page.find("h2").text == "Move 2: Greedy bot"


def test_before_a_bot_has_placed_anything_the_page_says_so(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot("greedy"), variant="duo")
    assert links(log_in(alice), game) == []
    assert "No bot has placed a piece in this game yet." in why(game).text


def test_the_link_to_a_private_game_leads_to_its_explanations(alice: User) -> None:
    game = bots_game(alice, is_public=False)
    assert Client().get(f"/games/{game.slug}/why/").status_code == 404
    page = why(game, f"?token={game.invite_token}")
    assert f"/games/{game.slug}/?token={game.invite_token}" in [
        link.attributes.get("href") for link in page.find_all("a")
    ]


def test_explanations_cost_the_page_of_the_game_no_query(alice: User, log_in: LogIn, query_count: QueryCount) -> None:
    costs = {
        query_count(log_in(alice), f"/games/{bots_game(alice, allows_explanations=allowed).slug}/")
        for allowed in (True, False)
    }
    assert len(costs) == 1


def test_an_explanation_costs_four_queries_however_long_the_game(alice: User, query_count: QueryCount) -> None:
    short, long = bots_game(alice), open_table(alice, ME, bot("greedy"), variant="duo")
    play_out(long, turns=20)
    think(long, 20)
    assert {query_count(Client(), f"/games/{game.slug}/why/") for game in (short, long)} == {4}


def test_once_the_game_is_over_the_replay_tells_it(alice: User, log_in: LogIn) -> None:
    game = bots_game(alice)
    resign(alice, game.slug)
    assert links(log_in(alice), game) == []
    assert "Blocks 14 of Blue's moves." in read(Client().get(f"/games/{game.slug}/replay/")).text
