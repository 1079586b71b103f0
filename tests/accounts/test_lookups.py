"""People are found by indexes, however many there are."""

from typing import Any

import pytest
from allauth.account.models import EmailAddress
from django.db import connection
from django.db.models import F
from django.test import Client

from accounts.models import User
from tests.accounts.conftest import PASSWORD
from tests.plans import tables_read_whole

PEOPLE = ("accounts_user", "account_emailaddress")

REQUESTS = {
    "log in by name": ("/accounts/login/", {"login": "alice", "password": PASSWORD}),
    "log in by address": ("/accounts/login/", {"login": "alice@example.org", "password": PASSWORD}),
    "fail to log in": ("/accounts/login/", {"login": "mallory", "password": "wrong"}),
    "reset": ("/accounts/password/reset/", {"email": "Alice@example.org"}),
    "sign up": ("/accounts/signup/", {"username": "zoe", "email": "zoe@example.org", "password1": PASSWORD}),
}


@pytest.mark.parametrize("what", REQUESTS)
def test_no_table_of_people_is_read_whole(what: str, client: Client, alice: User, mailing: None) -> None:
    address, form = REQUESTS[what]
    assert tables_read_whole(lambda: client.post(address, form), PEOPLE) == {}


@pytest.mark.parametrize("what", REQUESTS)
def test_no_table_of_people_is_read_whole_where_the_database_knows_how_it_is_filled(
    what: str, client: Client, alice: User, mailing: None
) -> None:
    # Only then did SQLite choose to go through all people in the order of their numbers, to find the first.
    letters = str.maketrans("0123456789", "abcdefghjk")
    people = User.objects.bulk_create(User(username=f"p{number}".translate(letters)) for number in range(2000))
    EmailAddress.objects.bulk_create(EmailAddress(user=each, email=f"{each.username}@example.org") for each in people)
    with connection.cursor() as cursor:
        cursor.execute("ANALYZE")
    address, form = REQUESTS[what]
    assert tables_read_whole(lambda: client.post(address, form), PEOPLE) == {}


@pytest.mark.parametrize(
    ("name", "found"), [("Alice", True), ("ALICE", True), ("a1ice", False), ("aiice", False), ("", False)]
)
def test_names_are_the_same_whatever_their_case_and_nothing_else(name: str, found: bool, alice: User) -> None:
    assert User.objects.filter(username__iexact=name).exists() is found
    assert User.objects.exclude(username__iexact=name).exists() is not found


@pytest.mark.parametrize("stored", ["Zoë", "Weiß", "Ørsted", "i1-l0"])
def test_a_name_is_found_however_it_is_written(stored: str, db: None) -> None:
    User.objects.create(username=stored)
    assert User.objects.get(username__iexact=stored).username == stored


def test_the_name_of_another_column_is_compared_as_ever(alice: User) -> None:
    conditions: dict[str, Any] = {"username__iexact": F("username")}
    assert User.objects.filter(**conditions).exists()
