"""How allauth's second factors are bent to this site: their words, their picture, and secrets stored sealed."""

import base64
import hashlib
import io
import logging
from collections.abc import Collection
from typing import Any, cast

import segno
from allauth.core import context
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import generate_totp_secret
from cryptography.fernet import Fernet, InvalidToken, MultiFernet
from django.conf import settings
from django.contrib.auth.base_user import AbstractBaseUser
from django.utils.translation import gettext_lazy as _

from accounts.keys.agents import device_of_agent, device_words
from accounts.models import User

logger = logging.getLogger(__name__)

#: Who asks for a code, in an authenticator app and in the browser's window.
SITE = "Block-You"


class KeyAdapter(DefaultMFAAdapter):
    """allauth's adapter of second factors for Block-You."""

    error_messages = {
        **DefaultMFAAdapter.error_messages,
        "cannot_generate_recovery_codes": _("Switch on one-time codes or add a passkey first."),
        "incorrect_code": _(
            "This code is not right. Type the one that your app shows now: it changes every 30 seconds. If it is "
            "refused again, set the clock of your phone to automatic."
        ),
        "code_spent": _("This code has been used already. Wait until your app shows the next one."),
        "passkey_refused": _("The passkey was not accepted. Nothing has changed. Reload this page, then try again."),
        "too_many_passkeys": _("There are ten passkeys here, the most there can be. Remove one first."),
        "unknown_recovery_code": _("This recovery code is not right, or has already been used. Try another one."),
        "wrong_recovery_code": _(
            "Wrong name or recovery code. If your account has a password, log in with that first: the code comes "
            "after it."
        ),
    }

    def is_mfa_enabled(self, user: AbstractBaseUser, types: Collection[str] | None = None) -> bool:
        """Return whether the person has any of these kinds, or any at all. One query, and none when asked again.

        allauth asks for each kind by itself.
        """
        if user.is_anonymous:
            return False
        kinds: set[str] | None = getattr(user, "_factor_kinds", None)
        if kinds is None:
            kinds = set(Authenticator.objects.filter(user_id=user.pk).values_list("type", flat=True))
            setattr(user, "_factor_kinds", kinds)  # noqa: B010  (no field of the person)
        return bool(kinds if types is None else kinds & {*types})

    def get_totp_label(self, user: AbstractBaseUser) -> str:
        """Return what the authenticator app calls the account."""
        return cast(User, user).username

    def get_totp_issuer(self) -> str:
        """Return what the authenticator app calls the site."""
        return SITE

    def build_totp_svg(self, url: str) -> str:
        """Return the QR code of a secret, dark on light in both themes: not every reader takes it the other way."""
        picture = io.BytesIO()
        segno.make_qr(url, error="m").save(
            picture, kind="svg", border=4, light="#fff", xmldecl=False, svgclass=None, lineclass=None, omitsize=True
        )
        return picture.getvalue().decode()

    def encrypt(self, text: str) -> str:
        """Return a secret as it is stored."""
        return sealed().encrypt(text.encode()).decode()

    def decrypt(self, encrypted_text: str) -> str:
        """Return a stored secret; another one, for which no code is right, where the site's key is not that of then."""
        try:
            return sealed().decrypt(encrypted_text.encode()).decode()
        except InvalidToken:
            logger.error("A secret of one-time codes was sealed with another SECRET_KEY: its codes are refused.")
            return generate_totp_secret()

    def generate_authenticator_name(self, user: AbstractBaseUser, type: Authenticator.Type) -> str:  # noqa: A002  (allauth's name)
        """Return what a new passkey is called until its owner says otherwise: the browser it was made in."""
        return device_words(device_of_agent(context.request.headers.get("User-Agent", "")))

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """Return for which site a passkey is: the public one, wherever the request came to one of its names."""
        asked = context.request.get_host().partition(":")[0]
        is_part = asked == settings.PUBLIC_HOST or asked.endswith(f".{settings.PUBLIC_HOST}")
        return {"id": settings.PUBLIC_HOST if is_part else asked, "name": SITE}

    def get_public_key_credential_user_entity(self, user: AbstractBaseUser) -> dict[str, Any]:
        """Return for whom a passkey is: a number, and the name that the browser shows."""
        entity: dict[str, Any] = super().get_public_key_credential_user_entity(user)
        name = cast(User, user).username
        return {**entity, "name": name, "display_name": name}


def sealed() -> MultiFernet:
    """Return what seals secrets: by the site's key, and opens those of its former keys too."""
    keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
    digests = (hashlib.blake2b(str(key).encode(), digest_size=32, person=b"accounts.keys").digest() for key in keys)
    return MultiFernet([Fernet(base64.urlsafe_b64encode(digest)) for digest in digests])
