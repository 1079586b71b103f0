"""A takeback: moves that were recorded and stand no more. With those that stand, it is what a game is rebuilt from."""

from django.db import models

from games.models.game import Game


class Takeback(models.Model):
    """One time at which moves were taken back: by whom, when, from which move back to which, and what they were.

    Nothing of it changes; it goes with its game. There is no person in it but the seats'.

    `number` is its own, one of those that requests for moves name: as a move it uses one up, so that no number ever
    means two positions. `back_to` is that of the first move that went; the move of that number is due again. `seat` has
    asked, `agreed` are the other seats of people that were asked, and `request` is the version at which it was asked
    for, 0 where no one was; `version` is the game's after it. `moves` are those that went, from the oldest to the
    latest, each with its kind, seat, colour, placement, whether it was automatic, its bot and when it was made.
    """

    # No index of its own: the unique constraint of the number begins with it.
    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="takebacks", db_index=False)
    number = models.PositiveSmallIntegerField()
    back_to = models.PositiveSmallIntegerField()
    seat = models.PositiveSmallIntegerField()
    agreed = models.JSONField(default=list, blank=True)
    request = models.PositiveIntegerField(default=0)
    version = models.PositiveIntegerField()
    taken_at = models.DateTimeField()
    moves = models.JSONField()

    class Meta:
        ordering = ["number"]
        constraints = [models.UniqueConstraint(fields=["game", "number"], name="takeback_number_once")]

    def __str__(self) -> str:
        return f"{self.number}. back to {self.back_to}"
