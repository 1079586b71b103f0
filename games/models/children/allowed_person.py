"""A person whom a child may meet, or has asked to."""

from django.conf import settings
from django.db import models


class AllowedPerson(models.Model):
    """A person whom a child's guardian lets it play with; without `allowed_at` the child has only asked.

    `games.base.children` says what that opens. Closed accounts have no rows, nor has a child that has grown up.
    """

    child = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="allowed_people", db_index=False
    )
    other = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    asked_at = models.DateTimeField()
    allowed_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["child", "other"], name="allowed_once")]

    def __str__(self) -> str:
        return f"{self.child_id} with {self.other_id}"
