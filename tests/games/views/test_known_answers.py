"""What a program has already is not sent again, however it says so (RFC 9110, 13.1.2)."""

from collections.abc import Callable

import pytest
from django.test import Client

from accounts.models import User
from games.actions.notices.renew_feed import renew_feed
from games.models import Game
from tests.games.tables import NOON, running

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    return running(alice, bob, variant="duo")


def _board(game: Game, _user: User) -> str:
    return f"/games/{game.slug}/board/"


def _record(game: Game, _user: User) -> str:
    return f"/games/{game.slug}/record.blksgf"


def _program(game: Game, _user: User) -> str:
    return f"/api/v1/games/{game.slug}"


def _calendar(_game: Game, user: User) -> str:
    return f"/feeds/{renew_feed(user, language='en', now=NOON)}/deadlines.ics"


PLACES = [_board, _record, _program, _calendar]


def weak(tag: str) -> str:
    """Return the tag as a cache sends it that has packed the answer."""
    return tag if tag.startswith("W/") else f"W/{tag}"


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize(
    "said",
    [
        lambda tag: tag,
        weak,
        lambda tag: tag.removeprefix("W/"),
        lambda tag: f'"another", {tag}',
        lambda tag: f'{weak(tag)},W/"another"',
        lambda _tag: "*",
    ],
    ids=["alone", "weak", "strong", "last of a list", "first of a list", "anything"],
)
def test_an_answer_that_is_known_is_not_sent_again(
    game: Game, alice: User, place: Callable[[Game, User], str], said: Callable[[str], str]
) -> None:
    client, address = Client(), place(game, alice)
    tag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": said(tag)})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    # It has no body, so it says nothing about one.
    assert not {"content-type", "content-length"} & {name.lower() for name in again.headers}


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("said", ['"another"', 'W/"another", "third"', "nonsense", '"*"'])
def test_another_answer_that_is_known_changes_nothing(
    game: Game, alice: User, place: Callable[[Game, User], str], said: str
) -> None:
    assert Client().get(place(game, alice), headers={"If-None-Match": said}).status_code == 200


def test_a_player_who_has_the_part_already_is_told_so(game: Game, alice: User) -> None:
    client = Client()
    client.force_login(alice)
    tag = client.get(f"/games/{game.slug}/board/")["ETag"]
    again = client.get(f"/games/{game.slug}/board/", headers={"If-None-Match": f'"x", {tag}'})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    assert "Content-Type" not in again
