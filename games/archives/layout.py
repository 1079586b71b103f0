"""The layout of an archive: its manifest, and the JSON schema of its rows."""

from collections.abc import Mapping
from typing import Any

from django.db.models import (
    BigIntegerField,
    BooleanField,
    DateField,
    DateTimeField,
    Field,
    FloatField,
    IntegerField,
    JSONField,
    TimeField,
)

from accounts.personal.held import Held
from games.queries.archives.mine import Column, columns_given, tables_given

#: What a manifest begins with. The version grows when a file of an older one could not be read any more.
FORMAT, VERSION = "block-you-archive", 1
MANIFEST, SCHEMA, README = "manifest.json", "schema.json", "README.txt"

DIALECT = "https://json-schema.org/draft/2020-12/schema"

#: The first kind that fits says how a value is written.
_TYPES: tuple[tuple[type[Field[Any, Any]], Mapping[str, Any]], ...] = (
    (BooleanField, {"type": "boolean"}),
    (JSONField, {}),
    (FloatField, {"type": "number"}),
    (IntegerField, {"type": "integer"}),
    (BigIntegerField, {"type": "integer"}),
    (DateTimeField, {"type": "string", "format": "date-time"}),
    (DateField, {"type": "string", "format": "date"}),
    (TimeField, {"type": "string", "format": "time"}),
)


def path_of(held: Held) -> str:
    """Return the name of the file that has the rows of a table."""
    return f"data/{held.file}.json"


def schema() -> Mapping[str, Any]:
    """Return what the files of rows look like: a JSON schema for each, by the name of the file."""
    return {
        "$schema": DIALECT,
        "title": f"{FORMAT} {VERSION}",
        "$defs": {path_of(held): {"type": "array", "items": _row(columns_given(held))} for held in tables_given()},
    }


def _row(columns: tuple[Column, ...]) -> Mapping[str, Any]:
    return {
        "type": "object",
        "properties": {column.name: _value(column) for column in columns},
        "required": [column.name for column in columns],
        "additionalProperties": False,
    }


def _value(column: Column) -> Mapping[str, Any]:
    """Return what a value looks like. Any may be null: what a row leads to may be no one."""
    found = next((dict(says) for kind, says in _TYPES if isinstance(column.field, kind)), {"type": "string"})
    return {**found, "type": [found["type"], "null"]} if "type" in found else found
