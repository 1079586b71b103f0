"""What has happened, published after commit. `games.wiring` lists the subscribers.

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
    """Something visible changed in one game, and its version grew: pages that show this version need nothing.

    `users` are the accounts seated or invited, whose lists it touches, and `group` is the key of the group whose it is.
    """

    game_id: int
    slug: str
    version: int
    is_public: bool
    users: tuple[int, ...] = ()
    group: int | None = None


class About(TypedDict):
    """What every event says about its game: the fields of `GameEvent`."""

    game_id: int
    slug: str
    version: int
    is_public: bool
    users: tuple[int, ...]
    group: int | None


@dataclass(frozen=True, kw_only=True)
class GameCreated(GameEvent):
    """A table was opened."""


@dataclass(frozen=True, kw_only=True)
class SeatsChanged(GameEvent):
    """Who sits where, or is invited, has changed; `former` left and has to be notified too."""

    former: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class MessageSent(GameEvent):
    """A person has said something at the table."""


@dataclass(frozen=True)
class DueTurn:
    """A turn that is due: the seat by its key, the number of the move from 1, and the `bot` that takes it.

    That is the seat's own bot, or the one that plays for a person who is away; empty where a person is to play. It
    waits `pause` seconds before it begins to think. `is_planned` says that the person has planned this turn.
    """

    player_id: int
    number: int
    bot: str
    pause: int = 0
    is_planned: bool = False


@dataclass(frozen=True, kw_only=True)
class TermsChanged(GameEvent):
    """The person who opened a table has changed what was agreed, before the start."""


@dataclass(frozen=True, kw_only=True)
class ChannelChanged(GameEvent):
    """A channel was set to which the game is to be posted, or removed, or a player has agreed to it."""


@dataclass(frozen=True, kw_only=True)
class TurnEvent(GameEvent):
    """From now on a turn is `due`; None while bots are paused, and once the game is over."""

    due: DueTurn | None


@dataclass(frozen=True, kw_only=True)
class GameStarted(TurnEvent):
    """Every seat is taken; `turn_seat` is to play move 1."""

    turn_seat: int


@dataclass(frozen=True, kw_only=True)
class MovePlayed(TurnEvent):
    """One or more moves were recorded by one request; `turn_seat` is to play next, None when the game is over."""

    first_number: int
    last_number: int
    turn_seat: int | None


@dataclass(frozen=True, kw_only=True)
class MovesTakenBack(TurnEvent):
    """The moves from that number on stand no more; the move of that number is due again."""

    back_to: int


@dataclass(frozen=True, kw_only=True)
class TakebackAsked(GameEvent):
    """A player has asked to take moves back or agreed while others are still waited for, or the request was dropped."""


@dataclass(frozen=True, kw_only=True)
class PlayerReturned(GameEvent):
    """A player who was away plays again: no bot takes the turns of this seat any more."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class DayGiven(GameEvent):
    """A player has given a day to the one in this seat, who is to play."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class HolidayTaken(GameEvent):
    """The player in this seat has taken a holiday, or one was taken for their turn, whose time had run out."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class GamePaused(GameEvent):
    """Nothing moves until the game is resumed: its players have agreed on it, or the bots' host wants it."""


@dataclass(frozen=True, kw_only=True)
class PauseAsked(GameEvent):
    """A player has asked for a pause or agreed to one for which others are still waited, or the request was dropped."""


@dataclass(frozen=True, kw_only=True)
class GameResumed(TurnEvent):
    """The game goes on after a pause."""


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
    """A finished game is followed by a new table; an event of the finished game, whose page now leads there."""


@dataclass(frozen=True, kw_only=True)
class RematchCancelled(GameEvent):
    """The table that followed a finished game was cancelled; an event of the finished game, which may have another."""


@dataclass(frozen=True, kw_only=True)
class GameCancelled(GameEvent):
    """The table was given up before it started."""


@dataclass(frozen=True, kw_only=True)
class AdviceAsked(Event):
    """A player wants to be shown good placements for a move. No event of the game: no other viewer is to notice."""

    player_id: int
    number: int


@dataclass(frozen=True, kw_only=True)
class ReviewAsked(Event):
    """The review of a finished game is wanted, of which the first `done` positions are judged already."""

    review_id: int
    done: int


@dataclass(frozen=True, kw_only=True)
class ArchiveAsked(Event):
    """A person wants to take along all that is theirs."""

    archive_id: int


@dataclass(frozen=True, kw_only=True)
class NoticesRecorded(Event):
    """Something has happened in a game that people are to be notified of."""

    game_id: int


@dataclass(frozen=True, kw_only=True)
class StandingTableDue(Event):
    """The game of a group's standing table is over, or was taken from it: the next one is to open."""

    standing_id: int


@dataclass(frozen=True, kw_only=True)
class SeekDue(Event):
    """A person wants games of a kind to be under way, or another number of them than before."""

    seek_id: int


@dataclass(frozen=True, kw_only=True)
class SideDue(Event):
    """A bot is to choose its side at a table, which begins then."""

    game_id: int


@dataclass(frozen=True, kw_only=True)
class PostsRecorded(Event):
    """Something has happened in a game that its channel is to hear of."""

    game_id: int


@dataclass(frozen=True, kw_only=True)
class NoticesListed(Event):
    """These people have unread notices that they did not have before."""

    users: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class WebhookAdded(Event):
    """A program has set up a webhook of a person, or of a bot of theirs."""

    receiver_id: int


@dataclass(frozen=True, kw_only=True)
class DecisionsMade(Event):
    """A moderator has taken these measures about one person, or has taken one back."""

    decisions: tuple[int, ...]


@dataclass(frozen=True, kw_only=True)
class AppealRefused(Event):
    """A moderator has answered an appeal, and the decision stands."""

    appeal_id: int


E = TypeVar("E", bound=Event)
_subscribers: dict[type[Event], list[Callable[[Any], None]]] = defaultdict(list)


def subscribe(kind: type[E], handler: Callable[[E], None]) -> None:
    """Call `handler` with every later event of this kind or of a kind derived from it (once, however often asked)."""
    if handler not in _subscribers[kind]:
        _subscribers[kind].append(handler)


def unsubscribe(kind: type[E], handler: Callable[[E], None]) -> None:
    """Call `handler` no longer."""
    _subscribers[kind].remove(handler)


def publish(event: Event) -> None:
    """Tell the subscribers once the transaction has committed; what was rolled back is not published.

    A subscriber that fails is logged and stops no other: jobs are repeated by the sweep, pages refetch. Those of the
    wider kinds come first: pages wait for a move, jobs do not.
    """
    for kind in reversed(type(event).__mro__):
        for handler in _subscribers.get(kind, ()):
            # Django names what failed by its __qualname__, which a bare partial has not.
            transaction.on_commit(update_wrapper(partial(handler, event), handler), robust=True)
