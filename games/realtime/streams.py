"""Streams: what has changed, line after line, as the answer to one request that stays open.

Django opens a stream as it answers any other request: headers, token, limits, doors and the first lines. Then it is
done, and gives its thread and its database connection back; what follows is written here, where waiting costs neither.

A stream joins its groups before its first lines are read: a change in between is then told twice instead of never. It
keeps no queue: whatever has happened while its reader was slow, the next lines say how things are.
"""

import asyncio
import contextlib
import logging
from abc import ABC, abstractmethod
from collections import defaultdict
from collections.abc import Hashable, Mapping, Sequence
from enum import IntEnum
from typing import Any, NamedTuple

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from redis import RedisError

from accounts.tokens import tokens_that_hold
from games.base.access import Viewer
from games.errors import GameError, TooMany
from games.realtime import groups
from games.realtime.heartbeats import QueryBatcher
from games.realtime.open_sockets import counted_by, registry
from games.realtime.origin import App, AsgiScope, Receive, Send

logger = logging.getLogger(__name__)

#: Seconds after which a stream that has nothing to say sends an empty line, so that both ends and every proxy between
#: them know that the other one is there.
KEEP_ALIVE = 15.0
#: Seconds from one question whether the token holds and the game may be seen to the next; nobody is told when a game is
#: made private. With the time that an answer takes, no stream outlives its token by more than a minute.
CHECK_EVERY = 50.0
#: Seconds within which such questions are asked together. None of them is urgent.
ROUND_SECONDS = 5.0
#: Seconds in which a stream has to be counted and to have joined its groups: a thread of Django's waits for it.
ENTRY_SECONDS = 2.0
#: Seconds in which a reader has to take what is sent.
READER_SECONDS = 60.0
#: How many different things are read at a time for streams that are told of them: the thread that reads them has others
#: to answer in between.
READ_AT_ONCE = 20

EMPTY_LINE = b"\n"
TOO_MANY = _("Too many streams and pages are open for this account, or at this address. Close one of them first.")
_KEY = "blockyou.stream"
#: In a message of a stream for the server: whether it is to wait until the reader has room for more; and in the last
#: one, why it ends.
WAITS, ENDS = "blockyou.waits", "blockyou.ends"


class End(IntEnum):
    """Why a stream ends, as the close code that a socket says it with; a plain answer only ends.

    The last ones are 4000 and the status by which a plain answer would say the same.
    """

    NOTHING_MORE = 1000
    UNEXPECTED_INPUT = 4008
    RESTARTING = 4012
    TOKEN_ENDED = 4401
    NOT_FOUND = 4404
    TOO_SLOW = 4408
    FAILED = 4500
    UNREACHABLE = 4503


class Update(NamedTuple):
    """What a reader is sent: the `version` of what is shown, the lines that show it, and whether nothing comes later.

    `known` is what the reader then knows, where that counts for what is said next.
    """

    version: object
    lines: bytes
    is_last: bool = False
    known: object = None


class Topic(ABC):
    """What a stream tells, and to whom: `token` is the key of the token that opened it, None for nobody's."""

    def __init__(self, user: Viewer, token: int | None) -> None:
        self.user, self.token = user, token
        #: What the reader knows by what was said last (`Update.known`).
        self.known: Any = None

    @property
    @abstractmethod
    def group(self) -> str:
        """Return the group that hears of every change."""

    @property
    def key(self) -> Hashable:
        """Return a key; topics with equal keys are sent the same."""
        return self

    @abstractmethod
    def news(self) -> Update:
        """Return the update to send now. Queries.

        Raises:
            GameError: its reader may not see it.

        """

    @classmethod
    @abstractmethod
    def versions(cls, topics: Sequence[Any]) -> list[object]:
        """Return the version of each of these topics of one kind, None where it may not be seen, by queries for all."""


class UnreachableError(Exception):
    """A stream could not be notified of changes: Redis is unreachable."""


class Stream:
    """An open request whose answer goes on. It is followed once it has a topic."""

    def __init__(self) -> None:
        self.topic: Topic | None = None
        self.request: HttpRequest | None = None
        self.version: object = None
        #: By what it is counted, empty before it is.
        self.whose = self.channel = ""
        self.groups: tuple[str, ...] = ()
        self.is_behind = self.is_doubted = False
        self.ended: End | None = None
        self.woken = asyncio.Event()

    async def enter(self, topic: Topic, whose: str, most: int) -> None:
        """Count this stream, and subscribe it to changes.

        Raises:
            TooMany: as many are open as there may be.
            UnreachableError: nothing would tell it.

        """
        try:
            async with asyncio.timeout(ENTRY_SECONDS):
                await self._join(topic, whose, most)
        except (RedisError, TimeoutError) as gone:
            raise UnreachableError from gone

    async def _join(self, topic: Topic, whose: str, most: int) -> None:
        layer: Any = get_channel_layer()
        self.channel = await layer.new_channel()
        joined = (topic.group, *([groups.login_group(topic.user.pk)] if topic.user.pk else []))
        self.whose = whose
        try:
            if not await registry.enter(whose, most, self.channel):
                self.whose = ""
                raise TooMany(TOO_MANY)
            self.groups = joined
            for group in joined:
                await layer.group_add(group, self.channel)
        finally:
            if self.ended:
                # Its reader has gone meanwhile, and it has been left before it was entered.
                self.whose, self.groups = whose, joined
                await self.leave()
        if topic.token is not None:
            # Its token may have been revoked before it could be told.
            self.is_doubted = True
            self.woken.set()

    async def leave(self) -> None:
        """Undo `enter`; harmless for a stream that was not entered."""
        layer: Any = get_channel_layer()
        whose, joined, self.whose, self.groups = self.whose, self.groups, "", ()
        if whose:
            await registry.leave(whose, self.channel)
        for group in joined:
            # The layer has forgotten the member before it says so to Redis.
            with contextlib.suppress(RedisError):
                await layer.group_discard(group, self.channel)

    def end(self, why: End = End.NOTHING_MORE) -> None:
        """End the stream: it sends nothing more but why it ends."""
        self.ended = self.ended or why
        self.woken.set()

    def forget_request(self) -> None:
        """Release the request, which has been answered: 14 KiB.

        What middleware has hung on it refers back to it, so it would be there until the next full garbage collection.
        """
        if self.request is not None:
            vars(self.request).clear()
            self.request = None

    async def follow(self, topic: Topic, receive: Receive, send: Send) -> None:
        """Send what changes until nothing more comes, the reader has gone, or may not see it any more."""
        helpers = [asyncio.create_task(self._hear()), asyncio.create_task(self._wait_for_end(receive))]
        why = End.FAILED
        try:
            why = await self._speak(topic, send)
        except TimeoutError:
            logger.info("A stream ends: its reader does not read.")
            why = End.TOO_SLOW
        except Exception:
            # Once an answer has begun there is no other way to tell than to end it; whoever comes back is told.
            logger.exception("A stream failed.")
        finally:
            for helper in helpers:
                helper.cancel()
            await asyncio.gather(*helpers, return_exceptions=True)
        await send({"type": "http.response.body", "body": b"", "more_body": False, ENDS: why})

    async def _hear(self) -> None:
        """Note what the groups are told; however many messages there are, one look at the game answers them all."""
        layer: Any = get_channel_layer()
        try:
            while True:
                message = await layer.receive(self.channel)
                if message["type"] == "login.check":
                    self.is_doubted = True
                else:
                    self.is_behind = True
                self.woken.set()
        except RedisError as gone:
            logger.warning("Redis does not answer (%s): a stream ends.", type(gone).__name__)
            self.end(End.UNREACHABLE)

    async def _wait_for_end(self, receive: Receive) -> None:
        while not self.ended:
            if (await receive())["type"] == "http.disconnect":
                self.end()

    async def _speak(self, topic: Topic, send: Send) -> End:
        clock = asyncio.get_running_loop().time
        speaks_at, asks_at = clock() + KEEP_ALIVE, clock() + CHECK_EVERY
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout_at(min(speaks_at, asks_at)):
                    await self.woken.wait()
            self.woken.clear()
            if not self.ended and (self.is_doubted or clock() >= asks_at):
                await self._check(topic)
                asks_at = clock() + CHECK_EVERY
            news = await self._news(topic) if self.is_behind and not self.ended else Update(self.version, b"")
            if self.ended:
                return self.ended
            lines = news.lines or (EMPTY_LINE if clock() >= speaks_at else b"")
            if lines:
                async with asyncio.timeout(READER_SECONDS):
                    await send({"type": "http.response.body", "body": lines, "more_body": True, WAITS: True})
                speaks_at = clock() + KEEP_ALIVE
            if news.is_last:
                return End.NOTHING_MORE

    async def _check(self, topic: Topic) -> None:
        """End it where its token or its reader's right has ended; note whether it has missed a change."""
        rounds = _doubts if self.is_doubted else _checks
        self.is_doubted = False
        version = await rounds.answer(topic)
        if isinstance(version, End):
            self.end(version)
        elif version != self.version:
            self.is_behind = True

    async def _news(self, topic: Topic) -> Update:
        """Return what is to be said of what has changed, no lines for nothing; end it where that may not be seen."""
        self.is_behind = False
        news = await _changes.answer(topic)
        if news is None:
            self.end(End.NOT_FOUND)
        elif news.version != self.version:
            self.version = news.version
            return news
        return Update(self.version, b"")


def topic_versions(topics: Sequence[Topic]) -> list[object]:
    """Return the version of each topic, or why it ends: its token or its reader's right has. Five queries at most."""
    holding = tokens_that_hold({topic.token for topic in topics if topic.token is not None})
    kinds: defaultdict[type[Topic], list[int]] = defaultdict(list)
    for index, topic in enumerate(topics):
        if topic.token is None or topic.token in holding:
            kinds[type(topic)].append(index)
    answers: list[object] = [End.TOKEN_ENDED] * len(topics)
    for kind, indices in kinds.items():
        for index, version in zip(indices, kind.versions([topics[index] for index in indices]), strict=True):
            answers[index] = End.NOT_FOUND if version is None else version
    return answers


def read_topics(topics: Sequence[Topic]) -> list[Update | None]:
    """Return each topic's update, None where its reader may no longer see it; topics with equal keys are asked once."""
    found: dict[Hashable, Update | None] = {}
    answers = []
    for topic in topics:
        key = topic.key
        if key not in found:
            try:
                found[key] = topic.news()
            except GameError:
                found[key] = None
        if said := found[key]:
            topic.known = said.known
        answers.append(found[key])
    return answers


_doubts = QueryBatcher(topic_versions)
_checks = QueryBatcher(topic_versions, every=ROUND_SECONDS)
_changes = QueryBatcher(read_topics, every=0.0, most=READ_AT_ONCE, key=lambda topic: topic.key)

#: The streams of this process.
_open: set[Stream] = set()


def end_streams() -> None:
    """End every stream of this process, which ends itself: its reader comes back elsewhere."""
    for stream in _open:
        stream.end(End.RESTARTING)


def open_stream(request: HttpRequest, topic: Topic) -> Update:
    """Return the first lines of an answer that goes on after them, unless they are the last ones.

    Without `streaming` around Django, as where a request only asks for the head, the answer ends with them.

    Raises:
        TooMany: this person, or this address, has as many streams and sockets open as there may be.
        UnreachableError: nothing would tell the stream of changes.
        GameError: `topic` has nothing to say to this reader.

    """
    scope = getattr(request, "scope", {})
    stream: Stream | None = scope.get(_KEY)
    if stream is None:
        return topic.news()
    async_to_sync(stream.enter)(topic, *counted_by({**scope, "user": topic.user}))
    news = topic.news()
    topic.known = news.known
    if not news.is_last:
        stream.request, stream.topic, stream.version = request, topic, news.version
    return news


def streaming(app: App) -> App:
    """Return the ASGI application whose answers at addresses that end with `/stream` may go on after Django."""

    async def answered(scope: AsgiScope, receive: Receive, send: Send) -> None:
        if scope["method"] != "GET" or not scope["path"].endswith("/stream"):
            await app(scope, receive, send)
            return
        stream = Stream()
        # Lines that were compressed together would wait for each other.
        headers = [(name, value) for name, value in scope["headers"] if name != b"accept-encoding"]

        async def heard() -> Any:
            message = await receive()
            if message["type"] == "http.disconnect":
                stream.end()
            return message

        async def said(message: Any) -> None:
            if message["type"] == "http.response.start" and message["status"] != 200:
                stream.topic = None
            await send(message if stream.topic is None else _unfinished(message))

        _open.add(stream)
        try:
            await app({**scope, "headers": headers, _KEY: stream}, heard, said)
            if stream.topic is not None:
                stream.forget_request()
                await stream.follow(stream.topic, receive, send)
        finally:
            _open.discard(stream)
            stream.end()
            await stream.leave()

    return answered


def _unfinished(message: Mapping[str, Any]) -> dict[str, Any]:
    """Return a message of an answer that has ended as one of an answer that goes on."""
    if message["type"] == "http.response.start":
        headers = [header for header in message["headers"] if header[0].lower() != b"content-length"]
        return {**message, "headers": headers}
    return {**message, "more_body": True, WAITS: False}
