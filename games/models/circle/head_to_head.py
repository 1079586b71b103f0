"""How the games of two people ended for one of them, board by board, so that no page counts them."""

from django.conf import settings
from django.db import models


class HeadToHead(models.Model):
    """The finished games of two people in one variant (no size, no seed), seen from one of them: a pair has two rows.

    Of a game for more than two it counts who of the two had the better place. Closed accounts have no rows. A counter:
    written when a game ends, and counted again by the audit.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+", db_index=False)
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    variant = models.CharField(max_length=20)
    won = models.IntegerField(default=0)
    tied = models.IntegerField(default=0)
    lost = models.IntegerField(default=0)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "other", "variant"], name="head_to_head_once_a_board")]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.other_id} {self.variant} {self.won}:{self.lost}"
