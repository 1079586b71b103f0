"""Tables have no insults and no addresses for names: by the form, when they are changed, and by the API."""

import json

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import make_token
from games.actions.tables.create_game import create_game
from games.errors import BadRequest
from games.models import Game
from tests.games.play.pages import read
from tests.games.tables import ME, OPEN, open_table, setup
from tests.games.views.lists.test_devices import logged_in

pytestmark = pytest.mark.django_db
FORM = {"variant": "duo", "days": "3", "is_public": "yes", "passes": "automatic", "seat-0": "me", "seat-1": "open"}


@pytest.mark.parametrize(
    "name",
    [
        "http://a.b",
        "https://evil.example",
        "see www.x",
        "evil.example",
        "EVIL.COM/x",
        "evil。com",
        "play at my-site.gg",
    ],
)
def test_no_table_is_called_by_an_address(name: str, alice: User) -> None:
    with pytest.raises(BadRequest) as refused:
        create_game(alice, setup(ME, OPEN, name=name))
    assert (refused.value.code, refused.value.field) == ("name-address", "name")


@pytest.mark.parametrize(
    "name", ["Round 2. Go", "J.R. Tolkien", "e.g. chess", "No. 5", "1.5 hours", "Wait...", "A. B."]
)
def test_a_full_stop_is_no_address(name: str, alice: User) -> None:
    assert create_game(alice, setup(ME, OPEN, name=name)).name == name


def test_the_form_says_so_beside_the_name(alice: User) -> None:
    answer = logged_in(alice).post("/games/new/", {**FORM, "name": "wankers"})
    assert answer.status_code == 422
    assert "This name may insult others. Choose another one." in read(answer).text
    assert not Game.objects.exists()


def test_a_table_is_not_renamed_so_either(alice: User) -> None:
    game = open_table(alice, ME, OPEN)
    sent = {"name": "evil.example", "is_public": "yes", "time": "normal"}
    answer = logged_in(alice).post(f"/games/{game.slug}/edit/", sent)
    assert answer.status_code in (400, 422)
    game.refresh_from_db()
    assert game.name == ""


def test_a_program_is_told_with_a_code(alice: User) -> None:
    secret = make_token(alice, "a test", [Scope.TABLES, Scope.READ], timezone.now())
    wish = {"variant": "duo", "seats": [{"kind": "me"}, {"kind": "open"}], "name": "wankers"}
    answer = Client().post(
        "/api/v1/games",
        json.dumps(wish),
        content_type="application/json",
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert (answer.status_code, answer.json()["code"]) == (400, "name-insult")
