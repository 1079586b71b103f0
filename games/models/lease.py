"""A lease: work that one process at a time may do, for a while, or that others go on with after that."""

from django.db import models


class Lease(models.Model):
    """One kind of work, the process that does it, and until when no other process may.

    Some are held by none: until when no turn is ended after an outage, until when the site says that its jobs starve
    (`games.background.sweep`), and until when an address outside that is late is left alone, with how often it was
    (`games.notifications.lateness`).
    """

    name = models.CharField(max_length=20, primary_key=True)
    holder = models.CharField(max_length=80, blank=True)
    until = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name}: {self.holder or 'nobody'}"
