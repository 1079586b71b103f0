"""allauth says what a person does about their log-in; here it is noted."""

from typing import Any

from allauth.account import signals as account_signals
from allauth.account.adapter import get_adapter
from allauth.mfa import signals as mfa_signals
from allauth.mfa.models import Authenticator
from django.http import HttpRequest

from accounts.keys.changes import note_account_change
from accounts.keys.factors import kept_in, spend_period
from accounts.models import ChangeKind, User

ADDED = {
    Authenticator.Type.TOTP: ChangeKind.CODES_ON,
    Authenticator.Type.WEBAUTHN: ChangeKind.PASSKEY_ADDED,
    Authenticator.Type.RECOVERY_CODES: ChangeKind.RECOVERY_MADE,
}
REMOVED = {
    Authenticator.Type.TOTP: ChangeKind.CODES_OFF,
    Authenticator.Type.WEBAUTHN: ChangeKind.PASSKEY_REMOVED,
}


def hear_allauth() -> None:
    """Hear of every change; called once when the app is ready."""
    mfa_signals.authenticator_added.connect(_on_added, dispatch_uid="accounts.keys.added")
    mfa_signals.authenticator_removed.connect(_on_removed, dispatch_uid="accounts.keys.removed")
    mfa_signals.authenticator_reset.connect(_on_reset, dispatch_uid="accounts.keys.reset")
    mfa_signals.authenticator_used.connect(_on_used, dispatch_uid="accounts.keys.used")
    for signal in (
        account_signals.password_changed,
        account_signals.password_set,
        account_signals.password_reset,
    ):
        signal.connect(_on_password, dispatch_uid="accounts.keys.password")
    account_signals.email_changed.connect(_on_email, dispatch_uid="accounts.keys.email")


def _on_added(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any) -> None:
    if authenticator.type == Authenticator.Type.TOTP:
        # The code that has switched them on opens nothing any more.
        spend_period(authenticator)
    note_account_change(user.pk, ADDED[Authenticator.Type(authenticator.type)], request)


def _on_removed(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any) -> None:
    # Recovery codes go with the last of the others, and with nothing to recover.
    if kind := REMOVED.get(Authenticator.Type(authenticator.type)):
        note_account_change(user.pk, kind, request)


def _on_reset(request: HttpRequest, user: User, **_signal: Any) -> None:
    note_account_change(user.pk, ChangeKind.RECOVERY_MADE, request)


def _on_used(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any) -> None:
    if authenticator.type != Authenticator.Type.RECOVERY_CODES:
        return
    note_account_change(user.pk, ChangeKind.RECOVERY_USED, request)
    left = len(kept_in(authenticator).get_unused_codes())
    get_adapter().send_notification_mail("mfa/email/recovery_code_used", user, {"left": left})


def _on_password(request: HttpRequest, user: User, **_signal: Any) -> None:
    note_account_change(user.pk, ChangeKind.PASSWORD, request)


def _on_email(request: HttpRequest, user: User, **_signal: Any) -> None:
    note_account_change(user.pk, ChangeKind.EMAIL, request)
