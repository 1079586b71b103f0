"""The sockets. Each says which version its page should show; the page fetches what it lacks.

A socket joins its group before it reads the version: what happens in between is then told twice instead of never.
"""

import asyncio
import json
from collections.abc import Mapping
from typing import Any, NoReturn
from urllib.parse import parse_qs

from channels.consumer import AsyncConsumer, get_handler_name
from channels.db import database_sync_to_async
from channels.exceptions import StopConsumer
from django.utils import timezone

from games.access import Viewer, game_to_view, seat_of
from games.actions.note_presence import note_presence
from games.errors import NotFound
from games.queries.versions import lists_version, lobby_version
from games.realtime import groups
from games.realtime.frames import Budget, FrameError, parse_ping
from games.realtime.logins import viewer_of
from games.realtime.publish import list_frame, version_frame

#: Close codes for what the page should know: the login has ended; what was shown may no longer be seen.
LOGIN_ENDED, NOT_ALLOWED = 4401, 4403


class Socket(AsyncConsumer):  # type: ignore[misc]  # channels has no types
    """What all sockets share: joining, heartbeats, nudges, the check of the login, limits."""

    groups: tuple[str, ...] = ()

    def names(self) -> tuple[str, ...]:
        """Return the groups that tell this socket of changes."""
        raise NotImplementedError

    def state(self, viewer: Viewer, *, is_looking: bool | None) -> dict[str, object]:
        """Return the frame that tells where things stand, by queries.

        `is_looking` is None when the socket opens, before the page has said so.

        Raises:
            NotFound: there is nothing here for this viewer.

        """
        raise NotImplementedError

    def left(self) -> None:
        """Note, by queries, that the socket has closed."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        """Run the socket, and leave its groups however it ends."""
        try:
            await super().__call__(scope, receive, send)
        finally:
            for group in self.groups:
                await self.channel_layer.group_discard(group, self.channel_name)

    async def dispatch(self, message: Mapping[str, Any]) -> None:
        """Hand a message to its method.

        Channels would first hop to a thread to close old database connections, for every nudge to every socket; the
        methods that use the database see to that themselves.
        """
        await getattr(self, get_handler_name(message))(message)

    async def websocket_connect(self, _message: Mapping[str, Any]) -> None:
        """Let the socket in, with the current version; refuse it without a reason otherwise."""
        self.budget = Budget(asyncio.get_running_loop().time())
        user = self.scope["user"]
        self.groups = (*self.names(), *([groups.login(user.pk)] if user.is_authenticated else []))
        for group in self.groups:
            await self.channel_layer.group_add(group, self.channel_name)
        try:
            frame = await database_sync_to_async(self.state)(user, is_looking=None)
        except NotFound:
            await self._close(NOT_ALLOWED)
        await self.send({"type": "websocket.accept"})
        await self._say(frame)

    async def websocket_receive(self, message: Mapping[str, Any]) -> None:
        """Answer a heartbeat with the current version; close on anything else."""
        try:
            self.budget.spend(asyncio.get_running_loop().time())
            ping = parse_ping(message)
        except FrameError as bad:
            await self._close(bad.code)
        await self._say(await self._checked_state(ping.is_looking))
        for group in self.groups:
            # Layers forget members after a day; pages stay open longer.
            await self.channel_layer.group_add(group, self.channel_name)

    async def websocket_disconnect(self, _message: Mapping[str, Any]) -> None:
        """Take note that the page has gone."""
        await database_sync_to_async(self.left)()
        raise StopConsumer

    async def nudge(self, message: Mapping[str, Any]) -> None:
        """Pass on what the group was told."""
        await self.send({"type": "websocket.send", "text": message["text"]})

    async def login_check(self, _message: Mapping[str, Any]) -> None:
        """Close the socket if its login has ended."""
        if await database_sync_to_async(viewer_of)(self.scope) is None:
            await self._close(LOGIN_ENDED)

    async def _checked_state(self, is_looking: bool) -> Mapping[str, object]:
        frame: Mapping[str, object] | int = await database_sync_to_async(self._state_now)(is_looking)
        if isinstance(frame, int):
            await self._close(frame)
        return frame

    def _state_now(self, is_looking: bool) -> Mapping[str, object] | int:
        """Return the frame for whoever reads this socket now, or the code to close it with."""
        viewer = viewer_of(self.scope)
        if viewer is None:
            return LOGIN_ENDED
        try:
            return self.state(viewer, is_looking=is_looking)
        except NotFound:
            return NOT_ALLOWED

    async def _say(self, frame: Mapping[str, object]) -> None:
        await self.send({"type": "websocket.send", "text": json.dumps(frame, separators=(",", ":"))})

    async def _close(self, code: int) -> NoReturn:
        await self.send({"type": "websocket.close", "code": code})
        raise StopConsumer


def token_of(scope: Mapping[str, Any]) -> str:
    """Return the secret of an invitation link in the socket's address, empty if there is none."""
    query = parse_qs(scope["query_string"].decode("latin-1"), max_num_fields=5)
    return str(query.get("token", [""])[0])


class NoSocket(AsyncConsumer):  # type: ignore[misc]  # channels has no types
    """Refuses at an address where there is no socket, exactly as for a game that does not exist."""

    async def websocket_connect(self, _message: Mapping[str, Any]) -> None:
        """Refuse."""
        await self.send({"type": "websocket.close", "code": NOT_ALLOWED})
        raise StopConsumer


class GameSocket(Socket):
    """Tells the version of one game to whoever may see it."""

    #: The seat of the player who looks, None while nobody does who plays here.
    looking: Any = None

    @property
    def slug(self) -> str:
        """Return the game's public name as it stands in the address."""
        slug: str = self.scope["url_route"]["kwargs"]["slug"]
        return slug

    def names(self) -> tuple[str, ...]:
        """Return the game's group."""
        return (groups.game(self.slug),)

    def state(self, viewer: Viewer, *, is_looking: bool | None) -> dict[str, object]:
        """Return the game's version, and note whether its player looks. Two queries, now and then three."""
        game = game_to_view(viewer, self.slug, token_of(self.scope))
        player = seat_of(game, viewer)
        if is_looking and player is not None:
            note_presence(player, is_looking=True, now=timezone.now())
            self.looking = player
        else:
            self.left()
        return version_frame(self.slug, game.version)

    def left(self) -> None:
        """Note that the player no longer looks."""
        if self.looking is not None:
            note_presence(self.looking, is_looking=False, now=timezone.now())
            self.looking = None


class UserSocket(Socket):
    """Tells a person that their list of games has changed."""

    def names(self) -> tuple[str, ...]:
        """Return the person's group; nobody's for a visitor, who is refused by `state`."""
        user = self.scope["user"]
        return (groups.user(user.pk),) if user.is_authenticated else ()

    def state(self, viewer: Viewer, *, is_looking: bool | None) -> dict[str, object]:
        """Return the version of the person's lists. One query."""
        if viewer.pk is None:
            raise NotFound("")
        return list_frame(lists_version(viewer.pk))


class LobbySocket(Socket):
    """Tells anybody that the list of open tables has changed."""

    def names(self) -> tuple[str, ...]:
        """Return the lobby's group."""
        return (groups.LOBBY,)

    def state(self, viewer: Viewer, *, is_looking: bool | None) -> dict[str, object]:
        """Return the version of the list of open tables. One query."""
        return list_frame(lobby_version())
