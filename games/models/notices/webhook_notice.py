"""A notice that a program has set up a webhook: about no one game, and no webhook any more once that is removed."""

from django.conf import settings
from django.db import models

from games.models.notices.endpoint import LONGEST_ADDRESS


class WebhookNotice(models.Model):
    """What a person is told of a webhook for their games, or for those of a bot of theirs, which is `owner` then.

    It stays when the webhook and the token of that name are gone: a program may remove again what it has set up.
    `is_new` until the person has read it.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="webhook_notices")
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    token = models.CharField(max_length=40)
    address = models.CharField(max_length=LONGEST_ADDRESS)
    created_at = models.DateTimeField()
    is_new = models.BooleanField(default=True)

    def __str__(self) -> str:
        return f"{self.user_id}: {self.address}"
