"""Old page + message = fresh page: the fragment is the page's own part, and says when nothing has changed."""

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from games.actions.cancel_game import cancel_game
from games.actions.claim_timeout import claim_timeout
from games.actions.join_game import join_game
from games.actions.leave_game import leave_game
from games.actions.resign import resign
from games.clock import TimeControl
from games.models import Game
from tests.conftest import LogIn
from tests.games.play.pages import Element, game_part, read, without_secrets
from tests.games.tables import ME, OPEN, fresh, key, open_table, place, play_out, running

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
    if kind == "claimed":
        claim_timeout(bob, game.slug, version=game.version, key=key())
    return play_out(game, 6) if kind == "ended" else fresh(game)


KINDS = ["joined", "left", "cancelled", "started", "placed", "resigned", "claimed", "ended"]


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
