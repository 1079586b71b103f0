"""A group of people who play among themselves, and its members."""

from django.conf import settings
from django.db import models

from games.models.game import new_slug, new_token
from games.values import GroupRole


class Group(models.Model):
    """A family, a club, a class: people who find each other and open tables for themselves.

    Without a name it is called after its owner. A group that has ended has no owner and no members; its row stays, so
    that no game need be written to when it ends.
    """

    slug = models.CharField(max_length=12, unique=True, default=new_slug, editable=False)
    invite_token = models.CharField(max_length=32, unique=True, default=new_token, editable=False)
    name = models.CharField(max_length=40, blank=True)
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.PROTECT, related_name="own_groups"
    )
    made_at = models.DateTimeField()

    def __str__(self) -> str:
        return self.name or self.slug


class Membership(models.Model):
    """That a person belongs to a group; a keeper may change it and take members out of it, as its owner may."""

    group = models.ForeignKey(Group, on_delete=models.CASCADE, related_name="memberships", db_index=False)
    person = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="memberships")
    is_keeper = models.BooleanField(default=False)
    joined_at = models.DateTimeField()

    class Meta:
        constraints = [models.UniqueConstraint(fields=["group", "person"], name="member_once")]
        indexes = [models.Index(fields=["group", "joined_at", "id"], name="member_by_age")]

    def __str__(self) -> str:
        return f"{self.person_id} in {self.group_id}"

    @property
    def role(self) -> GroupRole:
        """Return what the person may do in the group, which has to be fetched."""
        if self.group.owner_id == self.person_id:
            return GroupRole.OWNER
        return GroupRole.KEEPER if self.is_keeper else GroupRole.MEMBER
