"""What has happened to a person's games: the page of notices, and that of what to be notified of."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import time
from functools import partial
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import time_format
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.drawing.thumbnails import Thumbnail, edge_path, mark_path, thumbnail
from games.notifications.channels import CHANNELS
from games.notifications.channels.base import Channel
from games.notifications.kinds import CHANNEL_STOPPED, EMAIL, KINDS, PUSH, SITE, NoticeKind, is_on
from games.pages.lists.paging import OpenPage, open_page
from games.queries.analysis.editors import editorships
from games.queries.notices.channels import has_game_channel
from games.queries.notices.new_pieces import new_pieces
from games.queries.notices.notices import notices_of
from games.queries.notices.webhooks import webhook_notices
from games.queries.play.players import seat_side
from games.rules import Placement
from games.words import moments
from games.words.moments import When
from games.words.notices import notice_words

if TYPE_CHECKING:
    from games.models import Notification, StudyEditor, WebhookNotice

#: How the page of notices is called at the head of its column.
HERE = _("On the site")


@dataclass(frozen=True)
class NoticeRow:
    """One notice: what happened and when, where it leads, and whether it is new.

    `thumb` is the board of a game that has begun and in which the reader sits, as it stands, what is new to them
    outlined.
    """

    subject: str
    line: str
    address: str
    when: When | None
    is_new: bool
    thumb: Thumbnail | None = None


def notices_page(user: User, number: int) -> OpenPage[NoticeRow]:
    """Return a page of this person's notices, the newest first (3 queries, one more for boards, and one each for who
    is let write in studies and for whom a program has set up a webhook).

    Both stand among the notices of the first page, the former for as long as they may write.
    """
    page = open_page(partial(notices_of, user), number, lambda found: found)
    new = new_pieces(user.pk, (one.game_id for one in page.rows if _seat(one) is not None))
    rows = [(one.created_at, _row(one, new.get(one.game_id, ()))) for one in page.rows]
    if page.number == 1:
        if all(vars(one)["is_editor"] for one in page.rows[:1]):
            rows += [(one.let_in_at, _row_of_study(one)) for one in editorships(user)]
        if all(vars(one)["has_webhooks"] for one in page.rows[:1]):
            rows += [(one.created_at, _row_of_webhook(one, user)) for one in webhook_notices(user)]
        rows.sort(key=lambda pair: pair[0], reverse=True)
    return OpenPage([row for _moment, row in rows], page.number, page.newer, page.older)


def _row(notification: "Notification", new: Sequence[tuple[str, str]]) -> NoticeRow:
    subject, line = notice_words(notification)
    is_new = notification.read_at is None
    when = moments.when(notification.created_at, timezone.now())
    thumb = _board(notification, new)
    return NoticeRow(subject, line, reverse("game", args=[notification.game.slug]), when, is_new, thumb)


def _seat(notification: "Notification") -> int | None:
    """Return where the person sits in a game that has a board to show, None where they do not."""
    if not notification.game.move_count:
        return None
    players = notification.game.players.all()
    return next((player.seat for player in players if player.user_id == notification.user_id), None)


def _board(notification: "Notification", new: Sequence[tuple[str, str]]) -> Thumbnail | None:
    """Return the board as the person sees it from their seat; those who do not sit there may not see it any more."""
    game, seat = notification.game, _seat(notification)
    if seat is None:
        return None
    side = seat_side(game, seat)
    placed = [(colour, Placement.parse(text, game.variant).cells) for colour, text in new]
    marks = tuple(
        (colour, edge_path(cells, colour, game.variant, side), mark_path(cells, colour, game.variant, side))
        for colour, cells in placed
    )
    return replace(thumbnail(game.board, game.variant, side), marks=marks)


def _row_of_study(editor: "StudyEditor") -> NoticeRow:
    study, when = editor.study, moments.when(editor.let_in_at, timezone.now())
    subject = gettext("%(name)s lets you write in a study") % {"name": study.owner.shown_name}
    return NoticeRow(subject, study.title, reverse("study", args=[study.slug]), when, editor.is_new)


def _row_of_webhook(made: "WebhookNotice", user: User) -> NoticeRow:
    subject = gettext("A program has set up a webhook for your games")
    if made.owner_id != user.pk:
        subject = gettext("A program has set up a webhook for the games of %(name)s") % {"name": made.owner.username}
    line = gettext("It sends to %(host)s, and was set up with the token “%(token)s”. Remove it if it is not yours.")
    line %= {"host": urlsplit(made.address).hostname, "token": made.token}
    when = moments.when(made.created_at, timezone.now())
    return NoticeRow(subject, line, reverse("own-webhooks"), when, made.is_new)


@dataclass(frozen=True)
class Switch:
    """One kind by one channel: the name of its field, whether it is on, and whether it can be chosen at all.

    `is_always` says that it cannot because the site shows it at any time.
    """

    name: str
    channel: str | Promise
    is_on: bool
    is_offered: bool
    is_always: bool


@dataclass(frozen=True)
class SwitchRow:
    """One kind of notices with a switch for each channel."""

    label: Promise
    switches: Sequence[Switch]


@dataclass(frozen=True)
class WayState:
    """Where messages go now, or why none are sent; then `link` says what leads to an `address` that changes it."""

    sentence: str
    link: str = ""
    address: str = ""


@dataclass(frozen=True)
class NoticeChoices:
    """The switches of a person, a column for each way that reaches them, and what is said of every way.

    `hour` is when the summary of the day comes, None where there are no e-mails.
    """

    states: Sequence[WayState]
    rows: Sequence[SwitchRow]
    hour: int | None

    @property
    def hours(self) -> Sequence[tuple[int, str]]:
        """Return the hours to choose from, as the reader writes them."""
        return [(hour, time_format(time(hour), "TIME_FORMAT")) for hour in range(24)]


def notice_choices(user: User) -> NoticeChoices:
    """Return what this person is notified of, and how (a query or two for each channel, and one)."""
    reaching = [channel for channel in CHANNELS if channel.is_offered() and channel.is_confirmed(user)]
    states = [_state(user, channel, is_reaching=channel in reaching) for channel in CHANNELS]
    columns = {SITE: HERE, **{channel.name: channel.label for channel in reaching}}
    is_posting = has_game_channel(user.pk)
    if not is_posting:
        states.append(_no_game_channel())
    kinds = [kind for kind in KINDS if is_posting or kind.key != CHANNEL_STOPPED]
    return NoticeChoices(states, _rows(user, kinds, columns), user.digest_hour if EMAIL in columns else None)


def _rows(user: User, kinds: Iterable[NoticeKind], columns: Mapping[str, str | Promise]) -> list[SwitchRow]:
    """Return the switches of these kinds by way, without kinds that come by none of the ways."""
    rows = [SwitchRow(kind.label, [_switch(user, kind, *each) for each in columns.items()]) for kind in kinds]
    return [row for row in rows if any(switch.is_offered or switch.is_always for switch in row.switches)]


def _switch(user: User, kind: NoticeKind, channel: str, label: str | Promise) -> Switch:
    return Switch(
        name=f"{kind.key}.{channel}",
        channel=label,
        is_on=is_on(user, kind.key, channel),
        is_offered=kind.comes_by(channel),
        is_always=channel == SITE and channel in kind.never,
    )


def _state(user: User, channel: Channel, *, is_reaching: bool) -> WayState:
    sentence = channel.state(user)
    if is_reaching or not channel.is_offered():
        return WayState(sentence)
    if channel.name == PUSH:
        return WayState(sentence, gettext("Turn them on"), f"{reverse('preferences')}#notices")
    if channel.name == EMAIL:
        link = gettext("Confirm the address") if user.email else gettext("Add an address")
        return WayState(sentence, link, reverse("guest-claim" if user.is_guest else "account_email"))
    return WayState(sentence)


def _no_game_channel() -> WayState:
    sentence = gettext("None of your tables sends messages to a channel. You set one on the page of a table.")
    return WayState(sentence, gettext("Your tables"), reverse("my-games"))


def switch_names() -> list[str]:
    """Return the names of all switches that can be chosen on this site."""
    offered = [SITE, *(channel.name for channel in CHANNELS if channel.is_offered())]
    return [f"{kind.key}.{name}" for kind in KINDS for name in offered if kind.comes_by(name)]
