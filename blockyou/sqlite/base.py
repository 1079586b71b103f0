"""The engine that DATABASES names. Django looks for it in a module of this name."""

from typing import Any

from django.db.backends.sqlite3 import base

from blockyou.sqlite.locking import retry_while_locked

#: The beginnings of the statements that take the write lock, outside a transaction.
WRITES: tuple[str, ...] = ("BEGIN IMMEDIATE", "INSERT", "UPDATE", "DELETE")


class RetryingCursor(base.SQLiteCursorWrapper):
    """Django's cursor, with our retries while the database is locked."""

    def execute(self, query: str, params: Any = None) -> Any:
        """Run a statement. Within a transaction it has the lock, and reading needs none."""
        if self.connection.in_transaction or not query.startswith(WRITES):
            return super().execute(query, params)
        run = super().execute
        return retry_while_locked(self.connection, lambda: run(query, params))


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to SQLite, with our cursor."""

    def create_cursor(self, name: str | None = None) -> RetryingCursor:
        """Return a new cursor."""
        cursor: RetryingCursor = self.connection.cursor(factory=RetryingCursor)
        return cursor
