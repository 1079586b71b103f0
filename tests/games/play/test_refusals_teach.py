"""Wherever a placement is refused, the way to the lesson that shows why."""

import json
import re

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import due, fresh, place, running

OPENING = ("V5:a1,b1,c1,a2,a3", "1:t1", "1:a20", "1:t20")
LESSONS = [
    ("I3:d1,d2,d3", "edge"),
    ("I3:h8,h9,h10", "corner"),
    ("V5:d2,e2,f2,f3,f4", ""),
]


def lessons_shown(client: Client, game: Game, placement: str) -> list[str]:
    """Return the lessons that the answer to a refused placement leads to."""
    response = client.post(
        f"/games/{game.slug}/place/", {"number": due(fresh(game)), "placement": placement, "key": "a" * 8}
    )
    assert response.status_code == 422
    links = [link for alert in read(response).find_all(role="alert") for link in alert.find_all("a")]
    return [re.sub(r".*lesson=", "", link["href"]) for link in links]


@pytest.mark.parametrize("is_spoken", [False, True], ids=["as a picture", "in words"])
def test_a_refused_placement_leads_to_the_lesson_about_it(
    is_spoken: bool, alice: User, bob: User, log_in: LogIn
) -> None:
    game, client = running(alice, bob), log_in(alice)
    if is_spoken:
        client.cookies[settings.SPOKEN_COOKIE_NAME] = "yes"
    assert lessons_shown(client, game, "1:b2") == ["start"]
    for text in OPENING:
        place(game, text)
    assert [(text, *lessons_shown(client, game, text)) for text, _lesson in LESSONS] == [
        (text, lesson) if lesson else (text,) for text, lesson in LESSONS
    ]


def test_the_page_knows_the_lesson_of_what_it_says_of_the_piece_in_the_hand(
    alice: User, bob: User, log_in: LogIn
) -> None:
    game, client = running(alice, bob), log_in(alice)
    for text in OPENING:
        place(game, text)
    page = read(client.get(f"/games/{game.slug}/"))
    checks = json.loads(page.find(id="position").text)["colours"]["blue"]["checks"]
    assert {check["code"]: check.get("lesson", "") for check in checks} == {
        "overlap": "",
        "edge-contact": "edge",
        "no-corner-contact": "corner",
    }
    assert page.find("a", class_="say__why", data_why="")["href"] == "/learn/"
