"""A program that has a token of a person."""

import json
from collections.abc import Callable, Collection
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import Scope, User
from accounts.tokens import make_token

ROOT = "/api/v1/"


class Program:
    """Speaks to the API as a program does: JSON, a token, no cookies."""

    def __init__(self, secret: str = "", **headers: str) -> None:
        self.headers = {"Authorization": f"Bearer {secret}", **headers} if secret else headers
        self.client = Client()

    def get(self, path: str, **headers: str) -> Any:
        return self.client.get(ROOT + path, headers={**self.headers, **headers})

    def post(self, path: str, **body: object) -> Any:
        return self.send(path, json.dumps(body))

    def send(self, path: str, body: str | bytes) -> Any:
        return self.client.post(ROOT + path, body, content_type="application/json", headers=self.headers)


@pytest.fixture
def program() -> Callable[..., Program]:
    """Return a maker of programs that act for a person."""

    def made(user: User, scopes: Collection[Scope] = tuple(Scope), **headers: str) -> Program:
        return Program(make_token(user, "a test", scopes, timezone.now()), **headers)

    return made
