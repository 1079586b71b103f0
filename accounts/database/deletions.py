"""Rows that go with a person, deleted by plain SQL.

A closed account takes rows of many tables along in one transaction, in which other people's writes wait on SQLite. For
each of them Django would spend some five times what the database needs.
"""

from collections.abc import Iterable

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model

#: A model, and the ways from a row of it to the person whose it is: fields, or with `__` fields of what these point at.
OwnRows = tuple[type[Model], tuple[str, ...]]

#: Statements with how often each names the person.
Deletions = tuple[tuple[str, int], ...]


def deletions(kinds: Iterable[OwnRows]) -> Deletions:
    """Return the statements that delete the rows that lead to a person by one of these ways.

    Rows that point at others come before these. All models have to be loaded. It takes milliseconds: it is done before
    a transaction, once.

    Raises:
        TypeError: rows of a table that has not come before point at these, and would be left behind.

    """
    found: dict[type[Model], tuple[str, int]] = {}
    for model, ways in kinds:
        left = [each.related_model for each in model._meta.related_objects if each.related_model not in found]
        if left:
            raise TypeError(f"Rows of {left[0].__name__} point at {model.__name__}.")
        where = " OR ".join(_condition(model, way.split("__")) for way in ways)
        # Tables and columns are named by us, the key is put in by the database.
        found[model] = (f'DELETE FROM "{model._meta.db_table}" WHERE {where}', len(ways))  # noqa: S608
    return tuple(found.values())


def delete_rows(person: int, statements: Deletions) -> None:
    """Delete rows of a person; no signal is sent. One query a statement."""
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for statement, number in statements:
            cursor.execute(statement, [person] * number)


def _condition(model: type[Model], way: list[str]) -> str:
    """Return the condition that a way leads to the key. Both databases quote names alike."""
    field = next(each for each in model._meta.concrete_fields if each.name == way[0])
    to = field.related_model
    if len(way) == 1 or to is None:
        return f'"{field.column}" = %s'
    keys = f'SELECT "{to._meta.pk.column}" FROM "{to._meta.db_table}" WHERE {_condition(to, way[1:])}'  # noqa: S608
    return f'"{field.column}" IN ({keys})'
