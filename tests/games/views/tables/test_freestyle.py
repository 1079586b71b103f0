"""Freestyle on pages: the form names the opening pieces, the page of the table offers both sides."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game, Status
from games.roster.sides import even_ids, even_pairs
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, bot, fresh, open_table
from tests.games.views.tables.test_create import filled

OWN = {"variant": "duo", "freestyle": "own", "first_piece": "N", "second_piece": "W"}


def test_the_form_names_the_pieces_and_begins_with_them_the_next_time(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post("/games/new/", filled("me", "open", **OWN))
    game = Game.objects.get()
    assert (game.variant, game.lets_choose, game.is_shuffled) == ("duo:N:W", True, False)
    page = read(client.get("/games/new/"))
    chosen = {
        name: next(each["value"] for each in page.find("select", name=name).find_all("option", selected=""))
        for name in ("first_piece", "second_piece")
    }
    assert chosen == {"first_piece": "N", "second_piece": "W"}
    assert "checked" in page.find("input", name="freestyle", value="own").attributes


def test_the_site_draws_a_pair_that_leaves_the_sides_about_even(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/games/new/", filled("me", "open", variant="duo", freestyle="drawn"))
    assert Game.objects.get().variant in {":".join(("duo", *pair)) for pair in even_pairs("duo")}


@pytest.mark.parametrize(("variant", "is_measured"), [("duo", True), ("trigon-2", False)])
def test_pieces_are_drawn_only_where_they_were_measured(
    variant: str, is_measured: bool, alice: User, log_in: LogIn
) -> None:
    page = log_in(alice).get(f"/games/new/?variant={variant}").content.decode()
    assert 'name="freestyle" value="own"' in page
    assert ('name="freestyle" value="drawn"' in page) is is_measured


def test_both_pieces_have_to_be_named(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/games/new/", filled("me", "open", **{**OWN, "second_piece": ""}))
    assert "Choose the piece that this side opens with." in answer.content.decode()
    assert not Game.objects.exists()


@pytest.mark.parametrize("variant", ["blockyou-4", "codingame-2"])
def test_other_boards_do_not_ask(variant: str, alice: User, log_in: LogIn) -> None:
    assert 'name="freestyle"' not in log_in(alice).get(f"/games/new/?variant={variant}").content.decode()


def test_the_table_says_the_pieces_and_offers_both_sides_to_who_comes(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN, variant="duo:N:W")
    page = read(Client().get(f"/join/{game.invite_token}/"))
    assert page.find("legend").text == "Choose your side"
    lines = [" ".join(each.text.split()) for each in page.find_all("label", class_="choice")]
    assert lines == ["No preference", "Purple start cell e10 · opens with N", "Orange start cell j5 · opens with W"]
    words = " ".join(page.text.split())
    assert "Purple opens with N." in words
    assert "Duo, Freestyle" in words
    assert "Duo, Freestyle" in " ".join(read(Client().get("/lobby/")).text.split())
    sent = {"token": game.invite_token, "name": "Berta", "colour": "purple"}
    assert Client().post(f"/games/{game.slug}/join/", sent)["Location"] == f"/games/{game.slug}/"
    assert fresh(game).status == Status.RUNNING
    assert fresh(game).players.get(seat=1).user == alice
    assert "Orange opens with W." in log_in(alice).get(f"/games/{game.slug}/").content.decode()


def test_the_host_is_not_asked_how_colours_are_dealt(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, OPEN, variant="duo:N:W")
    client = log_in(alice)
    assert 'name="dealing"' not in client.get(f"/games/{game.slug}/edit/").content.decode()
    sent = {"name": "Tuesday", "is_public": "yes", "time": "unlimited", "dealing": "set"}
    client.post(f"/games/{game.slug}/edit/", sent)
    assert (fresh(game).name, fresh(game).lets_choose) == ("Tuesday", True)


def test_where_nothing_else_is_said_a_rated_game_of_duo_is_freestyle_with_an_even_pair(
    alice: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    page = read(client.get("/games/new/?variant=duo"))
    assert "checked" in page.find("input", name="freestyle", value="usual").attributes
    client.post("/games/new/", filled("me", "open", variant="duo", freestyle="usual"))
    game = Game.objects.get()
    assert (game.is_rated, game.lets_choose) == (True, True)
    assert game.variant in even_ids("duo")
    # What is usual stays usual the next time.
    again = read(client.get("/games/new/"))
    assert "checked" in again.find("input", name="freestyle", value="usual").attributes


@pytest.mark.parametrize(
    ("seats", "terms"),
    [
        (("me", "open"), {"rated": "no"}),
        (("me", "open"), {"is_public": "no"}),
        (("me", "bot:random"), {}),
        (("me", "open"), {"hints": "yes"}),
    ],
)
def test_a_game_of_duo_that_is_not_rated_is_as_it_ever_was(
    seats: tuple[str, ...], terms: dict[str, str], alice: User, log_in: LogIn
) -> None:
    log_in(alice).post("/games/new/", filled(*seats, variant="duo", freestyle="usual", **terms))
    game = Game.objects.get()
    assert (game.variant, game.is_rated) == ("duo", False)


def test_nothing_is_usual_where_the_site_has_no_ratings_or_no_pieces_were_measured(
    alice: User, log_in: LogIn, settings: Any
) -> None:
    client = log_in(alice)
    assert 'value="usual" name="freestyle"' not in client.get("/games/new/?variant=classic-2").content.decode()
    settings.RATINGS = False
    page = read(client.get("/games/new/?variant=duo"))
    assert "usual" not in [each["value"] for each in page.find_all("input", name="freestyle")]


def test_play_anyone_opens_a_rated_game_of_duo_so_and_seats_the_next_at_it(
    alice: User, bob: User, log_in: LogIn
) -> None:
    for user in (alice, bob):
        open_table(user, ME, bot(), variant="duo")
    assert log_in(alice).post("/play-anyone/").status_code == 302
    game = Game.objects.exclude(status=Status.RUNNING).get()
    assert game.variant in even_ids("duo")
    assert log_in(bob).post("/play-anyone/")["Location"] == f"/games/{game.slug}/"
    assert fresh(game).status == Status.RUNNING


def test_play_anyone_seats_no_one_at_a_table_whose_sides_are_not_even(alice: User, bob: User, log_in: LogIn) -> None:
    open_table(alice, ME, OPEN, variant="duo:I3:F")
    open_table(bob, ME, bot(), variant="duo")
    log_in(bob).post("/play-anyone/")
    assert Game.objects.filter(players__user=bob, status=Status.OPEN).get().creator == bob


OF_BOT = {"variant": "duo", "freestyle": "bot"}


@pytest.mark.parametrize(
    ("language", "line", "title"),
    [
        ("en", "has named the opening pieces. Choose your side, and the game starts.", "Choose your side"),
        ("fr", "a nommé les premières pièces. Choisissez votre camp, et la partie commence.", "Choisissez votre camp"),
    ],
)
def test_the_bot_names_the_pieces_and_the_page_offers_both_sides(
    language: str, line: str, title: str, alice: User, log_in: LogIn
) -> None:
    User.objects.filter(pk=alice.pk).update(language=language)
    client = log_in(alice)
    answer = client.post("/games/new/", filled("me", "bot:random", **OF_BOT))
    game = Game.objects.get()
    assert (game.status, game.variant in even_ids("duo")) == (Status.OPEN, True)
    page = read(client.get(answer["Location"]))
    assert line in " ".join(page.text.split())
    assert page.find("legend").text == title
    assert len([each for each in page.find_all("input", name="colour") if "disabled" not in each.attributes]) == 3
    assert not page.find_all("form", action=f"/games/{game.slug}/decline/")
    assert not page.find_all("input", id="invite")
    client.post(f"/games/{game.slug}/join/", {"colour": "orange"})
    assert (fresh(game).status, fresh(game).players.get(seat=1).user) == (Status.RUNNING, alice)


def test_a_bot_names_the_pieces_the_next_time_too(alice: User, log_in: LogIn) -> None:
    client = log_in(alice)
    client.post("/games/new/", filled("me", "bot:random", **OF_BOT))
    for chooses in (False, True):
        if chooses:
            client.post(f"/games/{Game.objects.get().slug}/join/")
        page = read(client.get("/games/new/"))
        assert "checked" in page.find("input", name="freestyle", value="bot").attributes
        seated = [page.find("select", name=f"seat-{n}").find("option", selected="")["value"] for n in (0, 1)]
        assert sorted(seated) == ["bot", "me"]


def test_without_a_bot_opposite_the_form_says_what_is_wrong_and_opens_nothing(alice: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/games/new/", filled("me", "open", **OF_BOT))
    page = " ".join(read(answer).text.split())
    assert "A bot names the opening pieces if you play against it. Give it one seat, and take the other." in page
    assert not Game.objects.exists()


def test_the_table_stands_among_ones_own_and_says_what_it_waits_for(alice: User, log_in: LogIn) -> None:
    game = open_table(alice, ME, bot(), variant="duo", bot_names_pieces=True)
    client = log_in(alice)
    mine = read(client.get("/games/"))
    words = " ".join(mine.text.split())
    assert "choose your side" in words
    assert "Invitations" not in [" ".join(each.text.split()) for each in mine.find_all("h2")]
    assert not mine.find_all("form", action=f"/games/{game.slug}/decline/")
    assert "Withdraw the invitation" not in client.get(f"/games/{game.slug}/edit/").content.decode()
