"""Two databases that hold the same rows have the same digest, and a difference of one character shows."""

from datetime import UTC, datetime
from typing import Any

import pytest
from django.db.models import BinaryField, CharField, Field, JSONField

from blockyou.install.digest import Digest, comparable

FIELDS: list[Field[Any, Any]] = [CharField(), JSONField(), BinaryField()]
ROW = ("zoë", {"a": 1.0, "b": [1e20, 2.5]}, b"bytes")


def digest(*rows: tuple[Any, ...]) -> Digest:
    """Return the digest of rows with a text, a value as JSON, and bytes."""
    found, compared = Digest(), comparable(FIELDS)
    for row in rows:
        found.add(compared(row))
    return found


def test_the_order_of_rows_is_no_difference() -> None:
    other = ("bob", None, None)
    assert digest(ROW, other) == digest(other, ROW)


def test_the_way_a_database_writes_json_and_bytes_is_no_difference() -> None:
    assert digest(ROW) == digest(("zoë", {"b": [10**20, 2.5], "a": 1}, memoryview(b"bytes")))


@pytest.mark.parametrize(
    "other",
    [("zoe", *ROW[1:]), (ROW[0], {"a": 1, "b": [2.5, 1e20]}, ROW[2]), (*ROW[:2], b"byte"), (*ROW[:2], None)],
)
def test_another_value_is_a_difference(other: tuple[Any, ...]) -> None:
    assert digest(ROW) != digest(other)


def test_a_row_twice_is_a_difference() -> None:
    assert digest(ROW, ROW) != digest(ROW)
    assert digest(ROW, ROW) != digest()


def test_a_microsecond_is_a_difference() -> None:
    times = [datetime(2026, 11, 23, 12, 0, 0, micro, tzinfo=UTC) for micro in (0, 1)]
    found = [Digest(), Digest()]
    for one, time in zip(found, times, strict=True):
        one.add((time,))
    assert found[0] != found[1]
