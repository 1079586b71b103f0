"""The channel to which a group posts its new tables and its results."""

from django.conf import settings
from django.db import models

from games.models.groups.group import Group
from games.models.notices.endpoint import LONGEST_ADDRESS, SecretAddress


class GroupChannel(SecretAddress, models.Model):
    """The address at which a channel takes messages about the tables of a group, a secret of its `owner`.

    Each table that the group opens gets it as its own (`GameChannel`), with which its players have to agree as with any
    other. Those whose keys are `agreed` have said yes for all their tables here, those who have `refused` no. From
    `stopped_at` on it takes no messages any more.
    """

    group = models.OneToOneField(Group, on_delete=models.CASCADE, related_name="channel")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="group_channels")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    created_at = models.DateTimeField()
    agreed = models.JSONField(default=list)
    refused = models.JSONField(default=list)
    stopped_at = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"channel of {self.group_id}"

    def answer_of(self, person: int) -> bool | None:
        """Return whether a person has said yes or no for all their tables, None if they are asked at each."""
        if person in self.refused:
            return False
        return True if person == self.owner_id or person in self.agreed else None
