"""What people say to each other at a table."""

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.values import MAX_MESSAGE, Audience


class TalkMessage(models.Model):
    """One line that a person has said at a table: a ready phrase by its key, or a text of their own.

    `author` is empty once that account is closed, and then so is a text of their own; a ready phrase stays. `day`
    belongs to the phrase that names one. Of a line that a moderator has hidden nobody is shown the words.
    """

    game = models.ForeignKey(Game, on_delete=models.CASCADE, related_name="messages", db_index=False)
    author = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="messages"
    )
    audience = models.CharField(max_length=8, choices=Audience.choices, default=Audience.PLAYERS)
    phrase = models.CharField(max_length=20, blank=True, default="")
    day = models.DateField(null=True, blank=True)
    text = models.CharField(max_length=MAX_MESSAGE, blank=True, default="")
    created_at = models.DateTimeField()
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        indexes = [models.Index(fields=["game", "-id"], name="message_latest")]
        constraints = [
            models.CheckConstraint(condition=models.Q(phrase="") | models.Q(text=""), name="message_phrase_or_text"),
        ]

    def __str__(self) -> str:
        return f"{self.author_id} in {self.game_id}: {self.phrase or self.text}"
