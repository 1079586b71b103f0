"""A review: what a strong engine thinks of every move of a finished game."""

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.values import ReviewStatus


class Review(models.Model):
    """One review of a finished game: asked for once, kept, and seen by everybody who sees the game.

    `done` of `total` positions are judged so far. What was found about each of them stands in a row of its own
    (`ReviewPart`), so that a step writes no more than it has found, and a review that a crash broke off goes on where
    it was. Once all are judged, `findings` holds an entry for each, in order, and those rows are gone.
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


class ReviewPart(models.Model):
    """What a review that is not done has found about one position: the one before the move of that number.

    What is in `finding`: `games.findings`.
    """

    review = models.ForeignKey(Review, on_delete=models.CASCADE, related_name="parts", db_index=False)
    number = models.PositiveSmallIntegerField()
    finding = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["review", "number"], name="review_part_number_once")]

    def __str__(self) -> str:
        return f"{self.review_id} {self.number}"
