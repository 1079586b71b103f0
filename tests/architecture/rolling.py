"""What in a migration would break the release before it, which still runs while processes start again one by one.

A release expands: what is new has a default in the database, for old code does not fill it. What nobody uses any
longer goes in the release after that (docs/operations.md, "Rolling release").
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, TypeAlias

from django.db import models
from django.db.migrations import operations as ops
from django.db.migrations.migration import Migration
from django.db.migrations.operations.base import Operation
from django.db.migrations.state import ProjectState

#: A model's field as the old code knows it is of this kind, and may become one of those.
WIDER = {
    "PositiveSmallIntegerField": {"SmallIntegerField", "PositiveIntegerField", "IntegerField", "BigIntegerField"},
    "SmallIntegerField": {"IntegerField", "BigIntegerField"},
    "PositiveIntegerField": {"IntegerField", "PositiveBigIntegerField", "BigIntegerField"},
    "IntegerField": {"BigIntegerField"},
    "CharField": {"TextField"},
}
#: Models and fields, as `model` or `model.field` in lower case, that no released code knows.
New: TypeAlias = set[str]


def faults(migrations: Iterable[Migration], state: ProjectState) -> Iterator[str]:
    """Yield a sentence for each operation that breaks the release whose tables are `state`."""
    new: New = set()
    for migration in migrations:
        for operation in flat(migration.operations):
            if fault := fault_of(operation, state, migration.app_label, new):
                yield f"{migration.app_label}.{migration.name}: {operation.describe()}: {fault}"
            new |= made_by(operation)
        migration.mutate_state(state, preserve=False)


def flat(operations: Iterable[Operation]) -> Iterator[Operation]:
    """Yield the operations that change the database."""
    for operation in operations:
        if isinstance(operation, ops.SeparateDatabaseAndState):
            yield from flat(operation.database_operations)
        else:
            yield operation


def made_by(operation: Operation) -> New:
    """Return what the operation brings."""
    if isinstance(operation, ops.CreateModel):
        return {operation.name_lower}
    if isinstance(operation, ops.AddField):
        return {f"{operation.model_name_lower}.{operation.name_lower}"}
    return set()


def fault_of(operation: Operation, state: ProjectState, app: str, new: New) -> str:
    """Return what is wrong with an operation, empty if nothing is, as where it is about something new."""
    model = str(getattr(operation, "model_name", getattr(operation, "name", ""))).lower()
    field = getattr(operation, "old_name", getattr(operation, "name", ""))
    if not new.isdisjoint({model, f"{model}.{field}".lower()}):
        return ""
    return next(
        (check(operation, state, app, new) for kind, check in CHECKS.items() if isinstance(operation, kind)), ""
    )


def added(operation: Any, *_context: Any) -> str:
    """Check a new field: old code inserts rows without it."""
    field = operation.field
    is_filled = field.null or field.many_to_many or field.has_db_default()
    return "" if is_filled else "old code does not fill it; give it a db_default, or let it be null"


def altered(operation: Any, state: ProjectState, app: str, _new: New) -> str:
    """Check a changed field: whatever old code writes must fit."""
    old = state.models[app, operation.model_name_lower].fields[operation.name_lower]
    changed = operation.field
    before, after = old.get_internal_type(), changed.get_internal_type()
    if before != after and after not in WIDER.get(before, ()):
        return f"old code takes it for a {before}"
    if old.null and not changed.null:
        return "old code may leave it out"
    if changed.unique and not old.unique:
        return "old code may write the same value twice"
    if (changed.max_length or 10**9) < (old.max_length or 10**9):
        return "old code may write longer values"
    return ""


def constrained(operation: Any, _state: ProjectState, _app: str, new: New) -> str:
    """Check a new constraint: old code knows nothing of it, unless it is about new fields alone."""
    fields = {f"{operation.model_name.lower()}.{field}" for field in fields_of(operation.constraint)}
    return "" if fields and fields <= new else "old code may write what it refuses"


def fields_of(constraint: Any) -> set[str]:
    """Return the fields that a constraint names, in lower case."""
    conditions = [child for child in (constraint.condition,) if child is not None]
    return {field.lower() for field in getattr(constraint, "fields", ())} | set(asked_by(conditions))


def asked_by(children: Iterable[Any]) -> Iterator[str]:
    """Yield the fields that conditions ask for."""
    for child in children:
        if isinstance(child, models.Q):
            yield from asked_by(child.children)
        else:
            yield str(child[0]).partition("__")[0].lower()
            if isinstance(child[1], models.F):
                yield str(child[1].deconstruct()[1][0]).lower()


def taken_away(*_anything: Any) -> str:
    """Return what is wrong with taking something away."""
    return "old code still reads it; let it go in the release after the one that stopped using it"


def one_way(operation: Any, *_context: Any) -> str:
    """Check code or SQL of our own: the release has to go back as well."""
    return "" if operation.reversible else "there is no way back"


Check: TypeAlias = Callable[..., str]
CHECKS: dict[type[Operation], Check] = {
    ops.AddField: added,
    ops.AlterField: altered,
    ops.AddConstraint: constrained,
    ops.AlterUniqueTogether: lambda *_: "use a constraint",
    ops.RemoveField: taken_away,
    ops.DeleteModel: taken_away,
    ops.RenameField: taken_away,
    ops.RenameModel: taken_away,
    ops.AlterModelTable: taken_away,
    ops.RunPython: one_way,
    ops.RunSQL: one_way,
}
