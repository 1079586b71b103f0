"""allauth says what a person does about their log-in; here it is noted."""

from typing import Any, cast

from allauth.account import signals as account_signals
from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa import signals as mfa_signals
from allauth.mfa.models import Authenticator
from django.contrib import messages
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.keys.changes import note_account_change
from accounts.keys.factors import SECOND, is_first_second, kept_in, renew_spent_codes
from accounts.models import ChangeKind, User
from accounts.sessions import SessionStore, end_sessions
from accounts.signals import address_restored, password_stored, tell_sessions_ended

#: Where a request keeps that new recovery codes were made, for the last one was used.
RENEWED = "accounts.codes_renewed"
ADDED = {
    Authenticator.Type.TOTP: ChangeKind.CODES_ON,
    Authenticator.Type.WEBAUTHN: ChangeKind.PASSKEY_ADDED,
    Authenticator.Type.RECOVERY_CODES: ChangeKind.RECOVERY_MADE,
}
REMOVED = {
    Authenticator.Type.TOTP: ChangeKind.CODES_OFF,
    Authenticator.Type.WEBAUTHN: ChangeKind.PASSKEY_REMOVED,
}


def connect_signals() -> None:
    """Connect to the signals of every change; called once when the app is ready."""
    mfa_signals.authenticator_added.connect(_on_added, dispatch_uid="accounts.keys.added")
    mfa_signals.authenticator_removed.connect(_on_removed, dispatch_uid="accounts.keys.removed")
    mfa_signals.authenticator_reset.connect(_on_reset, dispatch_uid="accounts.keys.reset")
    mfa_signals.authenticator_used.connect(_on_used, dispatch_uid="accounts.keys.used")
    password_stored.connect(_on_password, dispatch_uid="accounts.keys.password")
    address_restored.connect(_on_restored, dispatch_uid="accounts.keys.restored")
    account_signals.email_changed.connect(_on_email, dispatch_uid="accounts.keys.email")
    account_signals.authentication_step_completed.connect(_on_shown, dispatch_uid="accounts.keys.shown")


def _on_added(request: HttpRequest, user: User, authenticator: Authenticator, **_signal: Any) -> None:
    note_account_change(user.pk, ADDED[Authenticator.Type(authenticator.type)], request)
    if authenticator.type not in SECOND:
        return
    # Who has just made it has shown it.
    record_authentication(request, user, "mfa", id=authenticator.pk, type=str(authenticator.type), reauthenticated=True)
    if is_first_second(authenticator) and end_sessions(user.pk, but=request.session.session_key):
        # They were opened by the password alone.
        tell_sessions_ended(user.pk)
        messages.info(request, _("Your other devices are logged out. Log in there again, with what you have added."))


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
    if renew_spent_codes(user):
        # The last one lets in, but would leave nothing to show when it is asked again who it is.
        request.META[RENEWED] = True
        note_account_change(user.pk, ChangeKind.RECOVERY_MADE, request)
        get_adapter().send_notification_mail("mfa/email/recovery_codes_generated", user)


def _on_password(user_id: int, request: HttpRequest, **_signal: Any) -> None:
    note_account_change(user_id, ChangeKind.PASSWORD, request)


def _on_email(request: HttpRequest, user: User, **_signal: Any) -> None:
    note_account_change(user.pk, ChangeKind.EMAIL, request)


def _on_shown(request: HttpRequest, user: User, reauthenticated: bool = False, **_signal: Any) -> None:
    # As at a log-in: whoever has learnt the key of before has nothing of what opens now.
    if reauthenticated and request.user.pk == user.pk:
        cast("SessionStore", request.session).renew_key()


def _on_restored(user_id: int, lost_factors: bool, **_signal: Any) -> None:
    note_account_change(user_id, ChangeKind.EMAIL)
    if lost_factors:
        note_account_change(user_id, ChangeKind.FACTORS_DROPPED)
