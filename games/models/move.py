"""A move: one recorded turn. Moves are the truth of a game."""

from django.db import models

from games.models.game import Game
from games.values import Kind, Reason


class Move(models.Model):
    """One placement, pass or retirement, numbered from 1 without gaps.

    `placement` is the canonical text ("V3:a1,b1,a2"), empty otherwise. `client_key` is the client's own random name of
    the request: the same key in the same game is the same move. `version` is the game's version after the request.
    """

    # No index of its own: the unique constraint of the number begins with it.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="moves", db_index=False)
    number = models.PositiveSmallIntegerField()
    kind = models.CharField(max_length=6, choices=Kind.choices)
    seat = models.PositiveSmallIntegerField()
    # Empty for a retirement, which is the seat's and not one colour's.
    colour = models.CharField(max_length=10, blank=True)
    placement = models.CharField(max_length=60, blank=True)
    # A pass recorded for a blocked colour without its player being asked.
    is_automatic = models.BooleanField(default=False)
    # The bot that chose it, in its own seat or for an absent player; empty for people.
    bot = models.CharField(max_length=20, blank=True)
    retired = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    client_key = models.CharField(max_length=64, null=True, blank=True)  # noqa: DJ001  (null: unique only where given)
    version = models.PositiveIntegerField()
    played_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(fields=["game", "number"], name="move_number_once"),
            # A bot's key is made of the number, which is unique itself.
            models.UniqueConstraint(
                fields=["game", "client_key"],
                condition=models.Q(client_key__isnull=False, bot=""),
                name="move_client_key_once",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.placement or self.kind}"
