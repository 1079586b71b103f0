"""How many sockets are open for each login and each address, in all web processes together.

Each process counts its own. With Redis it also keeps them there, a set for each login and address, and says every few
seconds that they are still open: those of a process that was killed are forgotten. While Redis is away each process
counts alone.
"""

import asyncio
import logging
import time
from collections import defaultdict
from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from django.core.exceptions import ImproperlyConfigured, PermissionDenied
from django.http import HttpRequest
from redis import Redis, RedisError
from redis.backoff import NoBackoff
from redis.retry import Retry

from accounts.limits import client

logger = logging.getLogger(__name__)

#: The most sockets open at once, and why:
#: of a login: a page has two, so ten tabs on each of two devices. The sockets of a dead network count for a minute.
#: of an address, of visitors who are not logged in: a page has one, so a school that watches from a hundred tabs.
MOST_OF_LOGIN, MOST_OF_ADDRESS = 40, 100

#: Seconds after which a process says again which sockets it has, and after which silent ones are forgotten.
SAID_EVERY, FORGOTTEN_AFTER = 20.0, 70.0
#: Seconds that Redis has to answer, and in which it is not asked again after it has failed.
ANSWER_SECONDS, PAUSE_SECONDS = 1.0, 5.0


class Roll:
    """The open sockets of this process by whose they are, and those of all processes where Redis keeps them."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.own: defaultdict[str, set[str]] = defaultdict(set)
        self._saying: asyncio.Task[None] | None = None
        self._ask_again_at = 0.0

    async def enter(self, whose: str, most: int, socket: str) -> bool:
        """Count a socket; return False without counting it where there are as many as allowed."""
        if len(self.own[whose]) >= most:
            return False
        self.own[whose].add(socket)
        if settings.REDIS_URL:
            if self._saying is None or self._saying.done():
                self._saying = asyncio.create_task(self._say_again())
            if await _in_thread(self._count)(whose, socket) > most:
                await self.leave(whose, socket)
                return False
        return True

    async def leave(self, whose: str, socket: str) -> None:
        """Count a socket no more; harmless for one that was not counted."""
        self.own[whose].discard(socket)
        if not self.own[whose]:
            del self.own[whose]
        if settings.REDIS_URL:
            await _in_thread(self._ask)(lambda redis: redis.zrem(_key(whose), socket))

    def say(self) -> None:
        """Say to Redis which sockets are open here. One query."""
        kept = {whose: [*sockets] for whose, sockets in list(self.own.items()) if sockets}

        def keep(redis: Redis) -> None:
            with redis.pipeline(transaction=False) as pipeline:
                for whose, sockets in kept.items():
                    pipeline.zadd(_key(whose), dict.fromkeys(sockets, self.clock()))
                    pipeline.expire(_key(whose), int(FORGOTTEN_AFTER))
                pipeline.execute()

        self._ask(keep)

    async def _say_again(self) -> None:
        while self.own:
            await asyncio.sleep(SAID_EVERY)
            await _in_thread(self.say)()

    def _count(self, whose: str, socket: str) -> int:
        """Keep the socket in Redis; return how many it has now, 0 where it does not answer."""

        def count(redis: Redis) -> int:
            key, now = _key(whose), self.clock()
            with redis.pipeline() as pipeline:
                pipeline.zremrangebyscore(key, "-inf", now - FORGOTTEN_AFTER)
                pipeline.zadd(key, {socket: now})
                pipeline.expire(key, int(FORGOTTEN_AFTER))
                pipeline.zcard(key)
                return int(pipeline.execute()[-1])

        return int(self._ask(count) or 0)

    def _ask(self, question: Callable[[Redis], object]) -> Any:
        """Return the answer of Redis, None where it fails or has just failed."""
        if time.monotonic() < self._ask_again_at:
            return None
        try:
            return question(_connect(settings.REDIS_OPTIONS["url"]))
        except RedisError as error:
            self._ask_again_at = time.monotonic() + PAUSE_SECONDS
            logger.warning("Redis does not answer (%s): this process counts sockets alone.", type(error).__name__)
            return None


#: Of this process.
roll = Roll()


def place_of(scope: Mapping[str, Any]) -> tuple[str, int]:
    """Return by what a socket is counted, its login or else its address, and how many there may be."""
    if scope["user"].is_authenticated:
        return f"login:{scope['user'].pk}", MOST_OF_LOGIN
    return f"address:{address_of(scope)}", MOST_OF_ADDRESS


def address_of(scope: Mapping[str, Any]) -> str:
    """Return the address by which the visitor of a socket or a request is counted, as `accounts.limits` does; empty if
    it has none.
    """
    request = HttpRequest()
    headers = dict(scope["headers"])
    request.META["REMOTE_ADDR"] = (scope.get("client") or ("",))[0]
    if forwarded := headers.get(b"x-forwarded-for"):
        request.META["HTTP_X_FORWARDED_FOR"] = forwarded.decode("latin-1")
    try:
        return client(request)
    except (PermissionDenied, ImproperlyConfigured, ValueError):
        return ""


def _key(whose: str) -> str:
    return f"{settings.REDIS_OPTIONS['prefix']}:sockets:{whose}"


def _in_thread(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function to await: Redis may take a second, for which no page's thread has to wait."""
    return sync_to_async(function, thread_sensitive=False)


@cache
def _connect(url: str) -> Redis:
    return Redis.from_url(
        url, socket_connect_timeout=ANSWER_SECONDS, socket_timeout=ANSWER_SECONDS, retry=Retry(NoBackoff(), 0)
    )
