"""Two installations on one Redis do not hear each other; HSTS binds no other site unasked."""

import json
import os
import secrets
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[3]
ASK = """import json; from django.conf import settings as s; print(json.dumps([
    s.CACHES["default"].get("KEY_PREFIX"), s.CHANNEL_LAYERS["default"]["CONFIG"].get("prefix"),
    s.SECURE_HSTS_SECONDS, s.SECURE_HSTS_INCLUDE_SUBDOMAINS, s.SECURE_HSTS_PRELOAD]))"""


def settings_with(**environment: str) -> list[Any]:
    """Return what production's settings come to: prefixes of cache and messages, then HSTS."""
    own = {"DJANGO_SETTINGS_MODULE": "blockyou.settings.prod", "REDIS_URL": "redis://127.0.0.1:1", **environment}
    answer = subprocess.run(
        [sys.executable, "-c", ASK], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True,
    )  # fmt: skip
    found: list[Any] = json.loads(answer.stdout)
    return found


def test_each_installation_has_its_own_prefixes_and_keeps_them() -> None:
    one, other = secrets.token_urlsafe(64), secrets.token_urlsafe(64)
    cache, messages, *_ = settings_with(SECRET_KEY=one)
    assert (cache, messages) == tuple(settings_with(SECRET_KEY=one)[:2])
    assert not {cache, messages} & {*settings_with(SECRET_KEY=other)[:2], None, "", "asgi"}


@pytest.mark.parametrize(
    ("asked", "promised"), [({}, [False, False]), ({"HSTS_SUBDOMAINS": "on", "HSTS_PRELOAD": "on"}, [True, True])]
)
def test_subdomains_and_preload_lists_are_promised_only_on_request(asked: dict[str, str], promised: list[bool]) -> None:
    secret = secrets.token_urlsafe(64)
    found = settings_with(SECRET_KEY=secret, PUBLIC_URL="https://blockyou.example.org", **asked)
    assert found[2:] == [63072000, *promised]
