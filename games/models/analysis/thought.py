"""A thought: how a bot came to one of its moves."""

from django.db import models

from games.models.move import Move


class Thought(models.Model):
    """What a bot's placement took, what the bot expected of it, and what speaks for it.

    Shown once the game is over, and before where the table lets its bots explain themselves.

    `engine` is how it was chosen: the name of a family of engines ("search"), "opening" where the bot was told which
    one to follow, or "fallback" where it failed and another engine stood in. `value` is the chance of winning that the
    bot gave its own seat, 0 to 1, null where it has no opinion. `reasons` are merits as [[effect, colour, count], ...]
    (`games.findings`), the strongest first; null for moves older than they are.
    """

    move = models.OneToOneField(Move, on_delete=models.CASCADE, related_name="thought")
    engine = models.CharField(max_length=20)
    level = models.PositiveSmallIntegerField(default=0)
    simulations = models.PositiveIntegerField(default=0)
    # Of the worker's CPU.
    milliseconds = models.PositiveIntegerField(default=0)
    value = models.FloatField(null=True, blank=True)
    reasons = models.JSONField(null=True, blank=True)

    class Meta:
        constraints = [
            models.CheckConstraint(
                condition=models.Q(value=None) | models.Q(value__gte=0, value__lte=1), name="thought_value_is_a_chance"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.engine} {self.level}"
