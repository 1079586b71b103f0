"""The messages that players get outside the pages, each in its reader's language: no channel is known here."""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext, ngettext

from accounts import traditions
from accounts.models import User
from accounts.readers import zones
from games.notifications.kinds import kind_of_notice
from games.notifications.news import news_of
from games.notifications.picture import board_picture
from games.queries.notices.told import count_invitations
from games.values import Occasion
from games.words.notices import notice_words, until_text

if TYPE_CHECKING:
    from games.models import Notification

#: What fits below a notice's title on a phone.
SHORT_BODY = 120


@dataclass(frozen=True)
class MessageRow:
    """One of several games in a message: what it is called, how much time is left, and the link to it."""

    title: str
    line: str
    link: str


@dataclass(frozen=True)
class Message:
    """A message to one person, without markup; `subject` is one line, `text` a whole letter with the link in it.

    `key` stays the same when it has to be sent again, and `kind` is the switch that stops such messages. `line` is the
    sentence below the subject, `news` what has happened on the board and how the player stands, `link` leads to the
    game by a button that says `label`, `deadline` is a sentence that says until when to move (empty without one), and
    `draw` makes a picture of the board, a PNG; None while there is no board.

    For a channel with little room there is `short`, one sentence or none, in which "{time}" stands for the moment
    `until`. `path` is the page of the site that the message is about. One about several games lists them in `rows`.
    `pictured` is the slug of a game whose board can be shown beside it: the reader sits there, and it has begun.
    """

    key: str
    subject: str
    text: str
    kind: str = "turn"
    line: str = ""
    news: str = ""
    link: str = ""
    deadline: str = ""
    draw: Callable[[], bytes] | None = field(default=None, compare=False)
    short: str = ""
    path: str = ""
    until: datetime | None = None
    rows: Sequence[MessageRow] = ()
    label: str = ""
    pictured: str = ""


@contextmanager
def as_read_by(user: User) -> Iterator[None]:
    """Write in the language, in the time zone and with the names of colours that this person has chosen."""
    language = translation.override(user.language or settings.LANGUAGE_CODE)
    with language, zones.in_zone(user.time_zone), traditions.using(user.colour_names):
        yield


def message_of(notification: "Notification") -> Message:
    """Return the message about a notification; inside `as_read_by`."""
    game, kind = notification.game, kind_of_notice(notification.occasion)
    subject, line = notice_words(notification)
    text = f"{line} {others}" if (others := _other_invitations(notification)) else line
    deadline = until_text(game) if kind == "turn" else ""
    path = reverse("game", args=[game.slug])
    link = f"{settings.PUBLIC_URL}{path}"
    until = game.deadline if kind in {"turn", "deadline"} else None
    # The board is drawn from the same moves.
    moves = list(game.moves.all()) if game.started_at is not None else []
    news = news_of(game, moves, notification.user_id) if kind in {"turn", "deadline", "over"} else ""
    if news and kind == "turn":
        # The subject has said it.
        line = text = ""
    context = {"name": notification.user.username, "line": text, "news": news, "link": link, "deadline": deadline}
    return Message(
        key=f"{notification.occasion}.{notification.pk}",
        subject=subject,
        text=render_to_string("games/notifications/notice.txt", {**context, "subject": subject}),
        kind=kind,
        line=text,
        news=news,
        link=link,
        deadline=deadline,
        draw=partial(board_picture, game, moves, notification.user_id) if game.started_at is not None else None,
        short=_short(news, gettext("You have until {time}.") if until else line),
        path=path,
        until=until,
        label=_label(notification),
        pictured=game.slug if moves and _sits(notification) else "",
    )


def _sits(notification: "Notification") -> bool:
    return any(player.user_id == notification.user_id for player in notification.game.players.all())


def _label(notification: "Notification") -> str:
    """Return what the button of a letter says: before the first move there is no game to open yet."""
    if notification.occasion in {Occasion.INVITED, Occasion.REMATCH}:
        return gettext("See the invitation")
    return gettext("See the table") if notification.game.started_at is None else gettext("Open the game")


def _other_invitations(notification: "Notification") -> str:
    """Return how many other invitations wait for the person's answer, in a sentence; empty if none does. One query."""
    if notification.occasion not in {Occasion.INVITED, Occasion.REMATCH}:
        return ""
    number = count_invitations(notification.user_id, but=notification.game_id)
    sentence = ngettext(
        "%(number)d more invitation waits for your answer on the site.",
        "%(number)d more invitations wait for your answer on the site.",
        number,
    )
    return sentence % {"number": number} if number else ""


def _short(news: str, line: str) -> str:
    """Return both in one, or the second alone where both are long for a small screen."""
    both = f"{news} {line}".strip()
    return both if len(both) <= SHORT_BODY else line
