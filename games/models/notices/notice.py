"""A notice of the release before this one: a message to a player outside the pages, sent once."""

from django.db import models

from games.models.player import Player


class Notice(models.Model):
    """The message that it is a player's turn: one row a player and move, written before anything is sent.

    Nothing is written here any more (`Notification` is); the table stays for one release, so that the code of the one
    before runs on it, and is emptied with age.

    `claimed_at` is when a worker last began to send it. Neither sent nor skipped is to be tried again.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="notices", db_index=False)
    number = models.PositiveSmallIntegerField()
    created_at = models.DateTimeField()
    claimed_at = models.DateTimeField(null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)
    # Nothing was sent: the player was looking, had just moved, knew of this turn, or has no verified address.
    is_skipped = models.BooleanField(default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["player", "number"], name="notice_once_a_move")]

    def __str__(self) -> str:
        return f"{self.player_id}/{self.number}"
