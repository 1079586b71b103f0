"""A game's channel, of Discord, Slack or Matrix: where it takes messages about one game, and which it gets."""

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import models

from accounts.models import User
from games.models.game import Game
from games.models.groups.channel import GroupChannel
from games.models.notices.endpoint import LONGEST_ADDRESS, SecretAddress
from games.values import Occasion


class GameChannel(SecretAddress, models.Model):
    """The address at which a channel takes messages about a game, a secret of the `owner` who has set it.

    Nothing is sent there before everyone at the table has agreed to it: the owner, and those whose keys are `agreed`.
    With a `group_channel` it is that of the table's group, to which some have agreed for all tables; it is told less.
    `answer` is the HTTP status of the last try, 0 for none. It has failed since `failing_since`; after a day of that
    nothing is sent any more, from `stopped_at` on.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="channel")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="game_channels")
    group_channel = models.ForeignKey(
        GroupChannel,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="game_channels",
        db_column="channel_id",
    )
    address = models.CharField(max_length=LONGEST_ADDRESS)
    created_at = models.DateTimeField()
    agreed = models.JSONField(default=list, db_default=models.Value([], models.JSONField()), blank=True)
    answer = models.PositiveSmallIntegerField(default=0)
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        # The table and the columns have the names that the release before knows (decision 80).
        db_table = "games_webhook"

    def __str__(self) -> str:
        return f"channel of {self.game_id}"

    def is_told(self, occasion: Occasion) -> bool:
        """Return whether this is told there: in a group's channel not each move."""
        if self.group_channel_id is None:
            return occasion != Occasion.GROUP_TABLE
        return occasion in (Occasion.GROUP_TABLE, Occasion.OVER)

    def waits_for(self, people: Collection[int]) -> list[User]:
        """Return who of the people at the table has yet to agree, by their names. One query, none if no one has.

        A program agrees to nothing, and no one who has closed their account. The group's channel has to be fetched.
        """
        missing = {*people} - {self.owner_id, *self.agreed, *(self.group_channel.agreed if self.group_channel else ())}
        found = User.objects.filter(pk__in=missing, operator=None, is_active=True).order_by("username")
        return list(found) if missing else []


class ChannelPostManager(models.Manager["ChannelPost"]):
    """Stores what is to be posted."""

    def record(self, game: Game, people: Collection[int], occasion: Occasion, event: int, now: datetime) -> None:
        """Store that a game's channel is to hear of an event, in the transaction in which it happens.

        Nothing while someone of the people at the table has yet to agree. The channel of a group is told of new tables
        and of the end, that of one game of all but new tables. At most three queries.
        """
        channel = GameChannel.objects.filter(game=game, stopped_at=None).select_related("group_channel").first()
        if channel is None or not channel.is_told(occasion) or channel.waits_for(people):
            return
        row = ChannelPost(channel=channel, occasion=occasion, event=event, due_at=now)
        self.bulk_create([row], ignore_conflicts=True)


class ChannelPost(models.Model):
    """One message to a channel: the outbox, with one row an event. `event` is the number of the move due, else 0.

    `tries` have begun; the next may begin at `due_at`, which is null once it was sent or is not to be sent any more.
    """

    channel = models.ForeignKey(
        GameChannel, on_delete=models.CASCADE, related_name="posts", db_index=False, db_column="webhook_id"
    )
    occasion = models.CharField(max_length=12)
    event = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = ChannelPostManager()

    class Meta:
        db_table = "games_webhookpost"
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="webhook_post_due"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["channel", "occasion", "event"], name="webhook_post_once"),
        ]

    def __str__(self) -> str:
        return f"{self.channel_id} {self.occasion} {self.event}"
