"""A replay in a frame of another site: who may have it there, and what is on it."""

import pytest
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import ME, bot, open_table, play_out, running
from tests.project.test_headers import policy

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User) -> Game:
    """Return a public game of a few moves."""
    return play_out(open_table(alice, ME, bot(), variant="duo"), turns=4)


def test_a_public_game_may_be_in_any_frame(game: Game) -> None:
    answer = Client().get(f"/games/{game.slug}/embed/")
    assert answer.status_code == 200
    assert "X-Frame-Options" not in answer
    assert policy(answer["Content-Security-Policy"])["frame-ancestors"] == ["*"]
    assert policy(answer["Content-Security-Policy"])["script-src"] == ["'self'"]
    assert answer["Cross-Origin-Resource-Policy"] == "cross-origin"


@pytest.mark.parametrize("address", ["", "replay/", "picture.png", "replay.gif"])
def test_no_other_page_of_it_may(address: str, game: Game) -> None:
    answer = Client().get(f"/games/{game.slug}/{address}")
    assert answer["X-Frame-Options"] == "DENY"
    assert policy(answer["Content-Security-Policy"])["frame-ancestors"] == ["'none'"]


def test_a_private_game_may_be_in_no_frame(alice: User, bob: User, mallory: User, log_in: LogIn) -> None:
    game = running(alice, bob, variant="duo", is_public=False)
    assert log_in(mallory).get(f"/games/{game.slug}/embed/").status_code == 404
    answer = log_in(bob).get(f"/games/{game.slug}/embed/")
    assert (answer.status_code, answer["X-Frame-Options"]) == (200, "DENY")
    assert policy(answer["Content-Security-Policy"])["frame-ancestors"] == ["'none'"]
    assert answer["Cross-Origin-Resource-Policy"] == "same-origin"


def test_it_shows_the_game_and_does_nothing(game: Game) -> None:
    answer = Client().get(f"/games/{game.slug}/embed/")
    page = read(answer)
    assert not answer.cookies
    assert len(page.find("svg", id="board").find_all("g")) == 4
    assert [form for form in page.find_all("form") if form.attributes.get("method") != "get"] == []
    assert "csrf" not in answer.content.decode().lower()
    (link,) = [link for link in page.find_all("a") if "data-go" not in link.attributes]
    assert (link["href"], link["target"], link["rel"]) == (f"/games/{game.slug}/replay/", "_blank", "noopener")


def test_the_code_to_embed_a_game_is_on_its_replay(game: Game, alice: User, log_in: LogIn) -> None:
    code = read(Client().get(f"/games/{game.slug}/replay/")).find("input", id="embed-code")["value"]
    assert code.startswith(f'<iframe src="http://testserver/games/{game.slug}/embed/" title="')
    assert code.endswith('" width="360" height="600" loading="lazy"></iframe>')
    private = open_table(alice, ME, bot(), variant="duo", is_public=False)
    page = read(log_in(alice).get(f"/games/{private.slug}/replay/"))
    assert page.find_all("input", id="embed-code") == []


def test_a_name_stays_words_in_the_code(alice: User) -> None:
    game = open_table(alice, ME, bot(), variant="duo", name="\"><script>alert(1)</script>'")
    page = read(Client().get(f"/games/{game.slug}/replay/"))
    assert "<script>" not in page.find("input", id="embed-code")["value"]
