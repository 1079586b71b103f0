"""What no password may be, beside what Django refuses."""

from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

#: Words of this site, of which a stranger thinks first. The name of the host, part by part, is one of them too.
SITE_WORDS = frozenset({"blockyou", "block", "blocks", "polyomino", "polyominoes", "freestyle"})


class SiteWordsValidator:
    """Refuse a password that is nothing but a word of this site, whatever stands between, before or after its letters
    (`AUTH_PASSWORD_VALIDATORS`).
    """

    def validate(self, password: str, user: object = None) -> None:
        """Refuse it.

        Raises: ValidationError.
        """
        letters = "".join(char for char in password.casefold() if char.isalpha())
        if letters in SITE_WORDS.union(settings.PUBLIC_HOST.casefold().split(".")):
            raise ValidationError(_("This password is a word of this site. Choose another one."), code="site-word")

    def get_help_text(self) -> str:
        """Return what to know of it."""
        return _("Not a word of this site.")
