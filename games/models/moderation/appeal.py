"""What a person says against a decision about them: once."""

from django.conf import settings
from django.db import models

from games.models.moderation.decision import Decision
from games.values import MAX_REPORT


class Appeal(models.Model):
    """The one appeal against a decision, in the words of the person; open until a moderator has answered it.

    `is_granted` says that the decision was taken back, `answer` what the moderator adds. Once the account is closed
    there is none.
    """

    decision = models.OneToOneField(Decision, on_delete=models.CASCADE, related_name="appeal")
    words = models.CharField(max_length=MAX_REPORT)
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    is_granted = models.BooleanField(null=True, blank=True)
    moderator = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="+", db_index=False
    )
    answer = models.CharField(max_length=MAX_REPORT, blank=True, default="")

    class Meta:
        indexes = [models.Index(fields=["made_at"], condition=models.Q(closed_at__isnull=True), name="appeal_open")]

    def __str__(self) -> str:
        return f"against {self.decision_id}: {self.words}"
