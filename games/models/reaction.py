"""What a player has said of one placement by a single mark."""

from django.conf import settings
from django.db import models

from games.models.move import Move
from games.values import ReactionWord


class Reaction(models.Model):
    """One of six marks that a player has given to a placement of another; one a person and move, which goes with it."""

    # No index of its own: the unique constraint begins with it.
    move = models.ForeignKey(Move, on_delete=models.CASCADE, related_name="reactions", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reactions")
    word = models.CharField(max_length=8, choices=ReactionWord.choices)
    given_at = models.DateTimeField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["move", "author"], name="reaction_once"),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} at {self.move_id}: {self.word}"
