"""Old page + message = fresh page: the fragment is the page's own part, and says when nothing has changed."""

import re
from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import User
from games.actions.moves.resign import resign
from games.actions.moves.time_out import time_out
from games.actions.tables.cancel_game import cancel_game
from games.actions.tables.join_game import join_game
from games.actions.tables.leave_game import leave_game
from games.base.positions import position_of
from games.clock import TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, game_part, read, without_secrets
from tests.games.tables import ME, OPEN, due, fresh, key, open_table, place, play_out, player_to_move, running

LONG_AGO = timezone.now() - timedelta(days=9)


def changes(alice: User, bob: User, kind: str) -> Game:
    """Return a game to which something of that kind has just happened."""
    if kind in ("joined", "left", "cancelled"):
        game = open_table(alice, ME, OPEN, OPEN)
        join_game(bob, game.slug)
        if kind == "left":
            leave_game(bob, game.slug)
        return cancel_game(alice, game.slug) if kind == "cancelled" else fresh(game)
    game = running(alice, bob, now=LONG_AGO, time=TimeControl.days_a_move(2))
    if kind == "placed":
        place(game, "1:a1")
    if kind == "resigned":
        resign(bob, game.slug)
    if kind == "timed out":
        time_out(game.slug, number=due(game))
    return play_out(game, 6) if kind == "ended" else fresh(game)


KINDS = ["joined", "left", "cancelled", "started", "placed", "resigned", "timed out", "ended"]


def part(client: Client, game: Game, path: str) -> Element:
    return game_part(read(client.get(f"/games/{game.slug}/{path}")))


@pytest.mark.parametrize("kind", KINDS)
def test_the_fragment_is_the_part_of_the_fresh_page(
    kind: str, alice: User, bob: User, eve: User, log_in: LogIn
) -> None:
    game = changes(alice, bob, kind)
    for client in (log_in(alice), log_in(bob), log_in(eve), Client()):
        assert without_secrets(part(client, game, "board/")) == without_secrets(part(client, game, ""))


@pytest.mark.parametrize("kind", KINDS)
def test_the_title_of_the_tab_comes_with_it(kind: str, alice: User, bob: User, log_in: LogIn) -> None:
    game, client = changes(alice, bob, kind), log_in(alice)
    page, fragment = (read(client.get(f"/games/{game.slug}/{path}")) for path in ("", "board/"))
    assert page.find("title").text == fragment.find("title").text


def test_what_a_page_outside_the_fragment_needs_does_not_change_with_the_game(
    alice: User, bob: User, log_in: LogIn
) -> None:
    """A page that was opened while the table waited can be played on without a reload."""
    game, client = open_table(alice, ME, OPEN), log_in(alice)
    before = read(client.get(f"/games/{game.slug}/"))
    join_game(bob, game.slug)
    after = read(client.get(f"/games/{game.slug}/"))
    assert without_secrets(before.find(id="shapes")) == without_secrets(after.find(id="shapes"))
    assert [icon["id"] for icon in before.find_all("symbol")] == [icon["id"] for icon in after.find_all("symbol")]
    loaded = {script.attributes.get("src") for script in before.find_all("script")}
    assert {script.attributes.get("src") for script in after.find_all("script")} <= loaded


def test_a_fragment_that_is_still_current_is_not_sent_again(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    address = f"/games/{game.slug}/board/"
    tag = client.get(address)["ETag"]
    again = client.get(address, headers={"If-None-Match": tag})
    assert (again.status_code, again.content, again["ETag"]) == (304, b"", tag)
    place(game, "1:a1")
    assert client.get(address, headers={"If-None-Match": tag}).status_code == 200


def test_a_deadline_that_goes_by_makes_the_fragment_another(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob, now=timezone.now(), time=TimeControl.days_a_move(2)), log_in(bob)
    tag = client.get(f"/games/{game.slug}/board/")["ETag"]
    Game.objects.update(deadline=timezone.now() - timedelta(minutes=1))
    assert client.get(f"/games/{game.slug}/board/")["ETag"] != tag


def test_a_fragment_is_for_one_viewer_and_never_shared(alice: User, bob: User, log_in: LogIn) -> None:
    game = running(alice, bob)
    responses = [client.get(f"/games/{game.slug}/board/") for client in (log_in(alice), log_in(bob), Client())]
    assert len({response["ETag"] for response in responses}) == 3
    assert all("private" in response["Cache-Control"] and "Cookie" in response["Vary"] for response in responses)


@pytest.mark.parametrize("kind", ["placed", "last"])
def test_the_answer_to_a_move_is_the_part_of_the_fresh_page(kind: str, alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob, variant="duo"), log_in(alice)
    if kind == "last":
        game = play_out(game, 6, turns=before_the_end(game))
    user, text = player_to_move(game), str(position_of(game).legal_placements()[0])
    client = log_in(user) if isinstance(user, User) else client
    form = {"placement": text, "number": due(game), "key": key()}
    answer = client.post(f"/games/{game.slug}/place/", form, headers={"HX-Request": "true"})
    assert (fresh(game).status == "finished") is (kind == "last")
    assert without_secrets(game_part(read(answer))) == without_secrets(part(client, game, "board/"))


def before_the_end(game: Game) -> int:
    """Return how many turns of the same chance leave only the last one to be taken."""
    with transaction.atomic():
        played = play_out(game, 6)
        turns = played.moves.filter(is_automatic=False).count()
        transaction.set_rollback(True)
    return turns - 1


def test_a_move_is_answered_without_reading_the_game_twice(alice: User, bob: User, log_in: LogIn) -> None:
    game, client = running(alice, bob), log_in(alice)
    form = {"placement": "1:a1", "number": due(game), "key": key()}
    client.get(f"/games/{game.slug}/")
    with CaptureQueriesContext(connection) as captured:
        client.post(f"/games/{game.slug}/place/", form, headers={"HX-Request": "true"})
    tables = [re.findall(r'FROM "(\w+)"', query["sql"]) for query in captured]
    assert [tables.count([name]) for name in ("games_game", "games_player", "games_move")] == [2, 1, 1]
