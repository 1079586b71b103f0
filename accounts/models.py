"""People and their sessions: one row a person, guests included."""

from typing import Any

from django.contrib.auth.models import AbstractUser
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils.translation import gettext_lazy as _

from accounts import names, traditions


class Theme(models.TextChoices):
    """How the pages are coloured."""

    SYSTEM = "system", _("As my device")
    LIGHT = "light", _("Light")
    DARK = "dark", _("Dark")


class NameKeyField(models.CharField[str, str]):
    """The key of the username, kept in step by every insert and save; no two people have the same."""

    def pre_save(self, model_instance: models.Model, add: bool) -> str:
        """Return the key that belongs to the name as it is now."""
        value = names.key(getattr(model_instance, "username"))  # noqa: B009  (the field serves any model with a username)
        setattr(model_instance, self.attname, value)
        return value


class User(AbstractUser):
    """A person with or without a password; a guest has none until the account is claimed.

    `username` is the public name; no other name may look like it (`accounts.names`). A deleted person keeps an
    anonymous row, so that opponents' games stay whole: `is_active` is False and `erased_at` is set.
    """

    username = models.CharField(
        _("name"),
        max_length=names.LONGEST,
        unique=True,
        validators=[names.check],
        error_messages={"unique": _("This name is taken, or looks like one that is. Choose another one.")},
    )
    name_key = NameKeyField(max_length=40, unique=True, editable=False)
    is_guest = models.BooleanField(default=False)
    erased_at = models.DateTimeField(null=True, blank=True)
    theme = models.CharField(max_length=6, choices=Theme.choices, default=Theme.SYSTEM)
    has_high_contrast = models.BooleanField(default=False)
    colour_names = models.CharField(max_length=11, choices=traditions.Tradition.choices, default=traditions.USUAL)
    confirms_placement = models.BooleanField(default=True)
    language = models.CharField(max_length=8, blank=True)
    wants_turn_emails = models.BooleanField(default=True)

    first_name = None  # type: ignore[assignment]  # the public name is the only name asked for
    last_name = None  # type: ignore[assignment]

    def __str__(self) -> str:
        return self.username

    def save(self, *args: Any, update_fields: Any = None, **kwargs: Any) -> None:
        """Save the person; the key of the name goes with the name."""
        if update_fields is not None and "username" in update_fields:
            update_fields = {*update_fields, "name_key"}
        super().save(*args, update_fields=update_fields, **kwargs)

    def get_full_name(self) -> str:
        """Return the public name: nobody is asked for another."""
        return self.username

    def get_short_name(self) -> str:
        """Return the public name: nobody is asked for another."""
        return self.username


class Session(AbstractBaseSession):
    """A browser's session that knows whose it is, so that all sessions of a person can be ended.

    No foreign key: the session engine takes a constraint that fails for a key in use, and would try for ever.
    """

    user_id = models.BigIntegerField(null=True, db_index=True)

    def __str__(self) -> str:
        return f"session of {self.user_id or 'nobody'}"

    @classmethod
    def get_session_store_class(cls) -> Any:
        """Return the engine that reads and writes these rows."""
        from accounts.sessions import SessionStore  # the engine imports this model

        return SessionStore
