"""The sockets. Each says which version its page should show; the page fetches what it lacks.

A socket joins its group before it reads the version: a change in between is then announced twice instead of never.
"""

import asyncio
import contextlib
import json
import logging
from collections import defaultdict
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, NamedTuple, NoReturn, TypeAlias
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer, get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from django.utils import timezone
from redis import RedisError

from accounts.presence.noting import note_here, write_notes
from games.actions.moves.note_presence import note_presence
from games.base.access import games_to_view, seat_of
from games.queries.site.versions import group_versions, lists_versions, lobby_version
from games.realtime import groups
from games.realtime.frames import Budget, FrameError, parse_ping
from games.realtime.heartbeats import OPENING_EVERY, QueryBatcher
from games.realtime.logins import holding_logins, viewer_of
from games.realtime.open_sockets import counted_by, registry
from games.realtime.publish import list_frame, version_frame

logger = logging.getLogger(__name__)

#: Close codes for what the page should know: the login has ended; what was shown may no longer be seen; this login, or
#: this address, has too many sockets open.
LOGIN_ENDED, NOT_ALLOWED, TOO_MANY = 4401, 4403, 4429
#: Close code for a page that is to try again: nothing would tell its socket of changes now (1013, registered after RFC
#: 6455). Before the socket is accepted, the handshake fails instead.
NOT_NOW = 4013

#: Seconds of silence after which the site asks by itself what a page asks by its heartbeat. With the time that an
#: answer takes, no socket outlives its login by more than a minute.
MOST_SILENT = 55.0

Frame: TypeAlias = Mapping[str, object]


class Question(NamedTuple):
    """What a socket asks for: the frame with its current version.

    `is_looking` is None before the page has said so, when the socket opens, and where it says nothing any more.
    """

    socket: "Socket"
    is_looking: bool | None


class Socket(AsyncConsumer):  # type: ignore[misc]  # channels has no types
    """What all sockets share: joining, heartbeats, nudges, the check of the login, limits."""

    groups: tuple[str, ...] = ()
    #: By what it is counted, empty before it is.
    whose = ""
    #: The seat of the player who looks at the game, None while no player of it does.
    looking: Any = None

    def names(self) -> tuple[str, ...]:
        """Return the groups that tell this socket of changes."""
        raise NotImplementedError

    @classmethod
    def frames(cls, asked: Sequence[Question]) -> list[Frame | None]:
        """Return the frame for each of these sockets of one kind, by as many queries as for one.

        None stands where there is nothing for the person who reads the socket.
        """
        raise NotImplementedError

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket, and leave its groups however it ends; close it where Redis is away."""
        try:
            await super().__call__(scope, with_timeout(receive), send)
        except RedisError as gone:
            logger.warning("Redis does not answer (%s): a page is told to try again.", type(gone).__name__)
            await send({"type": "websocket.close", "code": NOT_NOW})
        finally:
            if self.whose:
                await registry.leave(self.whose, self.channel_name)
            for group in self.groups:
                # The layer has forgotten the member before it says so to Redis.
                with contextlib.suppress(RedisError):
                    await self.channel_layer.group_discard(group, self.channel_name)

    async def dispatch(self, message: Mapping[str, Any]) -> None:
        """Hand a message to its method.

        Channels would first hop to a thread to close old database connections, for every nudge to every socket; the
        methods that use the database see to that themselves.
        """
        await getattr(self, get_handler_name(message))(message)

    async def websocket_connect(self, _message: Mapping[str, Any]) -> None:
        """Accept the socket, and send the current version; otherwise refuse it without a reason."""
        self.budget = Budget(asyncio.get_running_loop().time())
        await self._be_counted()
        user = self.scope["user"]
        self.groups = (*self.names(), *([groups.login_group(user.pk)] if user.is_authenticated else []))
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        frame = await _openings.answer(Question(self, None))
        if isinstance(frame, int):
            await self._close(frame)
        await self.send({"type": "websocket.accept"})
        await self._say(frame)

    async def _be_counted(self) -> None:
        """Count this socket; close it where its login or address has too many, so that the page hears why."""
        whose, most = counted_by(self.scope)
        if not await registry.enter(whose, most, self.channel_name):
            await self.send({"type": "websocket.accept"})
            await self._close(TOO_MANY)
        self.whose = whose

    async def websocket_receive(self, message: Mapping[str, Any]) -> None:
        """Answer a heartbeat with the current version; close on anything else."""
        try:
            self.budget.spend(asyncio.get_running_loop().time())
            ping = parse_ping(message)
        except FrameError as bad:
            await self._close(bad.code)
        await self._say(await self._checked(ping.is_looking))
        for group in self.groups:
            # Layers forget members after a day; pages stay open longer.
            await self.channel_layer.group_add(group, self.channel_name)

    async def silence(self, _message: Mapping[str, Any]) -> None:
        """Close the socket of a page that asks nothing if its login has ended, or it may no longer see what it follows.

        Every socket has a minute of its own, so their questions are spread; those that are due together share queries.
        """
        await self._checked(None)

    async def _checked(self, is_looking: bool | None) -> Frame:
        """Return the current version; close the socket where there is none for its reader any more."""
        answer = await _heartbeats.answer(Question(self, is_looking))
        if isinstance(answer, int):
            await self._close(answer)
        return answer

    async def websocket_disconnect(self, _message: Mapping[str, Any]) -> None:
        """Take note that the page has gone."""
        if self.looking is not None:
            await _leavings.answer(self.looking)
        raise StopConsumer

    async def nudge(self, message: Mapping[str, Any]) -> None:
        """Pass on a message to the group."""
        await self.send({"type": "websocket.send", "text": message["text"]})

    async def login_check(self, _message: Mapping[str, Any]) -> None:
        """Close the socket if its login has ended."""
        if await database_sync_to_async(viewer_of)(self.scope) is None:
            await self._close(LOGIN_ENDED)

    async def _say(self, frame: Frame) -> None:
        await self.send({"type": "websocket.send", "text": json.dumps(frame, separators=(",", ":"))})

    async def _close(self, code: int) -> NoReturn:
        await self.send({"type": "websocket.close", "code": code})
        raise StopConsumer


def with_timeout(receive: Callable[[], Awaitable[Mapping[str, Any]]]) -> Callable[[], Awaitable[Mapping[str, Any]]]:
    """Return `receive` with a timeout: the longest time for which a page may be silent."""

    async def heard() -> Mapping[str, Any]:
        try:
            async with asyncio.timeout(MOST_SILENT):
                return await receive()
        except TimeoutError:
            return {"type": "silence"}

    return heard


def checked(asked: Sequence[Question]) -> list[Frame | int]:
    """Return the frame for the current reader of each socket, or the code to close it with. At most eight queries."""
    holding = holding_logins([question.socket.scope for question in asked])
    held = iter(frames_or_codes([question for question, holds in zip(asked, holding, strict=True) if holds]))
    return [next(held) if holds else LOGIN_ENDED for holds in holding]


def frames_or_codes(asked: Sequence[Question]) -> list[Frame | int]:
    """Return the frame for the reader of each socket, whose login holds, or the code to close it with.

    By as many queries as for one socket of each kind.
    """
    kinds: defaultdict[type[Socket], list[int]] = defaultdict(list)
    for index, question in enumerate(asked):
        kinds[type(question.socket)].append(index)
    answers: list[Frame | int] = [NOT_ALLOWED] * len(asked)
    for kind, indices in kinds.items():
        for index, frame in zip(indices, kind.frames([asked[index] for index in indices]), strict=True):
            if frame is not None:
                answers[index] = frame
    return answers


def note_leaving(players: Sequence[Any]) -> Sequence[Any]:
    """Note that these players no longer look at their games. One query at most."""
    note_presence(players, is_looking=False, now=timezone.now())
    return players


_heartbeats = QueryBatcher(checked)
_openings = QueryBatcher(frames_or_codes, every=OPENING_EVERY)
_leavings = QueryBatcher(note_leaving, every=OPENING_EVERY)


def token_of(scope: Mapping[str, Any]) -> str:
    """Return the secret of an invitation link in the socket's address, empty if there is none to be read."""
    try:
        query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=5)
    except ValueError:
        return ""
    return str(query.get("token", [""])[0])


class NoSocket(AsyncConsumer):  # type: ignore[misc]  # channels has no types
    """Refuses at an address where there is no socket, exactly as for a game that does not exist."""

    async def websocket_connect(self, _message: Mapping[str, Any]) -> None:
        """Refuse."""
        await self.send({"type": "websocket.close", "code": NOT_ALLOWED})
        raise StopConsumer


class GameSocket(Socket):
    """Sends the version of one game to everybody who may see it."""

    @property
    def slug(self) -> str:
        """Return the game's public name as it stands in the address."""
        slug: str = self.scope["url_route"]["kwargs"]["slug"]
        return slug

    def names(self) -> tuple[str, ...]:
        """Return the game's group."""
        return (groups.game_group(self.slug),)

    @classmethod
    def frames(cls, asked: Sequence[Question]) -> list[Frame | None]:
        """Return the games' versions, and note which players look. Two queries, now and then three or four."""
        games = games_to_view([(each.scope["user"], each.slug, token_of(each.scope)) for each, _looks in asked])
        sockets: list[GameSocket] = [question.socket for question in asked]
        come, gone = [], []
        for socket, game, (_socket, is_looking) in zip(sockets, games, asked, strict=True):
            player = seat_of(game, socket.scope["user"]) if game and is_looking else None
            if player is not None:
                come.append(player)
            elif game is not None and socket.looking is not None:
                gone.append(socket.looking)
            if game is not None:
                socket.looking = player
        note_presence(come, is_looking=True, now=timezone.now())
        note_presence(gone, is_looking=False, now=timezone.now())
        return [None if game is None else version_frame(game.slug, game.version) for game in games]


class UserSocket(Socket):
    """Notifies a person that their list of games has changed."""

    def names(self) -> tuple[str, ...]:
        """Return the person's group; none for a visitor, whom `state` refuses."""
        user = self.scope["user"]
        return (groups.user_group(user.pk),) if user.is_authenticated else ()

    @classmethod
    def frames(cls, asked: Sequence[Question]) -> list[Frame | None]:
        """Return the versions of the people's lists, and note that these are here. One query, twice a minute four."""
        note_here(socket.scope["user"] for socket, _looks in asked if socket.scope["user"].is_authenticated)
        write_notes()
        people = [socket.scope["user"].pk for socket, _looks in asked]
        versions = lists_versions({*people} - {None})
        return [list_frame(versions[pk]) if pk in versions else None for pk in people]


class LobbySocket(Socket):
    """Notifies every visitor that the list of open tables has changed."""

    def names(self) -> tuple[str, ...]:
        """Return the lobby's group."""
        return (groups.LOBBY,)

    @classmethod
    def frames(cls, asked: Sequence[Question]) -> list[Frame | None]:
        """Return the version of the list of open tables, which is not for children. One query."""
        frame = list_frame(lobby_version())
        return [None if getattr(socket.scope["user"], "is_child", False) else frame for socket, _looks in asked]


class GroupSocket(Socket):
    """Notifies the members of a group that its games have changed."""

    @property
    def group(self) -> int:
        """Return the key of the group as it stands in the address."""
        return int(self.scope["url_route"]["kwargs"]["group"])

    def names(self) -> tuple[str, ...]:
        """Return the group's group; none for a visitor, whom `state` refuses."""
        return (groups.circle_group(self.group),) if self.scope["user"].is_authenticated else ()

    @classmethod
    def frames(cls, asked: Sequence[Question]) -> list[Frame | None]:
        """Return the versions of the lists of games, for members alone. Two queries."""
        sockets: list[GroupSocket] = [question.socket for question in asked]
        pairs = [(socket.scope["user"].pk, socket.group) for socket in sockets]
        versions = group_versions(pairs)
        return [list_frame(versions[pair]) if pair in versions else None for pair in pairs]
