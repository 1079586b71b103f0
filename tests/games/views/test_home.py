"""The first page, and one tap to a game against bots."""

import re

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.bots.turns import play_turn
from games.models import Game
from games.roster.offered import offered_bots
from games.words import boards
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import play_out, running
from tests.games.views.conftest import QueryCount


def test_the_first_page_says_what_this_is_and_offers_a_game(db: None) -> None:
    text = Client().get("/").content.decode()
    words, _, _below = text.partition("</figure>")
    assert "Build from corner to corner, and shut the others in." in words
    assert "A move when you have a minute." in words
    assert "A board game of the Blokus family for two to four." in text
    assert "Free, in your browser, no account needed" in text
    assert all(door in text for door in ("Play with a friend", "Play bots", "Play anyone"))
    assert all(f'href="{address}"' in text for address in ("/rules/", "/lobby/", "/accounts/signup/"))


def test_the_links_to_other_pages_are_gathered_at_the_end_of_the_first_page(alice: User, log_in: LogIn) -> None:
    for client, own in ((Client(), ["/accounts/signup/", "/accounts/login/"]), (log_in(alice), ["/games/"])):
        main = read(client.get("/")).find("main")
        *_, ways = main.find_all("nav")
        others = ["/games/new/", "/one-device/", "/lobby/", "/bots/", "/puzzles/today/"]
        assert [link["href"] for link in ways.find_all("a")] == [*own, *others]
        quiet = {link["href"] for link in main.find_all("a", class_="button--quiet")}
        assert quiet == {*own, *others}


def test_one_thing_has_one_name_on_every_page_that_offers_it(alice: User, log_in: LogIn) -> None:
    for page in ("/", "/lobby/", "/rules/", "/games/", "/games/new/"):
        text = log_in(alice).get(page).content.decode()
        assert "Play bots" in text, page
        assert not any(other in text for other in ("Play bots now", "Invite a friend")), page


def test_the_first_page_shows_every_board_and_leads_to_its_rules(db: None) -> None:
    text = Client().get("/").content.decode()
    assert re.findall(r'href="/rules/#(\w+)"', text) == list(boards.boards())


def test_without_any_game_the_board_is_an_example(db: None) -> None:
    text = Client().get("/").content.decode()
    # It is played to its end: four colours of 21 pieces each, of which some are left.
    assert 60 < text.count('class="piece"') < 84
    assert "An example, played to its end by bots" in text


def test_a_lobby_without_public_games_has_a_game_of_bots_to_watch(alice: User, bob: User, log_in: LogIn) -> None:
    play_out(running(alice, bob, is_public=False))
    for client in (Client(), log_in(alice)):
        page = read(client.get("/lobby/"))
        (board,) = page.find_all("figure", class_="hero__board")
        assert len(board.find_all("path", class_="piece")) > 60
        assert page.find("h2", id="example").text == "A game to watch"
    game = play_out(running(alice, bob), turns=10)
    page = read(Client().get("/lobby/"))
    assert page.find_all("figure", class_="hero__board") == []
    assert [link["href"] for link in page.find_all("a") if game.slug in link["href"]]


def test_the_public_game_played_in_last_is_shown_and_linked(alice: User, bob: User) -> None:
    play_out(running(alice, bob), turns=12)
    shown = play_out(running(alice, bob), turns=10)
    text = Client().get("/").content.decode()
    assert f'href="/games/{shown.slug}/"' in text
    assert text.count('class="piece"') == 10


def test_a_game_that_has_ended_is_shown_before_one_that_is_not_over(alice: User, bob: User) -> None:
    ended = play_out(running(alice, bob))
    going = play_out(running(alice, bob), turns=10)
    text = Client().get("/").content.decode()
    board, _, rest = text.partition("</figure>")
    assert f'href="/games/{ended.slug}/"' in board
    assert re.search(r"A finished game: (alice|bob) won|A finished game: alice and bob tied", board)
    assert board.count("data-piece") == board.count('class="piece"') == board.count('class="glyph"') > 20
    # What others play now stands below.
    assert f'href="/games/{going.slug}/"' in rest


def test_a_game_that_was_left_early_is_not_shown_before_one_that_was_played_to_its_end(alice: User, bob: User) -> None:
    played = play_out(running(alice, bob))
    left = play_out(running(alice, bob), turns=2)
    resign(alice, left.slug)
    board, _, _ = Client().get("/").content.decode().partition("</figure>")
    assert f'href="/games/{played.slug}/"' in board
    assert left.slug not in board


def test_start_cells_are_marked_below_the_pieces_for_when_the_game_plays_itself(db: None) -> None:
    text = Client().get("/").content.decode()
    assert text.count('class="start"') == 4
    assert text.rindex('class="start"') < text.index('class="piece"')


def test_what_is_played_now_is_left_out_where_nothing_is(db: None) -> None:
    assert "Being played now" not in Client().get("/").content.decode()


def test_the_first_page_asks_for_no_more_with_many_games(alice: User, bob: User, query_count: QueryCount) -> None:
    play_out(running(alice, bob))
    play_out(running(alice, bob), turns=10)
    few = query_count(Client(), "/")
    for _ in range(4):
        play_out(running(alice, bob), turns=10)
    assert query_count(Client(), "/") == few <= 8


def test_one_way_in_is_primary_and_needs_nobody_else(db: None) -> None:
    text = Client().get("/").content.decode()
    [primary] = re.findall(r"button--primary[^>]*>\s*([^<]+?)\s*<", text)
    assert primary == "Play bots"


def test_the_picture_is_of_the_board_that_the_words_describe(alice: User, bob: User) -> None:
    shown = play_out(running(alice, bob), turns=10)
    other = play_out(running(alice, bob, variant="trigon-2"), turns=10)
    board, _, rest = Client().get("/").content.decode().partition("</figure>")
    assert f'href="/games/{shown.slug}/"' in board
    assert other.slug not in board
    # It can be watched all the same.
    assert other.slug in rest


def test_a_private_game_is_never_shown(alice: User, bob: User, log_in: LogIn) -> None:
    secret = play_out(running(alice, bob, is_public=False, name="Secret"), turns=10)
    for client in (Client(), log_in(alice)):
        text = client.get("/").content.decode()
        assert secret.slug not in text
        assert "Secret" not in text


def test_one_tap_makes_a_guest_in_a_game_against_three_bots(db: None) -> None:
    client = Client()
    answer = client.post("/play-bots/")
    game = Game.objects.get()
    assert answer["Location"] == f"/games/{game.slug}/"
    assert len([player for player in game.players.all() if player.bot in offered_bots()]) == 3
    assert game.creator.is_guest
    assert client.get("/games/").status_code == 200


def test_whoever_is_logged_in_plays_as_themselves(alice: User, log_in: LogIn) -> None:
    log_in(alice).post("/play-bots/")
    assert Game.objects.get().creator == alice
    assert User.objects.count() == 1


def test_looking_starts_nothing(db: None) -> None:
    assert Client().get("/play-bots/").status_code == 405
    assert not Game.objects.exists()


def test_too_many_taps_are_refused_with_a_time_to_come_back(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 1)
    client = Client()
    client.post("/play-bots/")
    answer = client.post("/play-bots/")
    assert answer.status_code == 429
    assert int(answer["Retry-After"]) > 0
    assert Game.objects.count() == 1


def test_a_class_behind_one_address_plays_each_for_themselves(
    alice: User, bob: User, log_in: LogIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.table.counting.TABLES_AN_HOUR", 1)
    answers = [log_in(person).post("/play-bots/").status_code for person in (alice, bob)]
    assert answers == [302, 302]


def test_a_class_of_strangers_behind_one_address_plays_too(db: None) -> None:
    assert {Client().post("/play-bots/").status_code for _ in range(35)} == {302}


def bots_of(game: Game) -> list[str]:
    return sorted(player.bot for player in game.players.all() if player.bot)


def test_the_bots_are_as_strong_as_was_chosen_and_stay_so(bots: None) -> None:
    client = Client()
    client.post("/play-bots/", {"strength": "3"})
    assert bots_of(Game.objects.get()) == ["mason-3", "sage-3", "warden-3"]
    client.post("/play-bots/", {"strength": "greedy"})
    client.post("/play-bots/")
    assert [bots_of(game) for game in Game.objects.order_by("pk")[1:]] == [["greedy"] * 3] * 2
    assert '<option value="greedy" selected>' in client.get("/").content.decode()


@pytest.mark.parametrize("asked", ["", "99", "skynet", "\0"])
def test_without_a_choice_that_there_is_the_bots_are_friendly(asked: str, bots: None) -> None:
    client = Client()
    client.cookies["strength"] = "77"
    assert '<option value="3" selected>' in client.get("/").content.decode()
    client.post("/play-bots/", {"strength": asked} if asked else {})
    assert bots_of(Game.objects.get()) == ["mason-3", "sage-3", "warden-3"]


def test_one_tap_plays_a_certain_bot(bots: None) -> None:
    client = Client()
    client.post("/play-bots/", {"bot": "mason-5"})
    game = Game.objects.get()
    assert (game.variant, bots_of(game), "strength" in client.cookies) == ("blockyou-2", ["mason-5"], False)


def test_a_rematch_is_against_the_same_bots(bots: None) -> None:
    client = Client()
    client.post("/play-bots/", {"strength": "3"})
    game = Game.objects.get()
    for what in ("resign", "rematch"):
        client.post(f"/games/{game.slug}/{what}/")
        while play_turn(game.pk, Game.objects.get(pk=game.pk).move_count + 1):
            pass
    assert bots_of(Game.objects.get(rematch_of=game)) == bots_of(game)
