"""A game move by move, and the page of one that is over."""

from dataclasses import replace

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.open_rematch import open_rematch
from games.base import positions
from games.models import Game
from games.pages.board.moves import move_views
from games.pages.play.page import PlayPage, play_page
from games.pages.play.results import results
from games.queries.play.moves import move_rows
from games.words import endings
from tests.conftest import LogIn
from tests.games.play.pages import Element, data, pieces_shown, read
from tests.games.tables import ME, OPEN, fresh, open_table, place, play_out, running

pytestmark = pytest.mark.same_queries


def leaf(game: Game, move: int | str = "") -> Element:
    return read(Client().get(f"/games/{game.slug}/replay/", {"move": move}))


@pytest.mark.parametrize(("move", "pieces"), [(0, 0), (1, 1), (2, 2), (3, 3), ("", 3), (99, 3), ("x", 3), (-1, 3)])
def test_the_server_draws_any_move(move: int | str, pieces: int, alice: User, bob: User) -> None:
    game = running(alice, bob)
    for text in ("1:a1", "1:t1", "V3:a20,a19,b19"):
        place(game, text)
    page = leaf(game, move)
    assert pieces_shown(page) == [str(number) for number in range(1, pieces + 1)]


def test_links_lead_by_one_by_ten_and_to_both_ends(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), 5, turns=20)
    links = [link["href"] for link in leaf(game, 4).find(class_="leaves").find_all("a")]
    assert links == ["?move=0", "?move=0", "?move=3", "?move=5", "?move=14", "?move=20"]


def test_the_words_of_every_move_and_what_was_placed_by_then_come_with_the_page(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), 5)
    leaves = data(leaf(game), "leaves")
    stages = list(positions.positions_of(game, game.moves.all()))
    assert len(leaves) == len(stages)
    for (_words, *placed), stage in zip(leaves, stages, strict=True):
        assert placed == [sum(map(stage.board.count, seat)) for seat in ("02", "13")]
    piece = game.moves.first().placement.partition(":")[0]  # type: ignore[union-attr]
    assert leaves[1][0] in (f"alice placed {piece}", f"alice placed piece {piece}")


def pictured(element: Element) -> list[tuple[str, str]]:
    """Return the colour and the shape of every piece that is pictured in a part of a page."""
    return [(svg["data-colour"], svg.find("use")["href"]) for svg in element.find_all("svg", class_="move__piece")]


def test_every_piece_is_pictured_and_none_is_called_by_a_number_alone(alice: User, bob: User) -> None:
    game = running(alice, bob)
    for text in ("1:a1", "1:t1", "V3:a20,a19,b19"):
        place(game, text)
    page = leaf(game, 3)
    moves = page.find("ol", class_="moves__list")
    assert pictured(moves) == [("blue", "#p-1"), ("yellow", "#p-1"), ("red", "#p-V3")]
    assert [" ".join(line.text.split()) for line in moves.find_all("a")] == [
        "1 alice placed piece 1",
        "2 bob placed piece 1",
        "3 alice placed V3",
    ]
    assert pictured(page.find("p", class_="say")) == [("red", "#p-V3")]
    assert pictured(leaf(game, 0).find("p", class_="say")) == []
    assert {symbol["id"] for symbol in page.find_all("symbol")} >= {"p-1", "p-V3"}


def test_at_a_pass_no_piece_is_outlined(alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), 5)
    for move in game.moves.all():
        outlined = leaf(game, move.number).find("path", class_="last")["d"]
        assert bool(outlined) == (move.kind == "place")


@pytest.mark.parametrize(("left", "said"), [(0, "passed: no pieces left"), (2, "passed: no moves left")])
def test_who_has_placed_every_piece_passes_for_want_of_pieces(left: int, said: str, alice: User, bob: User) -> None:
    game = play_out(running(alice, bob), 5)
    page, rows = play_page(bob, game.slug), move_rows(game)
    assert isinstance(page, PlayPage)
    players = [
        replace(player, colours=tuple(replace(colour, pieces_left=left) for colour in player.colours))
        for player in page.players
    ]
    passes = [line.what for line, row in zip(move_views(players, rows), rows, strict=True) if row.is_automatic]
    assert set(passes) == {said}


def test_a_table_that_has_not_started_has_no_replay(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN)
    assert log_in(alice).get(f"/games/{game.slug}/replay/").status_code == 409


def result(page: Element) -> list[list[str]]:
    rows = page.find(class_="result").find_all("tr")[1:]
    return [[cell.text for cell in row.find_all() if cell.tag in ("th", "td")] for row in rows]


def test_final_scores_are_told_by_player_and_colour(alice: User, bob: User, log_in: LogIn) -> None:
    game = play_out(running(alice, bob), 4)
    scores = positions.position_of(game).scores()
    told = {
        row[0].partition(". ")[2] or row[0]: row[3].replace("\N{MINUS SIGN}", "-")
        for row in result(read(Client().get(f"/games/{game.slug}/")))
    }
    for colour, score in scores.items():
        assert told[colour.capitalize()] == str(score)
    for player in game.players.select_related("user"):
        assert player.user
        (sum_of,) = [total for name, total in told.items() if name.startswith(player.user.username)]
        assert sum_of == str(player.score)


def test_the_winner_is_named_with_the_reason_of_the_end(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    place(game, "1:a1")
    resign(alice, game.slug)
    page = read(log_in(bob).get(f"/games/{game.slug}/"))
    assert page.find(class_="end__lead").text == "You won"
    assert page.find(class_="how").text.endswith("alice resigned.")
    first = result(read(log_in(alice).get(f"/games/{game.slug}/")))[0]
    assert first[0] == "1. bob won"


def test_whoever_played_may_ask_for_a_rematch_and_then_go_to_it(
    alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    resign(alice, game.slug)
    assert read(log_in(bob).get(f"/games/{game.slug}/")).find("form", action=f"/games/{game.slug}/rematch/")
    assert not read(log_in(eve).get(f"/games/{game.slug}/")).find_all("form", action=f"/games/{game.slug}/rematch/")
    again = open_rematch(alice, game.slug)
    assert read(log_in(eve).get(f"/games/{game.slug}/")).find("a", href=f"/games/{again.slug}/")
    page = read(log_in(bob).get(f"/games/{game.slug}/"))
    assert page.find("form", action=f"/games/{game.slug}/rematch/").text == "Play the rematch"
    log_in(bob).post(f"/games/{game.slug}/rematch/")
    assert fresh(again).status == "running"


def test_a_guest_who_invites_by_link_is_offered_no_table_for_the_same_people(alice: User, log_in: LogIn) -> None:
    guest = User.objects.create_user("visitor", is_guest=True)
    game = running(alice, guest)
    resign(alice, game.slug)
    open_rematch(alice, game.slug)
    pages = [read(log_in(user).get(f"/games/{game.slug}/")) for user in (alice, guest)]
    offered = [len(page.find_all("form", action=f"/games/{game.slug}/again/")) for page in pages]
    assert offered == [1, 0]


def test_a_tie_names_everybody_who_shares_it(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    resign(alice, game.slug)
    page = play_page(bob, game.slug)
    assert isinstance(page, PlayPage)
    both = [replace(player, is_winner=True) for player in page.players]
    assert endings.winner_text(both) == "You and alice tied"
    assert [row.mark for row in results(page.state, both)] == ["tied", "tied"]
