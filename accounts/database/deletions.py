"""Rows that go with people, deleted by plain SQL.

A closed account takes rows of many tables along in one transaction, in which other people's writes wait on SQLite; so
does a guest whose own row goes. For each of them Django would spend some five times what the database needs.
"""

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connections
from django.db.models import CASCADE, SET_NULL, Model

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


def statements_to_delete(model: type[Model], but: Collection[tuple[type[Model], str]] = ()) -> tuple[str, ...]:
    """Return the statements that delete rows of a table by their keys, which stand where each says `{keys}`.

    What points at them goes before, or names them no more, as each field says (`on_delete`), and so on with what points
    at that. By the fields of `but`, with their tables, nothing points at them. Where a row protects them the database
    refuses. All models have to be loaded. It takes milliseconds: it is done before a transaction, once.
    """
    table, key = model._meta.db_table, model._meta.pk.column
    these = f'"{key}" IN ({{keys}})'
    return (*_statements_before(model, these, frozenset(but)), f'DELETE FROM "{table}" WHERE {these}')  # noqa: S608


def delete_by_keys(keys: Collection[int], statements: Iterable[str]) -> None:
    """Delete rows with these keys by the statements of `statements_to_delete`. One query a statement, none for none."""
    if not keys:
        return
    places = ", ".join(["%s"] * len(keys))
    with connections[DEFAULT_DB_ALIAS].cursor() as cursor:
        for statement in statements:
            cursor.execute(statement.format(keys=places), [*keys])


def _statements_before(model: type[Model], these: str, but: frozenset[tuple[type[Model], str]]) -> Iterator[str]:
    """Yield what is done to rows that point at those of a model of which a condition is true, the farthest first."""
    # Tables and columns are named by us, the keys are put in by the database.
    gone = f'SELECT "{model._meta.pk.column}" FROM "{model._meta.db_table}" WHERE {these}'  # noqa: S608
    keys = "{keys}" if these == f'"{model._meta.pk.column}" IN ({{keys}})' else gone
    relations: list[Any] = [each for each in model._meta.get_fields(include_hidden=True) if not each.concrete]
    for relation in relations:
        if not (relation.one_to_many or relation.one_to_one):
            continue
        pointing, field = relation.related_model, relation.field
        if (pointing, field.name) in but:
            continue
        table, condition = pointing._meta.db_table, f'"{field.column}" IN ({keys})'
        if relation.on_delete is CASCADE:
            yield from _statements_before(pointing, condition, but)
            yield f'DELETE FROM "{table}" WHERE {condition}'  # noqa: S608
        elif relation.on_delete is SET_NULL:
            yield f'UPDATE "{table}" SET "{field.column}" = NULL WHERE {condition}'  # noqa: S608


def _condition(model: type[Model], way: list[str]) -> str:
    """Return the condition that a way leads to the key. Both databases quote names alike."""
    field = next(each for each in model._meta.concrete_fields if each.name == way[0])
    to = field.related_model
    if len(way) == 1 or to is None:
        return f'"{field.column}" = %s'
    keys = f'SELECT "{to._meta.pk.column}" FROM "{to._meta.db_table}" WHERE {_condition(to, way[1:])}'  # noqa: S608
    return f'"{field.column}" IN ({keys})'
