"""A table that a group always has: when its game ends, the next one opens."""

from django.db import models

from games.models.game import Game
from games.models.groups.group import Group


class StandingTable(models.Model):
    """What is agreed at the table that a group always has, stored once, and which game it has now.

    `terms` are the fields of `games.base.terms.Terms` by their names, the time as a list. The next game has been due
    since `due_at`: that is set in the transaction in which the one before ends, and cleared in the one that opens the
    next. With neither a game that goes on nor one due the table rests: no one came, or somebody cancelled it.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="standing_table")
    variant = models.CharField(max_length=40)
    terms = models.JSONField(default=dict)
    game = models.OneToOneField(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="standing_table")
    due_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="standing_due")]

    def __str__(self) -> str:
        return f"{self.variant} of {self.group_id}"
