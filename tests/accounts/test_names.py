"""Which names are allowed, and which two are too much alike for both to exist."""

from importlib import import_module
from types import SimpleNamespace

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection
from django.test import Client

from accounts import names
from accounts.models import User
from tests.accounts.conftest import PASSWORD, guest_browser, logged_in, who

fill_shapes = import_module("accounts.migrations.0013_fill_shapes").fill

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
    ("claire", "daire"),
    ("mary-clare", "mary-dare"),
    ("sally", "5ally"),
    ("chris", "chri5"),
    ("bella", "8ella"),
    ("bob", "bo8"),
    ("zoe", "2oe"),
    ("ben", "6en"),
    ("bob", "b06"),
    ("queen", "gueen"),
    ("wendy", "uuendy"),
    ("wendy", "vuendy"),
    ("emma", "ennma"),
    ("emma", "emrna"),
    ("hannah", "hamah"),
    ("annamaria", "anna-maria"),
    ("maclean", "mac.lean"),
]
#: Pairs of CLASHES that have different keys, so that both could be registered once.
ONCE_ALLOWED = [(first, second) for first, second in CLASHES[30:] if names.key(first) != names.key(second)]


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
@pytest.mark.parametrize("page", ["/accounts/name/", "/accounts/claim/"])
@pytest.mark.parametrize(("first", "second"), [("sally", "5ally"), ("ben", "6en"), ("anna", "an-na")])
def test_neither_does_a_guest_get_a_name_that_looks_like_another(page: str, first: str, second: str) -> None:
    User.objects.create_user(first)
    guest = guest_browser()
    before = who(guest).username
    answer = guest.post(page, {"username": second, "password1": PASSWORD})
    assert "This name is taken, or too similar to one that is." in answer.content.decode()
    assert who(guest).username == before


@pytest.mark.django_db
def test_a_guest_may_change_to_a_name_that_looks_like_the_present_one(as_guest: Client) -> None:
    for name in ("sally", "5al-ly"):
        as_guest.post("/accounts/name/", {"username": name})
        assert who(as_guest).username == name


@pytest.mark.django_db
def test_names_that_end_in_different_numbers_may_stand_side_by_side() -> None:
    for name in ("anna1968", "anna1986", "anna88", "anna66"):
        User.objects.create_user(name)
    assert not User.is_name_taken("anna1966")


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), [("sally", "5ally"), ("ben", "6en"), ("bella", "8ella")])
def test_the_database_refuses_what_older_keys_tell_apart(first: str, second: str) -> None:
    User.objects.create_user(first)
    with pytest.raises(IntegrityError):
        User.objects.bulk_create([User(username=second)])


def older_account(name: str, **more: str) -> User:
    """Return an account whose name was chosen before there were shapes."""
    user = User.objects.create_user(f"temporary-{User.objects.count()}", password=PASSWORD, **more)
    User.objects.filter(pk=user.pk).update(username=name, name_key=names.key(name), shape=None, shape_of_six=None)
    return User.objects.get(pk=user.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(("first", "second"), ONCE_ALLOWED)
def test_older_accounts_with_names_alike_keep_them_and_log_in(first: str, second: str) -> None:
    people = [older_account(name) for name in (first, second)]
    fill_shapes(apps, SimpleNamespace(connection=connection))
    for person in people:
        browser = logged_in(person.username)
        browser.post("/accounts/preferences/", {"theme": "dark", "language": "fr"})
        kept = who(browser)
        assert (kept.pk, kept.username, kept.theme) == (person.pk, person.username, "dark")
    assert User.is_name_taken(names.normalise(second).upper())


@pytest.mark.django_db
def test_a_guest_of_old_claims_the_own_name_though_another_looks_like_it() -> None:
    User.objects.create_user("sally")
    guest = guest_browser()
    own = {"username": "5ally", "name_key": names.key("5ally"), "shape": None, "shape_of_six": None}
    User.objects.filter(pk=who(guest).pk).update(**own)
    guest.post("/accounts/claim/", {"username": "5ally", "password1": PASSWORD})
    assert (who(guest).username, who(guest).is_guest) == ("5ally", False)


@pytest.mark.django_db
def test_the_migration_gives_names_the_shapes_that_a_save_gives() -> None:
    older, newer = older_account("Sally"), User.objects.create_user("ben")
    fill_shapes(apps, SimpleNamespace(connection=connection))
    fill_shapes(apps, SimpleNamespace(connection=connection))
    for person in (older, newer):
        person.refresh_from_db()
        assert (person.shape, person.shape_of_six) == names.shapes(person.username)


@pytest.mark.django_db
def test_logging_in_asks_for_the_name_itself_and_not_for_one_like_it() -> None:
    User.objects.create_user("sally", password=PASSWORD)
    answer = Client().post("/accounts/login/", {"login": "5ally", "password": PASSWORD})
    assert "Wrong name or password." in answer.content.decode()


@pytest.mark.django_db
def test_a_new_name_brings_its_key_along(django_user_model: type[User]) -> None:
    user = django_user_model.objects.create_user("alice")
    user.username = "Modern"
    user.save(update_fields=["username"])
    assert User.objects.get(name_key=names.key("modem"), shape=names.shapes("Mod-em")[0]).username == "Modern"


@pytest.mark.parametrize(
    "name", ["bob", "Al", "al ice", "Bob-7", "a.b", "x_y-z.w", "Zoë", "Łukasz", "Ångström", "a" * 20]
)
def test_a_plain_name_is_allowed(name: str) -> None:
    names.check(name)


@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("a", "length"),
        ("a" * 21, "length"),
        ("al  ice", "form"),
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
    "name",
    [
        "admin",
        "Adm1n",
        "me",
        "Guest",
        "guest-abc123",
        "GUEST.7",
        "random",
        "greedy",
        "deleted-x",
        "B0t",
        "you",
        "aclm1n-2",
        "8ot",
        "8ot-7",
        "rnocl",
    ],
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
