"""Rows that go with a person, deleted by plain SQL.

A closed account takes rows of many tables along in one transaction, in which other people's writes wait on SQLite. For
each of them Django would spend some five times what the database needs.
"""

from collections.abc import Iterable

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import Model

#: A model whose rows nothing points at, and its fields by which a row belongs to a person.
OwnRows = tuple[type[Model], tuple[str, ...]]


def delete_rows(person: int, kinds: Iterable[OwnRows]) -> None:
    """Delete the rows that have the key of a person in one of these fields; no signal is sent. One query a kind.

    Raises:
        TypeError: rows of other tables point at these, and would be left behind.

    """
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for model, fields in kinds:
            meta = model._meta
            if meta.related_objects:
                raise TypeError(f"Rows of {meta.related_objects[0].related_model.__name__} point at {model.__name__}.")
            # Both databases quote names alike. Tables and columns are named by us, the key is put in by the database.
            where = " OR ".join(f'"{field.column}" = %s' for field in meta.concrete_fields if field.name in fields)
            cursor.execute(f'DELETE FROM "{meta.db_table}" WHERE {where}', [person] * len(fields))  # noqa: S608
