"""A link to a game opened while logged out, or as another person: a way to log in that leads back to it."""

import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.models import Game
from tests.conftest import PASSWORD, LogIn
from tests.games.tables import running

NONE = "nosuchgame"
PAGES = ["", "replay/", "review/", "board/", "embed/", "record.json", "placements/"]


@pytest.fixture
def secret(alice: User, bob: User) -> Game:
    return running(alice, bob, is_public=False)


def told(client: Client, slug: str, rest: str = "") -> tuple[int, str, int]:
    """Return the status and the words of a page without its address, and how many queries it took."""
    with CaptureQueriesContext(connection) as queries:
        answer = client.get(f"/games/{slug}/{rest}")
    words = re.sub(r'csrfmiddlewaretoken" value="[^"]+|X-CSRFToken": "[^"]+', "", answer.content.decode())
    return answer.status_code, words.replace(slug, "…"), len(queries)


def test_a_logged_out_player_of_a_private_game_logs_in_and_is_back(secret: Game, alice: User) -> None:
    client = Client()
    page = client.get(f"/games/{secret.slug}/")
    assert page.status_code == 404
    way = f"/accounts/login/?next=/games/{secret.slug}/"
    assert f'href="{way}"' in page.content.decode()
    assert f'name="next" value="/games/{secret.slug}/"' in client.get(way).content.decode()
    data = {"login": "alice", "password": PASSWORD, "next": f"/games/{secret.slug}/"}
    answer = client.post("/accounts/login/", data, follow=True)
    assert answer.status_code == 200
    assert answer.request["PATH_INFO"] == f"/games/{secret.slug}/"


def test_the_wrong_account_is_told_which_it_is_and_changes_it(secret: Game, mallory: User, log_in: LogIn) -> None:
    client = log_in(mallory)
    text = client.get(f"/games/{secret.slug}/").content.decode()
    assert "You are logged in as mallory. This page may belong to another account." in text
    goal = re.findall(r'name="next" value="(/accounts/login/[^"]*)"', text)[0]
    assert client.post("/accounts/logout/", {"next": goal})["Location"] == goal
    assert goal == f"/accounts/login/?next=/games/{secret.slug}/"


def test_a_guest_keeps_the_session_on_the_way_to_the_log_in(secret: Game, log_in: LogIn) -> None:
    guest = User.objects.create(username="Guest-abcdef", is_guest=True)
    text = log_in(guest).get(f"/games/{secret.slug}/").content.decode()
    assert f'href="/accounts/login/?next=/games/{secret.slug}/"' in text
    assert 'action="/accounts/logout/"' not in text


@pytest.mark.parametrize("rest", PAGES)
def test_a_private_game_and_no_game_are_the_same_page_after_the_same_queries(
    rest: str, secret: Game, mallory: User, log_in: LogIn
) -> None:
    guest = User.objects.create(username="Guest-abcdef", is_guest=True)
    for client in (Client(), log_in(mallory), log_in(guest)):
        told(client, NONE, rest)  # what is done once a session is done
        assert told(client, secret.slug, rest) == told(client, NONE, rest)


def test_a_public_game_has_a_log_in_link_until_one_is_logged_in(alice: User, bob: User, log_in: LogIn) -> None:
    path = f"/games/{running(alice, bob).slug}/"
    assert f'href="/accounts/login/?next={path}"' in Client().get(path).content.decode()
    assert "/accounts/login/" not in log_in(bob).get(path).content.decode()


def test_the_same_game_in_words_has_that_link_too(alice: User, bob: User) -> None:
    path = f"/games/{running(alice, bob).slug}/"
    client = Client()
    client.cookies["spoken"] = "yes"
    assert f'href="/accounts/login/?next={path}"' in client.get(path).content.decode()


def test_a_post_to_a_game_that_is_not_there_offers_no_way_back(db: None) -> None:
    assert "/accounts/login/?next" not in Client().post(f"/games/{NONE}/join/").content.decode()
