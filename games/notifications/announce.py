"""From what happened to who hears of it: notices are listed on the site, and become messages of the channels."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, Q

from accounts.models import User
from games import events
from games.base import counters
from games.models import Delivery, Notification
from games.notifications.channels import CHANNELS
from games.notifications.kinds import SITE, wants
from games.queries.notices.looking import looking_at

#: All that has happened in a game and was not announced yet.
ALL = Q()


def announce_game(game_id: int, *, now: datetime, grace: timedelta = timedelta(), only: Q = ALL) -> list[int]:
    """Announce what has happened in a game, or `only` some of it; return the deliveries that are due after the grace.

    Safe to repeat and to run twice at once: rows are locked, and each is announced once. People are locked before
    their notifications, as everywhere.
    """
    due = Notification.objects.filter(only, game=game_id, is_due=True)
    people = set(due.values_list("user_id", flat=True))
    if not people:
        return []
    with transaction.atomic(), counters.together():
        locked = User.objects.select_for_update(no_key=True).filter(pk__in=people).order_by("pk")
        users = {user.pk: user for user in locked}
        rows = list(due.filter(user__in=users).select_for_update(no_key=True).order_by("pk"))
        _list(rows, users, looking_at(game_id, now), now)
        return _post(rows, users, now + grace)


def _list(rows: Sequence[Notification], users: dict[int, User], looking: Iterable[int], now: datetime) -> None:
    """Show the rows on their people's own pages; what happened under their eyes is read already."""
    watchers, unread = set(looking), Counter[int]()
    for row in rows:
        row.is_due = False
        row.is_listed = wants(users[row.user_id], row.occasion, SITE)
        row.read_at = now if row.user_id in watchers else None
        unread[row.user_id] += row.is_listed and row.read_at is None
    Notification.objects.bulk_update(rows, ["is_due", "is_listed", "read_at"])
    new = sorted(user for user, number in unread.items() if number)
    # One query where each has as many new ones as the others, which is nearly always so.
    for number in {unread[user] for user in new}:
        whose = [user for user in new if unread[user] == number]
        User.objects.filter(pk__in=whose).update(unread_notices=F("unread_notices") + number)
    if new:
        counters.touch(new)
        events.publish(events.NoticesListed(users=tuple(new)))


def _is_there(user: User) -> bool:
    return user.is_active and not user.is_suspended


def _post(rows: Sequence[Notification], users: dict[int, User], due_at: datetime) -> list[int]:
    """Put a message into the outbox for each channel by which a person is reached and wants to be."""
    unread = [row for row in rows if row.read_at is None and _is_there(users[row.user_id])]
    posted = [
        Delivery(notification=row, channel=channel.name, due_at=due_at)
        for row in unread
        for channel in CHANNELS
        if wants(users[row.user_id], row.occasion, channel.name) and channel.is_confirmed(users[row.user_id])
    ]
    Delivery.objects.bulk_create(posted, ignore_conflicts=True)
    keys = [row.pk for row in unread]
    return list(Delivery.objects.filter(notification__in=keys).order_by("pk").values_list("pk", flat=True))
