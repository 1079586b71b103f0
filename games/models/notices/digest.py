"""The summary of a day: one e-mail with all games that wait for a person."""

from django.conf import settings
from django.db import models


class DailyDigest(models.Model):
    """A person's summary of one day of theirs, which is sent once: the outbox of summaries.

    `tries` have begun; the next may begin at `due_at`, which is null once it was sent or is not to be sent any more.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="digests", db_index=False)
    day = models.DateField()
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="digest_due"),
        ]
        constraints = [
            models.UniqueConstraint(fields=["user", "day"], name="digest_once_a_day"),
        ]

    def __str__(self) -> str:
        return f"{self.user_id} on {self.day}"
