"""What moderators decide about people: rows that are written once and never changed."""

from django.conf import settings
from django.db import models

from games.models.talk_message import TalkMessage
from games.values import MAX_DECISION, MAX_SHOWN, Measure, ReportReason


class Decision(models.Model):
    """One decision of a moderator about a person, with the reason that the person reads.

    A measure for a time lasts until `until`, and ends by itself. `shown` is a copy of what it was about: a line, or the
    name that was taken away. `lifts` is an earlier decision that this one takes back. Whose accounts are closed are
    called so by their rows; then `words` and `shown` are empty.
    """

    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="decisions", db_index=False
    )
    moderator = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.PROTECT, related_name="+")
    measure = models.CharField(max_length=8, choices=Measure.choices)
    reason = models.CharField(max_length=8, choices=ReportReason.choices)
    words = models.CharField(max_length=MAX_DECISION, blank=True, default="")
    message = models.ForeignKey(TalkMessage, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    # Of a comment in a study that was hidden, which may be gone by now.
    comment_key = models.BigIntegerField(null=True, blank=True, editable=False)
    shown = models.CharField(max_length=MAX_SHOWN, blank=True, default="")
    lifts = models.OneToOneField(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="lifted_by", editable=False
    )
    made_at = models.DateTimeField()
    until = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = [
            models.Index(fields=["person", "-id"], name="decision_person"),
            # What was decided in a year is counted for everyone to read.
            models.Index(fields=["made_at", "measure"], name="decision_made"),
        ]

    def __str__(self) -> str:
        return f"{self.moderator_id} about {self.person_id}: {self.measure}"

    @property
    def can_be_lifted(self) -> bool:
        """Whether it stands and can be taken back: closing a case cannot, nor taking back (needs `lifted_by`)."""
        return self.measure not in (Measure.NONE, Measure.LIFT) and not hasattr(self, "lifted_by")
