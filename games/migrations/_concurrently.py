"""Indexes of the large tables, built and taken away while people play."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db.migrations.operations import AddIndex, RemoveIndex


class AddIndexConcurrently(AddIndex):
    """Add an index without keeping anyone from reading or writing the table; on SQLite, as `AddIndex` does.

    PostgreSQL builds it outside any transaction: the migration says `atomic = False` and has no other operation. What
    a try that broke off has left of the index is taken away first.
    """

    atomic = False

    def describe(self) -> str:
        """Return what the operation does, in words."""
        return f"Concurrently {super().describe()[0].lower()}{super().describe()[1:]}"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Build the index."""
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        model = to_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            drop_concurrently(schema_editor, self.index.name)
            with _patience(schema_editor):
                schema_editor.add_index(model, self.index, concurrently=True)

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Take the index away."""
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = from_state.apps.get_model(app_label, self.model_name)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            with _patience(schema_editor):
                schema_editor.remove_index(model, self.index, concurrently=True)


class RemoveIndexConcurrently(RemoveIndex):
    """Take an index away without keeping anyone from reading or writing the table; on SQLite, as `RemoveIndex` does.

    In a migration as that of `AddIndexConcurrently`.
    """

    atomic = False

    def describe(self) -> str:
        """Return what the operation does, in words."""
        return f"Concurrently {super().describe()[0].lower()}{super().describe()[1:]}"

    def database_forwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Take the index away."""
        if schema_editor.connection.vendor != "postgresql":
            super().database_forwards(app_label, schema_editor, from_state, to_state)
            return
        if self.allow_migrate_model(schema_editor.connection.alias, self._model(from_state, app_label)):
            drop_concurrently(schema_editor, str(self.name))

    def database_backwards(self, app_label: str, schema_editor: Any, from_state: Any, to_state: Any) -> None:
        """Build the index again."""
        if schema_editor.connection.vendor != "postgresql":
            super().database_backwards(app_label, schema_editor, from_state, to_state)
            return
        model = self._model(to_state, app_label)
        if self.allow_migrate_model(schema_editor.connection.alias, model):
            index = to_state.models[app_label, self.model_name_lower].get_index_by_name(self.name)
            drop_concurrently(schema_editor, str(self.name))
            with _patience(schema_editor):
                schema_editor.add_index(model, index, concurrently=True)

    def _model(self, state: Any, app_label: str) -> Any:
        return state.apps.get_model(app_label, self.model_name)


def drop_concurrently(schema_editor: Any, name: str) -> None:
    """Take an index away outside any transaction, if it is there; on PostgreSQL."""
    with _patience(schema_editor):
        schema_editor.execute(f"DROP INDEX CONCURRENTLY IF EXISTS {schema_editor.quote_name(name)}")


@contextmanager
def _patience(schema_editor: Any) -> Iterator[None]:
    """Wait for older transactions as long as they take: no one waits for this one."""
    with schema_editor.connection.cursor() as cursor:
        cursor.execute("SHOW lock_timeout")
        [before] = cursor.fetchone()
        cursor.execute("SET lock_timeout = 0")
        try:
            yield
        finally:
            cursor.execute("SELECT set_config('lock_timeout', %s, FALSE)", [before])
