"""Knocking at a door without leaving a trace: every request is rolled back."""

import json
from typing import Any

from django.core.cache import cache
from django.db import transaction

from games.models import Game
from tests.reliability.world import UNSAFE, World, legal_body


def knock(world: World, role: str, method: str, name: str, game: Game | None = None) -> Any:
    """Return what a person in this role is answered; afterwards the database and the counters are as before."""
    cache.clear()
    body = legal_body(name, game) if method in UNSAFE else {}
    with transaction.atomic():
        answer = send(world, role, method, world.path(name, game), body)
        transaction.set_rollback(True)
    return answer


def send(world: World, role: str, method: str, path: str, body: dict[str, Any], **options: Any) -> Any:
    """Send one request in the role's name. Options are those of the test client, `checks_forgery`, and headers.

    The API knows the role by a token, and is sent JSON.
    """
    client = world.browser(role, enforce_csrf_checks=options.pop("checks_forgery", False))
    if path.startswith("/api/v1/"):
        known = {"Authorization": f"Bearer {world.tokens[role]}"} if role in world.tokens else {}
        data = json.dumps(body) if method in UNSAFE else ""
        headers = {**known, **options.pop("headers", {})}
        return client.generic(method, path, data, "application/json", headers=headers, **options)
    if method == "POST":
        return client.post(path, body, **options)
    return client.generic(method, path, **options)
