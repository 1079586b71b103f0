"""How it stands between two people: on a profile, on the page of people, on cards of games between two; and again."""

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.people.block_person import block_person
from games.actions.tables.cancel_game import cancel_game
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read, text_at
from tests.games.tables import running

pytestmark = pytest.mark.django_db


@pytest.fixture
def played(alice: User, bob: User) -> None:
    """Let alice win two games of two boards against bob, and lose one."""
    for loser, variant in ((bob, "duo"), (bob, "blockyou-2"), (alice, "duo")):
        resign(loser, running(alice, bob, variant=variant, is_public=False).slug)


@pytest.mark.usefixtures("played")
def test_a_profile_says_who_leads_in_all_and_by_board(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    page = text_at(log_in(alice), "/players/bob/")
    assert "You lead 2:1 against bob" in page
    assert "Duo, 2 players: 1:1" in page
    assert "2 players: 1:0" in page
    assert "You trail 1:2 against alice" in text_at(log_in(bob), "/players/alice/")
    told = read(log_in(bob).get("/players/alice/", headers={"Accept-Language": "fr"})).text
    assert "Vous êtes derrière alice, 1 à 2" in told
    assert "Block-You, 2 joueurs\N{NO-BREAK SPACE}: 0 à 1" in told, "the reader's wins come first in both"
    assert "against" not in text_at(log_in(carol), "/players/bob/")
    assert "against" not in text_at(log_in(alice), "/players/alice/")
    assert "against" not in text_at(Client(), "/players/bob/")


@pytest.mark.usefixtures("played")
def test_a_card_of_a_game_between_two_says_who_leads(alice: User, bob: User, carol: User, log_in: LogIn) -> None:
    running(alice, bob)
    running(alice, bob, carol)
    page = read(log_in(alice).get("/games/"))
    running_cards = [card.text for card in page.find_all("li") if "move\N{NO-BREAK SPACE}1" in card.text]
    assert sorted("2:1 against bob" in card for card in running_cards) == [False, True]
    assert "0:0 against" not in page.text
    assert "1:2 against alice" in text_at(log_in(bob), "/games/?show=finished")


@pytest.mark.usefixtures("played")
def test_one_tap_on_the_page_of_people_or_a_profile_opens_a_table_of_the_last_group(
    alice: User, carol: User, bob: User, log_in: LogIn
) -> None:
    game = running(alice, bob, carol)
    resign(bob, game.slug)
    resign(carol, game.slug)
    browser = log_in(alice)
    for address in ("/people/", "/players/bob/"):
        form = read(browser.get(address)).find("form", action="/players/bob/again/")
        assert form.find("button").text.strip() == "Play together again"
    answer = browser.post("/players/bob/again/")
    new = Game.objects.latest("pk")
    assert answer["Location"] == f"/games/{new.slug}/"
    rows = new.players.values_list("user__username", "invitee__username")
    assert {name for row in rows for name in row} == {"alice", "bob", "carol", None}
    finished = read(browser.get(f"/games/{game.slug}/"))
    assert finished.find("form", action=f"/games/{game.slug}/again/")


def test_who_has_never_played_with_the_other_is_told_what_to_do(alice: User, bob: User, log_in: LogIn) -> None:
    answer = log_in(alice).post("/players/bob/again/")
    assert answer.status_code == 409
    assert "You have not finished a game with bob yet. Invite them to one." in answer.content.decode()
    assert log_in(alice).post("/players/nobody-here/again/").status_code == 404


@pytest.mark.usefixtures("played")
def test_a_block_closes_the_way_and_the_table_says_who_is_missing(
    alice: User, bob: User, carol: User, log_in: LogIn
) -> None:
    game, of_two = running(alice, bob, carol), running(alice, bob)
    resign(bob, game.slug)
    resign(carol, game.slug)
    block_person(bob, "alice")
    browser = log_in(alice)
    answer = browser.post(f"/games/{game.slug}/again/", follow=True)
    assert "bob cannot be invited at the moment. Send a link, or invite again later." in answer.content.decode()
    cancel_game(alice, Game.objects.latest("pk").slug)
    block_person(alice, "bob")
    assert not read(browser.get("/players/bob/")).find_all("form", action="/players/bob/again/")
    resign(bob, of_two.slug)
    answer = browser.post("/players/bob/again/", follow=True)
    assert "You have blocked bob. Unblock them on their page to invite them." in answer.content.decode()
