"""No bot says during a rated game why it made a move, or what chance it gives itself."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.tables.join_game import join_game
from games.actions.tables.open_rematch import open_rematch
from games.base.setup import check_setup
from games.errors import BadRequest
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.ratings.games import program
from tests.games.spoken.words import answers
from tests.games.tables import ME, NOON, OPEN, bot, fresh, open_table, play_out, setup
from tests.games.views.tables.test_create import filled

pytestmark = pytest.mark.django_db


def seated(alice: User, bob: User, **terms: Any) -> Game:
    """Return a running game of a bot and two people in which the bot has placed the first piece."""
    game = open_table(alice, bot("greedy"), ME, OPEN, variant="blockyou-3", **terms)
    join_game(bob, game.slug, now=NOON)
    return play_out(game, turns=1)


def test_both_cannot_be_asked_for(alice: User) -> None:
    with pytest.raises(BadRequest) as refused:
        check_setup(setup(bot(), ME, OPEN, is_rated=True, allows_explanations=True))
    assert refused.value.field == "rated"
    seats = [{"kind": "bot", "name": "greedy"}, {"kind": "me"}, {"kind": "open"}]
    answer = program(alice).post("games", variant="blockyou-3", seats=seats, rated=True, explanations=True)
    assert (answer.status_code, answer.json()["field"]) == (400, "rated")
    assert not Game.objects.exists()


def test_the_form_says_so_and_keeps_what_was_chosen(alice: User, log_in: LogIn) -> None:
    sent = filled("me", "open", "bot:greedy", "bot:greedy", explains="yes", rated="yes")
    page = read(log_in(alice).post("/games/new/", sent))
    assert "Bots do not explain their moves during a rated game. Let them do so once it is over." in page.text
    assert not Game.objects.exists()


@pytest.mark.parametrize(("asked", "is_rated"), [(None, True), (False, True), (True, False)])
def test_a_public_table_is_rated_unless_its_bots_are_to_explain_themselves_during_the_game(
    asked: bool | None, is_rated: bool, alice: User
) -> None:
    game = open_table(alice, bot(), ME, OPEN, variant="blockyou-3", allows_explanations=asked)
    assert (game.is_rated, game.allows_explanations) == (is_rated, not is_rated)


@pytest.fixture
def older(alice: User, bob: User) -> Game:
    """A rated game from before this was so, whose bots were to explain themselves at once."""
    game = seated(alice, bob)
    Game.objects.filter(pk=game.pk).update(allows_explanations=True)
    return fresh(game)


def test_a_game_that_was_opened_with_both_explains_nothing_before_its_end(
    older: Game, alice: User, bob: User, log_in: LogIn
) -> None:
    client = log_in(alice)
    page = read(client.get(f"/games/{older.slug}/"))
    assert [each for each in page.find_all("a") if "/why/" in each.attributes.get("href", "")] == []
    assert "The bots explain their moves during the game." not in page.text
    assert client.get(f"/games/{older.slug}/why/").status_code == 409
    assert answers(client, older, "why") == ["At this table the bots explain their moves once the game is over."]
    assert program(alice).get(f"games/{older.slug}").json()["seats"][0]["bot"] is None
    for person in (alice, bob):
        resign(person, older.slug)
    assert Client().get(f"/games/{older.slug}/why/").status_code == 200


def test_its_rematch_is_rated_and_explains_nothing_either(older: Game, alice: User, bob: User) -> None:
    for person in (alice, bob):
        resign(person, older.slug)
    again = fresh(open_rematch(alice, older.slug))
    assert (again.is_rated, again.allows_explanations) == (True, False)
