"""Watching a game of bots: whoever opened it pauses it, asks for one move, and lets it go on."""

from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from accounts.models import User
from games.bots.turns import play_turn
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, read
from tests.games.spoken.words import HTMX, news, see, spoken
from tests.games.tables import ME, bot, change, fresh, open_table, rows
from tests.games.tasks.workers import run_jobs


@pytest.fixture
def game(alice: User) -> Game:
    return open_table(alice, bot("greedy", 1), bot("greedy", 2))


def buttons(page: Element) -> list[str]:
    return [button.text for group in page.find_all(aria_label="The bots") for button in group.find_all("button")]


def post(client: Client, game: Game, what: str, *, is_plain: bool = False, **fields: object) -> Any:
    """Press a button as the game's present page sends it, but for the fields that are given."""
    sent = {"pause": fresh(game).pause_version, **fields}
    return client.post(f"/games/{game.slug}/{what}/", sent, headers={} if is_plain else HTMX)


def asked(page: Element) -> str:
    """Return what the page says, also aloud, of a step that was asked for."""
    return page.find(aria_label="The bots").find("p", role="status").text


def said(page: Element) -> str:
    return " ".join(page.find("p", class_="say__turn").text.split())


def test_the_buttons_are_there_for_who_opened_the_table_alone(
    game: Game, alice: User, eve: User, log_in: LogIn
) -> None:
    assert buttons(see(log_in(alice), game)) == ["Pause"]
    assert [buttons(see(client, game)) for client in (log_in(eve), Client())] == [[], []]


def test_a_game_with_people_has_no_such_buttons(alice: User, bob: User, log_in: LogIn) -> None:
    assert buttons(see(log_in(alice), open_table(alice, ME, bot()))) == []


def test_a_pause_is_said_in_words_to_everybody_and_offers_a_step(game: Game, alice: User, log_in: LogIn) -> None:
    answer = post(log_in(alice), game, "pause")
    assert buttons(read(answer)) == ["Continue", "Play one move"]
    for page in (read(answer), see(Client(), game)):
        assert said(page) == "Paused Greedy bot 1 plays next: Blue"
    assert "Greedy bot 1 plays next: Blue." in see(spoken(log_in(alice)), game).find(id="turn").text


def test_a_pause_of_bots_tells_those_who_cannot_end_it_who_can(
    game: Game, alice: User, eve: User, log_in: LogIn
) -> None:
    sentence = "The bots wait until the player who opened the game resumes it."
    post(log_in(alice), game, "pause")
    for client in (log_in(eve), Client()):
        assert sentence in see(client, game).find(class_="say__note").text
        assert sentence in see(spoken(client), game).find(id="turn").text
    assert sentence not in see(log_in(alice), game).text


def test_a_step_is_answered_with_what_is_being_waited_for(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    post(client, game, "pause")
    assert asked(see(client, game)) == ""
    assert asked(read(post(client, game, "step", number=1))) == "The bot is thinking."
    play_turn(game.pk, 1, is_step=True)
    page = see(client, game)
    assert asked(page) == ""
    assert page.find("input", name="number")["value"] == "2"


def test_a_step_is_waited_for_whatever_else_changes_on_the_page(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    post(client, game, "pause")
    page = read(post(client, game, "step", number=1))
    kept = {field["name"]: field["value"] for field in page.find(id="kept").find_all("input")}
    change(game)
    assert asked(see(client, game, "board/?" + urlencode(kept))) == "The bot is thinking."


@pytest.mark.parametrize("in_words", [False, True])
def test_without_scripts_a_step_is_waited_for_as_long_as_it_is_due(
    in_words: bool, game: Game, alice: User, log_in: LogIn
) -> None:
    client = spoken(log_in(alice)) if in_words else log_in(alice)
    post(client, game, "pause", is_plain=True)
    back = post(client, game, "step", is_plain=True, number=1)["Location"]
    assert asked(read(client.get(back))) == "The bot is thinking."
    play_turn(game.pk, 1, is_step=True)
    assert asked(read(client.get(back))) == ""


def test_without_scripts_the_buttons_lead_back_to_the_game(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    for what, fields in (("pause", {}), ("step", {"number": 1}), ("resume", {})):
        waits_for = f"?pause={fresh(game).pause_version}&number=1" if what == "step" else ""
        answer = post(client, game, what, is_plain=True, **fields)
        assert (answer.status_code, answer["Location"]) == (302, f"/games/{game.slug}/{waits_for}")
    assert not fresh(game).is_paused


@pytest.mark.parametrize("number", ["", "x", "-1", "٣"])
def test_a_step_to_nowhere_is_refused_in_a_sentence(number: str, game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    post(client, game, "pause")
    answer = post(client, game, "step", number=number)
    assert (answer.status_code, answer["X-Error-Code"]) == (400, "bad-request")
    assert read(answer).find(role="alert").text == "This page sent an incomplete request. Reload it and try again."


def form(page: Element, name: str) -> dict[str, Any]:
    """Return what a form of the page sends."""
    fields = page.find("form", id=name).find_all("input", type="hidden")
    return {field["name"]: field["value"] for field in fields if field["name"] != "csrfmiddlewaretoken"}


@pytest.mark.django_db(transaction=True)
def test_a_double_tap_on_a_step_is_one_move(game: Game, alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    sent = form(read(post(client, game, "pause")), "step")
    answers = []
    for _ in range(2):
        answers.append(post(client, game, "step", **sent))
        run_jobs()
    assert ([answer.status_code for answer in answers], fresh(game).move_count) == ([200, 200], 1)
    assert form(read(answers[1]), "step") == {**sent, "number": "2", "version": str(fresh(game).version)}


@pytest.mark.parametrize("what", ["step", "resume", "pause"])
def test_a_page_that_is_behind_is_told_so_and_shown_the_present_game(
    what: str, game: Game, alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    running_page = form(see(client, game), "hold")
    paused_page = form(read(post(client, game, "pause")), "step")
    for button in ("resume", "pause", "resume") if what == "pause" else ("resume", "pause"):
        post(client, game, button)
    before = rows()
    answer = post(client, game, what, **(running_page if what == "pause" else paused_page))
    assert (answer.status_code, answer["X-Error-Code"], rows()) == (409, "stale-game", before)
    sentence = "The game has moved on since this page was loaded. Look at the board, then try again."
    assert read(answer).find(role="alert").text == sentence
    assert form(read(answer), "hold")["pause"] == str(fresh(game).pause_version)
    assert "The bot is thinking." not in read(answer).text


@pytest.mark.parametrize("pause", ["", "-1", "x", "9" * 5000, "\u0663"])
@pytest.mark.parametrize("what", ["step", "resume", "pause"])
def test_a_request_without_a_pause_is_refused(what: str, pause: str, game: Game, alice: User, log_in: LogIn) -> None:
    answer = post(log_in(alice), game, what, pause=pause, number=1)
    assert (answer.status_code, fresh(game).version) == (400, game.version)


def test_a_pause_and_its_end_are_said_aloud(game: Game, alice: User, log_in: LogIn) -> None:
    before, client = game.version, log_in(alice)
    post(client, game, "pause")
    assert news(see(Client(), game, f"board/?since={before}")) == "The game is paused."
    assert news(see(Client(), game, f"board/?since={before + 1}")) == ""
    play_turn(game.pk, 1, is_step=True)
    post(client, game, "resume")
    assert news(see(Client(), game, f"board/?since={before + 2}")) == "The game has resumed."


def test_nothing_is_said_aloud_of_a_change_that_is_neither_move_nor_pause(game: Game) -> None:
    play_turn(game.pk, 1)
    since = fresh(game).version
    change(game)
    assert news(see(Client(), game, f"board/?since={since}")) == ""


def test_my_games_lists_the_games_of_bots_that_i_opened(game: Game, alice: User, bob: User, log_in: LogIn) -> None:
    page = read(log_in(alice).get("/games/"))
    (section,) = page.find_all("section", aria_labelledby="section-bots")
    assert "waiting for Greedy bot" in section.text
    post(log_in(alice), game, "pause")
    page = read(log_in(alice).get("/games/?show=bots"))
    assert page.find(href=f"/games/{game.slug}/").text == "Greedy bot (2)"
    assert "paused" in page.find(id="main").text
    assert game.slug not in log_in(bob).get("/games/").content.decode()


def test_a_finished_game_of_bots_stays_in_the_list(game: Game, alice: User, log_in: LogIn) -> None:
    while play_turn(game.pk, fresh(game).move_count + 1):
        pass
    section = read(log_in(alice).get("/games/")).find("section", aria_labelledby="section-bots")
    assert "won" in section.text or "tied" in section.text
    assert buttons(see(log_in(alice), game)) == []
