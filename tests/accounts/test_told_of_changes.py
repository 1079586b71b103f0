"""Of each change of how a person logs in the site and an e-mail tell them, with what to do if it was not them."""

from collections.abc import Callable
from html import unescape
from io import StringIO

import pytest
from allauth.mfa.models import Authenticator
from django.core import mail
from django.core.mail import EmailMessage
from django.core.management import call_command
from django.test import Client

from accounts.models import AccountChange, ChangeKind, User
from tests.accounts.conftest import PASSWORD
from tests.accounts.factors import (
    BETWEEN,
    CODES_OFF,
    PAGE,
    RECOVERY_NEW,
    Clock,
    at_the_code,
    show_password,
    switch_on,
)
from tests.accounts.factors import clock as clock
from tests.accounts.provider import ADD, REMOVE, Provider, signed_on
from tests.accounts.provider import provider as provider
from tests.accounts.test_email import change, confirm
from tests.accounts.test_passkeys import add

pytestmark = pytest.mark.django_db(transaction=True)

Act = Callable[[Client, Provider], object]


def removes_passkey(client: Client, _provider: Provider) -> None:
    add(client)
    row = Authenticator.objects.get(type=Authenticator.Type.WEBAUTHN)
    client.post(f"/accounts/keys/passkeys/{row.pk}/remove/")


def uses_recovery_code(client: Client, _provider: Provider) -> None:
    _secret, kept = switch_on(client)
    at_the_code().post(BETWEEN, {"code": kept[0]})


def changes_password(client: Client, _provider: Provider) -> None:
    new = PASSWORD * 2
    client.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": new, "password2": new})


def removes_password(client: Client, _provider: Provider) -> None:
    add(client)
    client.post("/accounts/password/remove/")


def changes_address(client: Client, _provider: Provider) -> None:
    change(client)
    confirm(client, mail.outbox[-1])


def adds_sign_on(client: Client, provider: Provider) -> None:
    show_password(client)
    signed_on(provider, client, ADD)


def removes_sign_on(client: Client, provider: Provider) -> None:
    adds_sign_on(client, provider)
    client.post(REMOVE)


def is_helped_by_the_host(client: Client, _provider: Provider) -> None:
    switch_on(client)
    call_command("drop_factors", "alice", stdout=StringIO())


ACTS: dict[ChangeKind, Act] = {
    ChangeKind.CODES_ON: lambda client, _provider: switch_on(client),
    ChangeKind.CODES_OFF: lambda client, _provider: [switch_on(client), client.post(CODES_OFF)],
    ChangeKind.RECOVERY_MADE: lambda client, _provider: [switch_on(client), client.post(RECOVERY_NEW)],
    ChangeKind.RECOVERY_USED: uses_recovery_code,
    ChangeKind.PASSKEY_ADDED: lambda client, _provider: add(client),
    ChangeKind.PASSKEY_REMOVED: removes_passkey,
    ChangeKind.SIGN_ON_ADDED: adds_sign_on,
    ChangeKind.SIGN_ON_REMOVED: removes_sign_on,
    ChangeKind.PASSWORD: changes_password,
    ChangeKind.PASSWORD_REMOVED: removes_password,
    ChangeKind.EMAIL: changes_address,
    ChangeKind.FACTORS_DROPPED: is_helped_by_the_host,
}
#: What the e-mail about each says.
SAID = {
    ChangeKind.CODES_ON: "One-time codes were switched on",
    ChangeKind.CODES_OFF: "One-time codes were switched off",
    ChangeKind.RECOVERY_MADE: "New recovery codes were made for your account",
    ChangeKind.RECOVERY_USED: "A recovery code of your account was used",
    ChangeKind.PASSKEY_ADDED: "A passkey was added to your account",
    ChangeKind.PASSKEY_REMOVED: "A passkey was removed from your account",
    ChangeKind.SIGN_ON_ADDED: "You can now log in to your account by the sign-on of this site too",
    ChangeKind.SIGN_ON_REMOVED: "The sign-on of this site no longer opens your account",
    ChangeKind.PASSWORD: "The password of your account was changed",
    ChangeKind.PASSWORD_REMOVED: "The password of your account was removed",
    ChangeKind.EMAIL: "The e-mail address of your account was changed",
    ChangeKind.FACTORS_DROPPED: "have taken all passkeys and codes of your account away",
}


@pytest.mark.parametrize("kind", list(ChangeKind))
def test_of_each_change_the_site_and_an_email_tell(
    kind: ChangeKind,
    as_alice: Client,
    alice: User,
    mailing: None,
    clock: Clock,
    provider: Provider,
    mailoutbox: list[EmailMessage],
) -> None:
    ACTS[kind](as_alice, provider)
    assert AccountChange.objects.filter(user=alice, kind=kind).exists()
    told = [each for each in mailoutbox if each.to == ["alice@example.org"] and SAID[kind] in each.body]
    assert told, [each.body for each in mailoutbox]
    helps = ("If it was not you", "If that was not you", "take your account back")
    assert any(words in told[-1].body for words in helps)
    if kind not in (ChangeKind.FACTORS_DROPPED, ChangeKind.PASSWORD):
        assert str(kind.label) in unescape(as_alice.get(PAGE).content.decode())
