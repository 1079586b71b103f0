"""What one person has decided about another: to follow them, not to read what they write, not to meet them at all."""

from django.conf import settings
from django.db import models


class BlockedPerson(models.Model):
    """A person whom another has blocked: neither meets the other anywhere, whoever of the two has wanted it.

    `games.base.apart` says for whom that holds. Closed accounts have no rows.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="blocking", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "other"], name="blocked_once")]

    def __str__(self) -> str:
        return f"{self.person_id} without {self.other_id}"


class MutedPerson(models.Model):
    """A person whose words another does not want to read; all else between them stays as it is."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="muting", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "other"], name="muted_once")]

    def __str__(self) -> str:
        return f"{self.person_id} without the words of {self.other_id}"


class FollowedPerson(models.Model):
    """A person whom another follows; who follows back is a friend. No one is notified of it, and a block ends it."""

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="following", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["person", "other"], name="followed_once")]

    def __str__(self) -> str:
        return f"{self.person_id} after {self.other_id}"
