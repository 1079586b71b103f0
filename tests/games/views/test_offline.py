"""What a device may keep for reading without a network, and the worker that keeps it."""

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from tests.conftest import LogIn
from tests.games.tables import running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> str:
    """Return the path of a game between the two."""
    return f"/games/{running(alice, bob).slug}/"


def test_a_device_may_keep_my_games_and_a_board(log_in: LogIn, alice: User, game: str) -> None:
    for path in ("/games/", game, f"{game}analysis/branches/", "/puzzles/"):
        page = log_in(alice).get(path)
        assert page["X-Keep"] == "page"
        assert 'data-keeps="page"' in page.content.decode()


@pytest.mark.parametrize("path", ["/rules/", "/accounts/", "/notices/", "/history/", "/games/?show=turn", "/offline/"])
def test_no_other_page_is_kept(log_in: LogIn, alice: User, path: str) -> None:
    page = log_in(alice).get(path)
    assert "X-Keep" not in page
    # Of a part of my games it is the whole list that a device may ask for and keep.
    keeps = "page" if path.startswith("/games/?") else ""
    assert f'data-keeps="{keeps}"' in page.content.decode()


def test_the_page_that_stands_in_takes_no_sentence_away_from_the_next_page(log_in: LogIn, alice: User) -> None:
    browser = log_in(alice)
    browser.post("/accounts/logout/")
    assert "You are logged out." not in browser.get("/offline/").content.decode()
    assert "You are logged out." in browser.get("/").content.decode()


def test_nothing_is_kept_for_a_visitor_nor_a_part_of_a_page(
    client: Client, log_in: LogIn, alice: User, game: str
) -> None:
    assert "X-Keep" not in client.get(game)
    assert "X-Keep" not in log_in(alice).get("/games/", headers={"HX-Request": "true"})
    assert "X-Keep" not in log_in(alice).get(f"{game}board/")
    assert "X-Keep" not in log_in(alice).get("/games/no-such-game/")


def test_the_page_that_stands_in_has_the_words_for_every_outcome(client: Client) -> None:
    page = client.get("/offline/").content.decode()
    for part in ("just-now", "kept-banner", "kept-row", "told-played", "told-late", "told-refused"):
        assert f'<template id="{part}">' in page
    assert "Last updated: {time}." in page


def test_a_device_without_games_says_so(client: Client) -> None:
    assert "Nothing is kept here yet." in client.get("/offline/").content.decode()


def test_the_worker_is_one_script_with_all_its_parts_and_another_one_in_each_release(client: Client) -> None:
    answer = client.get("/service-worker.js")
    script = answer.content.decode()
    assert script.startswith(f'self.release = "{settings.RELEASE}";')
    assert "import " not in script
    assert '"fetch"' in script
    assert "showNotification" in script


def test_the_worker_learns_whose_login_it_sends_for(log_in: LogIn, alice: User) -> None:
    client = log_in(alice)
    assert client.get("/device/").json()["login"] == client.get("/rules/")["X-Login"]
