"""Drawings are drawn alike in every language: a decimal comma would end a coordinate."""

import re

import pytest
from django.test import Client

from accounts.models import User
from tests.games.tables import place, running

pytestmark = pytest.mark.same_queries

COMMA = re.compile(r'\s(?:viewBox|data-box|[xy]|font-size|transform)="[^"]*[0-9],[0-9][^"]*"')


@pytest.mark.parametrize("path", ["/", "/rules/", "/learn/", "/games/new/?variant=trigon-4"])
def test_a_page_of_pictures_has_no_comma_in_a_coordinate(path: str, alice: User) -> None:
    client = Client(headers={"Accept-Language": "fr"})
    client.force_login(alice)
    text = client.get(path).content.decode()
    assert 'lang="fr"' in text
    assert "<svg" in text
    assert COMMA.findall(text) == []


@pytest.mark.parametrize("part", ["", "replay/", "embed/"])
@pytest.mark.parametrize(("variant", "move"), [("blockyou-2", "1:a1"), ("trigon-2", None)])
def test_a_game_has_no_comma_in_a_coordinate(variant: str, move: str | None, part: str, alice: User, bob: User) -> None:
    game = running(alice, bob, variant=variant)
    if move:
        place(game, move)
    text = Client(headers={"Accept-Language": "fr"}).get(f"/games/{game.slug}/{part}").content.decode()
    assert 'lang="fr"' in text
    assert COMMA.findall(text) == []
