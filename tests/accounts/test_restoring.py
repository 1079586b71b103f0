"""Taking an account back by the link in the mail to the former address, after a thief has changed it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.core.mail import EmailMessage
from django.test import Client
from django.utils import timezone

from accounts.mail.restoring import restoring_link
from accounts.models import AccountChange, ChangeKind, User
from tests.accounts.conftest import PASSWORD, logged_in, who
from tests.accounts.factors import with_codes
from tests.accounts.test_email import change, confirm

OLD, STOLEN, THIEFS = "alice@example.org", "thief@example.net", "another password of mine"

pytestmark = pytest.mark.usefixtures("mailing")


def stolen(thief: Client, outbox: list[EmailMessage], email: str = STOLEN) -> str:
    """Have the thief change the address; return the path of the link that the former address is sent."""
    change(thief, email)
    confirm(thief, next(mail for mail in reversed(outbox) if mail.to == [email]))
    link = re.findall(r"http://127.0.0.1:8000(\S+/email/restore/\S+)", str(outbox[-1].body))
    return str(link[0])


def path(email: str, person: User, **when: Any) -> str:
    return restoring_link(person, email, **when).removeprefix("http://127.0.0.1:8000")


def test_the_former_address_gets_a_link_that_says_what_it_does(
    as_alice: Client, mailoutbox: list[EmailMessage]
) -> None:
    link = stolen(as_alice, mailoutbox)
    assert mailoutbox[-1].to == [OLD]
    page = Client().get(link).content.decode()
    assert "The account alice will use alice@example.org again." in " ".join(page.split())
    assert EmailAddress.objects.get().email == STOLEN


def test_the_owner_gets_address_and_account_back_and_the_thief_is_out(
    as_alice: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    link = stolen(as_alice, mailoutbox)
    as_alice.post("/accounts/password/change/", {"oldpassword": PASSWORD, "password1": THIEFS, "password2": THIEFS})
    owner = Client()
    owner.post(link)
    assert list(EmailAddress.objects.values_list("email", "verified", "primary")) == [(OLD, True, True)]
    assert as_alice.get("/accounts/").status_code == 302
    answer = Client().post("/accounts/login/", {"login": "alice", "password": THIEFS})
    assert answer.status_code == 200
    reset = re.findall(r"http://127.0.0.1:8000(\S+/reset/key/\S+)", str(mailoutbox[-1].body))[0]
    assert mailoutbox[-1].to == [OLD]
    form = owner.get(reset, follow=True).redirect_chain[-1][0]
    owner.post(form, {"password1": PASSWORD, "password2": PASSWORD})
    assert who(owner) == alice
    assert who(logged_in("alice")) == alice


def test_the_link_works_once(as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    link = stolen(as_alice, mailoutbox)
    assert [Client().post(link).status_code for _ in range(2)] == [200, 404]


def test_no_link_that_the_thief_got_works_afterwards(
    as_alice: Client, alice: User, mailoutbox: list[EmailMessage]
) -> None:
    first = stolen(as_alice, mailoutbox)
    second = stolen(as_alice, mailoutbox, "thief2@example.net")
    assert mailoutbox[-1].to == [STOLEN]
    Client().post(first)
    assert Client().post(second).status_code == 404
    assert User.objects.get(pk=alice.pk).email == OLD


def test_the_first_of_two_links_works_after_a_second_change(as_alice: Client, mailoutbox: list[EmailMessage]) -> None:
    first = stolen(as_alice, mailoutbox)
    stolen(as_alice, mailoutbox, "thief2@example.net")
    Client().post(first)
    assert EmailAddress.objects.get().email == OLD


def test_a_link_that_a_thief_got_since_ends_no_earlier_one(as_alice: Client, alice: User) -> None:
    now = timezone.now()
    owners = path(OLD, alice, now=now - timedelta(hours=2))
    thiefs = path(STOLEN, alice, now=now - timedelta(hours=1))
    assert Client().post(thiefs).status_code == 200
    assert Client().post(owners).status_code == 200
    assert User.objects.get(pk=alice.pk).email == OLD
    assert [Client().post(link).status_code for link in (owners, thiefs)] == [404, 404]


def test_links_stay_dead_when_a_later_one_is_used(as_alice: Client, alice: User) -> None:
    now = timezone.now()
    thiefs = path(STOLEN, alice, now=now - timedelta(hours=1))
    assert Client().post(path(OLD, alice, now=now - timedelta(hours=2))).status_code == 200
    assert Client().post(path("newer@example.org", alice, now=timezone.now())).status_code == 200
    assert Client().post(thiefs).status_code == 404


def test_what_an_older_release_has_noted_still_holds(alice: User) -> None:
    used = timezone.now() - timedelta(hours=1)
    User.objects.filter(pk=alice.pk).update(address_restored_at=used)
    assert Client().get(path(OLD, alice, now=used - timedelta(hours=1))).status_code == 404
    assert Client().get(path(OLD, alice, now=used + timedelta(minutes=1))).status_code == 200


def test_taking_an_account_back_is_noted(as_alice: Client, alice: User) -> None:
    with_codes(alice)
    Client().post(path(OLD, alice))
    noted = AccountChange.objects.order_by("pk").values_list("kind", flat=True)
    assert [*noted] == [ChangeKind.EMAIL, ChangeKind.FACTORS_DROPPED]


@pytest.mark.parametrize(("days", "status"), [(6.9, 200), (7.1, 404)])
def test_the_link_holds_for_seven_days(alice: User, days: float, status: int) -> None:
    link = path("former@example.org", alice, now=timezone.now() - timedelta(days=days))
    assert Client().get(link).status_code == status


def test_an_address_that_another_account_has_confirmed_is_not_taken_from_it(alice: User, bob: User) -> None:
    answer = Client().post(path("bob@example.org", alice))
    assert answer.status_code == 409
    assert "Another account uses bob@example.org now" in " ".join(answer.content.decode().split())
    assert set(EmailAddress.objects.values_list("email", flat=True)) == {OLD, "bob@example.org"}


@pytest.mark.parametrize("forged", ["x", "WzEsICJhIiwgMV0:1abcde:forged", "%00"])
def test_a_forged_link_does_nothing(alice: User, forged: str) -> None:
    assert Client().post(f"/accounts/email/restore/{forged}/").status_code == 404
    assert User.objects.get().has_usable_password()


def test_a_closed_account_cannot_be_taken_back(alice: User) -> None:
    link = path(OLD, alice)
    User.objects.update(is_active=False)
    assert Client().get(link).status_code == 404
