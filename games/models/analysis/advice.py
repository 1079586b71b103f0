"""Advice: the good placements that a player asked to be shown before one move of theirs."""

from django.db import models

from games.models.player import Player


class Advice(models.Model):
    """What was last asked for a seat, and found. It is shown to the player in that seat alone.

    `number` is the move it is for: once the game has moved on it is of no use, and the next one takes its place.
    `choices` are what was found, best first (what is in one: `games.findings`), null while it is thought about.
    """

    player = models.OneToOneField(Player, on_delete=models.CASCADE, related_name="advice")
    number = models.PositiveSmallIntegerField()
    asked_at = models.DateTimeField(db_index=True)
    choices = models.JSONField(null=True, blank=True)

    class Meta:
        indexes = [
            # What the sweep looks for: advice that is waited for, hardly ever more than a few rows.
            models.Index(fields=["asked_at"], condition=models.Q(choices__isnull=True), name="advice_waiting"),
        ]

    def __str__(self) -> str:
        return f"{self.player_id} {self.number}"
