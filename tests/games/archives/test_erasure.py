"""Nothing that tells of a person is left in any table, once their account is closed."""

from collections.abc import Iterator

import pytest
from django.db import connection

from accounts.erasure import close_account
from accounts.models import User
from accounts.personal.held import Held
from games.base.personal import HELD
from games.models import GameChannel
from tests.games.archives.everything import ADDRESS, FIRST_NAME, NAME, SECRETS, WORDS, person_with_everything


@pytest.fixture
def person(bob: User, carol: User) -> User:
    return person_with_everything(bob, carol)


def dump() -> Iterator[tuple[str, str]]:
    """Yield every row of every table of the database, as it is stored, with the name of the table."""
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            cursor.execute(f"SELECT * FROM {connection.ops.quote_name(table)}")
            for row in cursor.fetchall():
                yield (
                    table,
                    " ".join(
                        bytes(value).decode("utf-8", "replace")
                        if isinstance(value, (bytes, memoryview))
                        else str(value)
                        for value in row
                    ),
                )


def hits(*texts: str) -> dict[str, set[str]]:
    """Return which of these texts stand in which tables, whatever their case."""
    found: dict[str, set[str]] = {text: set() for text in texts}
    for table, row in dump():
        for text in texts:
            if text.casefold() in row.casefold():
                found[text].add(table)
    return found


def dumped() -> str:
    """Return the database as its own dump writes it, on SQLite or PostgreSQL."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            return "\n".join(cursor.connection.iterdump())
    parts: list[bytes] = []
    with connection.cursor() as cursor:
        for table in connection.introspection.table_names(cursor):
            with cursor.copy(f"COPY {connection.ops.quote_name(table)} TO STDOUT") as copy:
                parts += map(bytes, copy)
    return b"".join(parts).decode()


def rows(held: Held, ways: tuple[str, ...], person: int) -> int:
    return sum(held.model._base_manager.filter(**{way: person}).count() for way in ways)


def test_the_person_has_something_of_each_kind_that_the_lists_name(person: User) -> None:
    """What the tests of archives and of erasure are worth: none of them looks at a table without a row."""
    ways = {held: held.mine or tuple(way for way in held.goes if way.endswith(("user", "owner"))) for held in HELD}
    never = {
        "account.EmailConfirmation",
        "accounts.User_groups",
        "accounts.User_user_permissions",
        "socialaccount.SocialToken",
    }
    missing = [(held.label, held.file) for held in HELD if ways[held] and not rows(held, ways[held], person.pk)]
    assert {label for label, _file in missing} <= never


def test_names_addresses_and_words_of_a_closed_account_stand_in_no_table(person: User) -> None:
    texts = (NAME, FIRST_NAME, ADDRESS, *WORDS, *SECRETS)
    before = hits(*texts)
    assert [text for text in texts if not before[text]] == []
    close_account(person)
    assert {text: tables for text, tables in hits(*texts).items() if tables} == {}


def test_a_dump_of_the_whole_database_has_no_hit_for_name_and_address_after_erasure(person: User) -> None:
    texts = (NAME, FIRST_NAME, ADDRESS)
    before = dumped().casefold()
    assert [text for text in texts if text.casefold() not in before] == []
    close_account(person)
    after = dumped().casefold()
    assert [text for text in texts if text.casefold() in after or text.encode().hex() in after] == []


def test_rows_go_as_the_lists_say(person: User) -> None:
    by_keys = [
        held for held in HELD if held.goes and held.model._meta.get_field(held.goes[0].split("__")[0]).is_relation
    ]
    assert len(by_keys) > 20
    close_account(person)
    assert {held.label: left for held in by_keys if (left := rows(held, held.goes, person.pk))} == {}


def test_of_the_account_nothing_stays_but_what_the_list_says(person: User) -> None:
    (account,) = [held for held in HELD if held.file == "account"]
    close_account(person)
    gone, new = User.objects.get(pk=person.pk), User(username="new", is_active=False, wants_turn_emails=False)
    made_up = {"username", "name_key", "shape", "shape_of_six", "password", "erased_at", "groups", "user_permissions"}
    left = {name for name in {*account.blanked.split()} - made_up if getattr(gone, name) != getattr(new, name)}
    assert left == set()
    assert not gone.has_usable_password()


def test_others_keep_what_is_theirs(person: User, bob: User) -> None:
    close_account(person)
    assert bob.studies.get().title == "Against deleted"
    assert not GameChannel.objects.exists()
    assert User.objects.get(pk=bob.pk).username == "bob"


def test_every_table_that_the_lists_name_is_searched(person: User) -> None:
    assert {held.model._meta.db_table for held in HELD if held.mine} <= {table for table, _row in dump()}
