"""What in a migration would keep people from playing while it changes the large tables.

PostgreSQL locks a table for as long as the transaction takes that alters it. So whatever goes through all of its rows,
as building an index does, stands in a migration of its own and is done without that lock (docs/operations.md, "What a
release may do to large tables").
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.migrations import operations as ops
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation

from games.migrations._concurrently import AddIndexConcurrently, RemoveIndexConcurrently
from tests.architecture.rolling import flat

#: The tables that grow with every game.
LARGE = {"game", "player", "move"}


def locks(migrations: Iterable[Migration]) -> Iterator[str]:
    """Yield a sentence for each operation on a large table that others would wait for."""
    for migration in migrations:
        operations = [*flat(migration.operations)]
        for operation in operations:
            is_alone = len(operations) == 1
            if fault := lock_of(operation, is_alone=is_alone, is_atomic=migration.atomic):
                yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {fault}"


def lock_of(operation: Operation, *, is_alone: bool, is_atomic: bool) -> str:
    """Return what is wrong with an operation, empty if nothing is, as where it is about another table."""
    if table_of(operation) not in LARGE:
        return ""
    if isinstance(operation, (AddIndexConcurrently, RemoveIndexConcurrently)):
        return "" if is_alone and not is_atomic else "it needs a migration of its own, with atomic = False"
    if isinstance(operation, (ops.AddIndex, ops.RemoveIndex)):
        return f"use {type(operation).__name__}Concurrently"
    if isinstance(operation, (ops.AddConstraint, ops.AlterUniqueTogether)):
        return "it goes through the whole table under a lock"
    if isinstance(operation, (ops.AddField, ops.AlterField)) and is_indexed(operation.field):
        return "its index is built under a lock; let the field have none, and use AddIndexConcurrently"
    if isinstance(operation, ops.AddField) and operation.field.remote_field is not None and not is_alone:
        return "its key locks another table as well; it needs a migration of its own"
    if isinstance(operation, ops.AlterField) and not is_alone:
        return "it needs a migration of its own"
    return ""


def table_of(operation: Operation) -> str:
    """Return the model whose table an operation changes, in lower case."""
    return str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()


def is_indexed(field: Any) -> bool:
    """Return whether a field brings an index with it."""
    return bool(field.db_index or field.unique)
