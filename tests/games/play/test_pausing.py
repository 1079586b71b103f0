"""A pause on which players agree, on their pages: how it is asked for, what the others read, and how it ends."""

from datetime import UTC, datetime, timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.pauses.ask_for_pause import ask_for_pause
from games.actions.pauses.end_pause import end_pause
from games.clock import PACES
from games.models import Game
from games.pages.play.page import PlayPage, play_page
from games.queries.play.state import GameState
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.queries.states import state
from tests.games.spoken.words import HTMX, answers, news, see
from tests.games.tables import ME, NOON, bot, fresh, open_table, place, rows, running

WHAT_IT_IS = " During a pause, all clocks stand still until a player ends it, for at most 30 days."


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob)


def forms(page: Element) -> dict[str, Element]:
    """Return the forms about a pause by what they do."""
    found = page.find_all("form", method="post")
    return {form["action"].split("/pause/")[1].strip("/"): form for form in found if "/pause/" in form["action"]}


def may_ask(page: Element) -> bool:
    """Return whether the page has a link to a form by which a pause can be asked for."""
    return [link.text for link in page.find_all("a") if "?pausing=yes" in link["href"]] == ["Pause the game"]


def buttons(page: Element) -> list[str]:
    return [form.find_all("button")[-1].text for form in forms(page).values()]


def press(client: Client, game: Game, what: str, *, is_plain: bool = True) -> Any:
    """Send the form that the present page has for it."""
    form = forms(see(client, game, "?pausing=yes"))[what]
    fields = {field["name"]: field["value"] for field in form.find_all("input", type="hidden")}
    return client.post(form["action"], fields, headers={} if is_plain else HTMX)


def told(page: Element) -> str:
    """Return what the page says of a pause that is asked for or has begun."""
    found = page.find_all(id="pausing")
    return " ".join(line.text for one in found for line in one.find_all("p"))


def test_one_asks_the_other_agrees_and_either_ends_it(game: Game, clients: tuple[Client, Client]) -> None:
    alice, bob = clients
    assert [(may_ask(see(client, game)), buttons(see(client, game))) for client in clients] == [(True, [])] * 2
    assert told(see(bob, game, "?pausing=yes")) == "The pause begins when everyone agrees." + WHAT_IT_IS
    assert buttons(see(bob, game, "?pausing=yes")) == ["Ask everyone"]
    answer = press(bob, game, "ask")
    assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.slug}/")
    assert told(see(bob, game)) == "You asked for a pause. It begins when alice agrees." + WHAT_IT_IS
    assert buttons(see(bob, game)) == ["Withdraw"]
    assert told(see(alice, game)) == "bob asks for a pause. Agree, decline, or simply go on playing." + WHAT_IT_IS
    assert buttons(see(alice, game)) == ["Agree", "Decline"]
    press(alice, game, "agree")
    assert fresh(game).is_paused
    for client in clients:
        assert told(see(client, game)).startswith(
            "All clocks stand still. Any of you can end the pause. The pause ends automatically on "
        )
        assert buttons(see(client, game)) == ["End pause"]
    press(bob, game, "end")
    assert not fresh(game).is_paused
    assert [told(see(client, game)) for client in clients] == ["", ""]


def test_what_a_player_considers_stays_on_the_page_while_others_move(game: Game, bob: User, log_in: LogIn) -> None:
    kept = see(log_in(bob), game, "?pausing=yes").find(id="kept").find_all("input")
    place(game, "1:a1")
    page = see(log_in(bob), game, "board/?" + urlencode({field["name"]: field["value"] for field in kept}), **HTMX)
    assert buttons(page) == ["Ask everyone"]


def test_a_request_is_declined(game: Game, clients: tuple[Client, Client]) -> None:
    press(clients[1], game, "ask")
    press(clients[0], game, "drop")
    assert all(may_ask(see(client, game)) for client in clients)


def test_scripts_get_the_part_that_changes(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    press(client, game, "ask")
    answer = read(press(client, game, "drop", is_plain=False))
    assert (answer.find_all("html"), may_ask(answer)) == ([], True)


def test_in_a_pause_the_page_says_so_and_has_no_turn(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0)
    lines = {user: see(log_in(user), game).find("p", class_="say__turn").text for user in (alice, bob)}
    assert lines == {alice: "Paused you play next: Blue", bob: "Paused alice plays next: Blue"}
    page = see(log_in(alice), game)
    assert "data-my-turn" not in page.find(id="place").attributes
    assert page.find_all(id="advise") == []


def test_a_move_in_a_pause_is_refused_with_what_to_do(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0)
    before = rows()
    client = log_in(alice)
    answer = client.post(f"/games/{game.slug}/place/", {"number": 1, "placement": "1:a1"}, headers=HTMX)
    assert (answer.status_code, rows()) == (409, before)
    assert "The game is paused. End the pause first, then play." in read(answer).find("div", role="alert").text


def test_in_a_pause_no_possible_moves_are_listed(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert "Pieces: Blue" in see(client, game, "placements/").text
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0)
    page = see(client, game, "placements/").find("main").text
    assert "The game is paused. Look at the board" in page
    assert "Pieces: Blue" not in page


def test_one_who_plays_bots_alone_is_asked_nothing(alice: User, log_in: LogIn) -> None:
    game, client = open_table(alice, ME, bot()), log_in(alice)
    page = see(client, game, "?pausing=yes")
    assert told(page) == "The bots wait until you end the pause. It ends automatically after 30 days."
    assert buttons(page) == ["Pause"]
    press(client, game, "ask")
    assert told(see(client, game)).startswith("The bots wait until you end the pause. The pause ends automatically on ")


def test_three_are_told_for_whom_they_wait(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    game = running(alice, bob, carol)
    press(log_in(alice), game, "ask")
    assert told(see(log_in(alice), game)) == "You asked for a pause. It begins when bob and carol agree." + WHAT_IT_IS
    assert told(see(log_in(bob), game)) == (
        "alice asks for a pause. It begins when everyone agrees. Agree, decline, or simply go on playing." + WHAT_IT_IS
    )
    press(log_in(bob), game, "agree")
    assert told(see(log_in(bob), game)) == "alice asks for a pause. It begins when carol agrees." + WHAT_IT_IS
    assert buttons(see(log_in(bob), game)) == ["Decline"]


def test_spectators_and_those_who_left_read_of_it_and_have_no_button(
    alice: User, bob: User, carol: User, eve: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol)
    resign(carol, game.slug, now=NOON)
    for what, who in (("", alice), ("ask", alice), ("agree", bob)):
        if what:
            press(log_in(who), game, what)
        assert [buttons(see(log_in(user), game)) for user in (carol, eve)] == [[], []]
    assert told(see(log_in(eve), game)).startswith("All clocks stand still until a player ends the pause.")


def test_no_one_is_asked_for_pauses_without_end(
    game: Game, alice: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.PAUSES_AN_HOUR", 2)
    client = log_in(alice)
    statuses = []
    for _ in range(3):
        statuses.append(press(client, game, "ask").status_code)
        if fresh(game).asked_pause:
            press(client, game, "drop")
    assert (statuses, fresh(game).asked_pause) == ([302, 302, 429], None)


def test_others_hear_of_a_request_and_of_a_pause(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    client, known = log_in(alice), fresh(game).version
    ask_for_pause(bob, game.slug, pause_version=0)
    assert news(see(client, game, f"board/?since={known}", **HTMX)) == "bob asks for a pause."
    assert news(see(log_in(bob), game, f"board/?since={known}", **HTMX)) == ""
    press(client, game, "agree")
    assert news(see(log_in(bob), game, f"board/?since={known + 1}", **HTMX)) == "The game is paused."
    press(client, game, "end")
    assert news(see(log_in(bob), game, f"board/?since={known + 2}", **HTMX)) == "The game has resumed."


def test_asked_whose_turn_it_is_the_game_in_words_says_that_it_is_paused(
    game: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0)
    assert answers(log_in(alice), game, "t") == ["The game is paused."]


def test_in_a_pause_clocks_show_what_is_left_and_none_runs(alice: User, bob: User) -> None:
    noon = datetime(2026, 3, 6, 12, tzinfo=UTC)
    game = running(alice, bob, now=noon, time=PACES["normal"])
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0, now=noon + timedelta(hours=5))
    page = play_page(bob, game.slug, now=noon + timedelta(days=9))
    assert isinstance(page, PlayPage)
    assert [(clock.text, clock.is_running) for clock in page.clocks] == [
        ("2\N{NO-BREAK SPACE}d 19\N{NO-BREAK SPACE}h", False),
        ("3\N{NO-BREAK SPACE}d 0\N{NO-BREAK SPACE}h", False),
    ]


def test_the_history_says_how_long_a_game_was_paused(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0, now=NOON + timedelta(hours=1))
    end_pause(alice, game.slug, pause_version=fresh(game).pause_version, now=NOON + timedelta(days=3, hours=1))
    place(game, "1:a1", alice, now=NOON + timedelta(days=3, hours=2))
    for address in ("", "replay/"):
        assert "took 2 h, paused for 3 d" in see(log_in(bob), game, address).text


def test_lists_say_that_a_game_is_paused_and_ask_for_no_turn(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    client = log_in(alice)
    assert "your turn: Blue" in read(client.get("/games/")).text
    for user in (alice, bob):
        ask_for_pause(user, game.slug, pause_version=0)
    page = read(client.get("/games/")).text
    assert "your turn: Blue" not in page
    assert "paused" in page


def test_what_the_state_says_a_viewer_may_do_the_actions_accept(game: Game, alice: User, bob: User) -> None:
    def may(user: User) -> set[str]:
        found = state(game, user)
        assert isinstance(found, GameState)
        return {name for name in ("can_ask", "can_agree", "can_drop", "can_end") if getattr(found.pause, name)}

    assert [may(alice), may(bob)] == [{"can_ask"}, {"can_ask"}]
    ask_for_pause(alice, game.slug, pause_version=0)
    assert [may(alice), may(bob)] == [{"can_drop"}, {"can_agree", "can_drop"}]
    ask_for_pause(bob, game.slug, pause_version=0)
    assert [may(alice), may(bob)] == [{"can_end"}, {"can_end"}]


def test_a_pause_costs_the_page_no_query(game: Game, alice: User, bob: User, django_assert_num_queries: Any) -> None:
    place(game, "1:a1", alice)
    for user in (alice, bob):
        with django_assert_num_queries(4):
            play_page(alice, game.slug)
        ask_for_pause(user, game.slug, pause_version=0)
    with django_assert_num_queries(4):
        play_page(alice, game.slug)
