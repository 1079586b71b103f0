"""The pages of a game on one device: how it begins, who is shown what, and what is not shown while it is handed on."""

import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from accounts.models import User
from games.models import Game, Player
from tests.conftest import LogIn
from tests.games.one_device.tables import (
    any_text,
    next_player,
    play_next,
    play_to_end,
    send,
    shared_game,
    shown,
    take,
)
from tests.games.play.pages import read
from tests.games.tables import due, fresh, key

pytestmark = pytest.mark.django_db

PASS, TAKE = "Pass the device to {}", "I am {}"
FORM = {"players": "2", "board": "blockyou", "name-1": "Ada", "name-2": "Bea"}


def is_handed_to(page: str, name: str) -> bool:
    """Return whether a page asks for the device to be passed to this player, and shows nothing of anybody's hand."""
    is_bare = not any(mark in page for mark in ('class="tray', 'id="place"', 'id="position"', "data-piece"))
    return PASS.format(name) in page and TAKE.format(name) in page and is_bare


def test_two_people_begin_from_the_first_page_in_six_taps(client: Client) -> None:
    # The link of the first page, Begin; a piece, a cell, Place: five, and nothing has to be typed.
    assert reverse("one-device") in client.get(reverse("home")).content.decode()
    form = client.get(reverse("one-device")).content.decode()
    chosen = dict(re.findall(r'name="(players|board)" value="(\w+)"[^>]*checked', form))
    answer = client.post(reverse("one-device"), chosen)
    game = Game.objects.get()
    assert answer["Location"] == reverse("game", args=[game.slug])
    page = shown(client, game)
    assert 'id="place"' in page
    assert "Pass the device" not in page
    send(client, game, "game-place", placement=any_text(game))
    assert fresh(game).move_count == 1


def test_the_device_is_handed_on_after_each_move_and_shows_nobodys_hand_meanwhile(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(reverse("one-device"), FORM)
    game = Game.objects.get()
    send(browser, game, "game-place", placement=any_text(game))
    assert is_handed_to(shown(browser, game), "Bea")
    take(browser, game)
    page = shown(browser, game)
    assert 'id="place"' in page
    assert "Your turn" in page
    assert "data-my-turn" in page
    send(browser, game, "game-place", placement=any_text(game))
    assert is_handed_to(shown(browser, game), "Ada")


def test_while_it_is_handed_on_the_colours_have_their_signs_and_no_picture_of_corners_stands_beside(
    alice: User, log_in: LogIn
) -> None:
    game = play_next(shared_game(alice))
    card = read(log_in(alice).get(reverse("game", args=[game.slug]))).find("section", class_="handing")
    assert not card.find_all("svg", class_="thumb")
    plays = card.find("p", class_="handing__plays")
    chips = [each["data-colour"] for each in plays.find_all("span", class_="avatar")]
    assert chips
    assert plays.text == f"Bea plays {' and '.join(chip.capitalize() for chip in chips)}."


def test_boards_say_how_many_can_play(client: Client) -> None:
    form = read(client.get(reverse("one-device"))).find("form", class_="sharing")
    labels = {label.find("input")["value"]: label.text for label in form.find_all("label", class_="pill")}
    assert labels["blockyou"] == "Block-You, for 2 to 4"
    assert labels["duo"] == "Duo, for 2"
    assert "Add bots until the board has as many players as it can" in form.text


def test_the_answer_to_a_move_shows_no_hand_either(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(reverse("one-device"), FORM)
    game = Game.objects.get()
    address = reverse("game-place", args=[game.slug])
    fields = {"number": due(game), "key": key(), "placement": any_text(game)}
    answer = browser.post(address, fields, headers={"HX-Request": "true"})
    page = answer.content.decode()
    assert is_handed_to(page, "Bea")
    assert "Ada placed" in page
    part = browser.get(reverse("game-board", args=[game.slug]))
    assert is_handed_to(part.content.decode(), "Bea")
    # Once she has taken it the part is another one, though nothing has happened in the game.
    take(browser, game)
    again = browser.get(reverse("game-board", args=[game.slug]), headers={"If-None-Match": part["ETag"]})
    assert again.status_code == 200
    assert 'id="place"' in again.content.decode()


def test_another_device_begins_with_the_same_screen_days_later(alice: User, log_in: LogIn) -> None:
    game = play_next(shared_game(alice))
    browser = log_in(alice)
    assert is_handed_to(shown(browser, game), "Bea")
    assert game.slug in browser.get(reverse("my-games")).content.decode()
    take(browser, game)
    assert 'id="place"' in shown(browser, game)


def test_a_move_that_is_refused_leaves_the_device_with_its_player(alice: User, log_in: LogIn) -> None:
    game, browser = play_next(shared_game(alice)), log_in(alice)
    take(browser, game)
    answer = send(browser, game, "game-place", placement="V3:a1,b1,a2")
    assert answer.status_code in (409, 422)
    assert "Pass the device" not in answer.content.decode()


def test_whoever_has_just_moved_takes_it_back_before_handing_on(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(reverse("one-device"), FORM)
    game = Game.objects.get()
    send(browser, game, "game-place", placement=any_text(game))
    assert "Ada: take the move back" in shown(browser, game)
    send(browser, game, "game-takeback-ask", stays="yes")
    page = shown(browser, game)
    assert fresh(game).move_count == 0
    assert 'id="place"' in page
    assert "Pass the device" not in page
    # From the game itself it goes back to whoever made it.
    send(browser, game, "game-place", placement=any_text(game))
    take(browser, game)
    assert "goes back to Ada" in browser.get(reverse("game", args=[game.slug]), {"takeback": "yes"}).content.decode()
    send(browser, game, "game-takeback-ask")
    assert is_handed_to(shown(browser, game), "Ada")


def test_the_game_in_words_is_handed_on_too(alice: User, log_in: LogIn) -> None:
    game, browser = play_next(shared_game(alice)), log_in(alice)
    browser.cookies[settings.SPOKEN_COOKIE_NAME] = "yes"
    page = shown(browser, game)
    assert PASS.format("Bea") in page
    assert "told__play" not in page
    take(browser, game)
    page = shown(browser, game)
    assert "told__play" in page
    for way in ("analysis/", "note/", "plan/"):
        assert f"{game.slug}/{way}" not in page


def test_all_read_who_won_at_the_end(alice: User, log_in: LogIn) -> None:
    game = play_to_end(shared_game(alice))
    page = shown(log_in(alice), game)
    winner = next(player.local_name for player in game.players.all() if player.is_winner)
    assert f"{winner} won by" in page
    assert "You won" not in page
    assert "Pass the device" not in page
    assert reverse("game-rematch", args=[game.slug]) in page


def test_nobody_else_takes_the_device(alice: User, bob: User, log_in: LogIn) -> None:
    game = shared_game(alice)
    address = reverse("game-hand", args=[game.slug])
    assert log_in(bob).post(address, {"number": 1}).status_code == 404
    assert Client().post(address, {"number": 1}).status_code == 302
    assert log_in(alice).post(address, {"number": "x"}).status_code == 400
    public = Game.objects.filter(pk=game.pk)
    public.update(is_public=True)
    assert log_in(bob).post(address, {"number": 1}).status_code == 403
    assert not any(word in shown(log_in(bob), game) for word in ("Pass the device", 'id="place"'))


def test_names_that_are_left_out_are_numbers_in_the_readers_language(alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    browser.post(reverse("one-device"), {**FORM, "players": "3", "name-1": "", "name-2": ""})
    game = play_next(Game.objects.get())
    assert PASS.format("Player 2") in shown(browser, game)
    browser.cookies[settings.LANGUAGE_COOKIE_NAME] = "fr"
    User.objects.filter(pk=alice.pk).update(language="fr")
    assert "Passez l’appareil à Joueur 2" in shown(browser, game)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"players": "3", "board": "duo"}, "This board is not for that number of players."),
        ({"players": "5"}, "Choose two to four players."),
        ({"board": "chess"}, "Choose a board from the list."),
        ({"name-2": "ada"}, "Two players have the same name."),
        ({"name-2": "<script>"}, "Use only Latin letters"),
    ],
)
def test_the_form_says_what_is_wrong_and_makes_no_guest(client: Client, changed: dict[str, str], sentence: str) -> None:
    answer = client.post(reverse("one-device"), {**FORM, **changed})
    assert answer.status_code == 422
    assert sentence in answer.content.decode()
    assert not User.objects.exists()
    assert not Game.objects.exists()


def test_bots_take_the_seats_that_are_left(client: Client) -> None:
    client.post(reverse("one-device"), {**FORM, "bots": "on"})
    assert [bool(player.bot) for player in Player.objects.order_by("seat")] == [False, False, True, True]


def test_two_taps_begin_one_game(client: Client) -> None:
    client.post(reverse("one-device"), FORM)
    client.post(reverse("one-device"), FORM)
    assert Game.objects.count() == 1


def test_a_device_that_is_handed_on_asks_no_more_than_its_game(alice: User, log_in: LogIn) -> None:
    browser, game = log_in(alice), play_next(shared_game(alice))
    asked = []
    for _page in ("handed on", "taken"):
        shown(browser, game)
        with CaptureQueriesContext(connection) as queries:
            shown(browser, game)
        asked.append(len(queries))
        take(browser, game)
    assert asked[0] <= asked[1]


def test_a_list_says_whose_turn_it_is_at_the_device(alice: User, log_in: LogIn) -> None:
    game = play_next(shared_game(alice))
    page = log_in(alice).get(reverse("my-games")).content.decode()
    assert next_player(game) == "Bea"
    assert "hand this device to Bea" in page
    assert "waiting for Bea" not in page
