"""A program keeps games: the record of one, the finished ones in pages, and all of them line by line."""

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.test import Client

from accounts.models import Scope, User
from accounts.tokens import make_token
from blockyou.asgi import http
from games.api import finished
from games.models import Game
from games.rules.records import read
from tests.games.api.conftest import Program
from tests.games.tables import NOON, play_out, running
from tests.games.views.lists import many

pytestmark = [pytest.mark.django_db, pytest.mark.database]

MakeProgram = Callable[..., Program]


@pytest.fixture
def game(alice: User, bob: User) -> Game:
    """Return a game that was played to its end."""
    return play_out(running(alice, bob, variant="duo"))


def lines(answer: Any) -> list[dict[str, Any]]:
    """Return what was sent line by line."""
    return [json.loads(line) for line in answer.getvalue().decode().splitlines()]


def test_the_record_is_the_file_that_the_page_offers(alice: User, game: Game, program: MakeProgram) -> None:
    for kind in ("json", "blksgf"):
        answer = program(alice).get(f"games/{game.slug}/record?format={kind}")
        page = Client().get(f"/games/{game.slug}/record.{kind}")
        assert (answer.content, answer["Content-Type"]) == (page.content, page["Content-Type"])
        assert len(read(answer.content).record.moves) == game.move_count


@pytest.mark.parametrize(
    ("query", "status", "code"), [("?format=png", 400, "bad-request"), ("?format=blksgf", 404, "no-blksgf")]
)
def test_a_file_that_there_is_not_is_refused(
    alice: User, bob: User, program: MakeProgram, query: str, status: int, code: str
) -> None:
    game = running(alice, bob, variant="codingame-2:10:42")
    answer = program(alice).get(f"games/{game.slug}/record{query}")
    assert (answer.status_code, answer.json()["code"]) == (status, code)


def test_a_finished_game_is_told_as_it_went_for_me(alice: User, bob: User, game: Game, program: MakeProgram) -> None:
    [mine] = program(alice).get("me/games").json()["games"]
    assert (mine["slug"], mine["variant"], mine["reason"], mine["moves"]) == (
        game.slug,
        "duo",
        "played-out",
        game.move_count,
    )
    scores = {player.seat: player.score for player in game.players.all()}
    assert {seat["seat"]: seat["score"] for seat in mine["seats"]} == scores
    assert [seat["occupant"]["name"] for seat in mine["seats"]] == ["alice", "bob"]
    assert (mine["me"], mine["result"] == "won") == (0, mine["seats"][0]["winner"] and not mine["seats"][1]["winner"])
    assert program(bob).get("me/games").json()["games"][0]["me"] == 1


def test_pages_show_every_game_once_also_when_another_ends_meanwhile(
    alice: User, bob: User, program: MakeProgram
) -> None:
    games, mine = many.finished(5, alice, bob), program(alice)
    first = mine.get("me/games?limit=2").json()
    many.finished(1, alice, bob, finished_at=games[-1].finished_at)
    second = mine.get(f"me/games?limit=2&cursor={first['next']}").json()
    last = mine.get(f"me/games?limit=2&cursor={second['next']}").json()
    shown = [line["slug"] for page in (first, second, last) for line in page["games"]]
    assert shown == [game.slug for game in reversed(games)]
    assert last["next"] == ""


@pytest.mark.parametrize(("query", "field"), [("cursor=aaaaaaaaaa", "cursor"), ("limit=0", "limit")])
@pytest.mark.parametrize("path", ["me/games", "me/games.ndjson"])
def test_a_place_in_the_list_that_is_none_is_refused(
    alice: User, bob: User, program: MakeProgram, path: str, query: str, field: str
) -> None:
    if path == "me/games.ndjson" and field == "limit":
        query, field = f"cursor={running(alice, bob).slug}", "cursor"
    answer = program(alice).get(f"{path}?{query}")
    assert (answer.status_code, answer.json()["field"]) == (400, field)


def test_a_page_costs_as_much_for_many_games_as_for_few(
    alice: User, bob: User, program: MakeProgram, django_assert_num_queries: Any
) -> None:
    mine = program(alice)
    many.finished(3, alice, bob)
    mine.get("me/games")
    with django_assert_num_queries(4):
        mine.get("me/games")
    many.finished(40, alice, bob)
    with django_assert_num_queries(4):
        mine.get("me/games?limit=40")


def test_the_export_has_every_game_with_its_record_in_lines(
    alice: User, bob: User, carol: User, game: Game, program: MakeProgram
) -> None:
    running(alice, bob)
    play_out(running(bob, carol, variant="duo"))
    line, end = lines(program(alice).get("me/games.ndjson"))
    assert end == {"next": ""}
    assert line["slug"] == game.slug
    assert line["record"] == json.loads(program(alice).get(f"games/{game.slug}/record").content)
    assert {key: line[key] for key in line if key != "record"} == program(alice).get("me/games").json()["games"][0]


def test_a_long_export_goes_on_where_it_ended(
    alice: User, bob: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "LOT", 2)
    monkeypatch.setattr(finished, "MOST_LINES", 4)
    games, mine = many.finished(6, alice, bob, board="", move_count=0), program(alice)
    *first, end = lines(mine.get("me/games.ndjson"))
    *second, last = lines(mine.get(f"me/games.ndjson?cursor={end['next']}"))
    assert [line["slug"] for line in (*first, *second)] == [game.slug for game in reversed(games)]
    assert (len(first), last) == (4, {"next": ""})


def test_exports_are_counted_with_the_files_of_the_site(
    alice: User, program: MakeProgram, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.api.endpoints.records.FILES_AN_HOUR", 1)
    mine = program(alice)
    assert [mine.get("me/games.ndjson").status_code for _ in range(2)] == [200, 429]


@pytest.mark.django_db(transaction=True)
def test_lines_are_sent_while_the_next_ones_are_not_yet_read(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(finished, "LOT", 1)
    many.finished(3, alice, bob, board="", move_count=0)
    secret = make_token(alice, "a test", list(Scope), NOON)
    read_so_far: list[int] = []
    told = finished._told

    def noting(lot: Any) -> Any:
        read_so_far.append(len(read_so_far) + 1)
        return told(lot)

    monkeypatch.setattr(finished, "_told", noting)

    async def export() -> list[int]:
        """Return how many games had been read when each part arrived."""
        communicator: Any = ApplicationCommunicator
        path = "/api/v1/me/games.ndjson"
        headers = [(b"host", b"testserver"), (b"authorization", f"Bearer {secret}".encode())]
        scope = {"type": "http", "http_version": "1.1", "method": "GET", "path": path, "query_string": b""}
        program = communicator(http, {**scope, "headers": headers})
        await program.send_input({"type": "http.request"})
        seen = []
        assert (await program.receive_output(10))["status"] == 200
        while (await program.receive_output(10)).get("more_body"):
            seen.append(len(read_so_far))
        await program.wait()
        return seen

    # Django, left alone, has read all four lots before the first part is sent.
    assert asyncio.run(export())[0] < len(read_so_far)
