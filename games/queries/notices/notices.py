"""Notices that wait: to be announced, to be sent."""

from datetime import datetime

from django.db.models import Count, Exists, Min, OuterRef, Prefetch, Q, Subquery
from django.db.models.expressions import CombinedExpression
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Delivery, Notification, Player, PushSubscription, StudyEditor, WebhookNotice
from games.queries.rows import rows_from


def games_to_announce(before: datetime) -> set[tuple[int, int]]:
    """Return the games in which something happened before a moment that is still to be announced, each with 0.

    One query, by a partial index.
    """
    due = Notification.objects.filter(is_due=True, created_at__lt=before)
    return {(game, 0) for game in due.values_list("game_id", flat=True)}


def has_doubtful_device(person: str) -> Exists:
    """Return the condition that some device of a row's person failed when it was sent to last, or never was."""
    devices = PushSubscription.objects.filter(user=OuterRef(person))
    return Exists(devices.filter(Q(used_at=None) | Q(failing_since__isnull=False)))


def way_of_delivery(delivery_id: int) -> tuple[str, bool]:
    """Return by which channel a message goes, and whether some device of its person has not answered. One query.

    "" and True for a message that is gone.
    """
    found = Delivery.objects.filter(pk=delivery_id).annotate(is_doubtful=has_doubtful_device("notification__user"))
    return found.values_list("channel", "is_doubtful").first() or ("", True)


def oldest_notice_due() -> datetime | None:
    """Return since when the notice has been due that has been due for longest, None if none is. Two queries."""
    unannounced = Notification.objects.filter(is_due=True).aggregate(first=Min("created_at"))["first"]
    unsent = Delivery.objects.filter(due_at__isnull=False).aggregate(first=Min("due_at"))["first"]
    return min(filter(None, (unannounced, unsent)), default=None)


def unread_number() -> CombinedExpression:
    """Return how many notices a person of a statement about people has not seen, as a part of that statement.

    Those that they may write in a study, and those of webhooks, count too.
    """
    unread = Notification.objects.filter(user=OuterRef("pk"), is_listed=True, read_at=None).order_by()
    let_in = StudyEditor.objects.filter(person=OuterRef("pk"), is_new=True).order_by()
    webhooks = WebhookNotice.objects.filter(user=OuterRef("pk"), is_new=True).order_by()
    ways = (unread.values("user"), let_in.values("person"), webhooks.values("user"))
    one, other, third = (Coalesce(Subquery(way.annotate(n=Count("pk")).values("n")), 0) for way in ways)
    return one + other + third


def notices_of(user: User, start: int, number: int) -> list[Notification]:
    """Return so many of the notices that this person's page lists, from that one on, the newest first. Three queries.

    With their games, the players of these, and the people whom they speak of; each says whether someone lets the person
    write in a study (`is_editor`), and whether a program has set up a webhook (`has_webhooks`).
    """
    players = Prefetch("game__players", Player.objects.select_related("user", "invitee"))
    let_in = Exists(StudyEditor.objects.filter(person=user))
    told = Exists(WebhookNotice.objects.filter(user=user))
    listed = Notification.objects.filter(user=user, is_listed=True).annotate(is_editor=let_in, has_webhooks=told)
    listed = listed.order_by("-pk")
    return rows_from(listed.select_related("game", "other").prefetch_related(players), start, number)
