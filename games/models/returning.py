"""A return: a player who was away plays again. With the moves, what the state of a game is rebuilt from."""

from django.db import models

from games.models.player import Player


class Return(models.Model):
    """A player came back when the move of that number was due, before it was made.

    Nothing of it changes; it goes with its game. There is no person in it but the seat's.
    """

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="returns", db_index=False)
    number = models.PositiveSmallIntegerField()
    returned_at = models.DateTimeField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["player", "number"], name="return_once_a_move")]

    def __str__(self) -> str:
        return f"{self.player_id} at move {self.number}"
