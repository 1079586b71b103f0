"""A mistake: a placement of one's own that a review found to have cost much, to be tried again until it is found."""

from datetime import datetime

from django.conf import settings
from django.db import models

from games.models.game import Game


class Mistake(models.Model):
    """A person's placement in a reviewed game, of the number `number`, that lowered their chance by `cost` percent.

    No one else is shown it. It is due again at `due_at`, later each time a better placement is found, and no more once
    `step` is the last of the intervals: then `due_at` is null. `tries` counts what was tried.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="mistakes", db_index=False
    )
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="mistakes")
    number = models.PositiveSmallIntegerField()
    cost = models.PositiveSmallIntegerField()
    step = models.PositiveSmallIntegerField(default=0)
    tries = models.PositiveIntegerField(default=0)
    due_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "game", "number"], name="mistake_once")]
        indexes = [models.Index(fields=["user", "due_at", "id"], name="mistake_due")]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id} at {self.number}"

    def is_due(self, now: datetime) -> bool:
        """Return whether it is to be tried again now."""
        return self.due_at is not None and self.due_at <= now
