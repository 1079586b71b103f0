"""What is written about the API is true: the document, its page, and the examples of docs/api.md."""

import ast
import io
import itertools
import json
import random
import re
import shlex
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import Resolver404, resolve

from accounts.models import Scope, User
from accounts.tokens import make_token
from games.api.site import document
from games.models import Game
from tests.games.api.conftest import Program
from tests.games.tables import NOON, fresh, play_out, running

ROOT = Path(__file__).resolve().parents[3]
GUIDE = (ROOT / "docs" / "api.md").read_text()
SITE = "http://testserver"
#: Actions of pages alone: about a person's browser, devices and notices, or what is decided where it is read. What no
#: page calls either is done by the site itself.
ON_PAGES_ALONE = {
    *("allow_person", "answer_appeal", "answer_group_channel", "appeal_decision", "ask_for_archive", "ask_to_meet"),
    *(
        "ask_for_reviews",
        "catch_up",
        "choose_notices",
        "decide_case",
        "forget_device",
        "import_studies",
        "keep_device",
        "lift_decision",
    ),
    *("merge_guest", "read_archive", "read_decisions", "read_notices", "remove_group_channel", "remove_person"),
    *("renew_feed", "report_group", "report_study", "set_group_channel"),
}


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", GUIDE, re.DOTALL)


def actions_of(*rooms: str) -> set[str]:
    """Return the actions that rooms of the site import."""
    return {
        node.module.rpartition(".")[2]
        for room in rooms
        for path in (ROOT / "games" / room).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom) and node.module and node.module.startswith("games.actions.")
    }


def test_every_action_of_a_page_has_an_endpoint_or_is_known_to_have_none() -> None:
    assert actions_of("views") - actions_of("api") == ON_PAGES_ALONE


def test_every_action_is_asked_for_by_somebody() -> None:
    named = {path.stem for path in (ROOT / "games" / "actions").rglob("*.py")} - {"__init__"}
    assert len(named) > 100
    assert named - actions_of(".") == set()


def test_every_address_of_the_document_answers_and_says_how_it_fails() -> None:
    found = document()
    assert found["openapi"].startswith("3.1")
    for path, methods in found["paths"].items():
        try:
            resolve(re.sub(r"\{\w+\}", "x", path))
        except Resolver404:
            pytest.fail(f"nothing is at {path}")
        for operation in methods.values():
            failures = {status for status in map(str, operation["responses"]) if status >= "400"}
            assert failures >= {"400", "401", "403", "429", "503"}
            for status in failures:
                assert list(operation["responses"][int(status)]["content"]) == ["application/problem+json"]
            assert operation["description"].strip().endswith(".")
            assert {"Door": []} in operation["security"]


def test_the_document_is_served_to_programs_on_every_site(client: Client) -> None:
    answer = client.get("/api/v1/openapi.json")
    assert answer["Access-Control-Allow-Origin"] == "*"
    assert json.loads(answer.content)["info"]["title"] == "Block-You"


@pytest.mark.django_db
def test_the_page_lists_every_address(client: Client) -> None:
    page = client.get("/api/").content.decode().replace("<wbr>", "")
    assert [path for path in document()["paths"] if path not in page] == []


@pytest.mark.django_db
def test_the_curl_examples_work(alice: User) -> None:
    secret = make_token(alice, "curl", list(Scope), NOON)
    commands = re.sub(r"\\\n\s*", "", blocks("sh")[0]).replace("$TOKEN", secret).splitlines()
    asked = [ask(shlex.split(command)) for command in commands]
    assert [answer.status_code for answer in asked] == [200] * 4
    assert Game.objects.get().variant == "duo"


def ask(words: list[str]) -> Any:
    """Do what a curl command of the guide says."""
    flags = dict(itertools.pairwise(words))
    headers = dict(words[at + 1].split(": ") for at, word in enumerate(words) if word == "-H")
    method, data = flags.get("-X", "GET"), flags.get("-d", "")
    path = words[-1].replace("$SITE", "")
    return Client().generic(method, path, data, "application/json", headers=headers)


class Answer(io.BytesIO):
    """What `urlopen` returns of an answer."""

    headers: Any


@pytest.mark.django_db
def test_the_bot_of_the_guide_plays_a_game_to_its_end(alice: User, bob: User, monkeypatch: pytest.MonkeyPatch) -> None:
    game, rng = running(alice, bob, variant="duo"), random.Random(3)
    client = Client()

    def urlopen(request: urllib.request.Request, timeout: float) -> Answer:
        path, data = request.full_url.removeprefix(SITE), request.data or b""
        told = client.generic(request.get_method(), path, data, "application/json", headers=request.headers)
        assert told.status_code == 200, told.content
        answer = Answer(told.content)
        answer.headers = told.headers
        return answer

    monkeypatch.setenv("SITE", SITE)
    monkeypatch.setenv("TOKEN", make_token(alice, "a bot", list(Scope), NOON))
    monkeypatch.setattr("games.api.door.REQUESTS_A_MINUTE", 100_000)
    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setattr("time.sleep", lambda _seconds: play_out(game, rng, turns=1))
    # Here the site has the name that the file has where it is copied to.
    source = blocks("python")[0].replace("from blockyou import", "from clients.python.blockyou import")
    exec(compile(source, "docs/api.md", "exec"), {})
    assert fresh(game).status == "finished"


class EnoughError(Exception):
    """Ends a bot that would go on for ever."""


@pytest.mark.django_db
def test_the_bot_of_the_guide_that_follows_a_stream_plays_what_waits(
    alice: User, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a server a stream ends with its first line."""
    game, client = running(alice, bob, variant="duo"), Client()
    secret = make_token(alice, "a bot", list(Scope), NOON)

    def urlopen(request: urllib.request.Request, timeout: float = 0) -> Answer:
        path, data = request.full_url.removeprefix(SITE), request.data or b""
        told = client.generic(request.get_method(), path, data, "application/json", headers=request.headers)
        answer = Answer(told.content)
        answer.headers = told.headers
        return answer

    def stop(_seconds: float) -> None:
        raise EnoughError

    monkeypatch.setattr(urllib.request, "urlopen", urlopen)
    monkeypatch.setattr("time.sleep", stop)
    monkeypatch.setenv("SITE", SITE)
    monkeypatch.setenv("TOKEN", secret)
    asks_often, follows = blocks("python")[:2]
    begins = asks_often.partition("\nwhile ")[0].replace("from blockyou import", "from clients.python.blockyou import")
    with pytest.raises(EnoughError):
        exec(compile(f"{begins}\n{follows}", "docs/api.md", "exec"), {})
    assert fresh(game).move_count == 1


@pytest.mark.django_db
def test_codes_in_the_table_are_those_of_the_answers() -> None:
    known = set(re.findall(r"^\| ((?:`[a-z-]+`(?:, )?)+) \| \d{3} \|", GUIDE, re.MULTILINE))
    assert {"`token`", "`bad-request`"} <= known
    assert Program().get("me").json()["code"] == "token"
