"""What a person can show besides the password: passkeys and one-time codes, with recovery codes for when they are lost.

allauth keeps them (`allauth.mfa`). A code works once: of one-time codes the row remembers the last one that was taken,
so that no other process takes it again.
"""

import time
from collections.abc import Sequence
from typing import Any, cast

from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.internal.auth import validate_totp_code
from allauth.mfa.utils import decrypt
from django.db import transaction

from accounts.keys.changes import note_account_change
from accounts.models import ChangeKind, User

#: Where a row of one-time codes remembers the period of the last code that was taken.
SPENT = "spent"
#: What is asked for at a log-in.
SECOND = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)


class CodeSpent(Exception):  # noqa: N818  (it says what has happened)
    """A right code that was taken before."""


def kept_in(row: Authenticator) -> Any:
    """Return a row as allauth reads it: codes, or a passkey with its name."""
    return cast(Any, row).wrap()


def has_second_factor(user: User) -> bool:
    """Return whether a log-in of this person asks for more than the password. One query."""
    return Authenticator.objects.filter(user=user, type__in=SECOND).exists()


def factors_of(user: User) -> Sequence[Authenticator]:
    """Return all that the person can show besides the password, the oldest first. One query."""
    return list(Authenticator.objects.filter(user=user).order_by("pk"))


@transaction.atomic
def take_code(user: User, code: str) -> Authenticator | None:
    """Take a one-time code or a recovery code of the person, and return whose code it was, None for a wrong one.

    Raises: CodeSpent.
    """
    rows = Authenticator.objects.select_for_update(no_key=True).filter(user=user)
    for row in rows.exclude(type=Authenticator.Type.WEBAUTHN).order_by("pk"):
        if _takes(row, code):
            row.user = user
            return cast(Authenticator, row)
    return None


@transaction.atomic
def take_recovery_code(user: User, code: str) -> Authenticator | None:
    """Take a recovery code of the person, and return whose it was, None for a wrong one."""
    rows = Authenticator.objects.select_for_update(no_key=True)
    row = rows.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    if row is None or not _takes(row, code):
        return None
    row.user = user
    return cast(Authenticator, row)


def _takes(row: Authenticator, code: str) -> bool:
    if row.type != Authenticator.Type.TOTP:
        is_right = bool(kept_in(row).validate_code(code))
        row.refresh_from_db()
        return is_right
    if not validate_totp_code(decrypt(row.data["secret"]), code):
        return False
    if row.data.get(SPENT, -1) >= current_period():
        raise CodeSpent
    spend_period(row)
    return True


def current_period() -> int:
    """Return the number of the half minute in which a one-time code is right."""
    return int(time.time()) // int(app_settings.TOTP_PERIOD)


def spend_period(row: Authenticator) -> None:
    """Have the code of this half minute taken."""
    row.data[SPENT] = current_period()
    row.save(update_fields=["data"])


@transaction.atomic
def drop_factors(user: User) -> int:
    """Take away all that the person shows besides the password; return how much that was."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    count = Authenticator.objects.filter(user=user).delete()[0]
    if count:
        note_account_change(user.pk, ChangeKind.FACTORS_DROPPED)
    return count
