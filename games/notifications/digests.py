"""The summary of the day by e-mail: at the hour that a person has chosen, once a day, and only if a game waits."""

import logging
from datetime import datetime, timedelta
from functools import partial
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import transaction
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.mail.handing_in import mail_server
from accounts.models import User
from accounts.outbox import Outbox
from accounts.readers import zones
from games.actions.takebacks.mark_shown import show_to
from games.models import DailyDigest
from games.notifications.channels import channel_called
from games.notifications.channels.base import DeliveryError
from games.notifications.deliver import ATTEMPTS, CLAIM
from games.notifications.kinds import DIGEST, EMAIL, is_on
from games.notifications.messages import Message, MessageRow, as_read_by
from games.queries.notices.digests import games_waiting_for
from games.words.names import game_title
from games.words.notices import left_text

if TYPE_CHECKING:
    from games.models import Game

logger = logging.getLogger(__name__)

#: At most this many people are looked at in one round; the rest comes next.
PEOPLE_AT_ONCE = 200

#: A summary that is later than this is left out: the site was down, or the person has moved to another time zone.
LATEST_DIGEST = timedelta(hours=6)

#: So long the days are remembered on which a person has had one.
DIGESTS_REMEMBERED = timedelta(days=7)


DIGEST_OUTBOX = Outbox(DailyDigest, CLAIM, CLAIM)


def prepare_digests(now: datetime) -> list[int]:
    """Store the summaries that are due, one a person and day; return them. One query where none is due."""
    due = User.objects.filter(digest_at__lte=now).order_by("digest_at")[:PEOPLE_AT_ONCE]
    return [key for user in due if (key := _prepare(user, now)) is not None]


@transaction.atomic
def _prepare(user: User, now: datetime) -> int | None:
    """Settle when the next one is due, and store this one; of two processes one does both."""
    is_wanted = user.is_active and is_on(user, DIGEST, EMAIL)
    following = zones.next_at_hour(user.time_zone, user.digest_hour, now) if is_wanted else None
    same = User.objects.filter(pk=user.pk, digest_at=user.digest_at, digest_hour=user.digest_hour)
    if not same.update(digest_at=following) or following is None:
        return None
    at = zones.next_at_hour(user.time_zone, user.digest_hour, now - LATEST_DIGEST)
    if at > now or not games_waiting_for(user, now).exists():
        return None
    day = zones.day_of(user.time_zone, at)
    DailyDigest.objects.filter(user=user, day__lt=day - DIGESTS_REMEMBERED).delete()
    digest, is_new = DailyDigest.objects.get_or_create(user=user, day=day, defaults={"due_at": now})
    return digest.pk if is_new else None


def deliver_digest(digest_id: int, tries: int, *, now: datetime) -> bool:
    """Send a summary of which that many tries have begun, if games still wait; return whether it was sent now.

    Safe to repeat and to run twice at once, as `games.notifications.deliver` is.
    """
    digest = DIGEST_OUTBOX.find(digest_id, tries).select_related("user").first()
    if digest is not None and (rest := mail_server.rest()):
        DIGEST_OUTBOX.put_off(digest_id, tries, now + rest)
        return False
    if digest is None or not DIGEST_OUTBOX.claim(digest_id, tries, now):
        return False
    games = show_to(lambda: list(games_waiting_for(digest.user, now)), lambda: digest.user_id)
    if not games or tries >= ATTEMPTS or not _is_wanted(digest.user):
        DIGEST_OUTBOX.close(digest_id)
        return False
    return _send(digest, games, now)


def _is_wanted(user: User) -> bool:
    email = channel_called(EMAIL)
    return (
        user.is_active
        and not user.is_suspended
        and is_on(user, DIGEST, EMAIL)
        and email is not None
        and email.is_confirmed(user)
    )


def _send(digest: DailyDigest, games: "list[Game]", now: datetime) -> bool:
    email = channel_called(EMAIL)
    try:
        with as_read_by(digest.user):
            if email is not None:
                email.send(digest.user, _message(digest, games, now), partial(DIGEST_OUTBOX.close, digest.pk, now))
    except DeliveryError as error:
        log = logger.warning if error.is_known else logger.exception
        log("The summary %s was not sent; it is tried again unless that was the last time.", digest.pk)
        return False
    return True


def _message(digest: DailyDigest, games: "list[Game]", now: datetime) -> Message:
    rows = [_row(game, digest.user, now) for game in games]
    waiting = ngettext("%(n)d game is waiting for you", "%(n)d games are waiting for you", len(rows)) % {"n": len(rows)}
    path = reverse("my-games")
    link = f"{settings.PUBLIC_URL}{path}"
    context = {"name": digest.user.username, "subject": waiting, "rows": rows, "link": link}
    text = render_to_string("games/notifications/digest.txt", context)
    return Message(
        key=f"digest.{digest.pk}",
        subject=waiting,
        text=text,
        kind=DIGEST,
        link=link,
        path=path,
        rows=rows,
        label=gettext("My games"),
    )


def _row(game: "Game", user: User, now: datetime) -> MessageRow:
    line = left_text(game.deadline, now) if game.deadline is not None else gettext("No time limit")
    return MessageRow(game_title(game, user.pk), line, f"{settings.PUBLIC_URL}{reverse('game', args=[game.slug])}")
