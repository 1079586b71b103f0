"""The cache of an installation with Redis: while Redis is away, each process counts for itself.

What is in the cache are the counters of rate limits, ours and allauth's. Without them logging in, signing up and
starting as a guest would fail; with each process's own, a limit is at worst as many times as high as there are
processes.
"""

import logging
import time
from typing import Any

from django.core.cache.backends.base import DEFAULT_TIMEOUT, BaseCache
from django.core.cache.backends.locmem import LocMemCache
from django.core.cache.backends.redis import RedisCache
from redis import RedisError

logger = logging.getLogger(__name__)

#: Seconds in which Redis is not asked again after it has failed: one that hangs must not hold every request.
REDIS_PAUSE_SECONDS = 5.0


def is_without_redis(error: BaseException | None) -> bool:
    """Return whether this is said by Redis or by its absence, for the cache as for the queue of jobs."""
    return isinstance(error, RedisError)


class Outage:
    """Whether Redis is away, as this process knows it, and when it is asked again, on the monotonic clock."""

    is_on = False
    ask_again_at = float("-inf")

    @classmethod
    def begin(cls, error: RedisError) -> None:
        """Note a failure. One line in the log for an outage."""
        if not cls.is_on:
            logger.error("Redis does not answer (%s): limits count in each process alone.", type(error).__name__)
        cls.is_on, cls.ask_again_at = True, time.monotonic() + REDIS_PAUSE_SECONDS

    @classmethod
    def end(cls) -> None:
        """Note an answer."""
        if cls.is_on:
            logger.warning("Redis answers again.")
        cls.is_on = False


class ForgivingCache(BaseCache):
    """Redis while it answers, else this process's memory. The alias takes what Django's own Redis cache takes."""

    def __init__(self, server: str, params: dict[str, Any]) -> None:
        super().__init__(params)
        self._redis = RedisCache(server, params)
        local = {name: value for name, value in params.items() if name != "OPTIONS"}
        self._local = LocMemCache("without-redis", {**local, "OPTIONS": {"MAX_ENTRIES": 100_000}})

    @property
    def is_away(self) -> bool:
        """Return whether the last question to Redis failed."""
        return Outage.is_on

    def server_version(self) -> str:
        """Return the version of Redis, empty where it does not answer."""
        try:
            return str(self._redis._cache.get_client().info("server")["redis_version"])
        except RedisError:
            return ""

    def add(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Store the value unless the key has one; return whether it did."""
        return bool(self._ask("add", key, value, timeout, version))

    def get(self, key: Any, default: Any = None, version: int | None = None) -> Any:
        """Return the value of the key, else the default."""
        return self._ask("get", key, default, version)

    def set(self, key: Any, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        """Store the value."""
        self._ask("set", key, value, timeout, version)

    def touch(self, key: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        """Give the key another time to live; return whether it is there."""
        return bool(self._ask("touch", key, timeout, version))

    def delete(self, key: Any, version: int | None = None) -> bool:
        """Forget the key; return whether it was there."""
        return bool(self._ask("delete", key, version))

    def incr(self, key: Any, delta: int = 1, version: int | None = None) -> int:
        """Add to a number and return it, at once for all processes.

        Raises: ValueError if there is none.
        """
        return int(self._ask("incr", key, delta, version))

    def clear(self) -> None:
        """Forget everything, here and in Redis."""
        self._local.clear()
        self._ask("clear")

    def _ask(self, what: str, *arguments: Any) -> Any:
        if time.monotonic() >= Outage.ask_again_at or not Outage.is_on:
            try:
                answer = getattr(self._redis, what)(*arguments)
            except RedisError as error:
                Outage.begin(error)
            else:
                Outage.end()
                return answer
        return getattr(self._local, what)(*arguments)
