"""The file in which a person takes along all that is theirs, as the rows of which it is put together."""

from django.conf import settings
from django.db import models


class Archive(models.Model):
    """The one archive of a person: asked for, made by a job, then kept for a day.

    `tries` to make it have begun; the next may begin at `due_at`, which is null once it was made or has failed for
    good. It is there from `made_at` on, as the `parts` of the last try, `size` bytes in all. What is written in it for
    people to read is in `language`.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="archive")
    language = models.CharField(max_length=8)
    asked_at = models.DateTimeField(db_index=True)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    made_at = models.DateTimeField(null=True, blank=True)
    parts = models.PositiveIntegerField(default=0)
    size = models.BigIntegerField(default=0)

    class Meta:
        indexes = [
            models.Index(fields=["due_at"], condition=models.Q(due_at__isnull=False), name="archive_due"),
        ]

    def __str__(self) -> str:
        return f"archive of {self.user_id}"

    @property
    def has_failed(self) -> bool:
        """Return whether nobody tries to make it any more."""
        return self.due_at is None and self.made_at is None


class ArchivePart(models.Model):
    """Some bytes of an archive, which the `attempt` of that number has written as its part `number`, from 0."""

    archive = models.ForeignKey(Archive, on_delete=models.CASCADE, related_name="+", db_index=False)
    attempt = models.PositiveSmallIntegerField()
    number = models.PositiveIntegerField()
    content = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["archive", "attempt", "number"], name="archive_part_once"),
        ]

    def __str__(self) -> str:
        return f"{self.archive_id}/{self.attempt}/{self.number}"
