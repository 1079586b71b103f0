"""A table's webhook: where a chat takes messages about one game, and the messages that it is to get."""

from collections.abc import Collection
from datetime import datetime
from urllib.parse import urlsplit

from django.conf import settings
from django.db import models

from accounts.models import User
from games.models.game import Game
from games.models.groups.channel import GroupChannel
from games.models.notices.endpoint import LONGEST_ADDRESS
from games.values import Occasion


class Webhook(models.Model):
    """The address at which a chat takes messages about a game, a secret of the `owner` who has set it.

    Nothing is sent there before everyone at the table has agreed to it: the owner, and those whose keys are `agreed`.
    With a `channel` it is that of the table's group, to which some have agreed for all tables, and which is told less.
    `answer` is the HTTP status of the last try, 0 for none. It has failed since `failing_since`; after a day of that
    nothing is sent any more, from `stopped_at` on.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="webhook")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhooks")
    channel = models.ForeignKey(GroupChannel, null=True, blank=True, on_delete=models.CASCADE, related_name="webhooks")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    created_at = models.DateTimeField()
    agreed = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    answer = models.PositiveSmallIntegerField(default=0)
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"webhook of {self.game_id}"

    @property
    def host(self) -> str:
        """Return where the chat is, which is no secret."""
        return urlsplit(self.address).hostname or ""

    def is_told(self, occasion: Occasion) -> bool:
        """Return whether this is told there: in a group's channel not each move."""
        if self.channel_id is None:
            return occasion != Occasion.GROUP_TABLE
        return occasion in (Occasion.GROUP_TABLE, Occasion.OVER)

    def waits_for(self, people: Collection[int]) -> list[User]:
        """Return who of the people at the table has yet to agree, by their names. One query, none if no one has.

        A program agrees to nothing, and no one who has closed their account. The channel has to be fetched.
        """
        missing = {*people} - {self.owner_id, *self.agreed, *(self.channel.agreed if self.channel else ())}
        found = User.objects.filter(pk__in=missing, operator=None, is_active=True).order_by("username")
        return list(found) if missing else []


class WebhookPostManager(models.Manager["WebhookPost"]):
    """Stores what is to be posted."""

    def record(self, game: Game, people: Collection[int], occasion: Occasion, event: int, now: datetime) -> None:
        """Store that a game's chat is to hear of an event, in the transaction in which it happens.

        Nothing while someone of the people at the table has yet to agree. The channel of a group is told of new tables
        and of the end, other chats of all but new tables. At most three queries.
        """
        hook = Webhook.objects.filter(game=game, stopped_at=None).select_related("channel").first()
        if hook is None or not hook.is_told(occasion) or hook.waits_for(people):
            return
        row = WebhookPost(webhook=hook, occasion=occasion, event=event, due_at=now)
        self.bulk_create([row], ignore_conflicts=True)


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
