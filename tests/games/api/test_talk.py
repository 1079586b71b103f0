"""Talk by the API: a scope of its own, phrases in the reader's language, and the same limits as on the pages."""

import random
from collections.abc import Callable

import pytest

from accounts.models import Scope, User
from games.actions.moves.resign import resign
from games.actions.tables.join_game import join_game
from games.models import Player
from tests.games.api.conftest import Program
from tests.games.tables import LINK, ME, advance, open_table, running

pytestmark = pytest.mark.django_db


def test_programs_read_and_say_something_by_a_scope_of_their_own(
    alice: User, bob: User, program: Callable[..., Program]
) -> None:
    game = running(alice, bob)
    mine, others, reader = program(alice, [Scope.TALK]), program(bob, [Scope.TALK]), program(alice, [Scope.READ])
    assert reader.get(f"games/{game.slug}/messages").json()["code"] == "scope"
    phrases = mine.get("phrases").json()
    assert {"key": "good-game", "text": "Good game", "needs_day": False} in phrases
    assert [phrase["key"] for phrase in phrases if phrase["needs_day"]] == ["away"]
    said = mine.post(f"games/{game.slug}/messages", phrase="good-game").json()
    assert (said["author"], said["phrase"], said["text"]) == ("alice", "good-game", "Good game")
    talk = others.get(f"games/{game.slug}/messages").json()
    assert (talk["messages"], talk["unread"], talk["can_send"], talk["can_write"]) == ([said], 1, True, False)
    assert others.post(f"games/{game.slug}/messages/read", last=said["id"]).status_code == 204
    assert others.get(f"games/{game.slug}/messages").json()["unread"] == 0
    assert others.get(f"games/{game.slug}/messages?before={said['id']}").json()["messages"] == []


def test_what_cannot_be_said_is_refused_with_a_code(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game, mine = running(alice, bob), program(alice, [Scope.TALK])
    address = f"games/{game.slug}/messages"
    assert (mine.post(address, text="Hi").status_code, mine.post(address, text="Hi").json()["code"]) == (
        403,
        "phrases-only",
    )
    assert mine.post(address, phrase="rude").json()["field"] == "phrase"
    assert mine.post(address, phrase="away").json()["field"] == "day"


def test_programs_of_players_read_what_those_who_watch_say_once_the_game_is_over_and_not_before(
    alice: User, bob: User, eve: User, program: Callable[..., Program]
) -> None:
    game = running(alice, bob, is_public=True)
    watching, playing = program(eve, [Scope.TALK]), program(alice, [Scope.TALK])
    address = f"games/{game.slug}/messages"
    assert watching.post(address, phrase="good-game", audience="watchers").status_code == 200
    for refused in (
        playing.get(f"{address}?audience=watchers"),
        playing.post(address, phrase="hello", audience="watchers"),
        watching.get(address),
    ):
        assert refused.status_code in (403, 404)
        assert "Good game" not in refused.content.decode()
    assert len(watching.get(f"{address}?audience=watchers").json()["messages"]) == 1
    resign(bob, game.slug)
    assert [said["text"] for said in playing.get(f"{address}?audience=watchers").json()["messages"]] == ["Good game"]


def test_a_program_that_floods_is_told_to_wait(
    alice: User, bob: User, program: Callable[..., Program], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("accounts.limits.time.time", lambda: 1_800_000_001.0)
    table = open_table(alice, ME, LINK, is_public=False)
    game = join_game(bob, table.slug, token=table.invite_token)
    mine = program(alice, [Scope.TALK])
    answers = [mine.post(f"games/{game.slug}/messages", text=f"line {n}").status_code for n in range(6)]
    assert answers == [200] * 5 + [429]
    assert Player.objects.get(game=game, user=bob).unread_messages == 5


def test_programs_react_to_placements_and_take_it_back(alice: User, bob: User, program: Callable[..., Program]) -> None:
    game = advance(running(alice, bob), random.Random(1))
    placed, seat = game.moves.get(), game.players.exclude(seat=game.moves.get().seat).get()
    other = seat.user
    assert other is not None
    mine, address = program(other, [Scope.TALK]), f"games/{game.slug}/reactions"
    reader = program(other, [Scope.READ])
    assert reader.get(address).json()["code"] == "scope"
    wish = {"number": 1, "reaction": "wow", "placement": placed.placement}
    given = [{"number": 1, "seat": seat.seat, "reaction": "wow"}]
    assert mine.post(address, **wish).json() == mine.get(address).json() == given
    assert mine.post(address, **{**wish, "placement": "1:a1"}).json()["code"] == "stale-game"
    assert mine.post(address, **{**wish, "reaction": "rude"}).json()["field"] == "reaction"
    assert mine.post(f"{address}/drop", number=1).json() == []
