"""What comes at one instant: one code twice, two passkeys that go, an account that is closed meanwhile."""

from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from django.test import RequestFactory

from accounts.erasure import close_account
from accounts.keys.factors import CodeSpent, drop_factors, take_code, take_recovery_code
from accounts.keys.passkeys import LastWayIn, remove_passkey
from accounts.keys.passwords import remove_password
from accounts.models import User
from accounts.sessions import SessionStore
from tests.accounts.factors import Clock, code_of, with_codes
from tests.accounts.factors import clock as clock
from tests.conftest import PASSWORD, person
from tests.games.actions.test_races import at_once
from tests.proof import proof

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("rounds", [4, *proof(60)])
def test_a_code_sent_twice_at_once_is_taken_once(clock: Clock, rounds: int) -> None:
    alice = person("alice")
    secret = with_codes(alice)
    for _round in range(rounds):
        clock(30)
        found = outcomes(*[partial(take_code, alice, code_of(secret))] * 3)
        assert [type(each) for each in found].count(CodeSpent) == 2
        assert sum(isinstance(each, Authenticator) for each in found) == 1


@pytest.mark.parametrize("rounds", [4, *proof(10)])
def test_a_recovery_code_sent_twice_at_once_is_taken_once(rounds: int) -> None:
    alice = person("alice")
    codes: list[str] = RecoveryCodes.activate(alice).generate_codes()
    for code in codes[:rounds]:
        found = outcomes(partial(take_code, alice, code), partial(take_recovery_code, alice, code))
        assert sum(each is not None for each in found) == 1


@pytest.mark.parametrize("rounds", [4, *proof(60)])
def test_of_two_passkeys_removed_at_once_one_stays(rounds: int) -> None:
    alice = person("alice")
    alice.set_unusable_password()
    alice.save()
    for _round in range(rounds):
        kept = [passkey(alice), passkey(alice)]
        found = outcomes(*(partial(remove_passkey, alice, each.pk) for each in kept))
        assert [type(each) for each in found].count(LastWayIn) == 1
        assert Authenticator.objects.count() == 1
        Authenticator.objects.all().delete()


@pytest.mark.parametrize("rounds", [4, *proof(60)])
def test_of_the_password_and_the_last_passkey_removed_at_once_one_stays(rounds: int) -> None:
    alice = person("alice")
    for _round in range(rounds):
        alice.set_password(PASSWORD)
        alice.save()
        request = RequestFactory().post("/accounts/password/remove/")
        request.user, request.session = alice, SessionStore()
        found = outcomes(partial(remove_passkey, alice, passkey(alice).pk), partial(remove_password, alice, request))
        assert [type(each) for each in found].count(LastWayIn) == 1
        assert User.objects.get().has_usable_password() != Authenticator.objects.exists()
        Authenticator.objects.all().delete()


@pytest.mark.parametrize("rounds", [3, *proof(30)])
def test_a_code_is_taken_while_factors_go_and_the_account_is_closed(clock: Clock, rounds: int) -> None:
    for number in range(rounds):
        alice = person(f"alice{number}")
        secret = with_codes(alice)
        code = code_of(secret)
        outcomes(partial(take_code, alice, code), partial(drop_factors, alice), partial(close_account, alice))
        assert not Authenticator.objects.filter(user=alice).exists()


def outcomes(*calls: Callable[[], object]) -> list[object]:
    """Return what each call answers, or what it says instead, all at one instant."""

    def said(call: Callable[[], object]) -> object:
        try:
            return call()
        except (CodeSpent, LastWayIn) as error:
            return error

    return at_once([partial(said, call) for call in calls])


def passkey(owner: Any) -> Authenticator:
    data = {"name": "x", "credential": {}}
    return Authenticator.objects.create(user=owner, type=Authenticator.Type.WEBAUTHN, data=data)
