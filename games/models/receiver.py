"""A person's own webhook: where a program of theirs is told what happens in their games."""

import base64
import secrets

from django.conf import settings
from django.db import models

from accounts.models import ApiToken
from games.models.notices.endpoint import LONGEST_ADDRESS

#: How a secret begins, and how many bytes of chance follow, in base64 (https://www.standardwebhooks.com).
PREFIX, SECRET_BYTES = "whsec_", 24


def new_signing_secret() -> str:
    """Return a secret by which a program knows who sent what it is told."""
    return PREFIX + base64.b64encode(secrets.token_bytes(SECRET_BYTES)).decode()


class Receiver(models.Model):
    """The address at which a program hears what happens in the games of its `owner`, a person or a bot account.

    One that a program has set up belongs to the `token` it did it with, and goes with it. `secret` signs what is sent,
    so that it is kept as it is.

    `known` says how the owner's games stood when the program was told last, by slug
    (`games.queries.people.happenings`), and `version` which version of the owner's lists that was: nothing else waits
    to be sent, however long it fails.
    `sending` is what is being sent, and its id. `tries` to send it have begun; the next may begin at `due_at`, which is
    null while nothing is known to be due. `answer` is the HTTP status of the last try, 0 for none. It has failed since
    `failing_since`; after a day of that nothing is sent any more, from `stopped_at` on.
    """

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="receivers", db_index=False
    )
    token = models.ForeignKey(ApiToken, null=True, blank=True, on_delete=models.CASCADE, related_name="receivers")
    address = models.CharField(max_length=LONGEST_ADDRESS)
    secret = models.CharField(max_length=60, default=new_signing_secret)
    created_at = models.DateTimeField()
    known = models.JSONField(default=dict)
    version = models.BigIntegerField(default=0)
    sending = models.JSONField(default=list)
    due_at = models.DateTimeField(null=True, blank=True)
    tries = models.PositiveSmallIntegerField(default=0)
    answer = models.PositiveSmallIntegerField(default=0)
    answered_at = models.DateTimeField(null=True, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    stopped_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        constraints = [models.UniqueConstraint(fields=["owner", "address"], name="receiver_once")]

    def __str__(self) -> str:
        return f"receiver {self.pk} of {self.owner_id}"
