"""Passkeys: kept by allauth, made so that they log in alone, and never taken away as the last way in."""

import copy
import json
import logging
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, cast

from allauth.account.adapter import get_adapter as get_account_adapter
from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.recovery_codes.internal.flows import add_codes_generated_message
from allauth.mfa.signals import authenticator_added
from allauth.mfa.webauthn.internal import auth
from cryptography.exceptions import InvalidSignature
from django.contrib import messages
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import Error, transaction
from django.http import HttpRequest

from accounts.models import User
from accounts.sign_on.linked import link_of

logger = logging.getLogger(__name__)

#: How many passkeys a person may have.
MOST_PASSKEYS = 10
#: Where a session keeps what was asked last, and for how many seconds it is asked again.
OPEN_QUESTION, HOLDS = "accounts.asked", 300


class LastWayIn(Exception):  # noqa: N818  (it says what is refused)
    """The only passkey of a person without a password."""


@contextmanager
def refusing_broken() -> Iterator[None]:
    """Turn whatever a browser's answer can break in the libraries into the sentence that it was not accepted.

    They check what they are sent piece by piece, and each piece fails in a way of its own.

    Raises: ValidationError.
    """
    try:
        yield
    except ValidationError as error:
        if error.code != "incorrect_code":
            raise
        raise get_adapter().validation_error("passkey_refused") from error
    except Error:
        # The database is away, which is no fault of the passkey.
        raise
    except Exception as error:
        logger.warning("passkey not accepted: %s", type(error).__name__)
        raise get_adapter().validation_error("passkey_refused") from error


def check_public_key(credential: dict[str, Any]) -> None:
    """Check that the passkey that a browser has made can ever log in: nothing else reads its public key before it does.

    Raises: whatever its key breaks in the libraries where no signature could be by it; for `refusing_broken`.
    """
    made: Any = auth.parse_registration_response(credential).response.attestation_object.auth_data.credential_data
    with suppress(InvalidSignature):
        made.public_key.verify(b"", b"")


def passkeys_count(user: User) -> int:
    """Return how many passkeys the person has. One query."""
    return Authenticator.objects.filter(user=user, type=Authenticator.Type.WEBAUTHN).count()


def making_options(user: User, name: str = "") -> str:
    """Return what the browser is told to make a passkey for this person, who may be about to be called otherwise."""
    called = copy.copy(user)
    called.username = name or user.username
    return _steady(f"make {user.pk}", lambda: auth.begin_registration(called, True))


def asking_options(user: User | None = None) -> str:
    """Return what the browser is told to ask for a passkey, of this person or of anyone."""
    return _steady(f"ask {user.pk if user else 'anyone'}", lambda: auth.begin_authentication(user))


def _steady(purpose: str, begin: Callable[[], dict[str, Any]]) -> str:
    """Return a question as JSON: for some minutes the same one, until it has been answered.

    A browser may fetch a page twice, its service worker too: the page that is seen is to be answered all the same.
    """
    session, before = context.request.session, auth.get_state()
    options: dict[str, Any] = json.loads(json.dumps(begin(), cls=DjangoJSONEncoder))
    state, asked = auth.get_state() or {}, session.get(OPEN_QUESTION) or {}
    is_open = bool(before) and asked.get("challenge") == (before or {})["challenge"]
    if is_open and asked["purpose"] == purpose and time.time() - asked["at"] < HOLDS:
        options["publicKey"]["challenge"] = asked["challenge"]
        auth.set_state({**state, "challenge": asked["challenge"]})
    else:
        session[OPEN_QUESTION] = {"purpose": purpose, "challenge": state["challenge"], "at": time.time()}
    return json.dumps(options)


@dataclass(frozen=True)
class KeptPasskey:
    """A passkey that was kept, whether it is new, and the recovery codes that were made with it, None if there were any
    before.
    """

    row: Authenticator
    is_new: bool
    codes: Authenticator | None


@transaction.atomic
def keep_passkey(user: User, name: str, credential: dict[str, Any]) -> KeptPasskey | None:
    """Keep a passkey, and make recovery codes where there are none; a second tap adds none.

    Return None for an account that was closed meanwhile.

    Raises: ValidationError where there are too many.
    """
    person = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).first()
    if person is None:
        return None
    rows = list(Authenticator.objects.filter(user=person).exclude(type=Authenticator.Type.TOTP))
    passkeys = [row for row in rows if row.type == Authenticator.Type.WEBAUTHN]
    kept = next((row for row in passkeys if row.data["credential"]["id"] == credential["id"]), None)
    if kept:
        return KeptPasskey(kept, False, None)
    if len(passkeys) >= MOST_PASSKEYS:
        raise get_adapter().validation_error("too_many_passkeys")
    codes = RecoveryCodes.activate(person).instance if len(rows) == len(passkeys) else None
    return KeptPasskey(auth.WebAuthn.add(person, name, credential).instance, True, codes)


def tell_passkey_added(request: HttpRequest, user: User, kept: KeptPasskey) -> None:
    """Tell the person of a new passkey, on the page and by e-mail, and of the recovery codes."""
    adapter = get_account_adapter(request)
    authenticator_added.send(Authenticator, request=request, user=user, authenticator=kept.row)
    adapter.add_message(request, messages.SUCCESS, "mfa/messages/webauthn_added.txt")
    adapter.send_notification_mail("mfa/email/webauthn_added", user)
    if kept.codes:
        authenticator_added.send(Authenticator, request=request, user=user, authenticator=kept.codes)
        add_codes_generated_message(request)


def is_last_way_in(user: User) -> bool:
    """Return whether nothing but one passkey opens the account. Two queries at most."""
    return not user.has_usable_password() and link_of(user) is None and passkeys_count(user) == 1


@transaction.atomic
def remove_passkey(user: User, pk: int) -> Authenticator | None:
    """Take a passkey of the person away, and return it, None if it has gone.

    Raises: LastWayIn.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    found = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN, pk=pk).first()
    if found is None:
        return None
    if is_last_way_in(person):
        raise LastWayIn
    found.delete()
    delete_dangling_recovery_codes(person)
    return cast(Authenticator, found)
