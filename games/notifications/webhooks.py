"""Telling programs by their webhooks what happens in a person's games, signed as https://www.standardwebhooks.com says.

Nothing is stored of what happens: a webhook keeps how the games stood when it was told last, and is told how they stand
now (`games.queries.people.happenings`). So nothing piles up behind an address that does not answer.
"""

import base64
import hashlib
import hmac
import json
import logging
import secrets
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction
from django.db.models import Q
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from accounts.mail.addresses import has_confirmed_address
from accounts.mail.letters import letter_to
from accounts.mail.outbox import WrittenMail, post_mail
from accounts.outbox import Outbox, write_down
from games.actions.takebacks.mark_shown import show_to
from games.models import Receiver
from games.models.receiver import PREFIX
from games.notifications.messages import as_read_by
from games.notifications.outgoing import RETRY_PAUSES, ServiceAnswer, is_given_up, post_json
from games.queries.notices.webhooks import idle_receivers, live_receivers, receivers_answered_for
from games.queries.people.happenings import ListPlace, Occurrence, see_games
from games.queries.site.versions import lists_version

logger = logging.getLogger(__name__)

#: Receivers wait for as long as they are on: one of which the lists have changed may be due without saying so.
RECEIVER_OUTBOX = Outbox(Receiver, *RETRY_PAUSES, waiting=Q(stopped_at=None))

#: How much is sent by one job: the next person's turn comes after it.
NEWS_AT_ONCE = 5

#: The answer of a program that wants to be told nothing any more.
GONE = 410


@dataclass(frozen=True)
class ToldNews:
    """How many deliveries a program took, and whether there are more for another job."""

    taken: int = 0
    has_more: bool = False


def wake_receivers(owners: Collection[int], now: datetime) -> list[int]:
    """Note that something has changed for these people; return the receivers that a job is to be asked for.

    One query, one more where there are any, and one for each of those: while a receiver waits for a job or for its next
    try there is nothing to note.
    """
    idle = idle_receivers(owners)
    return [pk for pk in idle if Receiver.objects.filter(pk=pk, due_at=None).update(due_at=now)]


def tell_news(receiver_id: int, tries: int, *, now: datetime) -> ToldNews:
    """Send a program what has happened since it was told last, if that many tries have begun.

    Safe to repeat and to run twice at once: the worker that counts the try sends. Of a worker killed between sending
    and writing that down the same comes again, under the same id unless it is news no longer.
    """
    pause = RECEIVER_OUTBOX.pause_after(tries)
    receiver = live_receivers().filter(pk=receiver_id, tries=tries).select_related("owner").first()
    if receiver is None or not RECEIVER_OUTBOX.claim(receiver_id, tries, now):
        return ToldNews()
    receiver.tries = tries + 1
    # Read first: what changes in between is looked at once more.
    version = int(lists_version(receiver.owner_id))
    known = {slug: ListPlace(*place) for slug, place in receiver.known.items()}
    seen = show_to(partial(see_games, receiver.owner, known), lambda: receiver.owner_id)
    for number, news in enumerate(seen.happenings):
        if number == NEWS_AT_ONCE:
            return ToldNews(number, has_more=_save(receiver, tries=0, due_at=now))
        if not _tell(receiver, news, now, pause):
            return ToldNews(number)
    is_behind = int(lists_version(receiver.owner_id)) != version
    done = {"known": seen.places, "version": version, "sending": []}
    has_more = _save(receiver, **done, tries=0, due_at=now if is_behind else None) and is_behind
    return ToldNews(len(seen.happenings), has_more)


def send_test_event(receiver_id: int) -> bool:
    """Send a test event; return whether it was taken. One that was switched off is on again."""
    receivers = receivers_answered_for(timezone.now()).filter(pk=receiver_id)
    receiver = receivers.select_related("owner").first()
    if receiver is None:
        return False
    now = timezone.now()
    answer = _hand_over(receiver, new_id(), {"type": "test", "player": receiver.owner.username}, now)
    noted = {"answer": answer.status, "answered_at": now}
    receivers.update(**noted)
    if answer.is_taken:
        receivers.exclude(stopped_at=None).update(stopped_at=None, failing_since=None, tries=0, due_at=None)
    return answer.is_taken


def new_id() -> str:
    """Return a new id for a delivery; a repeated one keeps its id, so that programs can tell."""
    return f"msg_{secrets.token_urlsafe(16)}"


def signature_of(secret: str, delivery: str, timestamp: int, body: bytes) -> str:
    """Return the signature by which a program with this secret verifies a delivery's sender and time."""
    key = base64.b64decode(secret.removeprefix(PREFIX))
    signed = hmac.new(key, f"{delivery}.{timestamp}.".encode() + body, hashlib.sha256)
    return f"v1,{base64.b64encode(signed.digest()).decode()}"


def _save(receiver: Receiver, **values: object) -> bool:
    """Change a receiver that is still there, and that no other worker has taken over since; return whether it was."""
    return bool(RECEIVER_OUTBOX.find(receiver.pk, receiver.tries).update(**values))


def _tell(receiver: Receiver, news: Occurrence, now: datetime, pause: timedelta) -> bool:
    """Send one thing that has happened, and write down how it went; return whether it was taken."""
    about = [news.kind, news.line["slug"], news.line["number"]]
    if receiver.sending[:3] != about:
        receiver.sending = [*about, new_id()]
        if not _save(receiver, sending=receiver.sending):
            return False
    body = {"type": news.kind, "player": receiver.owner.username, **news.line}
    answer = _hand_over(receiver, receiver.sending[3], body, now)
    noted = {"answer": answer.status, "answered_at": now}
    if answer.is_taken:
        slug = news.line["slug"]
        rest = {key: place for key, place in receiver.known.items() if key != slug}
        receiver.known = rest if news.then is None else {**rest, slug: news.then}
        receiver.failing_since, receiver.sending = None, []
        done = {**noted, "known": receiver.known, "sending": [], "failing_since": None}
        return write_down(partial(_save, receiver, **done))
    failing_since = receiver.failing_since or now
    if answer.status == GONE or is_given_up(failing_since, now):
        _stop(receiver, now, noted)
    else:
        logger.warning("A webhook answered %s; it is tried again.", answer.status or "nothing")
        _save(receiver, **noted, failing_since=failing_since, due_at=now + max(pause, answer.rest))
    return False


def _hand_over(receiver: Receiver, delivery: str, content: dict[str, object], now: datetime) -> ServiceAnswer:
    body = json.dumps(content, cls=DjangoJSONEncoder, separators=(",", ":")).encode()
    timestamp = int(now.timestamp())
    headers = {
        "webhook-id": delivery,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signature_of(receiver.secret, delivery, timestamp, body),
    }
    return post_json(receiver.address, body, headers, now=now, unreachable=0)


def _stop(receiver: Receiver, now: datetime, noted: dict[str, object]) -> None:
    """Send nothing any more, and write to the person whose webhook it is."""
    letter = _letter_to_owner(receiver)
    with transaction.atomic():
        if _save(receiver, **noted, stopped_at=now, due_at=None) and letter is not None:
            post_mail(letter.message, letter.kind, letter.page)


def _letter_to_owner(receiver: Receiver) -> WrittenMail | None:
    """Return what tells the person that their webhook was switched off; None where no mail may go to them."""
    person = receiver.owner.operator or receiver.owner
    if not settings.EMAIL_IS_SET or not has_confirmed_address(person):
        return None
    with as_read_by(person):
        subject = gettext("Your webhook was switched off")
        link = f"{settings.PUBLIC_URL}{reverse('own-webhooks')}"
        context = {"name": person.username, "subject": subject, "address": receiver.address, "link": link}
        body = render_to_string("games/webhooks/stopped.txt", context)
        return letter_to(person, "webhook", subject, body, {link: gettext("See your webhooks")})
