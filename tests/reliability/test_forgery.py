"""C3: no other site can make somebody's browser change anything here; looking changes at most what is unread.

Two things ask for no token: the signed link that stops turn e-mails, to which mail programs post on their own (RFC
8058), and the API, for which no cookie of a browser counts (`tests/games/api/test_door.py`).
"""

import re
from typing import Any

import pytest
from django.apps import apps
from django.conf import settings
from django.core.cache import cache
from django.db import connection
from django.db.models import Model
from django.test.utils import CaptureQueriesContext

from accounts.models import Session
from tests.reliability.addresses import addresses
from tests.reliability.knock import send
from tests.reliability.matrix import cases, names
from tests.reliability.world import ROLES, UNSAFE, World, is_about_a_game, legal_body

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]

EXEMPT = {"unsubscribe", *(name for name, path in addresses().items() if "api/v1/" in path)}
ELSEWHERE = "https://evil.example.com"
LOOK_ALIKES = (ELSEWHERE, "https://testserver.evil.example.com", "https://testserver:444", "null", "")


def forgeable() -> list[str]:
    return [name for name in names() if name not in EXEMPT]


def with_token(world: World, role: str) -> dict[str, Any]:
    """Return the header that pages of ours send, and give the browser the cookie that belongs to it."""
    cookies = world.cookies[role]
    if settings.CSRF_COOKIE_NAME not in cookies:
        answer = world.browser(role).get("/lobby/")
        cookies[settings.CSRF_COOKIE_NAME] = answer.cookies[settings.CSRF_COOKIE_NAME].value
    return {"X-CSRFToken": cookies[settings.CSRF_COOKIE_NAME]}


def post(world: World, name: str, method: str, headers: dict[str, str], **options: Any) -> int:
    """Return the status for alice's own browser, sent here by whatever page the headers tell of."""
    game = world.games["running", "public"] if is_about_a_game(name) else None
    path, body = world.path(name, game), legal_body(name, game)
    cache.clear()
    return send(world, "alice", method, path, body, headers=headers, checks_forgery=True, **options).status_code


@pytest.mark.parametrize("name", forgeable())
def test_without_the_token_nothing_is_done(world: World, name: str) -> None:
    assert {method: post(world, name, method, {}) for method in UNSAFE} == dict.fromkeys(UNSAFE, 403)


@pytest.mark.parametrize("name", forgeable())
def test_with_a_wrong_token_nothing_is_done(world: World, name: str) -> None:
    with_token(world, "alice")
    assert post(world, name, "POST", {"X-CSRFToken": "a" * 64}) == 403


@pytest.mark.parametrize("name", forgeable())
def test_a_page_of_another_origin_does_nothing_even_with_the_token(world: World, name: str) -> None:
    headers = with_token(world, "alice")
    found = {origin: post(world, name, "POST", {**headers, "Origin": origin}) for origin in (ELSEWHERE, "null")}
    assert found == {ELSEWHERE: 403, "null": 403}


@pytest.mark.parametrize("name", forgeable())
@pytest.mark.slow
def test_over_https_the_referring_page_has_to_be_ours(world: World, name: str) -> None:
    headers = with_token(world, "alice")
    found = {page: post(world, name, "POST", {**headers, "Referer": page}, secure=True) for page in LOOK_ALIKES}
    assert found == dict.fromkeys(LOOK_ALIKES, 403)


@pytest.mark.parametrize(("header", "scheme"), [("Origin", "http"), ("Origin", "https"), ("Referer", "https")])
def test_a_page_of_ours_with_the_token_is_let_through(world: World, header: str, scheme: str) -> None:
    headers = {**with_token(world, "alice"), header: f"{scheme}://testserver"}
    assert post(world, "game-place", "POST", headers, secure=scheme == "https") == 302


def test_the_link_in_a_mail_stops_the_mails_without_a_token(world: World) -> None:
    assert post(world, "unsubscribe", "POST", {}) == 200
    path = world.path("unsubscribe").replace(":", "x:", 1)
    assert send(world, "nobody", "POST", path, {}).status_code == 404


def rows() -> dict[str, list[tuple[Any, ...]]]:
    """Return every row of every table but the sessions', which a login and the first visit of a day write to."""
    return {
        model._meta.label: sorted(model._default_manager.values_list(), key=repr)
        for model in apps.get_models(include_auto_created=True)
        if model is not Session and _is_stored(model)
    }


def _is_stored(model: type[Model]) -> bool:
    return model._meta.managed and not model._meta.proxy


@pytest.mark.proof
@pytest.mark.parametrize("name", names())
def test_looking_changes_nothing(world: World, name: str) -> None:
    before = rows()
    with CaptureQueriesContext(connection) as queries:
        for _state, _kind, game in cases(world, name):
            for role in ROLES:
                send(world, role, "GET", world.path(name, game), {})
            send(world, "alice", "HEAD", world.path(name, game), {})
    assert rows() == before
    assert [query["sql"] for query in queries if WRITES.match(query["sql"])] == []


# The sessions' table aside: a login writes to it, and the first visit of a day.
WRITES = re.compile(r'(INSERT INTO|UPDATE|DELETE FROM|REPLACE INTO) (?!"accounts_session")', re.IGNORECASE)
