"""Passkeys: kept by allauth, made so that they log in alone, and never taken away as the last way in."""

import copy
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, cast

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.webauthn.internal import auth
from django.core.exceptions import ValidationError
from django.core.serializers.json import DjangoJSONEncoder
from django.db import transaction

from accounts.models import User

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
    except Exception as error:
        raise get_adapter().validation_error("passkey_refused") from error


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


@transaction.atomic
def keep_first_passkey(user: User, name: str, credential: dict[str, Any]) -> Authenticator:
    """Keep the passkey with which a person signs up, and recovery codes; return the passkey. A second tap adds none."""
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    rows = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN)
    kept = next((row for row in rows if row.data["credential"]["id"] == credential["id"]), None)
    RecoveryCodes.activate(person)
    return cast(Authenticator, kept or auth.WebAuthn.add(person, name, credential).instance)


@transaction.atomic
def remove_passkey(user: User, pk: int) -> Authenticator | None:
    """Take a passkey of the person away, and return it, None if it has gone.

    Raises: LastWayIn.
    """
    person = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    found = Authenticator.objects.filter(user=person, type=Authenticator.Type.WEBAUTHN, pk=pk).first()
    if found is None:
        return None
    if not person.has_usable_password() and passkeys_count(person) == 1:
        raise LastWayIn
    found.delete()
    delete_dangling_recovery_codes(person)
    return cast(Authenticator, found)
