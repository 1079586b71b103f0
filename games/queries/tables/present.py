"""What time it is, by the one clock that all processes share."""

from datetime import UTC, datetime

from django.db import connection

_SQLITE = "SELECT strftime('%Y-%m-%d %H:%M:%f', 'now')"


def database_now() -> datetime:
    """Return the present by the database's clock: servers may differ, and the time of a turn is up once. One query."""
    with connection.cursor() as cursor:
        cursor.execute(_SQLITE if connection.vendor == "sqlite" else "SELECT statement_timestamp()")
        (present,) = cursor.fetchone()
    return present if isinstance(present, datetime) else datetime.fromisoformat(present).replace(tzinfo=UTC)
