"""A table's webhook: where a chat takes messages about one game, and the messages that it is to get."""

from datetime import datetime

from django.conf import settings
from django.db import models

from games.models.endpoint import LONGEST_ADDRESS
from games.models.game import Game
from games.values import Occasion


class Webhook(models.Model):
    """The address at which a chat takes messages about a game, a secret of the `owner` who has set it.

    `answer` is the HTTP status of the last try, 0 for none. It has failed since `failing_since`; after a day of that
    nothing is sent any more, from `stopped_at` on.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="webhook")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    created_at = models.DateTimeField()
    answer = models.PositiveSmallIntegerField(default=0)
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"webhook of {self.game_id}"


class WebhookPostManager(models.Manager["WebhookPost"]):
    """Stores what is to be posted."""

    def record(self, game: Game, occasion: Occasion, event: int, now: datetime) -> None:
        """Store that a game's chat is to hear of an event, in the transaction in which it happens. Two queries."""
        hooks = Webhook.objects.filter(game=game, stopped_at=None).values_list("pk", flat=True)
        rows = [WebhookPost(webhook_id=pk, occasion=occasion, event=event, due_at=now) for pk in hooks]
        self.bulk_create(rows, ignore_conflicts=True)


class WebhookPost(models.Model):
    """One message to a chat: the outbox, with one row an event. `event` is the number of the move due, else 0.

    `tries` have begun; the next may begin at `due_at`, which is null once it was sent or is not to be sent any more.
    """

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="posts", db_index=False)
    occasion = models.CharField(max_length=12)
    event = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = WebhookPostManager()

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="webhook_post_due"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["webhook", "occasion", "event"], name="webhook_post_once"),
        ]

    def __str__(self) -> str:
        return f"{self.webhook_id} {self.occasion} {self.event}"
