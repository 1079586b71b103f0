"""What a player has written down about a game, for nobody else."""

from django.conf import settings
from django.db import models

from games.models.game import Game

#: A note has at most this many characters.
MAX_NOTE = 1000


class Note(models.Model):
    """One person's note about one game, which no one else is ever shown.

    `edition` counts how often it was saved: what was written on another device meanwhile is not lost. So a note that
    was emptied keeps its row.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="notes", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="notes")
    text = models.CharField(max_length=MAX_NOTE, blank=True)
    edition = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="note_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} about {self.game_id}"
