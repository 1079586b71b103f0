"""From events to nudges: which sockets hear that something has changed."""

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from games.events import GameCancelled, GameCreated, GameEvent, GameStarted, MessageSent, NoticesListed, SeatsChanged
from games.realtime import groups
from games.realtime.layer import LocalLayer

_Nudge = tuple[str, Mapping[str, Any]]

#: Seconds that telling may take where another server passes messages on, and in which nothing is told after one that
#: hangs has not taken a message: every event would hold a request again.
PUBLISH_SECONDS, PUBLISH_PAUSE_SECONDS = 1.0, 2.0

#: Events that change the list of open tables.
_OF_LOBBY = (GameCreated, SeatsChanged, GameStarted, GameCancelled)

#: Games of which the latest version announced is remembered, so that the watcher need not repeat it.
_REMEMBERED = 5000


class LayerSilence:
    """Whether what passes messages on has just not taken one, as this process knows it, by the monotonic clock."""

    ends_at = float("-inf")


_told: OrderedDict[str, tuple[int, frozenset[str]]] = OrderedDict()


def tell(event: GameEvent) -> None:
    """Nudge every page that shows what the event changed. Subscribed to all events by `games.wiring`.

    One request can cause several events, such as a move and the end of the game: a group hears of a version once.
    """
    known, told = _told.pop(event.slug, (0, frozenset()))
    already = told if known == event.version else frozenset()
    messages = [(group, message) for group, message in messages_for(event) if group not in already]
    send(messages)
    _told[event.slug] = (max(known, event.version), already.union(group for group, _message in messages))
    if len(_told) > _REMEMBERED:
        _told.popitem(last=False)


def tell_lists(event: NoticesListed) -> None:
    """Nudge every page of these people: what waits for them has changed."""
    nudge = _nudge(list_frame())
    send([(groups.user_group(pk), nudge) for pk in event.users])


def was_told(event: GameEvent) -> bool:
    """Return whether this process has already announced that version of the game to its sockets."""
    return event.slug in _told and _told[event.slug][0] >= event.version


def check_logins(user_pk: int) -> None:
    """Tell every socket and stream of the person to check its login or token, and to end if that no longer holds."""
    send([(groups.login_group(user_pk), {"type": "login.check"})])


def version_frame(slug: str, version: int) -> dict[str, object]:
    """Return what a socket says about a game."""
    return {"type": "version", "game": slug, "version": version}


def list_frame(version: str | None = None) -> dict[str, object]:
    """Return what a socket says about a list; without a version it is simply no longer the one shown."""
    return {"type": "list"} if version is None else {"type": "list", "version": version}


def messages_for(event: GameEvent) -> list[_Nudge]:
    """Return each group that an event concerns, with its message."""
    lists = [groups.user_group(pk) for pk in dict.fromkeys((*event.users, *getattr(event, "former", ())))]
    if event.is_public and (isinstance(event, _OF_LOBBY) or type(event) is GameEvent):
        lists.append(groups.LOBBY)
    # What is said at a table is no news for a list of a group's.
    if event.group is not None and not isinstance(event, MessageSent):
        lists.append(groups.circle_group(event.group))
    nudge = _nudge(list_frame())
    return [
        (groups.game_group(event.slug), _nudge(version_frame(event.slug, event.version))),
        *((g, nudge) for g in lists),
    ]


def _nudge(frame: Mapping[str, object]) -> Mapping[str, Any]:
    return {"type": "nudge", "text": json.dumps(frame, separators=(",", ":"))}


def send(messages: Sequence[_Nudge]) -> None:
    """Hand messages to the channel layer, from any thread."""
    layer = get_channel_layer()
    if isinstance(layer, LocalLayer):
        layer.tell(messages)
    elif layer is not None:
        if time.monotonic() < LayerSilence.ends_at:
            raise TimeoutError("Redis has not taken a message a moment ago.")
        async_to_sync(_send_all)(layer, messages)


async def _send_all(layer: Any, messages: Sequence[_Nudge]) -> None:
    # A server that hangs must not hold the request that made the move; pages find out by their heartbeat.
    try:
        async with asyncio.timeout(PUBLISH_SECONDS):
            for group, message in messages:
                await layer.group_send(group, message)
    except TimeoutError:
        LayerSilence.ends_at = time.monotonic() + PUBLISH_PAUSE_SECONDS
        raise
