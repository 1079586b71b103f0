"""People: one row a person, guests included."""

from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _


class Theme(models.TextChoices):
    """How the pages are coloured."""

    SYSTEM = "system", _("As my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class User(AbstractUser):
    """A person with or without a password; a guest has none until the account is claimed.

    `username` is the public name, unique whatever the case. A deleted person keeps an anonymous row, so that
    opponents' games stay whole: `is_active` is False and `erased_at` is set.
    """

    is_guest = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    confirms_placement = models.BooleanField(default=True)
    language = models.CharField(max_length=8, blank=True)
    wants_turn_emails = models.BooleanField(default=True)

    first_name = None  # type: ignore[assignment]  # the public name is the only name asked for
    last_name = None  # type: ignore[assignment]

    class Meta:
        constraints = [models.UniqueConstraint(Lower("username"), name="user_username_unique_whatever_case")]

    def __str__(self) -> str:
        return self.username
