"""Counters: figures that pages show, kept while games are played instead of counted again for every reader."""

from django.conf import settings
from django.db import models


class BotRecord(models.Model):
    """The results of a bot in finished games with people: won by it, by both at once, by a person, by another bot.

    A game counts once, however many seats the bot had. `bot` is its stored name.
    """

    bot = models.CharField(max_length=20, primary_key=True)
    wins = models.BigIntegerField(default=0)
    ties = models.BigIntegerField(default=0)
    losses = models.BigIntegerField(default=0)
    others = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.bot

    @property
    def games(self) -> int:
        """Return the number of games."""
        return self.wins + self.ties + self.losses + self.others


class OpeningRecord(models.Model):
    """The results of the people who have followed a named opening, in finished games.

    A game counts once for every seat that opened so. `opening` is the key of the opening.
    """

    opening = models.CharField(max_length=20, primary_key=True)
    wins = models.BigIntegerField(default=0)
    ties = models.BigIntegerField(default=0)
    losses = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return self.opening

    @property
    def games(self) -> int:
        """Return how often it was played."""
        return self.wins + self.ties + self.losses


class ListVersion(models.Model):
    """The number of changes to a person's games, to those of a group, or to the open tables.

    Pages compare it with the one they show. `owner` is the key of the user, that of a group by `of_group`, or `LOBBY`.
    No row stands for 0. There is no foreign key: the lobby is no user, nor is a group.
    """

    #: The last of all keys: the row that most actions share is the last to be locked.
    LOBBY = 2**63 - 1

    owner = models.BigIntegerField(primary_key=True)
    version = models.BigIntegerField(default=0)

    def __str__(self) -> str:
        return f"{self.owner}: {self.version}"

    @staticmethod
    def of_group(group: int) -> int:
        """Return the owner of the list of a group's games, by the group's key: below the keys of all people."""
        return -group


class Companion(models.Model):
    """Two people who have played together, seen from one of them: each pair has two rows.

    The rows are written when a game starts, and `games` counts those that have ended. `last_at` is when the last of
    these games started or ended. Closed accounts have no rows. `other_key` is the key of the other's name: any part of
    it is looked for among a person's own rows, in the index alone.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="companions", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    other_key = models.CharField(max_length=40, default="", db_default="")
    games = models.IntegerField(default=0)
    last_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["user", "other"], name="companion_once_a_pair")]
        indexes = [
            models.Index(fields=["user", "-last_at"], name="companion_latest"),
            models.Index(fields=["user", "other_key", "other"], name="companion_name"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id}/{self.other_id}"
