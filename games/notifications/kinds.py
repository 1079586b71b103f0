"""The switches of notices: what each kind is called, by which channels it comes unless a person chose otherwise."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.words.notices import WORDS

#: The kind of the summary of the day, which no occasion belongs to.
DIGEST = "digest"
#: The kind of what concerns only people who have set a channel for a table; their choices are stored by this name.
CHANNEL_STOPPED = "chat"

#: The names of the site's own page, and of the channels that some kinds treat differently from others.
SITE, EMAIL, PUSH = "site", "email", "push"


@dataclass(frozen=True)
class NoticeKind:
    """One switch for each channel, of which new ones need no line here.

    By `never` it cannot come, and if `only` is given, by no other channel than these. `usual` are those by which it
    comes without a choice, None for every one by which it can.
    """

    key: str
    label: Promise
    usual: frozenset[str] | None = None
    never: frozenset[str] = frozenset()
    only: frozenset[str] | None = None

    def comes_by(self, channel: str) -> bool:
        """Return whether it can come by a channel, if a person wants it to."""
        return channel not in self.never and (self.only is None or channel in self.only)

    def is_usual(self, channel: str) -> bool:
        """Return whether it comes by such a channel unless a person chooses otherwise."""
        return self.usual is None or channel in self.usual


#: A line a kind, in the order of the page. Which occasion belongs to which kind: `games.words.notices`.
KINDS: tuple[NoticeKind, ...] = (
    # My games says at any time whose turn it is, with a number on every page.
    NoticeKind("turn", _("It is your turn"), never=frozenset({SITE})),
    NoticeKind("deadline", _("Your time to move is running out")),
    NoticeKind("missed", _("A bot plays for you because you missed a turn")),
    NoticeKind("pause", _("Someone asks for a pause, or a pause begins or is over")),
    NoticeKind("day", _("Someone gives you a day for your move")),
    NoticeKind("takeback", _("Someone asks to take a move back, or has taken one back")),
    NoticeKind("invited", _("Someone invites you to a table")),
    NoticeKind("rematch", _("Someone offers you a rematch")),
    NoticeKind("group", _("A table waits in a group of yours, once an hour at most"), usual=frozenset({SITE, PUSH})),
    NoticeKind("started", _("A game of yours has started")),
    NoticeKind("over", _("A game of yours is over")),
    NoticeKind("table", _("Someone joins or leaves your table"), usual=frozenset({SITE})),
    NoticeKind("posting", _("Someone wants to post your game to a channel"), usual=frozenset({SITE})),
    NoticeKind(
        CHANNEL_STOPPED, _("The channel set for one of your tables accepts no messages"), usual=frozenset({SITE, EMAIL})
    ),
    # It is no news of its own: an e-mail or nothing.
    NoticeKind(DIGEST, _("Once a day: the games waiting for you"), usual=frozenset(), only=frozenset({EMAIL})),
)
_BY_KEY: Mapping[str, NoticeKind] = {kind.key: kind for kind in KINDS}


def kind_of_notice(occasion: str) -> str:
    """Return the key of the kind that an occasion belongs to."""
    return WORDS[occasion].kind


def kind_called(key: str) -> NoticeKind | None:
    """Return the kind of that key, None if there is none."""
    return _BY_KEY.get(key)


def is_on(user: User, key: str, channel: str) -> bool:
    """Return whether the person wants notices of a kind by a channel: what they chose, else what is usual.

    Those who want no turn e-mails get no other e-mails either unless they choose them.
    """
    if (key, channel) == ("turn", EMAIL):
        return user.wants_turn_emails
    kind = _BY_KEY[key]
    if not kind.comes_by(channel):
        return False
    chosen = user.notice_choices.get(f"{key}.{channel}")
    if chosen is None and channel == EMAIL and not user.notice_choices.get(EMAIL, user.wants_turn_emails):
        return False
    return kind.is_usual(channel) if chosen is None else bool(chosen)


def wants(user: User, occasion: str, channel: str) -> bool:
    """Return whether the person wants to be notified of such an occasion by a channel."""
    return is_on(user, kind_of_notice(occasion), channel)
