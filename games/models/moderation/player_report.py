"""What a person reports to the moderators, with a copy of what was said or written at that moment."""

from django.conf import settings
from django.db import models

from games.models.game import Game
from games.models.moderation.decision import Decision
from games.models.talk_message import TalkMessage
from games.values import MAX_REPORT, MAX_SHOWN, Reported, ReportReason


class PlayerReport(models.Model):
    """A report about one person: a line that they said, their name, a table at which they sit, the name of a group that
    they own, a comment of theirs in a study, or what a study of theirs, or a variation in it, is called.

    `thing` names what is reported; each reporter has one open report about it. `shown` is a copy of the words as the
    reporter saw them, `words` what the reporter adds. `gravity` is that of the reason, and `trust` says how often the
    reporter's reports were upheld before; both order the queue. It is open until a moderator closes it by a decision,
    and upheld where that was a measure.
    Once the account of the person reported is closed there is none; once the reporter's is, `words` are empty.
    """

    reporter = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports_made", db_index=False
    )
    person = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="reports", db_index=False
    )
    kind = models.CharField(max_length=8, choices=Reported.choices)
    thing = models.CharField(max_length=48)
    game = models.ForeignKey(Game, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    message = models.ForeignKey(TalkMessage, null=True, blank=True, on_delete=models.SET_NULL, related_name="+")
    reason = models.CharField(max_length=8, choices=ReportReason.choices)
    words = models.CharField(max_length=MAX_REPORT, blank=True, default="")
    shown = models.CharField(max_length=MAX_SHOWN, blank=True, default="")
    gravity = models.PositiveSmallIntegerField()
    trust = models.PositiveSmallIntegerField()
    made_at = models.DateTimeField()
    closed_at = models.DateTimeField(null=True, blank=True)
    is_upheld = models.BooleanField(null=True, blank=True)
    decision = models.ForeignKey(Decision, null=True, blank=True, on_delete=models.SET_NULL, related_name="reports")

    class Meta:
        indexes = [
            models.Index(fields=["person"], condition=models.Q(closed_at__isnull=True), name="report_open"),
            models.Index(fields=["person", "-id"], name="report_person"),
            models.Index(fields=["closed_at"], condition=models.Q(closed_at__isnull=False), name="report_closed"),
            models.Index(fields=["reporter", "-id"], name="report_reporter"),
        ]
        constraints = [
            models.UniqueConstraint(
                fields=["reporter", "thing"], condition=models.Q(closed_at__isnull=True), name="report_open_once"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.reporter_id} about {self.thing}: {self.reason}"

    @property
    def comment_key(self) -> int | None:
        """Return the key of the comment in a study that it is about, None where it is about something else."""
        return int(self.thing.removeprefix("comment-")) if self.kind == Reported.COMMENT else None

    @property
    def study_key(self) -> int | None:
        """Return the key of the study whose title, or of which a variation's name it is about, else None."""
        return int(self.thing.split("-")[1]) if self.kind in (Reported.STUDY, Reported.BRANCH) else None
