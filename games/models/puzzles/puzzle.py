"""A day's puzzle, and how a person has fared at it."""

from django.conf import settings
from django.db import models


class DailyPuzzle(models.Model):
    """The puzzle of a day, with its answers and their proof (`games.puzzles.puzzle.Puzzle`).

    `key` tells it from all others, and `source` says where it was found: `bots:` and the seed of a game that bots have
    played for it, or `game:` and the number of a public game.
    """

    day = models.DateField(unique=True)
    key = models.CharField(max_length=24, unique=True)
    source = models.CharField(max_length=32)
    number = models.PositiveBigIntegerField(default=0)
    kind = models.CharField(max_length=8)
    variant = models.CharField(max_length=40)
    moves = models.JSONField()
    solutions = models.JSONField()
    proof = models.JSONField()

    class Meta:
        indexes = [models.Index(fields=["source", "-number"], name="puzzle_source")]

    def __str__(self) -> str:
        return f"{self.kind} of {self.day}"


class PuzzleTry(models.Model):
    """How a person has fared at the puzzle of a day: what they have tried, hints they have taken, when they solved it.

    `tries` counts placements that were legal and wrong, and the one that solved it.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="puzzle_tries", db_index=False
    )
    puzzle = models.ForeignKey(DailyPuzzle, on_delete=models.CASCADE, related_name="puzzle_tries")
    day = models.DateField()
    tries = models.PositiveSmallIntegerField(default=0)
    hints = models.PositiveSmallIntegerField(default=0)
    solved_at = models.DateTimeField(null=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "day"], name="puzzle_try_once")]
        # The first people who have tried a puzzle say how hard it is.
        indexes = [models.Index(fields=["puzzle", "id"], name="puzzle_try_first")]

    def __str__(self) -> str:
        return f"{self.user_id} at {self.day}"
