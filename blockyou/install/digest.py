"""A sum over the contents of a table: equal wherever the rows are equal, whatever their order and their database."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any

from django.db.models import BinaryField, Field, JSONField

StoredRow = tuple[Any, ...]
SIZE = 16


@dataclass
class Digest:
    """How many rows there were, and the sum of their hashes (BLAKE2b, 128 bits)."""

    rows: int = 0
    total: int = 0

    def add(self, row: StoredRow) -> None:
        """Count a row."""
        self.rows += 1
        hashed = blake2b(repr(row).encode("utf-8", "surrogatepass"), digest_size=SIZE).digest()
        self.total = (self.total + int.from_bytes(hashed, "big")) % 2 ** (8 * SIZE)

    def __str__(self) -> str:
        return f"{self.rows} rows ({self.total:032x})"


def comparable(fields: "Sequence[Field[Any, Any]]") -> Callable[[StoredRow], StoredRow]:
    """Return a function that gives a row of these fields the form that both databases agree on."""
    changed: list[tuple[int, Callable[[Any], Any]]] = [
        (number, _as_text) for number, field in enumerate(fields) if isinstance(field, JSONField)
    ]
    changed += [(number, _as_bytes) for number, field in enumerate(fields) if isinstance(field, BinaryField)]
    if not changed:
        return lambda row: row

    def changed_row(row: StoredRow) -> StoredRow:
        values = list(row)
        for number, change in changed:
            values[number] = change(values[number])
        return tuple(values)

    return changed_row


def _as_text(value: Any) -> str:
    """Return JSON with its keys in order; PostgreSQL forgets the order, and how a number was written."""
    return json.dumps(_plain(value), sort_keys=True)


def _plain(value: Any) -> Any:
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, dict):
        return {key: _plain(each) for key, each in value.items()}
    return [_plain(each) for each in value] if isinstance(value, list) else value


def _as_bytes(value: Any) -> bytes | None:
    return None if value is None else bytes(value)
