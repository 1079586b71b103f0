"""A review: what a strong engine thinks of every move of a finished game."""

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.values import ReviewStatus


class Review(models.Model):
    """One review of a finished game: asked for once, kept, and seen by everybody who sees the game.

    `findings` holds one entry for each position judged so far, in order (what is in it: `games.findings`), so a
    review that a crash broke off goes on where it was. `total` positions are to be judged. `done` is the length of
    `findings`, which are long: who only asks how far it is does not load them.
    """

    game = models.OneToOneField(Game, on_delete=models.CASCADE, related_name="review")
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    status = models.CharField(max_length=10, choices=ReviewStatus.choices, default=ReviewStatus.WAITING, db_index=True)
    # A number for each time it was asked for: a job of an earlier time does nothing.
    round = models.PositiveSmallIntegerField(default=1)
    simulations = models.PositiveIntegerField()
    total = models.PositiveSmallIntegerField()
    done = models.PositiveSmallIntegerField(default=0, db_default=0)
    findings = models.JSONField(default=list)
    asked_at = models.DateTimeField()
    changed_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.game_id} {self.status}"
