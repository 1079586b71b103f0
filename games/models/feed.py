"""The secret address at which a person's calendar and feed reader find their deadlines and notices."""

import secrets

from django.conf import settings
from django.db import models


def new_secret() -> str:
    """Return what no one can guess (192 bits), for an address."""
    return secrets.token_urlsafe(24)


class Feed(models.Model):
    """A person's calendar and feed, for programs that cannot log in: to know `secret` is to be let in.

    With another secret the old address leads nowhere.
    """

    user = models.OneToOneField(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="feed")
    secret = models.CharField(max_length=40, unique=True, default=new_secret)
    created_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"feed of {self.user_id}"
