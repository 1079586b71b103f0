"""A move sent from the page: with htmx and without, accepted, refused, late, doubled and senseless."""

import random
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.base import positions
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import game_part, read, without_secrets
from tests.games.tables import advance, change, due, fresh, key, place, rows, running

HTMX = {"HX-Request": "true"}


def send(client: Client, game: Game, what: str = "place", headers: dict[str, str] | None = None, **fields: Any) -> Any:
    fields = {"number": due(fresh(game)), **fields}
    return client.post(f"/games/{game.slug}/{what}/", fields, headers=headers or {})


def notice(response: Any) -> str:
    return read(response).find(role="alert").text


def test_a_move_is_answered_with_the_game_as_it_is_then(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    response = send(client, game, headers=HTMX, placement="V5:a1,b1,c1,a2,a3", key=key())
    assert response.status_code == 200
    part = game_part(read(response))
    assert part["data-version"] == str(fresh(game).version)
    assert without_secrets(part) == without_secrets(game_part(read(client.get(f"/games/{game.slug}/"))))


def test_a_plain_form_is_answered_by_the_way_back_to_the_game(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    response = send(log_in(alice), game, placement="V5 a1,b1,c1,a2,a3")
    assert (response.status_code, response["Location"]) == (302, f"/games/{game.slug}/")
    assert fresh(game).move_count == 1


@pytest.mark.parametrize("headers", [HTMX, {}])
def test_a_move_that_is_no_longer_due_is_refused_with_the_current_game(
    headers: dict[str, str], alice: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob)
    place(game, "1:a1")
    response = send(log_in(bob), game, headers=headers, placement="1:t1", number=1)
    assert response.status_code == 409
    assert "moved on" in notice(response)
    assert game_part(read(response))["data-version"] == str(fresh(game).version)


@pytest.mark.parametrize(
    ("placement", "sentence"),
    [
        ("1:b2", "Your first piece must cover your start cell, a1."),
        ("1:z30", "It goes off the board. Move it inwards."),
        ("V3:a1,b1,c1", "These cells do not form the piece you named. Choose it from the tray."),
        ("a1,c1", "These cells do not form a piece. Choose one from the tray."),
    ],
)
def test_a_refusal_says_what_where_and_what_to_do(
    placement: str, sentence: str, alice: User, bob: User, log_in: LogIn
) -> None:
    game, before = running(alice, bob), rows()
    response = send(log_in(alice), game, headers=HTMX, placement=placement)
    assert response.status_code == 422
    assert sentence in notice(response)
    assert rows() == before


def test_every_reason_of_a_refusal_is_told_with_its_cells_and_marked(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    for text in ("V5:a1,b1,c1,a2,a3", "1:t1", "1:a20", "1:t20"):
        place(game, text)
    response = send(log_in(alice), game, headers=HTMX, placement="I3:c1,c2,c3")
    assert "Already taken: c1." in notice(response)
    assert "touches one of your own pieces along an edge, at c2." in notice(response)
    assert read(response).find(class_="fault")["d"].startswith("M25 195m-5 5h10v-10h-10z")


def test_the_same_request_twice_is_one_move(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    request: dict[str, Any] = {"placement": "1:a1", "key": key(), "number": due(game)}
    first, second = (send(client, game, headers=HTMX, **request) for _ in range(2))
    assert (first.status_code, second.status_code, fresh(game).move_count) == (200, 200, 1)


def test_a_doubled_plain_form_is_one_move_too(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    statuses = [send(client, game, placement="1:a1", number=due(game)).status_code for _ in range(2)]
    assert statuses == [302, 302]
    assert fresh(game).move_count == 1


def test_out_of_turn_changes_nothing(alice: User, bob: User, log_in: LogIn) -> None:
    game, before = running(alice, bob), rows()
    response = send(log_in(bob), game, headers=HTMX, placement="1:t1")
    assert (response.status_code, rows()) == (409, before)
    assert notice(response) == "It is not your turn."


def test_a_watcher_may_not_move(alice: User, bob: User, eve: User, log_in: LogIn) -> None:
    game, before = running(alice, bob), rows()
    for what in ("place", "pass", "resign", "back"):
        assert send(log_in(eve), game, what, placement="1:a1").status_code == 403
        assert send(Client(), game, what, placement="1:a1")["Location"].startswith("/accounts/login/")
    assert rows() == before


@pytest.mark.parametrize("fields", [
    {"number": ""}, {"number": "-1"}, {"number": "9" * 5000}, {"number": "1e3"}, {"number": "\u0663"},
    {"placement": ""}, {"placement": "x" * 5000}, {"placement": "V3:\udc00"}, {"placement": "\x00"},
    {"key": "short"}, {"key": "x" * 65}, {"key": "not a key!"},
])  # fmt: skip
def test_senseless_requests_are_told_so_and_change_nothing(
    fields: dict[str, str], alice: User, bob: User, log_in: LogIn
) -> None:
    game, before = running(alice, bob), rows()
    body = {"number": str(due(game)), "placement": "1:a1", "key": key(), **fields}
    encoded = "&".join(
        f"{name}=" + "".join(f"%{byte:02x}" for byte in value.encode("utf-8", "surrogatepass"))
        for name, value in body.items()
    )
    response = log_in(alice).post(
        f"/games/{game.slug}/place/", encoded, content_type="application/x-www-form-urlencoded", headers=HTMX
    )
    assert response.status_code == 400
    assert notice(response)
    assert rows() == before


def blocked_game(alice: User, bob: User) -> Game:
    """Return a game of declared passes whose colour to play is blocked while another one is not."""
    game, rng = running(alice, bob, declares_passes=True), random.Random(2)
    while not _is_blocked(game):
        game = advance(game, rng)
    return game


def _is_blocked(game: Game) -> bool:
    return not positions.position_of(game).has_legal()


def test_a_blocked_colour_passes_by_its_button_where_passes_are_declared(alice: User, bob: User, log_in: LogIn) -> None:
    game = blocked_game(alice, bob)
    user = game.players.get(seat=game.turn_seat or 0).user
    assert user
    page = read(log_in(user).get(f"/games/{game.slug}/"))
    assert "no moves left, so pass" in page.find(class_="say__turn").text
    assert page.find("form", class_="actions").find("button").text == "Pass"
    assert send(log_in(user), game, "pass", headers=HTMX).status_code == 200
    assert fresh(game).move_count > game.move_count


def test_a_pass_counts_whatever_has_changed_since_the_page_was_loaded(alice: User, bob: User, log_in: LogIn) -> None:
    game = blocked_game(alice, bob)
    change(game)
    user = game.players.get(seat=game.turn_seat or 0).user
    assert user
    assert send(log_in(user), game, "pass", headers=HTMX, number=due(game)).status_code == 200
    assert fresh(game).move_count > game.move_count


def test_a_pass_is_refused_while_a_piece_fits(alice: User, bob: User, log_in: LogIn) -> None:
    game, before = running(alice, bob, declares_passes=True), rows()
    response = send(log_in(alice), game, "pass", headers=HTMX)
    assert (response.status_code, rows()) == (422, before)
    assert notice(response) == "You can still place a piece, so you cannot pass."


def test_resigning_asks_first_and_ends_a_game_of_two(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    dialog = read(client.get(f"/games/{game.slug}/")).find(id="resign")
    assert "cannot win" in dialog.text
    assert dialog.find("form")["action"] == f"/games/{game.slug}/resign/"
    assert send(client, game, "resign").status_code == 302
    assert read(client.get(f"/games/{game.slug}/")).find(class_="end__won").text == "bob won."


def test_moves_are_asked_for_by_post_only(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    for what in ("place", "pass", "resign", "back"):
        assert log_in(alice).get(f"/games/{game.slug}/{what}/").status_code == 405


def test_a_move_needs_the_token_against_forgery(alice: User, bob: User) -> None:
    game, client = running(alice, bob), Client(enforce_csrf_checks=True)
    client.force_login(alice)
    assert send(client, game, placement="1:a1").status_code == 403
    assert fresh(game).move_count == 0
