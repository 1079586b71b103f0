"""From SQLite to PostgreSQL: every table of every app, whole, in one transaction that ends once both sides are equal.

The tables are those of Django's models, other people's apps included, so that a new model needs nothing here.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psycopg
from django.apps import apps
from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError
from django.core.management.color import no_style
from django.db import DatabaseError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Field, JSONField, Model, QuerySet

from blockyou.install.digest import Digest, StoredRow, comparable
from blockyou.install.restoring_sqlite import check_idle

SOURCE = "transferred"
#: Rows that are in memory at a time.
CHUNK = 2000
#: What `migrate` writes into an empty database; the source's rows take their place.
WRITTEN_BY_MIGRATE = {"django_content_type", "auth_permission"}

#: Statements that take an object away and make it again. Indexes are made once, of sorted rows, instead of row by row;
#: and foreign keys that are deferred until the commit would keep something in the server's memory for each row.
FOREIGN_KEYS = """
SELECT format('ALTER TABLE %s DROP CONSTRAINT %I', conrelid::regclass, conname),
       format('ALTER TABLE %s ADD CONSTRAINT %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid))
FROM pg_constraint WHERE contype = 'f' AND connamespace = current_schema()::text::regnamespace
"""
INDEXES = """
SELECT format('DROP INDEX %s', indexrelid::regclass), pg_get_indexdef(indexrelid)
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
WHERE relnamespace = current_schema()::text::regnamespace
  AND NOT EXISTS (SELECT 1 FROM pg_constraint WHERE conindid = indexrelid)
"""

_Say = Callable[[str], object]


def transfer(path: Path, *, sample: int, say: _Say) -> None:
    """Copy a SQLite database into the empty PostgreSQL database of this installation, and prove that they are equal.

    Raises: CommandError; the PostgreSQL database is then as empty as it was.
    """
    if connection.vendor != "postgresql":
        raise CommandError("DATABASE_URL names SQLite. Let it name the PostgreSQL database that is to be filled.")
    check_idle(path)
    with _source(path) as source:
        check_release(source)
        prepare_target()
        # The source's transaction keeps everybody from writing to it meanwhile.
        with transaction.atomic(using=SOURCE), transaction.atomic():
            _fill(say)
            say("Replaying games there")
            call_command("audit_games", sample=sample)
    say("Everything is there, and equal.")


@contextmanager
def _source(path: Path) -> Iterator[BaseDatabaseWrapper]:
    """Yield Django's connection to the SQLite database."""
    configuration = {
        "ENGINE": "django.db.backends.sqlite3",
        "NAME": str(path),
        "OPTIONS": dict(settings.SQLITE_OPTIONS),
    }
    connections.settings[SOURCE] = connections.configure_settings({"default": configuration})["default"]
    try:
        yield connections[SOURCE]
    finally:
        connections[SOURCE].close()
        del connections[SOURCE], connections.settings[SOURCE]


def check_release(source: BaseDatabaseWrapper) -> None:
    """Refuse a source that has other migrations than this release.

    Raises: CommandError.
    """
    executor = MigrationExecutor(source)
    if not executor.loader.applied_migrations:
        raise CommandError("The SQLite database holds no installation of Block-You.")
    if unknown := sorted(executor.loader.applied_migrations.keys() - executor.loader.disk_migrations.keys()):
        raise CommandError(f"The SQLite database is of a newer release: {'.'.join(unknown[0])} is not known here.")
    if executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise CommandError(
            "The SQLite database is of an earlier release. Bring it up to date first: `manage.py prepare` with its "
            "address as DATABASE_URL."
        )


def prepare_target() -> None:
    """Make the tables; refuse a database that holds anything of its own.

    Raises: CommandError.
    """
    is_new = not MigrationRecorder(connection).has_table()
    if not is_new:
        for model in _models():
            if model._meta.db_table not in WRITTEN_BY_MIGRATE and _has_rows(model):
                raise CommandError(
                    f"The PostgreSQL database is not empty: {model._meta.db_table} has rows. Make a new one."
                )
    call_command("migrate", interactive=False, verbosity=0)


def _has_rows(model: type[Model]) -> bool:
    with connection.cursor() as cursor:
        tables = connection.introspection.table_names(cursor)
    return model._meta.db_table in tables and QuerySet(model).exists()


def _models() -> list[type[Model]]:
    """Return every model with a table that migrations made, those between models included."""
    everything = apps.get_models(include_auto_created=True)
    own = [model for model in everything if model._meta.managed and not model._meta.proxy]
    return sorted({model._meta.db_table: model for model in own}.values(), key=lambda model: model._meta.db_table)


def _fill(say: _Say) -> None:
    tables = _models()
    with connection.cursor() as cursor:
        names = ", ".join(connection.ops.quote_name(model._meta.db_table) for model in tables)
        cursor.execute(f"TRUNCATE {names}")
        cursor.execute("SET LOCAL maintenance_work_mem = '256MB'")
        remaking = _taken_away(cursor, FOREIGN_KEYS) + _taken_away(cursor, INDEXES)
        sent = {model: _copied(model, cursor) for model in tables}
        say("Making indexes and checking foreign keys")
        for statement in reversed(remaking):
            _execute(cursor, statement)
        for statement in connection.ops.sequence_reset_sql(no_style(), tables):
            cursor.execute(statement)
        for model in tables:
            _compare(model, sent[model], say)
        cursor.execute("ANALYZE")


def _taken_away(cursor: Any, query: str) -> list[str]:
    """Take objects away; return the statements that make them again."""
    cursor.execute(query)
    found = cursor.fetchall()
    for drop, _make in found:
        cursor.execute(drop)
    return [make for _drop, make in found]


def _execute(cursor: Any, statement: str) -> None:
    try:
        cursor.execute(statement)
    except DatabaseError as error:
        raise CommandError(f"SQLite held what PostgreSQL refuses, and nothing was transferred. {error}") from error


def _copied(model: type[Model], cursor: Any) -> Digest:
    """Copy a table's rows; return the digest of what SQLite gave."""
    digest, table, fields = Digest(), model._meta.db_table, _columns(model)
    quote = connection.ops.quote_name
    names = ", ".join(quote(str(field.column)) for field in fields)
    convert = [(number, field) for number, field in enumerate(fields) if not _is_plain(field)]
    compared = comparable(fields)
    try:
        with cursor.copy(f"COPY {quote(table)} ({names}) FROM STDIN") as copy:
            for row in _rows(model, fields, SOURCE):
                digest.add(compared(row))
                copy.write_row(_converted(row, convert))
    except (DatabaseError, psycopg.Error) as error:
        raise CommandError(f"A row of {table} was refused, and nothing was transferred: {error}") from error
    return digest


def _converted(row: StoredRow, convert: list[tuple[int, "Field[Any, Any]"]]) -> StoredRow:
    """Return the row with what needs it converted to PostgreSQL's form."""
    if not convert:
        return row
    values = list(row)
    for number, field in convert:
        values[number] = field.get_db_prep_save(values[number], connection)
    return tuple(values)


def _is_plain(field: "Field[Any, Any]") -> bool:
    """Return whether the driver takes the field's values as they are."""
    return type(field).__module__.startswith("django.db.models.fields") and not isinstance(field, JSONField)


def _columns(model: type[Model]) -> "list[Field[Any, Any]]":
    """Return the fields that have a column of the model's own table and are not worked out by the database."""
    return [field for field in model._meta.local_concrete_fields if not field.generated]


def _rows(model: type[Model], fields: "list[Field[Any, Any]]", using: str) -> Iterator[StoredRow]:
    """Yield every row of the table, in no order, whatever the model's own managers leave out."""
    names = [field.attname for field in fields]
    return iter(QuerySet(model, using=using).order_by().values_list(*names).iterator(chunk_size=CHUNK))


def _compare(model: type[Model], sent: Digest, say: _Say) -> None:
    """Read a table back and compare it with what was sent.

    Raises: CommandError.
    """
    fields, received = _columns(model), Digest()
    compared = comparable(fields)
    for row in _rows(model, fields, connection.alias):
        received.add(compared(row))
    if received != sent:
        raise CommandError(f"{model._meta.db_table} differs: {sent} in SQLite, {received} in PostgreSQL.")
    say(f"{model._meta.db_table}: {received}, equal")
