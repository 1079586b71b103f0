"""What a person always wants to play: so many games of one kind, at which the site seats them."""

from django.conf import settings
from django.db import models

from games.models.game import Game


class Seek(models.Model):
    """A standing seek: the person wants up to `number` games of this kind to be under way, public ones.

    `variant` is the board for so many players, `pace` a key of `SOUGHT_TIMES` (`games.queries.tables.seeks`). Bots take
    the seats that are empty `wait` minutes after the site has opened a table; 0 for never. `table` is the one that it
    has opened last. It is looked at again at `due_at`, and rests until `rests_until`, since the person has left a
    table. One that `is_idle` rests until it is set again: nobody has come to its table. What happened before `set_at`
    does not count.
    """

    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="seeks", db_index=False)
    variant = models.CharField(max_length=20)
    pace = models.CharField(max_length=10)
    is_rated = models.BooleanField()
    number = models.PositiveSmallIntegerField()
    wait = models.PositiveSmallIntegerField(default=0)
    table = models.OneToOneField(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="seek")
    set_at = models.DateTimeField()
    due_at = models.DateTimeField()
    rests_until = models.DateTimeField(null=True, blank=True)
    is_idle = models.BooleanField(default=False, db_default=False)

    class Meta:
        constraints = [models.UniqueConstraint(fields=("person", "variant", "pace", "is_rated"), name="seek_once")]
        indexes = [
            models.Index(fields=["due_at"], name="seek_due"),
            models.Index(fields=["variant", "pace", "is_rated", "due_at"], name="seek_kind"),
        ]

    def __str__(self) -> str:
        return f"{self.person_id}: {self.number} of {self.variant}"
