"""Rows in bulk: copies of stored rows, straight into the tables, by COPY on PostgreSQL."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import AutoField, DateTimeField, ForeignKey, Max, Model

from accounts.models import User
from benchmarks.growth.patterns import Pattern
from games.models.game import new_slug, new_token

#: Rows that are kept before they are written.
BATCH = 20_000

#: What is random in every copy of a row, by column, and what draws it: of a million none is drawn twice.
SECRETS: Mapping[str, Callable[[], str]] = {"slug": new_slug, "invite_token": new_token}


class Table:
    """A table that is filled: the next free key, and the rows that wait."""

    def __init__(self, model: type[Model]) -> None:
        self.model = model
        self.fields = model._meta.concrete_fields
        last = model._base_manager.aggregate(last=Max("pk"))["last"] if isinstance(self.fields[0], AutoField) else None
        self.next_key = (last or 0) + 1
        self._rows: list[Sequence[Any]] = []

    def prepared(self, record: Model) -> list[Any]:
        """Return the row's columns as the database takes them."""
        return [
            field.get_db_prep_save(field.pre_save(record, add=False), connection=connection) for field in self.fields
        ]

    def changed(self, row: Sequence[Any], **columns: Any) -> list[Any]:
        """Return the row with other values in some columns."""
        return [columns.get(field.attname, value) for field, value in zip(self.fields, row, strict=True)]

    def take_key(self) -> int:
        """Return the next free key."""
        self.next_key += 1
        return self.next_key - 1

    def add(self, row: Sequence[Any]) -> None:
        """Take a row."""
        self._rows.append(row)
        if len(self._rows) >= BATCH:
            self.flush()

    def flush(self) -> None:
        """Write the rows that wait."""
        quote = connection.ops.quote_name
        into = f"{quote(self.model._meta.db_table)} ({', '.join(quote(str(field.column)) for field in self.fields)})"
        with transaction.atomic(), connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                # No checks of foreign keys.
                cursor.execute("SET LOCAL session_replication_role = replica")
                with cursor.copy(f"COPY {into} FROM STDIN") as copy:
                    for row in self._rows:
                        copy.write_row(row)
            elif self._rows:
                places = ", ".join(["%s"] * len(self.fields))
                cursor.executemany(f"INSERT INTO {into} VALUES ({places})", self._rows)
        self._rows.clear()


class Writer:
    """The tables that are filled together."""

    def __init__(self, *models: type[Model]) -> None:
        self.tables = {model: Table(model) for model in models}

    def finish(self) -> None:
        """Write all that waits, and let the database go on counting from the last key."""
        for table in self.tables.values():
            table.flush()
        with connection.cursor() as cursor:
            for statement in connection.ops.sequence_reset_sql(no_style(), list(self.tables)):
                cursor.execute(statement)


class Stencil:
    """A pattern, taken apart: which columns of its rows differ in every copy."""

    def __init__(self, pattern: Pattern, writer: Writer) -> None:
        self.pattern = pattern
        places = {(type(row), row.pk): number for number, row in enumerate(pattern.rows)}
        people = {pk: number for number, pk in enumerate(pattern.people)}
        self._rows = [_Row(row, writer.tables[type(row)], places, people) for row in pattern.rows]

    def copy(self, people: Sequence[int], moved: timedelta) -> int:
        """Write a copy with other people, that much later; return the game's key."""
        keys: list[int] = []
        for row in self._rows:
            keys.append(row.copy(keys, people, moved))
        return keys[0]


class _Row:
    """One row of a pattern, and its columns by what they point to or hold."""

    def __init__(
        self, record: Model, table: Table, places: Mapping[tuple[type[Model], Any], int], people: Mapping[Any, int]
    ) -> None:
        self._table, self._values = table, table.prepared(record)
        self._keys: list[tuple[int, int]] = []
        self._people: list[tuple[int, int]] = []
        self._times: list[tuple[int, Any]] = []
        self._secrets: list[tuple[int, Callable[[], str]]] = []
        for number, field in enumerate(table.fields):
            value = getattr(record, field.attname)
            if field.primary_key:
                self._key = number
            elif isinstance(field, ForeignKey) and value is not None:
                is_person = field.related_model is User
                found = people[value] if is_person else places[field.related_model, value]
                (self._people if is_person else self._keys).append((number, found))
            elif isinstance(field, DateTimeField) and value is not None:
                self._times.append((number, value))
            elif field.column is not None and field.column in SECRETS:
                self._secrets.append((number, SECRETS[field.column]))

    def copy(self, keys: Sequence[int], people: Sequence[int], moved: timedelta) -> int:
        """Write the row once more; return its key. `keys` are those of the rows before it."""
        values, adapt = list(self._values), connection.ops.adapt_datetimefield_value
        values[self._key] = key = self._table.take_key()
        for number, place in self._keys:
            values[number] = keys[place]
        for number, person in self._people:
            values[number] = people[person]
        for number, time in self._times:
            values[number] = adapt(time + moved)
        for number, draw in self._secrets:
            values[number] = draw()
        self._table.add(values)
        return key
