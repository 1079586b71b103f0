"""A member who is called otherwise is so everywhere: at tables, in lists and records, to programs; links still lead."""

import json

import pytest
from django.test import Client

from accounts.models import User
from accounts.naming import rename
from games.actions.tables.create_game import create_game
from games.errors import BadRequest
from games.models import Companion, Game
from tests.conftest import LogIn
from tests.games.tables import ME, invited, play_out, running, setup

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(alice: User, bob: User) -> Game:
    """Return a finished game of alice with a bob who is called otherwise since."""
    game = play_out(running(alice, bob, variant="duo"))
    rename(bob, "Fanny & Co")
    return game


def test_pages_write_the_name_as_people_read_it(over: Game, alice: User, log_in: LogIn) -> None:
    browser = log_in(alice)
    for path in (f"/games/{over.slug}/", f"/games/{over.slug}/replay/", "/games/?show=finished", "/history/"):
        html = browser.get(path, follow=True).content.decode()
        assert "Fanny &amp; Co" in html, path
        # The code of a frame for other pages is HTML within HTML.
        assert "&amp;amp;" not in html.replace("title=&quot;Fanny &amp;amp; Co", "")
        assert ">bob<" not in html


def test_a_record_holds_the_present_name(over: Game, alice: User, log_in: LogIn) -> None:
    record = json.loads(log_in(alice).get(f"/games/{over.slug}/record.json").content)
    assert "Fanny & Co" in record["players"]


@pytest.mark.parametrize("part", ["fanny", "Fanny &", "fanny & co", "co"])
def test_the_history_finds_the_games_by_it(part: str, over: Game, alice: User, log_in: LogIn) -> None:
    assert Companion.objects.get(user=alice).other_key == "fanny-co"
    assert over.slug in log_in(alice).get("/history/", {"opponent": part}).content.decode()


@pytest.mark.parametrize("name", ["Fanny & Co", "FANNY & co", "bob"])
def test_programs_find_the_player_by_either_name(name: str, over: Game) -> None:
    answer = Client().get(f"/api/v1/players/{name}")
    assert answer.json()["name"] == "Fanny & Co"


@pytest.mark.parametrize("name", ["Fanny & Co", "fanny & co", "bob"])
def test_friends_invite_the_player_by_either_name(name: str, over: Game, alice: User, bob: User) -> None:
    assert create_game(alice, setup(ME, invited(name))).players.get(seat=1).invitee == bob


def test_no_one_is_invited_twice_by_two_names(over: Game, alice: User) -> None:
    with pytest.raises(BadRequest, match="only one seat"):
        create_game(alice, setup(ME, invited("bob"), invited("Fanny & Co"), variant="blockyou-3"))
