"""What the page of log-ins shows."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime

from allauth.mfa.models import Authenticator
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from accounts.keys.agents import device_words
from accounts.keys.changes import changes_of
from accounts.keys.factors import factors_of, kept_in
from accounts.models import ChangeKind, User
from accounts.sessions import logins_of
from accounts.sign_on.linked import link_of
from accounts.tokens import tokens_answered_for

SALT = "accounts.keys.logins"


@dataclass(frozen=True)
class LoginRow:
    """Where a person is logged in: the device in words, whether it is the one that asks, and the address that ends it.

    The days are None where an older release has not noted them.
    """

    device: str
    is_this: bool
    began_on: date | None
    seen_on: date | None
    end: str


@dataclass(frozen=True)
class PasskeyRow:
    """A passkey, and the addresses at which it is named and removed."""

    name: str
    made: datetime
    used: datetime | None
    edit: str
    remove: str


@dataclass(frozen=True)
class ProgramRow:
    """A token: its name, of which account if it is that of a bot, when it was used, and the address that revokes it."""

    name: str
    bot: str
    used: datetime | None
    revoke: str


@dataclass(frozen=True)
class ChangeRow:
    """Something that changed about how a person logs in; the device is empty where no browser did it."""

    words: str
    device: str
    made: datetime


@dataclass(frozen=True)
class KeysPage:
    """How a person logs in, and where they are logged in.

    `sign_on_since` is when the host's own sign-on was added, None where it was not.
    `codes_since` is when one-time codes were switched on, None while they are off. `codes_left` are the recovery codes
    that have not been used, None for a person who needs none.
    """

    has_password: bool
    sign_on_since: datetime | None
    codes_since: datetime | None
    codes_left: int | None
    passkeys: Sequence[PasskeyRow]
    logins: Sequence[LoginRow]
    programs: Sequence[ProgramRow]
    changes: Sequence[ChangeRow]

    @property
    def has_second(self) -> bool:
        """Return whether a log-in asks for more than the password."""
        return bool(self.codes_since or self.passkeys)


def keys_page(user: User, session_key: str) -> KeysPage:
    """Return what a person sees of their log-ins, in the session of that key.

    Four queries, and one more where the host has a sign-on.
    """
    factors, by_provider = factors_of(user), link_of(user)
    codes = next((each for each in factors if each.type == Authenticator.Type.TOTP), None)
    recovery = next((each for each in factors if each.type == Authenticator.Type.RECOVERY_CODES), None)
    return KeysPage(
        has_password=user.has_usable_password(),
        sign_on_since=by_provider.date_joined if by_provider else None,
        codes_since=codes.created_at if codes else None,
        codes_left=len(kept_in(recovery).get_unused_codes()) if recovery else None,
        passkeys=[_passkey_row(each) for each in factors if each.type == Authenticator.Type.WEBAUTHN],
        logins=_login_rows(user, session_key),
        programs=_program_rows(user),
        changes=[ChangeRow(_kind(each.kind), _device(each.device), each.made_at) for each in changes_of(user)],
    )


def login_of_handle(user: User, handle: str) -> str:
    """Return the key of the session that the page calls so, "" if it has ended. One query."""
    found = logins_of(user.pk, timezone.now())
    return next((each.key for each in found if constant_time_compare(_handle(each.key), handle)), "")


def _login_rows(user: User, session_key: str) -> Sequence[LoginRow]:
    rows = [
        LoginRow(
            device=device_words(each.device),
            is_this=each.key == session_key,
            began_on=each.began_on,
            seen_on=each.seen_on,
            end=reverse("login-end", args=[_handle(each.key)]),
        )
        for each in logins_of(user.pk, timezone.now())
    ]
    return sorted(rows, key=lambda row: not row.is_this)


def _handle(key: str) -> str:
    # The key itself opens the account: it stands on no page.
    return salted_hmac(SALT, key, algorithm="sha256").hexdigest()[:20]


def _passkey_row(row: Authenticator) -> PasskeyRow:
    edit, remove = (reverse(name, args=[row.pk]) for name in ("mfa_edit_webauthn", "mfa_remove_webauthn"))
    return PasskeyRow(str(kept_in(row).name), row.created_at, row.last_used_at, edit, remove)


def _program_rows(user: User) -> Sequence[ProgramRow]:
    return [
        ProgramRow(
            name=token.name,
            bot=token.user.username if token.user_id != user.pk else "",
            used=token.used_at,
            revoke=(
                reverse("api-token-revoke", args=[token.pk])
                if token.user_id == user.pk
                else reverse("own-bot-revoke", args=[token.user_id, token.pk])
            ),
        )
        for token in tokens_answered_for(user)
    ]


def _kind(kind: str) -> str:
    # What only another release knows is said by its code.
    return str(ChangeKind(kind).label) if kind in ChangeKind.values else kind


def _device(device: str) -> str:
    return device_words(device) if device else ""
