"""How many sockets are open for each login and each address, in all web processes together.

Each process counts its own. With Redis it also says there how many it has of each, and listens to a channel of its own:
Redis knows at once when a process is gone that was killed, and the sockets of such a one count for nobody. Neither do
those of a process that has said nothing for a while, as when its machine is gone. While Redis is away each process
counts alone.
"""

import asyncio
import contextlib
import itertools
import logging
import secrets
import threading
import time
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
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
from games.realtime.heartbeats import OPENING_EVERY, QueryBatcher

logger = logging.getLogger(__name__)

#: The most sockets open at once, and why:
#: of a login: a page has two, so ten tabs on each of two devices. The sockets of a dead network count for a minute.
#: of an address, of visitors who are not logged in: a page has one, so a school that watches from a hundred tabs.
MOST_OF_LOGIN, MOST_OF_ADDRESS = 40, 100

#: Seconds after which a process says again that it is there, and after which the sockets of a silent one count no more.
REPORT_EVERY, SILENT_AFTER = 3.0, 10.0
#: How many times it says only that before it says all numbers again, and after how many seconds Redis forgets these.
SHORT_REPORTS, FORGOTTEN_AFTER = 6, 70.0
#: Seconds that Redis has to answer, and in which it is not asked again after it has failed.
ANSWER_SECONDS, COUNT_PAUSE_SECONDS = 1.0, 5.0


class SocketRegistry:
    """The open sockets of this process by whose they are, and how many the others have where Redis keeps them."""

    def __init__(self, *, clock: Callable[[], float] = time.time) -> None:
        self.clock = clock
        self.name = secrets.token_hex(8)
        self.own: defaultdict[str, set[str]] = defaultdict(set)
        self._reporting: asyncio.Task[None] | None = None
        self._listening: Any = None
        self._lock = threading.Lock()
        self._ask_again_at = 0.0
        self._batcher = QueryBatcher(self.share_counts, every=OPENING_EVERY, uses_database=False)

    async def enter(self, whose: str, most: int, socket: str) -> bool:
        """Count a socket; return False without counting it where there are as many as allowed."""
        if len(self.own[whose]) >= most:
            return False
        self.own[whose].add(socket)
        # Those that come later have higher numbers: of many that come together as many are let in as may be open.
        number = len(self.own[whose])
        if not settings.REDIS_URL:
            return True
        if self._reporting is None or self._reporting.done():
            self._reporting = asyncio.create_task(self._report_again())
        try:
            is_in = number + await self._batcher.answer(whose) <= most
        except asyncio.CancelledError:
            self._forget(whose, socket)
            raise
        if not is_in:
            await self.leave(whose, socket)
        return is_in

    async def leave(self, whose: str, socket: str) -> None:
        """Stop counting a socket; harmless for one that was not counted."""
        self._forget(whose, socket)
        if settings.REDIS_URL:
            await self._batcher.answer(whose)

    def _forget(self, whose: str, socket: str) -> None:
        self.own[whose].discard(socket)
        if not self.own[whose]:
            del self.own[whose]

    def report(self) -> None:
        """Report to Redis that this process is alive, and how many sockets it has of each."""
        self.share_counts([*self.own])

    def drop_connection(self) -> None:
        """Lose the connection by which Redis knows that this process is there, as when the process is killed."""
        if self._listening is not None:
            self._listening.connection.disconnect()

    async def _report_again(self) -> None:
        for number in itertools.count(1):
            await asyncio.sleep(REPORT_EVERY)
            if not self.own:
                return
            asked = [] if number % (SHORT_REPORTS + 1) else [*self.own]
            await sync_to_async(self.share_counts, thread_sensitive=False)(asked)

    def share_counts(self, asked: Sequence[str]) -> list[int]:
        """Report how many sockets of each of these are open here; return how many are elsewhere, 0 if Redis is away."""
        with self._lock:
            kept = {whose: len(self.own.get(whose, ())) for whose in asked}
            found = self._ask(lambda redis: self._exchange(redis, kept)) or {}
        return [found.get(whose, 0) for whose in asked]

    def _exchange(self, redis: Redis, kept: Mapping[str, int]) -> dict[str, int]:
        """Keep these numbers in Redis; return the sums of those of the other processes that are there."""
        self._listen(redis)
        now = self.clock()
        with redis.pipeline(transaction=False) as pipeline:
            pipeline.zadd(_key("processes"), {self.name: now})
            pipeline.zremrangebyscore(_key("processes"), "-inf", now - SILENT_AFTER)
            pipeline.zrange(_key("processes"), 0, -1)
            for whose, number in kept.items():
                key = _key(whose)
                if number:
                    pipeline.hset(key, self.name, str(number))
                else:
                    pipeline.hdel(key, self.name)
                pipeline.expire(key, int(FORGOTTEN_AFTER))
                pipeline.hgetall(key)
            _added, _removed, names, *rest = pipeline.execute()
        numbers: dict[str, dict[bytes, bytes]] = dict(zip(kept, rest[2::3], strict=True))
        silent = {name for found in numbers.values() for name in found}.difference(names)
        there = {channel for channel, number in redis.pubsub_numsub(*map(_channel, names)) if number}
        others = {name for name in names if _channel(name) in there and name.decode() != self.name}
        if silent:
            with redis.pipeline(transaction=False) as pipeline:
                for whose in kept:
                    pipeline.hdel(_key(whose), *silent)
                pipeline.execute()
        return {
            whose: sum(int(number) for name, number in found.items() if name in others)
            for whose, found in numbers.items()
        }

    def _listen(self, redis: Redis) -> None:
        """Keep a connection by which Redis knows that this process is there; nothing is ever said over it."""
        if self._listening is not None:
            with contextlib.suppress(RedisError):
                # Reads that it has subscribed, and later nothing; subscribes anew over a connection that was lost.
                self._listening.get_message(timeout=0)
                return
        self._listening = redis.pubsub()  # type: ignore[no-untyped-call]
        self._listening.subscribe(_channel(self.name.encode()))

    def _ask(self, question: Callable[[Redis], Any]) -> Any:
        """Return the answer of Redis, None where it fails or has just failed."""
        if time.monotonic() < self._ask_again_at:
            return None
        try:
            return question(_connect(settings.REDIS_OPTIONS["url"]))
        except RedisError as error:
            self._listening = None
            self._ask_again_at = time.monotonic() + COUNT_PAUSE_SECONDS
            logger.warning("Redis does not answer (%s): this process counts sockets alone.", type(error).__name__)
            return None


#: Of this process.
registry = SocketRegistry()


def counted_by(scope: Mapping[str, Any]) -> tuple[str, int]:
    """Return the key by which a socket is counted, its login or else its address, and the limit."""
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
    return f"{settings.REDIS_OPTIONS['prefix']}:open:{whose}"


def _channel(process: bytes) -> bytes:
    return _key(f"process:{process.decode()}").encode()


@cache
def _connect(url: str) -> Redis:
    return Redis.from_url(
        url, socket_connect_timeout=ANSWER_SECONDS, socket_timeout=ANSWER_SECONDS, retry=Retry(NoBackoff(), 0)
    )
