"""What the person who opened a table has changed at it before the start, for those who sit there to read."""

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.clock import TimeControl
from games.models.game import Game


class Change(models.TextChoices):
    """What was changed. In words: `games.words.table_changes`."""

    NAME = "name"
    TIME = "time"
    STAND_IN = "stand-in"
    PRIVACY = "privacy"
    SWAPPED = "swapped"
    REMOVED = "removed"
    BOT_REMOVED = "bot-removed"
    BOTS_LATER = "bots-later"
    CHOOSING = "choosing"


class RemovalReason(models.TextChoices):
    """Why a person was removed from a table."""

    KEPT = "kept", _("The seat is meant for another player")
    SILENT = "silent", _("No answer for a long time")
    PLANS = "plans", _("The plans for this table have changed")
    OTHER = "other", _("No reason given")


@dataclass(frozen=True, kw_only=True)
class ChangeMade:
    """One change as a value: what was changed, when, and to what, as far as that belongs to its kind.

    `hours` counts from the change; 0 for never. `seats` count from 0. `bot` is a stored name, empty for none.
    """

    change: str
    moment: datetime
    time: TimeControl
    bot: str
    hours: int
    is_public: bool
    seats: tuple[int, ...]
    reason: str
    lets_choose: bool


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
