"""Which names are allowed, and which two are too much alike for both to exist."""

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError
from django.test import Client

from accounts import names
from accounts.models import User
from tests.accounts.conftest import PASSWORD

# Each pair reads alike to somebody; the second ones use other alphabets, marks, widths and invisible characters.
CLASHES = [
    ("alice", "Alice"),
    ("alice", "ALICE"),
    ("alice", "aIice"),
    ("alice", "a1ice"),
    ("alice", "\u0430lice"),
    ("alice", "alic\u0435"),
    ("alice", "al\u0456ce"),
    ("alice", "\u0251lice"),
    ("alice", "\uff41\uff4c\uff49\uff43\uff45"),
    ("alice", "al\u200bice"),
    ("alice", "al\u200dice"),
    ("alice", "alice\u2060"),
    ("alice", "\ufeffalice"),
    ("alice", "al\u00adice"),
    ("alice", "alice\u0301"),
    ("alice", "\u00e1lice"),
    ("alice", "\u202ealice"),
    ("alice", " alice "),
    ("alice", "alice\u00a0"),
    ("bob", "b0b"),
    ("bob", "B\u043eb"),
    ("bob", "b\u00f8b"),
    ("bob", "b\u03bfb"),
    ("carol", "car0l"),
    ("carol", "caro1"),
    ("carol", "\u0441arol"),
    ("modern", "modem"),
    ("wendy", "vvendy"),
    ("jean-luc", "jean_luc"),
    ("strasse", "stra\u00dfe"),
]


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), CLASHES)
def test_two_names_that_look_alike_are_never_both_registered(client: Client, first: str, second: str) -> None:
    for name in (first, second):
        client.post("/accounts/signup/", {"username": name, "password1": PASSWORD})
        client.post("/accounts/logout/")
    assert User.objects.count() == 1


@pytest.mark.django_db
def test_the_database_itself_refuses_a_name_that_looks_like_another() -> None:
    User.objects.create_user("alice")
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(username="A1ice")])


@pytest.mark.django_db
def test_a_new_name_brings_its_key_along(django_user_model: type[User]) -> None:
    user = django_user_model.objects.create_user("alice")
    user.username = "Modern"
    user.save(update_fields=["username"])
    assert User.objects.get(name_key=names.key("modem")).username == "Modern"


@pytest.mark.parametrize("name", ["bob", "Bob-7", "a.b", "x_y-z.w", "Zoë", "Łukasz", "Ångström", "a" * 20])
def test_a_plain_name_is_allowed(name: str) -> None:
    names.check(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("ab", "length"),
        ("a" * 21, "length"),
        ("al ice", "characters"),
        ("al@ice", "characters"),
        ("аня", "characters"),
        ("田中さん", "characters"),
        ("alice🙂", "characters"),
        ("al\nice", "characters"),
        ("<b>x</b>", "characters"),
        ("-alice", "form"),
        ("alice.", "form"),
        ("al..ice", "form"),
        ("al-_ice", "form"),
    ],
)
def test_a_name_out_of_form_is_refused_with_its_reason(name: str, code: str) -> None:
    with pytest.raises(ValidationError) as refusal:
        names.check(name)
    assert refusal.value.code == code


@pytest.mark.parametrize(
    "name", ["admin", "Adm1n", "me", "Guest", "guest-abc123", "GUEST.7", "random", "greedy", "deleted-x", "B0t", "you"]
)
def test_a_name_of_the_site_is_refused(name: str) -> None:
    with pytest.raises(ValidationError):
        names.check(name)


def test_a_decomposed_name_is_the_composed_one() -> None:
    assert names.normalise("Zoe\u0308") == "Zoë"
    assert names.is_same("ZOE\u0308", "zoë")


def test_the_public_name_is_the_only_name() -> None:
    user = User(username="alice")
    assert [str(user), user.get_full_name(), user.get_short_name()] == ["alice"] * 3
