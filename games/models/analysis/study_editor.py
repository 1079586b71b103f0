"""A study's editor: a person whom its owner lets write in it."""

from django.conf import settings
from django.db import models

from games.models.analysis.study import Study


class StudyEditor(models.Model):
    """One person who writes in one study of another's. `is_new` until they have read that they may."""

    study = models.ForeignKey(Study, on_delete=models.CASCADE, related_name="editors", db_index=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="edited_studies")
    let_in_at = models.DateTimeField()
    is_new = models.BooleanField(default=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["study", "person"], name="study_editor_once")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.study_id}"
