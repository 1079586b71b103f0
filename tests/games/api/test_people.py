"""A program looks at players and bots, and sees what anybody may see."""

from collections.abc import Callable

import pytest

from accounts.models import User
from games.actions.moves.resign import resign
from games.roster.offered import offered_bots
from tests.games.api.conftest import Program
from tests.games.tables import count_again, play_out, running
from tests.games.views.lists import many

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]


def test_every_bot_that_is_listed_can_be_seated(alice: User, program: MakeProgram) -> None:
    names = [bot["name"] for bot in Program().get("bots").json()]
    assert names == list(offered_bots())
    seats = [{"kind": "me"}, {"kind": "bot", "name": names[0]}]
    assert program(alice).post("games", variant="duo", seats=seats).status_code == 200


def test_a_player_is_told_with_the_games_that_the_viewer_may_see(
    alice: User, bob: User, carol: User, program: MakeProgram
) -> None:
    public = play_out(running(alice, bob, variant="duo"))
    private = play_out(running(alice, carol, variant="duo", is_public=False), 2)
    for viewer, expected in ((None, [public]), (bob, [public]), (carol, [private, public]), (alice, [private, public])):
        asked = program(viewer) if viewer else Program()
        told = asked.get("players/alice").json()
        assert told["won"] + told["tied"] + told["lost"] == len(expected)
        games = asked.get("players/alice/games").json()["games"]
        assert {game["slug"] for game in games} == {game.slug for game in expected}
        assert {game["me"] for game in games} == {0}
    assert told["results"] == [{key: told[key] for key in ("won", "tied", "lost")} | {"variant": "duo"}]


def test_a_program_is_told_how_its_owner_stands_against_a_player(alice: User, bob: User, program: MakeProgram) -> None:
    for loser in (bob, bob, alice):
        resign(loser, running(alice, bob, variant="duo", is_public=False).slug)
    asked = program(alice)
    assert asked.get("players/bob").json()["against_you"] == [{"variant": "duo", "won": 2, "tied": 0, "lost": 1}]
    assert asked.get("players/alice").json()["against_you"] == []
    assert Program().get("players/bob").json()["against_you"] == []


def test_the_games_of_a_player_come_in_pages(alice: User, bob: User) -> None:
    games = many.finished(3, alice, bob)
    count_again()
    first = Program().get("players/bob/games?limit=2").json()
    second = Program().get(f"players/bob/games?limit=2&cursor={first['next']}").json()
    shown = [game["slug"] for page in (first, second) for game in page["games"]]
    assert shown == [game.slug for game in reversed(games)]


@pytest.mark.parametrize("name", ["nobody", "alice%E2%80%8B"])
def test_a_name_that_no_player_has_is_not_found(alice: User, name: str) -> None:
    for path in (f"players/{name}", f"players/{name}/games"):
        answer = Program().get(path)
        assert (answer.status_code, answer.json()["code"]) == (404, "not-found")
