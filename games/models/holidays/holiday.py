"""Holidays: what a person has left of them, and the ones that were taken."""

from django.conf import settings
from django.db import models

from games.clock import Still


class HolidayBook(models.Model):
    """How much of their holidays a person had left at a moment; from then on they earn more each day.

    Who has no row has taken none since they came. With `spends_itself` a day is taken when their time would run out.
    """

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, primary_key=True, on_delete=models.CASCADE, related_name="holiday_book"
    )
    seconds = models.PositiveIntegerField()
    counted_at = models.DateTimeField()
    spends_itself = models.BooleanField(default=False, db_default=False)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.seconds} s"


class Holiday(models.Model):
    """A holiday that a person has taken in advance, or a day that was taken when their time would have run out.

    Games keep the spans that count for them (`Player.holidays`); this is for the person and for later games.
    """

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="holidays", db_index=False
    )
    begins_at = models.DateTimeField()
    ends_at = models.DateTimeField()
    is_automatic = models.BooleanField(default=False)

    class Meta:
        indexes = [models.Index(fields=["user", "-ends_at"], name="holiday_of")]

    def __str__(self) -> str:
        return f"{self.user_id} until {self.ends_at}"

    @property
    def span(self) -> Still:
        """Return when it begins, and when it is over."""
        return self.begins_at, self.ends_at
