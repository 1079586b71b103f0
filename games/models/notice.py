"""A notice: something a player is told elsewhere than on the pages, once."""

from django.db import models

from games.models.player import Player


class Notice(models.Model):
    """The e-mail that says that it is a player's turn: one row a player and move, written before anything is sent.

    `claimed_at` is when a worker last began to send it. Neither sent nor skipped is to be tried again.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notices")
    number = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    # Why nothing was sent: the player was looking, or had just moved, or had been told of this turn.
    is_skipped = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "number"], name="notice_once_a_move")]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.number}"
