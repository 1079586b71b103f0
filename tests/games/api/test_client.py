"""The client for Python: it knows every address and every part of an answer, waits, asks again, and plays."""

import ast
import copy
import io
import itertools
import json
import random
import re
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from email.message import Message
from pathlib import Path
from typing import Any, cast
from urllib import parse

import pytest
from django.test import Client as Browser

from accounts.models import Scope, User
from accounts.tokens import make_token
from clients.python import blockyou
from clients.python.blockyou import Client, Problem
from games.api.site import document
from games.models import Game, Move
from tests.conftest import LogIn
from tests.games.play.pages import read
from tests.games.tables import NOON, due, fresh, play_out, running
from tests.games.views.lists import many
from tools.client_types import kind_of, with_types

#: Addresses that the client has no method for, and why.
WITHOUT_METHOD: dict[tuple[str, str], str] = {}
SOURCE = Path(blockyou.__file__)


def asked_for() -> set[tuple[str, str]]:
    """Return the method and address of every request that the client can send."""
    found = set()
    for node in ast.walk(ast.parse(SOURCE.read_text())):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.args:
            methods = {"_get": "GET", "_lines": "GET", "_post": "POST", "_ask": "GET"}
            path = node.args[-1] if node.func.attr == "_ask" else node.args[0]
            if node.func.attr in methods and not isinstance(path, ast.Name):
                found.add((methods[node.func.attr], re.sub(r"\{.*?\}", "{}", ast.unparse(path).strip("f'\""))))
    return found


def in_document() -> set[tuple[str, str]]:
    return {
        (method.upper(), re.sub(r"\{\w+\}", "{}", path.removeprefix("/api/v1/")))
        for path, methods in document()["paths"].items()
        for method in methods
    }


def test_every_address_has_a_method_and_every_method_an_address() -> None:
    assert asked_for() - in_document() == set()
    assert in_document() - asked_for() == set(WITHOUT_METHOD)


def test_the_types_are_those_of_the_document() -> None:
    source = SOURCE.read_text()
    assert with_types(source, document()) == source, "run `make client`"


def test_a_part_that_is_new_in_the_document_is_new_in_the_client() -> None:
    later = copy.deepcopy(document())
    later["components"]["schemas"]["Me"]["properties"]["rank"] = {"type": "integer", "description": "from 1"}
    begin, _, end = with_types(SOURCE.read_text(), later).partition("    time_zone: str\n    #: from 1\n")
    assert end.startswith("    rank: NotRequired[int]\n\n\nclass ")
    assert SOURCE.read_text().startswith(begin)


@pytest.mark.parametrize(
    ("schema", "kind"),
    [
        ({"type": "string", "format": "date-time"}, "str"),
        ({"anyOf": [{"$ref": "#/components/schemas/TurnOut"}, {"type": "null"}]}, "Turn | None"),
        (
            {"type": "array", "items": {"prefixItems": [{"type": "integer"}] * 2, "type": "array"}},
            "list[tuple[int, int]]",
        ),
        ({"type": "object", "additionalProperties": {"type": "number"}}, "dict[str, float]"),
        ({"type": "object", "additionalProperties": True}, "dict[str, Any]"),
        ({"type": "string", "enum": ["me", "open"]}, 'Literal["me", "open"]'),
        ({"type": "string", "const": "game"}, 'Literal["game"]'),
    ],
    ids=str,
)
def test_what_the_document_calls_a_value_is_a_type_of_python(schema: dict[str, Any], kind: str) -> None:
    assert kind_of(schema) == kind


def test_a_value_that_no_type_fits_is_refused() -> None:
    with pytest.raises(ValueError, match="What type is this"):
        kind_of({"not": {}})


class Site:
    """Answers requests in turn, and remembers them: bodies with their headers, or what goes wrong."""

    def __init__(self, *answers: Any) -> None:
        self.answers, self.asked, self.waited = list(answers), list[urllib.request.Request](), list[float]()

    def urlopen(self, request: urllib.request.Request, timeout: float) -> Any:
        self.asked.append(request)
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer


class Body(io.BytesIO):
    """What `urlopen` returns."""

    def __init__(self, content: object, **headers: str) -> None:
        super().__init__(content if isinstance(content, bytes) else json.dumps(content).encode())
        self.headers = headers


def refused(status: int, body: object, **headers: str) -> urllib.error.HTTPError:
    told = Message()
    for name, value in headers.items():
        told[name.replace("_", "-")] = value
    return urllib.error.HTTPError("http://site", status, "", told, io.BytesIO(json.dumps(body).encode()))


@pytest.fixture
def site(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Site]:
    def made(*answers: Any) -> Site:
        found = Site(*answers)
        monkeypatch.setattr(urllib.request, "urlopen", found.urlopen)
        monkeypatch.setattr("time.sleep", found.waited.append)
        return found

    return made


PLAYED = {"number": 1, "version": 2, "repeated": True}


def test_it_waits_as_long_as_the_site_says(site: Callable[..., Site]) -> None:
    known = site(refused(429, {"code": "too-many"}, Retry_After="7"), Body({"name": "alice"}))
    assert Client("http://site", "secret").me()["name"] == "alice"
    assert (known.waited, len(known.asked)) == ([7.0], 2)
    assert known.asked[1].get_header("Authorization") == "Bearer secret"


def test_it_does_not_wait_longer_than_it_has_patience(site: Callable[..., Site]) -> None:
    known = site(refused(429, {"code": "too-many"}, Retry_After="3600"))
    with pytest.raises(Problem) as problem:
        Client("http://site", patience=60).me()
    assert (problem.value.code, problem.value.retry_after, known.waited) == ("too-many", 3600, [])


@pytest.mark.parametrize(
    "lost", [ConnectionResetError(), urllib.error.URLError("gone"), TimeoutError(), refused(502, "a proxy")], ids=repr
)
def test_a_move_whose_answer_was_lost_is_sent_again_with_its_key(site: Callable[..., Site], lost: Exception) -> None:
    known = site(lost, Body(PLAYED))
    assert Client("http://site").play_placement("abc", 1, id=5)["repeated"]
    first, second = (json.loads(cast(bytes, request.data)) for request in known.asked)
    assert first == second
    assert re.fullmatch(r"[\w-]{8,64}", first["key"])


def test_what_may_not_be_done_twice_is_not_sent_again(site: Callable[..., Site]) -> None:
    known = site(ConnectionResetError())
    with pytest.raises(ConnectionResetError):
        Client("http://site").create_game("duo", [{"kind": "me"}, {"kind": "open"}])
    assert len(known.asked) == 1


def test_a_refusal_is_told_with_all_that_the_site_says_of_it(site: Callable[..., Site]) -> None:
    body = {"code": "illegal-placement", "detail": "No.", "reasons": ["overlap"], "cells": {"overlap": ["a1"]}}
    site(refused(422, body))
    with pytest.raises(Problem) as problem:
        Client("http://site").play_placement("abc", 1, placement="1:a1")
    told = problem.value
    assert (told.status, told.code, told.reasons, told.cells) == (422, body["code"], ("overlap",), body["cells"])


def test_lists_of_ratings_are_asked_for_of_those_who_have_played_lately(site: Callable[..., Site]) -> None:
    known, client = site(Body([]), Body([]), Body([])), Client("http://site")
    client.ratings("duo")
    client.ratings("duo", since="month")
    client.ratings_of_group("club", "trigon", since="year")
    asked = [parse.urlsplit(request.full_url) for request in known.asked]
    assert [each.path.removeprefix("/api/v1/") for each in asked] == [
        "ratings/duo",
        "ratings/duo",
        "groups/club/ratings/trigon",
    ]
    assert [parse.parse_qs(each.query).get("since") for each in asked] == [None, ["month"], ["year"]]


def test_a_game_that_has_not_changed_is_not_read_again(site: Callable[..., Site]) -> None:
    known = site(
        Body({"slug": "abc", "version": 3}, ETag='"3.1"'), refused(304, ""), Body({"slug": "abc", "version": 4})
    )
    client = Client("http://site")
    game = client.game("abc")
    assert client.wait(game, every=2)["version"] == 4
    assert known.asked[1].get_header("If-none-match") == '"3.1"'
    assert known.waited == [2]


def lines(*told: object) -> Body:
    """Return a stream that ends after these lines, an empty one after each."""
    return Body(b"".join(json.dumps(each).encode() + b"\n\n" for each in told))


def test_a_game_is_followed_through_breaks_until_it_is_over(site: Callable[..., Site]) -> None:
    running, later, over = (
        {"version": at, "status": status} for at, status in ((3, "running"), (4, "running"), (6, "finished"))
    )
    known = site(lines(running, later), ConnectionResetError(), refused(503, {}, Retry_After="7"), lines(over))
    assert list(Client("http://site").follow_game("abc")) == [running, later, over]
    assert [request.full_url.rpartition("/")[2] for request in known.asked] == ["stream", *["stream?version=4"] * 3]
    assert known.waited == [0.5, 1.0, 7.0]


def test_a_stream_whose_token_is_revoked_says_so(site: Callable[..., Site]) -> None:
    known = site(lines({"type": "games"}), refused(401, {"code": "token"}))
    told = Client("http://site").follow()
    assert next(told) == {"type": "games"}
    with pytest.raises(Problem) as problem:
        next(told)
    assert (problem.value.code, known.waited) == ("token", [0.5])


@pytest.mark.parametrize(
    ("lost", "raised"),
    [
        (refused(429, {"code": "too-many"}, Retry_After="3600"), Problem),
        (ConnectionResetError(), ConnectionResetError),
    ],
)
def test_a_stream_is_not_waited_for_longer_than_it_has_patience(
    site: Callable[..., Site], lost: Exception, raised: type[Exception]
) -> None:
    known = site(lost)
    with pytest.raises(raised):
        next(Client("http://site", patience=0).follow())
    assert known.waited == []


def test_an_export_that_was_cut_off_goes_on_after_the_last_whole_line(site: Callable[..., Site]) -> None:
    lines = [b'{"slug":"a"}\n', b'{"slug":"b"}\n', b'{"slug":"c"}\n']
    end = b'{"next":"c"}\n'
    known = site(Body(lines[0] + b'{"slug":'), Body(lines[1] + lines[2] + end), Body(b'{"next":""}\n'))
    assert [game["slug"] for game in Client("http://site").export()] == ["a", "b", "c"]
    assert [request.full_url.partition("cursor=")[2] for request in known.asked] == ["", "a", "c"]


@pytest.fixture
def connect(live_server: Any, monkeypatch: pytest.MonkeyPatch) -> Callable[[User], Client]:
    """Return a maker of clients at a site that runs, which lets programs ask as often as they like."""
    monkeypatch.setattr("games.api.door.REQUESTS_A_MINUTE", 100_000)
    return lambda user: Client(live_server.url, make_token(user, "a test", list(Scope), NOON), patience=5)


def turns(client: Client, rng: random.Random) -> Iterator[Game | None]:
    """Play by chance, a move at a time, wherever it is the person's turn, until no game is left."""
    while True:
        games = client.games()
        for game in games["turn"]:
            legal = client.placements(game["slug"])
            client.play_placement(game["slug"], game["number"], id=rng.choice(legal["ids"]))
            yield None
        if not games["turn"] and not games["waiting"]:
            return
        yield None


@pytest.mark.django_db(transaction=True)
def test_two_programs_and_a_person_play_and_one_that_is_killed_goes_on(
    alice: User,
    bob: User,
    carol: User,
    connect: Callable[[User], Client],
    log_in: LogIn,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    game, rng, page = running(alice, bob, carol, variant="codingame-3:10:42"), random.Random(5), log_in(carol)
    bots = {user: turns(connect(user), rng) for user in (alice, bob)}
    is_killed = False
    while fresh(game).status == "running":
        for user in bots:
            if not is_killed and fresh(game).move_count > 5 and fresh(game).turn_user_id == user.pk:
                # Its move has arrived, and the program never hears of it.
                is_killed = True
                kill_after_the_next_move(bots[user], monkeypatch)
                bots[user] = turns(connect(user), rng)
            next(bots[user], None)
        move_on_the_page(page, game, carol)
    assert is_killed
    # Played to its end, which comes here also when all others are blocked and behind; and by nobody else.
    assert fresh(game).reason in {"played-out", "trailing"}
    assert not Move.objects.filter(game=game).exclude(bot="", kind__in=("place", "pass")).exists()
    assert all(len(list(itertools.islice(bot, 5))) < 5 for bot in bots.values())


def kill_after_the_next_move(bot: Iterator[Any], monkeypatch: pytest.MonkeyPatch) -> None:
    """Let a program end between a move and its answer."""
    send = urllib.request.urlopen

    def sent(request: urllib.request.Request, timeout: float) -> Any:
        answer = send(request, timeout=timeout)
        if request.full_url.endswith("/place"):
            answer.close()
            raise KeyboardInterrupt
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(urllib.request, "urlopen", sent)
        with pytest.raises(KeyboardInterrupt):
            # It looks around first: what it does next may be no move.
            list(itertools.islice(bot, 3))


def move_on_the_page(page: Browser, game: Game, user: User) -> None:
    """Place the first piece that the page of placements offers, if it is this person's turn."""
    if fresh(game).turn_user_id != user.pk:
        return
    address = f"/games/{game.slug}/placements/"
    pieces = [link["href"] for link in read(page.get(address)).find_all("a", class_="button")]
    listed = read(page.get(address + next(piece for piece in pieces if piece.startswith("?piece="))))
    button = next(each for each in listed.find_all("button", name="placement"))
    sent = {"number": due(fresh(game)), "placement": button["value"]}
    assert page.post(f"/games/{game.slug}/place/", sent).status_code == 302


@pytest.mark.django_db(transaction=True)
def test_games_are_exported_from_a_site_that_runs(
    alice: User, bob: User, connect: Callable[[User], Client], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.api.finished.MOST_LINES", 2)
    monkeypatch.setattr("games.api.finished.LOT", 1)
    game = play_out(running(alice, bob, variant="codingame-2:8:1"))
    many.finished(4, alice, bob, board="", move_count=0)
    client = connect(alice)
    exported, listed = list(client.export()), list(client.all_finished())
    assert [each["slug"] for each in exported] == [each["slug"] for each in listed]
    found = next(each for each in exported if each["slug"] == game.slug)
    assert found["record"] == json.loads(client.record(game.slug))
    study = client.create_study(found["record"], "An export")
    assert json.loads(client.study_record(study["slug"]))["moves"] == found["record"]["moves"]
