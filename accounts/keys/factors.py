"""What a person can show besides the password: passkeys and one-time codes, with recovery codes for when they are lost.

allauth keeps them (`allauth.mfa`). A code works once: of one-time codes the row remembers the last one that was taken,
so that no other process takes it again.
"""

import time
from collections.abc import Sequence
from functools import cache
from typing import Any, cast

from allauth.account.authentication import get_authentication_records
from allauth.core.internal.cryptokit import compare_user_code
from allauth.mfa import app_settings
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import format_hotp_value, hotp_value
from allauth.mfa.utils import decrypt, encrypt
from django.db import transaction
from django.http import HttpRequest

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


def is_first_second(row: Authenticator) -> bool:
    """Return whether the person had no second factor before this one. One query."""
    return not Authenticator.objects.filter(user_id=row.user_id, type__in=SECOND, pk__lt=row.pk).exists()


def factor_shown_at(request: HttpRequest, user: User) -> float | None:
    """Return when this session has last shown something that the person still has besides the password, None if never.

    In seconds, as a clock counts them; one query. A session that is older than the factor has never shown it.
    """
    here = set(Authenticator.objects.filter(user=user).values_list("pk", flat=True))
    records = get_authentication_records(request, user)
    shown = [each["at"] for each in records if each.get("method") == "mfa" and each.get("id") in here]
    return max(shown, default=None)


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


def take_recovery_code(user: User | None, code: str) -> Authenticator | None:
    """Take a recovery code of a person who has no password, and return whose it was, None for a wrong one.

    What is asked of the database, and what is computed, is the same for everybody until the code is right: how long it
    takes does not tell who has an account, and nobody's guess holds a lock.
    """
    rows = Authenticator.objects.filter(user_id=user.pk if user else 0, type=Authenticator.Type.RECOVERY_CODES)
    codes = kept_in(rows.first() or _nobodys_codes()).get_unused_codes()
    # All are compared: the first that is right ends nothing early.
    is_right = sum(compare_user_code(actual=code, expected=each) for each in codes) > 0
    if user is None or user.has_usable_password() or not is_right:
        return None
    return _taken_alone(user, code)


@cache
def _nobodys_codes() -> Authenticator:
    data = {"seed": encrypt(RecoveryCodes.generate_seed()), "used_mask": 0}
    return Authenticator(type=Authenticator.Type.RECOVERY_CODES, data=data)


@transaction.atomic
def _taken_alone(user: User, code: str) -> Authenticator | None:
    row = _recovery_row(user)
    if row is None or not _takes(row, code):
        return None
    row.user = user
    return row


def _takes(row: Authenticator, code: str) -> bool:
    if row.type != Authenticator.Type.TOTP:
        is_right = bool(kept_in(row).validate_code(code))
        row.refresh_from_db()
        return is_right
    # Read once: the half minute may end between the check and the note of it.
    period = current_period()
    if not is_code_of(decrypt(row.data["secret"]), code, period):
        return False
    if row.data.get(SPENT, -1) >= period:
        raise CodeSpent
    spend_period(row, period)
    return True


def is_code_of(secret: str, code: str, period: int) -> bool:
    """Return whether an authenticator app with this secret shows this code in that half minute."""
    return bool(compare_user_code(actual=code, expected=format_hotp_value(hotp_value(secret, period))))


def current_period() -> int:
    """Return the number of the half minute in which a one-time code is right."""
    return int(time.time()) // int(app_settings.TOTP_PERIOD)


def spend_period(row: Authenticator, period: int) -> None:
    """Mark the code of this half minute as used."""
    row.data[SPENT] = period
    row.save(update_fields=["data"])


def codes_to_show(user: User) -> tuple[Sequence[str], bool] | None:
    """Return the recovery codes that are left, and whether they may be shown: not once they are kept. One query.

    None for a person who has none.
    """
    row = Authenticator.objects.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first()
    return (kept_in(row).get_unused_codes(), not kept_in(row).did_view) if row else None


@transaction.atomic
def note_codes_kept(user: User) -> None:
    """Note that the recovery codes have been kept, so that they are never shown again."""
    row = _recovery_row(user)
    if row is not None:
        kept_in(row).mark_as_viewed()


@transaction.atomic
def renew_spent_codes(user: User) -> bool:
    """Make new recovery codes where the last one has been used, and return whether so: else nothing would be left to
    show. The row stays, so that what a session has shown still counts.
    """
    row = _recovery_row(user)
    if row is None or kept_in(row).get_unused_codes():
        return False
    row.data = {"seed": encrypt(RecoveryCodes.generate_seed()), "used_mask": 0}
    row.save(update_fields=["data"])
    return True


def _recovery_row(user: User) -> Authenticator | None:
    rows = Authenticator.objects.select_for_update(no_key=True)
    return cast(Authenticator | None, rows.filter(user=user, type=Authenticator.Type.RECOVERY_CODES).first())


@transaction.atomic
def drop_factors(user: User) -> int:
    """Take away all that the person shows besides the password; return how much that was."""
    User.objects.select_for_update(no_key=True).get(pk=user.pk)
    count = Authenticator.objects.filter(user=user).delete()[0]
    if count:
        note_account_change(user.pk, ChangeKind.FACTORS_DROPPED)
    return count
