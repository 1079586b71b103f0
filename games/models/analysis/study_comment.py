"""A comment: what a person wrote at one position of a study."""

from django.conf import settings
from django.db import models

from games.models.analysis.study import Study
from games.values import MAX_COMMENT


class StudyComment(models.Model):
    """A text at the position after so many moves: of the game, or where `variation` is not 0 of the variation there.

    `variation` is the number of the varied turn, as the study's record counts them, that led to the position. Of a
    comment that a moderator has hidden nobody is shown the words. It goes with its author's account.
    """

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="comments", db_index=False)
    author = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="study_comments")
    variation = models.PositiveSmallIntegerField(default=0)
    move = models.PositiveSmallIntegerField()
    text = models.CharField(max_length=MAX_COMMENT)
    written_at = models.DateTimeField()
    is_hidden = models.BooleanField(default=False, db_default=False)

    class Meta:
        indexes = [models.Index(fields=["study", "id"], name="comment_of_study")]

    def __str__(self) -> str:
        return f"{self.author_id} in {self.study_id}: {self.text}"
