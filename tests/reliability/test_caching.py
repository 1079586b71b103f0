"""Who may keep an answer: what the site tells a person is kept by no cache, whatever the address."""

from typing import Any

import pytest
from django.test import Client

from tests.reliability.knock import knock
from tests.reliability.matrix import NOWHERE, cases, names
from tests.reliability.world import World

pytestmark = [pytest.mark.django_db, pytest.mark.same_queries]


@pytest.mark.parametrize("name", names())
@pytest.mark.slow
def test_no_cache_keeps_what_the_site_tells_a_person(world: World, name: str) -> None:
    """What carries a tag is private, and asked for again each time."""
    kept = []
    for state, kind, game in cases(world, name):
        for role in ("alice", "guest") if state in {"running", NOWHERE} else ():
            answer = knock(world, role, "GET", name, game)
            directives = {word.strip() for word in answer.get("Cache-Control", "").split(",")}
            is_tagged = "ETag" in answer and {"private", "no-cache"} <= directives
            if is_personal(world, role, answer) and "no-store" not in directives and not is_tagged:
                kept.append(f"{state} {kind} as {role}: {answer.get('Cache-Control')}")
    assert kept == []


def is_personal(world: World, role: str, answer: Any) -> bool:
    """Return whether the answer is a page for a login, or has the person's name in it."""
    body = answer.getvalue()
    return bool(body) and (answer.get("X-Login", "none") != "none" or world.people[role].username.encode() in body)


@pytest.mark.parametrize("page", ["/", "/rules/", "/lobby/", "/learn/"])
def test_a_visitor_may_keep_what_says_nothing_of_anybody(client: Client, page: str) -> None:
    answer = client.get(page)
    assert (answer.status_code, "no-store" in answer.get("Cache-Control", "")) == (200, False)
