"""The counters that stop who asks too often."""

import pytest
from django.core.cache import cache
from django.test import RequestFactory

from accounts import limits
from accounts.limits import LimitReached, count_use

# They count in the cache, which is Redis where the database is PostgreSQL.
pytestmark = pytest.mark.database


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> list[float]:
    """A clock that stands still until a test moves it."""
    now = [1_000_000_000.0]
    monkeypatch.setattr("accounts.limits.time.time", lambda: now[0])
    return now


def test_the_limit_itself_is_allowed_and_one_more_is_not(clock: list[float]) -> None:
    for _ in range(3):
        count_use("posts:alice", 3, 60)
    with pytest.raises(LimitReached):
        count_use("posts:alice", 3, 60)


def test_keys_count_alone(clock: list[float]) -> None:
    count_use("posts:alice", 1, 60)
    count_use("posts:bob", 1, 60)
    with pytest.raises(LimitReached):
        count_use("posts:bob", 1, 60)


def test_the_refusal_says_when_to_come_back_and_keeps_its_word(clock: list[float]) -> None:
    count_use("posts:alice", 1, 60)
    with pytest.raises(LimitReached) as refusal:
        count_use("posts:alice", 1, 60)
    assert 1 <= refusal.value.retry_after <= 61
    clock[0] += refusal.value.retry_after
    count_use("posts:alice", 1, 60)


def test_a_counter_lost_by_the_cache_starts_again(clock: list[float], monkeypatch: pytest.MonkeyPatch) -> None:
    with monkeypatch.context() as losing:
        losing.setattr(cache, "add", lambda *args, **kwargs: False)
        count_use("posts:alice", 1, 60)
    with pytest.raises(LimitReached):
        count_use("posts:alice", 1, 60)


@pytest.mark.parametrize(
    ("address", "counted"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:aaaa::1", "2001:db8:1:2::"),
        ("2001:db8:1:2:bbbb::2", "2001:db8:1:2::"),
    ],
)
def test_an_ipv6_network_counts_as_one(address: str, counted: str) -> None:
    assert limits.client(RequestFactory().get("/", REMOTE_ADDR=address)) == counted
