"""Tell a program of a person what happens in their games, by a webhook, or stop telling it."""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from accounts.models import ApiToken, User
from games import events
from games.base import counters
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import Receiver, WebhookNotice
from games.models.notices.endpoint import is_endpoint
from games.queries.people.happenings import see_games
from games.queries.site.versions import lists_version

#: How many webhooks a person may have, and as many each of their bots.
MOST_WEBHOOKS = 3

NO_ADDRESS = _("We can only send to an address on the internet that begins with https:// and has a name.")
KNOWN_ADDRESS = _("There is a webhook with this address already.")
NO_WEBHOOK = _("There is no such webhook.")
NO_MORE = _("There are %(most)d webhooks already, the most there can be. Remove one first.")


def add_webhook(user: User, address: str, *, token: int | None = None, now: datetime) -> Receiver:
    """Tell the program at an address from now on what happens in the person's games; what is so already is not told.

    `token` is the key of the token by which a program asks for it: the webhook goes with it, and its person is written
    to, and finds it among their notices; of a bot, its operator. Their rows are locked, so that there are never more
    than there may be, and none of a closed account.

    Raises:
        BadRequest: nothing is sent to such an address.
        WrongStatus: it is told already, or there are as many as there may be.
        NotFound: the account was closed, or the token revoked, just now.

    """
    if not is_endpoint(address):
        raise BadRequest(NO_ADDRESS, field="address")
    # Read first, for it takes the longer the more games there are: what changes in between is looked at once more.
    version = int(lists_version(user.pk))
    return _add(user, address, token, now, version, see_games(user, None).places)


@transaction.atomic
def _add(user: User, address: str, token: int | None, now: datetime, version: int, known_games: Any) -> Receiver:
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, user.operator_id or user.pk))
    people = {each.pk: each for each in rows.order_by("pk")}
    person, name = people[user.pk], _hold_token(token)
    if not person.is_active or (token is not None and name is None):
        raise NotFound(NO_WEBHOOK)
    known = set(Receiver.objects.filter(owner=person).values_list("address", flat=True))
    if address in known:
        raise WrongStatus(KNOWN_ADDRESS, code="webhook-known")
    if len(known) >= MOST_WEBHOOKS:
        raise WrongStatus(str(NO_MORE) % {"most": MOST_WEBHOOKS}, code="no-more-webhooks")
    receiver = Receiver.objects.create(
        owner=person,
        token_id=token,
        address=address,
        created_at=now,
        known=known_games,
        version=version,
    )
    if name is not None:
        _notify(receiver, people[user.operator_id or user.pk], name)
        events.publish(events.WebhookAdded(receiver_id=receiver.pk))
    return receiver


def _hold_token(token: int | None) -> str | None:
    """Return the name of a token that is still there, and keep it there until the transaction ends."""
    if token is None:
        return None
    rows = ApiToken.objects.select_for_update(no_key=True).filter(pk=token)
    return next(iter(rows.values_list("name", flat=True)), None)


def _notify(receiver: Receiver, reader: User, token: str) -> None:
    """Note on the site that a program has set this up with the token of that name. The reader is locked."""
    about = {"owner": receiver.owner, "address": receiver.address, "created_at": receiver.created_at}
    WebhookNotice.objects.create(user=reader, token=token, **about)
    User.objects.filter(pk=reader.pk).update(unread_notices=F("unread_notices") + 1)
    counters.touch([reader.pk])
    events.publish(events.NoticesListed(users=(reader.pk,)))


def remove_webhook(user: User, pk: int, *, token: int | None = None) -> bool:
    """Send nothing any more to a webhook of the person or of a bot of theirs; return whether there was one.

    A program removes those alone that were set up with its token, `token` by its key.
    """
    mine = Receiver.objects.filter(owner__in=User.answering(user.pk), pk=pk)
    found = mine if token is None else mine.filter(token=token)
    return found.delete()[0] > 0


def forget_webhooks(user_id: int) -> None:
    """Send nothing any more to webhooks of a person and of their bots. Without one nothing changes."""
    Receiver.objects.filter(owner__in=User.answering(user_id)).delete()
