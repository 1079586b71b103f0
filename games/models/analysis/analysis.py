"""An analysis: what one person has tried from the positions of one game."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class Analysis(models.Model):
    """One person's branches of one game, which no one else is shown.

    `tree` is what `games.base.branches` writes: at most 500 moves, and some changes to undo. `edition` counts how often
    it was changed: what was tried on another device meanwhile is neither lost nor undone unseen.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="analyses", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="analyses")
    tree = models.JSONField(default=dict)
    edition = models.PositiveIntegerField(default=1)
    changed_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["game", "user"], name="analysis_once"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} in {self.game_id}"
