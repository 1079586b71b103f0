"""Webhooks of people and of their bots, which are receivers."""

from collections.abc import Collection, Sequence
from datetime import datetime

from django.db.models import BigIntegerField, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.utils import timezone

from accounts.database.prepared import PreparedForSeveral
from accounts.models import User
from games.models import ListVersion, Receiver, WebhookNotice

#: Of how many webhooks that programs have set up a page of notices tells.
SHOWN_WEBHOOKS = 50

#: Of a person with an account, or of a bot whose operator has one.
ANSWERED_FOR = Q(owner__is_active=True) & (Q(owner__operator=None) | Q(owner__operator__is_active=True))


def receivers_answered_for(now: datetime) -> QuerySet[Receiver]:
    """Return the receivers of people with an account, and of bots whose operator has one, who are not suspended."""
    acting = User.acting(now, "owner__") & User.acting(now, "owner__operator__")
    return Receiver.objects.filter(ANSWERED_FOR, acting)


def is_receiver_doubtful(receiver_id: int) -> bool:
    """Return whether a program has not taken what it was sent last, or never was sent anything. One query."""
    return not Receiver.objects.filter(pk=receiver_id, answer__gte=200, answer__lt=300).exists()


def live_receivers() -> QuerySet[Receiver]:
    """Return the receivers that something may be sent to."""
    return receivers_answered_for(timezone.now()).filter(stopped_at=None)


def receivers_kept_by(person: User) -> Sequence[Receiver]:
    """Return the receivers of a person and of their bots, with owner and token, the first first. One query."""
    kept = Receiver.objects.filter(owner__in=User.answering(person.pk), owner__erased_at=None)
    return list(kept.select_related("owner", "token").order_by("pk"))


def receivers_of_token(token: int) -> Sequence[Receiver]:
    """Return the receivers that a program has set up with this token, the first first. One query."""
    return list(Receiver.objects.filter(token=token).order_by("pk"))


def receiver_of_token(token: int, pk: int) -> Receiver | None:
    """Return the receiver of that number that was set up with this token, None if there is none. One query."""
    return Receiver.objects.filter(token=token, pk=pk).first()


def receiver_made(pk: int) -> Receiver | None:
    """Return a receiver with its owner, the owner's operator and the token that made it, if it is there. One query."""
    return Receiver.objects.filter(pk=pk).select_related("owner__operator", "token").first()


def webhook_notices(person: User) -> list[WebhookNotice]:
    """Return what a person has been told of webhooks that programs have set up, the latest first. One query."""
    return list(WebhookNotice.objects.filter(user=person).select_related("owner").order_by("-pk")[:SHOWN_WEBHOOKS])


def own_receiver(person: User, pk: int) -> Receiver | None:
    """Return the receiver of that number of a person or of a bot of theirs, None if there is none. One query."""
    return Receiver.objects.filter(owner__in=User.answering(person.pk), pk=pk).first()


#: The receivers of these people that wait for something to happen.
_IDLE = PreparedForSeveral(
    lambda owners: (
        Receiver.objects.filter(owner__pk__in=owners, stopped_at=None, due_at=None).order_by("pk").values_list("pk")
    ),
    BigIntegerField(),
)


def idle_receivers(owners: Collection[int]) -> list[int]:
    """Return the receivers of these people that wait for something to happen. One query, one more if there are any."""
    # Every move waits for this, and hardly anyone has a receiver: whose they are, which takes longer, is asked last.
    found = [pk for (pk,) in _IDLE.ask(owners)]
    return list(live_receivers().filter(pk__in=found).order_by("pk").values_list("pk", flat=True)) if found else []


def receivers_due(before: datetime) -> set[tuple[int, int]]:
    """Return each receiver that has something to send, and how many tries have begun. Two queries.

    It should have been sent before a moment, or the owner's lists have another version than the one that was told last:
    then the process ended that was to note it. A third query where there are any.
    """
    version = ListVersion.objects.filter(owner=OuterRef("owner")).values("version")
    # Whose they are is asked last: SQLite would begin with all people where it knows of no receivers.
    on = Receiver.objects.filter(stopped_at=None)
    missed = on.filter(due_at=None).annotate(now=Coalesce(Subquery(version), 0)).exclude(now=F("version"))
    found = dict([*on.filter(due_at__lt=before).values_list("pk", "tries"), *missed.values_list("pk", "tries")])
    live = live_receivers().filter(pk__in=found).values_list("pk", flat=True) if found else ()
    return {(pk, found[pk]) for pk in live}
