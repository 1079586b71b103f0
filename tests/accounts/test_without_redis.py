"""Redis away: people come in all the same, limits still count, and the log has one line about it."""

import socket
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from accounts.limits import LimitReached, count_use
from accounts.models import User
from blockyou.cache import Outage
from tests.conftest import PASSWORD


@pytest.fixture(autouse=True)
def without_redis(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the cache be a Redis at a port where nothing answers."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        place = f"redis://127.0.0.1:{taken.getsockname()[1]}"
        settings.CACHES = {"default": {"BACKEND": "blockyou.cache.ForgivingCache", "LOCATION": place}}
        monkeypatch.setattr(Outage, "is_on", False)
        yield
        cache.clear()


@pytest.mark.django_db
def test_a_person_logs_in(alice: User) -> None:
    answer = Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert (answer.status_code, answer["Location"]) == (302, "/games/")


@pytest.mark.django_db
def test_a_person_signs_up() -> None:
    answer = Client().post("/accounts/signup/", {"username": "zoe", "password1": PASSWORD})
    assert (answer.status_code, User.objects.get().username) == (302, "zoe")


@pytest.mark.django_db
def test_a_guest_plays_bots_at_once() -> None:
    assert Client().post("/play-bots/").status_code == 302
    assert User.objects.get().is_guest


def test_limits_hold_in_this_process() -> None:
    count_use("posts:alice", 1, 60)
    with pytest.raises(LimitReached):
        count_use("posts:alice", 1, 60)


def test_the_log_has_one_line_about_it_and_one_when_it_is_over(
    caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(5):
        count_use(f"posts:{number}", 1, 60)
    monkeypatch.setattr(Outage, "ask_again_at", 0.0)
    monkeypatch.setattr("django.core.cache.backends.redis.RedisCache.get", lambda *_: "there")
    assert cache.get("anything") == "there"
    lost, found = [record.getMessage() for record in caplog.records]
    assert "Redis does not answer (ConnectionError)" in lost
    assert found == "Redis answers again."


def test_it_is_asked_again_only_after_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    count_use("posts:alice", 1, 60)
    monkeypatch.setattr("django.core.cache.backends.redis.RedisCache.get", lambda *_: "there")
    assert cache.get("anything") is None


def test_the_health_page_says_so(client: Client) -> None:
    assert client.get("/healthz?only=cache").status_code == 503
