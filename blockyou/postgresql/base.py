"""The engine that DATABASES names. Django looks for it in a module of this name."""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from django.utils.asyncio import async_unsafe
from psycopg import IsolationLevel
from psycopg_pool import PoolClosed, PoolTimeout

from blockyou.postgresql.outage import (
    FIRST_SECONDS,
    GLANCE_SECONDS,
    Absence,
    is_full,
    seconds_elsewhere,
    take_connection,
    take_living,
)


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to PostgreSQL, taken from the pool only alive, and not waited for while there is none."""

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection of the pool, or one of its own where there is no pool.

        Raises: psycopg.OperationalError, at once while the server is known to be away.
        """
        pool = self.pool
        if pool is None or "isolation_level" in self.settings_dict["OPTIONS"]:
            return super().get_new_connection(conn_params)
        self.isolation_level = IsolationLevel.READ_COMMITTED
        pool.open()
        return take_connection(
            pool,
            lambda: self.Database.connect(**conn_params),
            is_patient=settings.WAITS_FOR_DATABASE,
            seconds_elsewhere=seconds_elsewhere(conn_params),
        )

    def lend_when_full(self, refusal: Exception) -> Any:
        """Return a connection of the pool where a server refused one because others have all; it is to be given back.

        Raises: the refusal, where it is another one or the pool has none in half a second, nor at once where requests
            have found lately that it has none.

        """
        if self.pool is None or not is_full(refusal):
            raise refusal
        try:
            return take_living(self.pool, GLANCE_SECONDS if Absence.is_on else FIRST_SECONDS)
        except (PoolTimeout, PoolClosed):
            raise refusal from None
