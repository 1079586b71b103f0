"""Whatever goes wrong, a program is answered with a problem: also where Django or the site itself refuses or fails."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import OperationalError
from django.test import Client
from redis import RedisError

from accounts.models import User
from blockyou import failures
from games.api import schemas
from games.api.site import document
from tests.games.api.conftest import Program
from tests.games.tables import fresh, running

pytestmark = pytest.mark.django_db
MOST = 2_621_440


def told(answer: Any) -> tuple[int, str, str]:
    """Return status, type and code of a problem."""
    found = answer.json()
    assert found["status"] == answer.status_code
    return answer.status_code, answer["Content-Type"], found["code"]


def test_a_body_that_is_too_large_is_a_problem(alice: User, program: Callable[..., Program]) -> None:
    answer = program(alice).send("studies", b'"' + b"x" * MOST + b'"')
    assert told(answer) == (413, "application/problem+json", "too-large")


def test_a_form_that_cannot_be_read_is_a_problem(alice: User, program: Callable[..., Program]) -> None:
    asks = program(alice)
    answer = asks.client.post(
        "/api/v1/studies", b"--x", content_type="multipart/form-data; boundary=", headers=asks.headers
    )
    assert told(answer) == (400, "application/problem+json", "bad-request")


@pytest.mark.parametrize("body", ["null", "[]", '"x"', "1", "true", ""])
def test_a_body_that_is_no_object_is_a_problem_also_where_nothing_is_required(
    alice: User, bob: User, body: str, program: Callable[..., Program]
) -> None:
    game = running(alice, bob)
    answer = program(alice).send(f"games/{game.slug}/resign", body)
    assert (told(answer), fresh(game).status) == ((400, "application/problem+json", "bad-request"), "running")


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("join", {"seat": False}),
        ("join", {"seat": "0"}),
        ("resign", {"number": True}),
        ("rematch", {"rotated": 0}),
        ("place", {"number": 1.0, "placement": "1:a1"}),
    ],
)
def test_a_part_of_another_type_is_no_such_part(
    alice: User, bob: User, path: str, body: dict[str, object], program: Callable[..., Program]
) -> None:
    game = running(alice, bob)
    answer = program(alice).post(f"games/{game.slug}/{path}", **body)
    assert told(answer) == (400, "application/problem+json", "bad-request")
    assert answer.json()["field"] == next(iter(body))


@pytest.mark.parametrize("path", ["games/a%0Ab/nothing", "%0A", "games/a%2Fb", "nothing\r\n"])
def test_an_address_with_a_line_end_is_nowhere_as_any_other(path: str) -> None:
    assert told(Program().get(path)) == (404, "application/problem+json", "not-found")


@pytest.mark.parametrize(
    ("error", "status", "code"),
    [
        (OperationalError("no server"), 503, "out-of-service"),
        (RedisError("no server"), 503, "out-of-service"),
        (ZeroDivisionError(), 500, "fault"),
    ],
)
def test_a_site_that_fails_says_so_to_programs(
    error: Exception, status: int, code: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_anything: object) -> None:
        raise error

    monkeypatch.setattr(failures, "is_out_of_service", lambda found: isinstance(found, OperationalError))
    monkeypatch.setattr(schemas, "line_of", fail)
    answer = Client(raise_request_exception=False).get("/api/v1/variants")
    assert told(answer) == (status, "application/problem+json", code)
    assert answer.has_header("Retry-After") is (status == 503)


def test_the_document_says_what_a_condition_and_a_file_are_answered_with() -> None:
    paths = document()["paths"]
    game, record = paths["/api/v1/games/{slug}"]["get"], paths["/api/v1/games/{slug}/record"]["get"]
    assert "content" not in game["responses"][304]
    assert [each["name"] for each in game["parameters"] if each["in"] == "header"] == ["If-None-Match"]
    assert list(record["responses"][200]["content"]) == ["application/json", "application/x-blokus-sgf"]
