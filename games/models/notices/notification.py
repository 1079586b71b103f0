"""A notification: something that happened at a table, for one person; and its messages outside the pages."""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings
from django.db import models

from games.models.game import Game


class NotificationManager(models.Manager["Notification"]):
    """Stores what happened."""

    def record(
        self,
        occasion: str,
        game: Game,
        people: Iterable[int],
        now: datetime,
        *,
        event: int = 0,
        other: int | None = None,
        detail: str = "",
    ) -> bool:
        """Store that something happened for these people, in the transaction in which it does; return whether for any.

        What they have been notified of already stays as it is: `event` tells one such event of a game from the next.
        `other` is the person who did it, `detail` a code of what is said beside. One insert, none for no one.
        """
        about = {"game": game, "occasion": occasion, "event": event, "other_id": other, "created_at": now}
        about["detail"] = detail
        rows = [Notification(user_id=pk, **about) for pk in sorted(set(people))]
        self.bulk_create(rows, ignore_conflicts=True)
        return bool(rows)


class Notification(models.Model):
    """What one person is notified of: a row for each person, event and occasion, stored with the event itself.

    `event` is the number of the move that is due (for turns and deadlines: of deadlines twice the number, and one more
    for the second reminder, see `first_reminder`), the milliseconds since 1970 at which a seat was taken or left, the
    version of the game at which a pause was asked for, begun or over, or a day given, else 0. `is_due` until it has
    been announced: shown on the site, and given to the channels that the person has chosen.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notifications", db_index=False
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notifications")
    occasion = models.CharField(max_length=12)
    event = models.BigIntegerField(default=0)
    other = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="+", db_index=False
    )
    # A code of what is said beside: of a removal its reason.
    detail = models.CharField(max_length=12, blank=True, default="", db_default="")
    created_at = models.DateTimeField()
    is_due = models.BooleanField(default=True)
    # Whether the person's own page lists it, and when that page, or the game's, was opened.
    is_listed = models.BooleanField(default=False)
    read_at = models.DateTimeField(null=True, blank=True)

    objects = NotificationManager()

    class Meta:
        indexes = [
            models.Index(fields=["created_at"], condition=models.Q(is_due=True), name="notification_due"),
            models.Index(fields=["user", "-id"], condition=models.Q(is_listed=True), name="notification_listed"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "game", "occasion", "event"], name="notification_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.game_id} {self.occasion} {self.event}"


class Delivery(models.Model):
    """One notification by one channel outside the pages: the outbox, with one row for each of both.

    `tries` have begun; the next may begin at `due_at`, which is null once it was sent or is not to be sent any more.
    """

    notification = models.ForeignKey(Notification, on_delete=models.CASCADE, related_name="deliveries", db_index=False)
    channel = models.CharField(max_length=8)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="delivery_due"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["notification", "channel"], name="delivery_once_a_channel"),
        ]

    def __str__(self) -> str:
        return f"{self.notification_id} by {self.channel}"
