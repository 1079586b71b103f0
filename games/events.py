"""What has happened, told after commit. `games.wiring` says who hears what.

Every event of a game carries enough to tell the right pages (game, version, whose lists it touches) without a query.
"""

import logging
from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial, update_wrapper
from typing import Any, TypedDict, TypeVar

from django.db import transaction

logger = logging.getLogger(__name__)


@dataclass(frozen=True, kw_only=True)
class Event:
    """Something has happened that others may have to do something about."""


@dataclass(frozen=True, kw_only=True)
class GameEvent(Event):
    """Something visible changed in one game. `users` are the accounts seated or invited, whose lists it touches."""

    game_id: int
    slug: str
    version: int
    is_public: bool
    users: tuple[int, ...] = ()


class About(TypedDict):
    """What every event says about its game: the fields of `GameEvent`."""

    game_id: int
    slug: str
    version: int
    is_public: bool
    users: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class GameCreated(GameEvent):
    """A table was opened."""


@dataclass(frozen=True, kw_only=True)
class SeatsChanged(GameEvent):
    """Somebody joined, left, declined or was invited; `former` left and has to be told too."""

    former: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class GameStarted(GameEvent):
    """Every seat is taken; `turn_seat` is to play move 1."""

    turn_seat: int


@dataclass(frozen=True, kw_only=True)
class MovePlayed(GameEvent):
    """One or more moves were recorded by one request; `turn_seat` is to play next, None when the game is over."""

    first_number: int
    last_number: int
    turn_seat: int | None


@dataclass(frozen=True, kw_only=True)
class GamePaused(GameEvent):
    """The bots wait, until whoever opened the table lets them go on."""


@dataclass(frozen=True, kw_only=True)
class GameResumed(GameEvent):
    """The bots go on."""


@dataclass(frozen=True, kw_only=True)
class StepAsked(GameEvent):
    """Of a paused game one move is wanted: that of this number, by this bot. Nothing has changed yet."""

    number: int
    bot: str


@dataclass(frozen=True, kw_only=True)
class GameFinished(GameEvent):
    """The game is over (published after the MovePlayed or retirement that ended it)."""

    reason: str


@dataclass(frozen=True, kw_only=True)
class RematchOpened(GameEvent):
    """A finished game is followed by a new table; told of the finished game, whose page now leads there."""


@dataclass(frozen=True, kw_only=True)
class RematchCancelled(GameEvent):
    """The table that followed a finished game was given up; told of the finished game, which may have another."""


@dataclass(frozen=True, kw_only=True)
class GameCancelled(GameEvent):
    """The table was given up before it started."""


@dataclass(frozen=True, kw_only=True)
class AdviceAsked(Event):
    """A player wants to be shown good placements for a move. No event of the game: nobody else is to notice."""

    player_id: int
    number: int


@dataclass(frozen=True, kw_only=True)
class ReviewAsked(Event):
    """The review of a finished game is wanted, of which so many positions are judged already."""

    review_id: int
    done: int


E = TypeVar("E", bound=Event)
_subscribers: dict[type[Event], list[Callable[[Any], None]]] = defaultdict(list)


def subscribe(kind: type[E], hear: Callable[[E], None]) -> None:
    """Call `hear` with every later event of this kind or of a kind derived from it (once, however often asked)."""
    if hear not in _subscribers[kind]:
        _subscribers[kind].append(hear)


def unsubscribe(kind: type[E], hear: Callable[[E], None]) -> None:
    """Call `hear` no longer."""
    _subscribers[kind].remove(hear)


def publish(event: Event) -> None:
    """Tell the subscribers once the transaction has committed; nobody is told of what was rolled back.

    A subscriber that fails is logged and stops nobody: jobs are repeated by the sweep, pages refetch.
    """
    for kind in type(event).__mro__:
        for hear in _subscribers.get(kind, ()):
            # Django names what failed by its __qualname__, which a bare partial has not.
            transaction.on_commit(update_wrapper(partial(hear, event), hear), robust=True)
