"""The e-mail that says that it is your turn: once a turn, and not to somebody who is looking."""

import logging
from datetime import datetime, timedelta
from smtplib import SMTPException

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import EmailMessage
from django.db.models import F, Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from accounts import traditions, unsubscribe
from accounts.models import User
from games.models import Move, Notice, Player
from games.queries.names import game_title
from games.queries.turns import next_number, to_play

logger = logging.getLogger(__name__)

#: Pages say every half minute that they are looked at, and it is written down once a minute.
LOOKING = timedelta(seconds=100)

#: After this time a worker that began to send is taken for dead; so often is sending tried.
CLAIM, ATTEMPTS = timedelta(minutes=5), 5


def may_be_sent_to(user: User | None) -> bool:
    """Whether this person can and wants to be told by e-mail. No query."""
    return user is not None and bool(user.email) and user.wants_turn_emails and user.is_active


def deliver(player_id: int, number: int, *, now: datetime) -> bool:
    """Send the e-mail for that move if it is due; return whether it was sent now.

    Safe to repeat and to run twice at once: whoever claims the notice sends it. Only a worker killed between sending
    and writing that down leads to a second one, which has the same Message-ID.
    """
    player = to_play().filter(pk=player_id).first()
    if player is None or next_number(player.game) != number:
        return False
    user = player.user
    if user is None or not may_be_sent_to(user):
        return False
    notice, _is_new = Notice.objects.get_or_create(player=player, number=number, defaults={"created_at": now})
    if _is_needless(player, user, number, now):
        Notice.objects.filter(pk=notice.pk, sent_at=None).update(is_skipped=True)
        return False
    return _claim(notice, now) and _send(notice, message(player, user, number), now)


def _is_needless(player: Player, user: User, number: int, now: datetime) -> bool:
    """Whether the player knows already: looks at the game, has just moved, or was told of this very turn.

    A turn can change its number: another seat's retirement takes one.
    """
    if player.seen_at is not None and now - player.seen_at < LOOKING:
        return True
    if settings.EMAIL_IS_SET and not _is_verified(user):
        return True
    last = Move.objects.filter(game=player.game, is_automatic=False).last()
    if last is not None and last.seat == player.seat:
        return True
    earlier = Notice.objects.filter(player=player, created_at__gte=player.game.turn_since, sent_at__isnull=False)
    return earlier.exclude(number=number).exists()


def _is_verified(user: User) -> bool:
    return EmailAddress.objects.filter(user=user, email__iexact=user.email, verified=True).exists()


def _claim(notice: Notice, now: datetime) -> bool:
    """Whether the notice is ours to send: one conditional update decides between workers."""
    free = Q(claimed_at=None) | Q(claimed_at__lt=now - CLAIM)
    unsent = Notice.objects.filter(free, pk=notice.pk, sent_at=None, is_skipped=False, attempts__lt=ATTEMPTS)
    return bool(unsent.update(claimed_at=now, attempts=F("attempts") + 1))


def _send(notice: Notice, email: EmailMessage, now: datetime) -> bool:
    try:
        email.send()
    except (OSError, SMTPException):
        logger.exception("The turn e-mail of notice %s was not sent; it is tried again.", notice.pk)
        return False
    Notice.objects.filter(pk=notice.pk).update(sent_at=now)
    return True


def message(player: Player, user: User, number: int) -> EmailMessage:
    """Return the e-mail for a player's turn, in the player's language and names of colours."""
    game = player.game
    stop = unsubscribe.link(user)
    with translation.override(user.language or settings.LANGUAGE_CODE), traditions.using(user.colour_names):
        context = {
            "name": user.username,
            "title": game_title(game, user.pk),
            "link": f"{settings.PUBLIC_URL}{reverse('game', args=[game.slug])}",
            "deadline": game.deadline,
            "stop": stop,
        }
        subject = render_to_string("games/notifications/turn_subject.txt", context)
        body = render_to_string("games/notifications/turn.txt", context)
    headers = {
        "Auto-Submitted": "auto-generated",
        "List-Unsubscribe": f"<{stop}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        "Message-ID": f"<turn.{player.pk}.{number}@{settings.PUBLIC_HOST}>",
    }
    return EmailMessage(" ".join(subject.splitlines()).strip(), body, to=[user.email], headers=headers)
