"""A study: a record that a person keeps to look at. It is not played on."""

from django.conf import settings
from django.db import models

from games.models.game import new_slug


class Study(models.Model):
    """One record, kept by one person.

    `record` is the JSON of `games.rules.records`, written by this site from what was read and checked: it is the truth.
    What people write to its turns stands in rows of its own (`StudyComment`). `edition` counts how often that, or its
    variations, were changed: nothing is changed by who has seen another. `has_editors` says that someone else was
    once let write in it (`StudyEditor`). `changes` are the latest ones of its variations, to be undone and redone
    (`games.table.studies.undoing`).
    The fields below "Cache" are for the list, which reads no records.
    """

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="studies", db_index=False
    )
    title = models.CharField(max_length=80)
    record = models.TextField()
    # Everybody who has the link may look.
    is_shared = models.BooleanField(default=False)
    created_at = models.DateTimeField()
    edition = models.PositiveIntegerField(default=1, db_default=1)
    has_editors = models.BooleanField(default=False, db_default=False)
    changes = models.JSONField(default=dict, db_default=models.Value({}, models.JSONField()))

    # Cache.
    variant = models.CharField(max_length=40)
    # As a game's: one character a cell.
    board = models.TextField(blank=True)
    move_count = models.PositiveSmallIntegerField(default=0)

    class Meta:
        indexes = [models.Index(fields=["owner", "-created_at"], name="study_of_owner")]

    def __str__(self) -> str:
        return self.title
