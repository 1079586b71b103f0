"""What in a migration would keep people from playing while it changes the large tables.

PostgreSQL locks a table for as long as the transaction takes that alters it. So whatever goes through all of its rows,
as building an index does, stands in a migration of its own and is done without that lock (docs/operations.md, "What a
release may do to large tables"). What SQL or Python of our own does is not seen from here: it is read by a person, who
agrees to it.
"""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

from games.migrations._concurrently import AddIndexConcurrently, RemoveIndexConcurrently
from tests.architecture.rolling import flat

#: The tables that grow with every game.
LARGE = {"game", "player", "move"}
#: What else a column is made of, beside its kind and the longest value.
SHAPE = ("max_digits", "decimal_places", "db_collation", "expression")


def locks(migrations: Iterable[Migration], state: ProjectState) -> Iterator[str]:
    """Yield a sentence for each operation on a large table that others would wait for; before, tables are `state`."""
    for migration in migrations:
        operations = [*flat(migration.operations)]
        for operation in operations:
            is_alone = len(operations) == 1
            fault = lock_of(operation, is_alone=is_alone, is_atomic=migration.atomic)
            if not fault and table_of(operation) in LARGE and isinstance(operation, ops.AlterField):
                before = state.models[migration.app_label, operation.model_name_lower].fields[operation.name_lower]
                fault = rewritten(before, operation.field)
            if fault:
                yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {fault}"
        migration.mutate_state(state, preserve=False)


def lock_of(operation: Operation, *, is_alone: bool, is_atomic: bool) -> str:
    """Return what is wrong with an operation, empty if nothing is, as where it is about another table."""
    if isinstance(operation, (ops.RunPython, ops.RunSQL)):
        return "what it does to large tables is for a person to read; name it among what is agreed, and why"
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
    if isinstance(operation, ops.AddField):
        return lock_of_new(operation.field)
    if isinstance(operation, ops.AlterField) and not is_alone:
        return "it needs a migration of its own"
    return ""


def lock_of_new(field: Any) -> str:
    """Return what is wrong with a new field that has no index."""
    if field.remote_field is not None and getattr(field, "db_constraint", False):
        return "its key is checked row by row, and locks another table as well; add it with db_constraint=False"
    if field.generated or is_worked_out(field.db_default):
        return "it is worked out row by row; give it a constant db_default"
    return ""


def is_worked_out(default: Any) -> bool:
    """Return whether the database works out a default; not so of a constant, or without one."""
    return hasattr(default, "resolve_expression") and not isinstance(default, models.Value)


def rewritten(before: Any, after: Any) -> str:
    """Return what is wrong with a changed field, empty where no row has to be read or written again."""
    kinds = before.get_internal_type(), after.get_internal_type()
    if kinds[0] != kinds[1] and kinds != ("CharField", "TextField"):
        return f"from {kinds[0]} to {kinds[1]} every row is written again; add a field, fill it, and read that"
    if before.null and not after.null:
        return "every row is looked at for a value that is missing"
    shape = (before.max_length or 10**9, after.max_length or 10**9)
    if shape[0] > shape[1] or any(getattr(before, name, None) != getattr(after, name, None) for name in SHAPE):
        return "every row is written again, or checked, for another shape"
    if after.remote_field is not None and key_of(before) != key_of(after):
        return "its key is checked row by row"
    return ""


def key_of(field: Any) -> tuple[Any, ...]:
    """Return what a key points at, and whether the database sees to it."""
    return field.remote_field and field.remote_field.model, getattr(field, "db_constraint", False)


def table_of(operation: Operation) -> str:
    """Return the model whose table an operation changes, in lower case."""
    return str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()


def is_indexed(field: Any) -> bool:
    """Return whether a field brings an index with it."""
    return bool(field.db_index or field.unique)
