"""Where a device of a person can be sent notices: what its browser said when they were switched on."""

from django.conf import settings
from django.db import models


class PushSubscription(models.Model):
    """The address and the keys of one browser (https://www.w3.org/TR/push-api/), for as long as its login lasts.

    A message is sent to `endpoint` at the browser's push service, encrypted for `p256dh` and `auth`, both in base64url.
    It counts only while the session with `session_key` exists: no foreign key, for the reason that `accounts.Session`
    gives. `sent_key` is the key of the last message that the service took. A service that failed has done so since
    `failing_since`, and is asked again after `rest_until`.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="push_subscriptions")
    session_key = models.CharField(max_length=40, unique=True)
    endpoint = models.CharField(max_length=1000, unique=True)
    p256dh = models.CharField(max_length=100)
    auth = models.CharField(max_length=40)
    created_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)
    sent_key = models.CharField(max_length=80, blank=True)
    failing_since = models.DateTimeField(null=True, blank=True)
    rest_until = models.DateTimeField(null=True, blank=True)

    def __str__(self) -> str:
        return f"device {self.pk} of {self.user_id}"
