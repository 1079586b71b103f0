"""What the person who opened a table has changed at it before the start, for those who sit there to read."""

from django.conf import settings
from django.db import models

from games.clock import TimeControl
from games.models.game import Game
from games.values import ChangeMade


class TableChange(models.Model):
    """One change. It goes with its game.

    `values` say to what, by kind: name, nothing; time, `time` (a time control's parts in their order); stand-in, `bot`;
    privacy, `is_public`; swapped, `seats` (two numbers, from 0); removed, `reason`; bots later, `hours` and `bot`;
    choosing, `lets_choose`. `person` is the one removed.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="changes")
    change = models.CharField(max_length=12)
    values = models.JSONField(default=dict, blank=True)
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )
    changed_at = models.DateTimeField()

    class Meta:
        ordering = ["id"]

    def __str__(self) -> str:
        return f"{self.game_id} {self.change}"

    @property
    def made(self) -> ChangeMade:
        """Return the change as a value."""
        values = self.values
        return ChangeMade(
            change=self.change,
            moment=self.changed_at,
            time=TimeControl(*values.get("time", ())),
            bot=values.get("bot", ""),
            hours=values.get("hours", 0),
            is_public=values.get("is_public", False),
            seats=tuple(values.get("seats", ())),
            reason=values.get("reason", ""),
            lets_choose=values.get("lets_choose", False),
        )
