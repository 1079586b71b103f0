"""The engine that DATABASES names. Django looks for it in a module of this name."""

from typing import Any

from django.db.backends.sqlite3 import base

from blockyou.sqlite.waiting import write_when_free

#: How statements begin that need the lock, where they begin a transaction or are one.
WRITES: tuple[str, ...] = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE")


class PatientCursor(base.SQLiteCursorWrapper):
    """Django's cursor, which waits for the lock in our way."""

    def execute(self, query: str, params: Any = None) -> Any:
        """Run a statement. Within a transaction it has the lock, and reading needs none."""
        if self.connection.in_transaction or not query.startswith(WRITES):
            return super().execute(query, params)
        run = super().execute
        return write_when_free(self.connection, lambda: run(query, params))


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to SQLite, with such cursors."""

    def create_cursor(self, name: str | None = None) -> PatientCursor:
        """Return a new cursor."""
        cursor: PatientCursor = self.connection.cursor(factory=PatientCursor)
        return cursor
