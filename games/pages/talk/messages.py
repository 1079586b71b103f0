"""What is said at a table, as one of its players reads it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from accounts.names import as_shown
from games.base import access
from games.base.talk import has_watchers_talk, talk_rights, unread_by, watchers_rights
from games.queries.talk.messages import messages_of
from games.rules.variants import get_variant
from games.values import MAX_MESSAGE, WATCHERS_PHRASES, Audience, Status, TalkPhrase
from games.words import moments
from games.words.moments import When
from games.words.names import game_title
from games.words.talk import PHRASES, away_words, phrase_said

if TYPE_CHECKING:
    from games.models import Game, TalkMessage


_BEFORE = (TalkPhrase.HELLO, TalkPhrase.LUCK, TalkPhrase.TAKE_TIME, TalkPhrase.YES, TalkPhrase.THANKS)
_IN_PLAY = (TalkPhrase.NICE_MOVE, TalkPhrase.TAKE_TIME, TalkPhrase.WRONG_PLACE, TalkPhrase.THINKING, TalkPhrase.THANKS)
_AFTER = (TalkPhrase.GOOD_GAME, TalkPhrase.WELL_PLAYED, TalkPhrase.THANKS, TalkPhrase.REMATCH, TalkPhrase.GOODBYE)
#: The ready phrases that are offered at once, by how far the game is.
LIKELY: Mapping[str, Sequence[TalkPhrase]] = {
    Status.OPEN: _BEFORE,
    Status.RUNNING: _IN_PLAY,
    Status.FINISHED: _AFTER,
    Status.CANCELLED: _AFTER,
}


#: Of the ready phrases of those who watch, so many are offered at once.
_WATCHERS_FIRST = 5


@dataclass(frozen=True)
class TalkLine:
    """One line: who said it and when. `name` is empty for a person whose account is closed, `colour` without a seat."""

    key: int
    name: str
    colour: str
    is_mine: bool
    is_hidden: bool
    text: str
    when: When | None

    @property
    def may_be_reported(self) -> bool:
        """Return whether it is another person's, whose words are there."""
        return bool(self.name) and not self.is_mine and not self.is_hidden


@dataclass(frozen=True, kw_only=True)
class TalkPage:
    """The lines, the oldest first, and what the reader may say; `why` not, if not.

    `version` is that of the game, `first` are the ready phrases that are most likely said now, and `rest` the others;
    `away` is the key of the one that names a day. `older` is the key before which there are further lines, None without
    any, and `last` that of the last one, 0 where nothing is said. `is_past` says that later lines are on another page.
    `silence` says until when the reader may write nothing, by a moderator's decision, and `is_unwanted` that someone at
    the table reads no texts from them. `unread` counts the lines of
    others that were unread until now. `of_watchers` says that those who watch speak here, and `has_watchers` that the
    reader, a player, may now read what they have said.
    """

    slug: str
    game: str
    version: int
    lines: Sequence[TalkLine]
    older: int | None
    last: int
    is_past: bool
    unread: int
    can_send: bool
    can_write: bool
    silence: str
    is_unwanted: bool
    why: str
    first: Sequence[tuple[str, str]]
    rest: Sequence[tuple[str, str]]
    away: str
    tomorrow: date
    of_watchers: bool
    has_watchers: bool
    most: int = MAX_MESSAGE

    @property
    def tomorrow_iso(self) -> str:
        """Return tomorrow as a field for a day takes it."""
        return self.tomorrow.isoformat()

    @property
    def address(self) -> str:
        """Return the address of the page."""
        return reverse("game-watchers-talk" if self.of_watchers else "game-talk", args=[self.slug])


def talk_page(
    user: User,
    slug: str,
    before: int | None = None,
    *,
    audience: Audience = Audience.PLAYERS,
    now: datetime | None = None,
) -> TalkPage:
    """Return the talk of a game that this person sits in or watches, up to the line before that key. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        NotSeated: the person only looks, or nobody talks on this site; as `watchers_rights` says for those who watch.
        WrongStatus: nobody watches the game yet.

    """
    game, now = access.game_to_view(user, slug), now or timezone.now()
    of_watchers = audience == Audience.WATCHERS
    rights = (watchers_rights if of_watchers else talk_rights)(game, user, now)
    found, has_older = messages_of(game, user, before, audience=audience)
    lines = [_line(message, game, user, now) for message in found]
    offered = ready_phrases(WATCHERS_PHRASES if of_watchers else PHRASES)
    likely = WATCHERS_PHRASES[:_WATCHERS_FIRST] if of_watchers else LIKELY[game.status]
    return TalkPage(
        slug=slug,
        game=game_title(game, user.pk),
        version=game.version,
        lines=lines,
        older=found[0].pk if has_older else None,
        last=found[-1].pk if found else 0,
        is_past=before is not None,
        unread=0 if of_watchers else unread_by(game, user) or 0,
        can_send=rights.can_send,
        can_write=rights.can_write,
        silence=silence_words(rights.silenced_until),
        is_unwanted=rights.is_unwanted,
        why=str(rights.why or ""),
        first=ready_phrases(likely),
        rest=[phrase for phrase in offered if phrase[0] not in likely],
        away=TalkPhrase.AWAY,
        tomorrow=timezone.localdate() + timedelta(days=1),
        of_watchers=of_watchers,
        has_watchers=not of_watchers and has_watchers_talk(game, user),
    )


def silence_words(until: datetime | None) -> str:
    """Return until when a person may choose from ready phrases only, by a moderator's decision; empty without one."""
    if until is None:
        return ""
    day = date_format(timezone.localtime(until), "DATETIME_FORMAT")
    return gettext("A moderator has decided that you choose from the ready phrases until %(day)s.") % {"day": day}


def ready_phrases(keys: Iterable[str] = tuple(PHRASES)) -> list[tuple[str, str]]:
    """Return the keys of ready phrases that name no day, by default all, each with its words."""
    return [(str(key), str(PHRASES[key])) for key in keys]


def every_phrase() -> list[tuple[str, str, bool]]:
    """Return the key and the words of each ready phrase, and whether it names a day; "…" stands for the day."""
    away = (str(TalkPhrase.AWAY), away_words("…"), True)
    return [*((key, words, False) for key, words in ready_phrases()), away]


def said(message: "TalkMessage") -> str:
    """Return what was said, in the reader's language where it is a ready phrase; of a hidden line, that it is one."""
    if message.is_hidden:
        return gettext("Hidden by a moderator.")
    return phrase_said(message.phrase, message.day) if message.phrase else message.text


def _line(message: "TalkMessage", game: "Game", reader: User, now: datetime) -> TalkLine:
    author = message.author
    is_known = author is not None and author.is_active
    return TalkLine(
        key=message.pk,
        name=as_shown(author.username, is_bot=author.is_bot) if author is not None and is_known else "",
        colour=_colour(game, message.author_id),
        is_mine=message.author_id == reader.pk,
        is_hidden=message.is_hidden,
        text=said(message),
        when=moments.when(message.created_at, now),
    )


def _colour(game: "Game", author: int | None) -> str:
    """Return the first colour of the person's seat, empty without one."""
    seat = next((each.seat for each in game.players.all() if author is not None and each.user_id == author), None)
    return "" if seat is None else get_variant(game.variant).seat_colours(game.colours or None)[seat][0]
