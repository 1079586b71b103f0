"""Nothing is kept about people that the lists do not name: a new field is red until somebody has decided about it."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import Any

import pytest
from django.apps import apps
from django.db.models import Field, Model

from accounts.models import User
from accounts.personal.held import Held, names_in
from games.base.personal import HELD, NO_PERSONS

TABLES = apps.get_models(include_auto_created=True)


def by_table() -> Mapping[type[Model], list[Held]]:
    found = defaultdict(list)
    for held in HELD:
        found[held.model].append(held)
    return found


def fields_of(model: type[Model]) -> dict[str, "Field[Any, Any]"]:
    return {field.name: field for field in model._meta.get_fields() if isinstance(field, Field)}


def together(names: Iterable[Iterable[str]]) -> set[str]:
    return {name for some in names for name in some}


def undecided(model: type[Model], listed: list[Held]) -> set[str]:
    """Return the fields of which nobody has decided whether their person takes them along, or what becomes of them."""
    fields = set(fields_of(model))
    taken = together(held.fields_given for held in listed) | together(names_in(held.withheld) for held in listed)
    goes = all(held.goes and {*held.mine} <= {*held.goes} for held in listed)
    left = set() if goes else fields - together(held.blanked.split() for held in listed)
    left -= together(names_in(held.stays) for held in listed) | together(held.goes for held in listed)
    return (fields - taken) | left


@pytest.mark.parametrize("model", TABLES, ids=lambda model: model._meta.label)
def test_a_table_is_in_the_lists_or_says_nothing_of_a_person(model: type[Model]) -> None:
    assert (model in by_table()) != (model._meta.label in NO_PERSONS)


@pytest.mark.parametrize("model", by_table(), ids=lambda model: model._meta.label)
def test_of_every_field_it_is_said_whether_it_is_taken_along_and_what_becomes_of_it(model: type[Model]) -> None:
    assert undecided(model, by_table()[model]) == set()


@pytest.mark.parametrize("model", by_table(), ids=lambda model: model._meta.label)
def test_of_every_person_that_a_row_names_it_is_said_what_becomes_of_the_row(model: type[Model]) -> None:
    people = {
        name for name, field in fields_of(model).items() if field.related_model is User and not field.many_to_many
    }
    said = together((*held.goes, *held.blanked.split(), *names_in(held.stays)) for held in by_table()[model])
    assert people <= said


@pytest.mark.parametrize("held", HELD, ids=lambda held: f"{held.label} {held.file}")
def test_the_lists_name_fields_that_there_are(held: Held) -> None:
    named = {*held.fields_given, *names_in(held.withheld), *held.blanked.split(), *names_in(held.stays)}
    assert named <= set(fields_of(held.model))
    assert all(why.strip() for _names, why in (*held.withheld, *held.stays))
    assert not set(held.fields_given) & names_in(held.withheld)
    assert bool(held.file) == bool(held.mine) == bool(held.given)


def test_a_field_that_is_in_no_list_is_found() -> None:
    """What the tests above are worth: without one name in a list they are red."""
    for model, listed in by_table().items():
        for name in fields_of(model):
            cut = [without(held, name) for held in listed]
            assert name in undecided(model, cut), f"{model.__name__}.{name}"


def without(held: Held, name: str) -> Held:
    def cut(text: str) -> str:
        return " ".join(each for each in text.split() if each != name)

    reasons = tuple((cut(names), why) for names, why in held.withheld)
    return Held(
        held.model, held.file, held.mine, cut(held.given), reasons, held.goes, held.by, held.blanked, held.stays
    )


def test_no_two_tables_have_one_file() -> None:
    names = [held.file for held in HELD if held.file]
    assert len(names) == len({*names})


def test_tables_that_say_nothing_of_a_person_name_none() -> None:
    for model in TABLES:
        if model._meta.label in NO_PERSONS and not model._meta.auto_created and model._meta.label != "admin.LogEntry":
            assert all(field.related_model is not User for field in fields_of(model).values())


def test_tables_that_say_nothing_of_a_person_have_no_field_that_names_one_elsewhere() -> None:
    """A number or an address names a person too, without a key to them."""
    persons = {way.rpartition("__")[2] for held in HELD for way in (*held.mine, *held.goes)} - {"pk"}
    assert {"user", "user_id", "owner", "person", "author", "to", "email"} <= persons
    found = [
        f"{model._meta.label}.{name}"
        for model in TABLES
        if model._meta.label in NO_PERSONS and model._meta.label != "admin.LogEntry"
        for name in fields_of(model)
        if name in persons or name.removesuffix("_id") in persons
    ]
    assert found == []
