"""The engine that DATABASES names. Django looks for it in a module of this name."""

from typing import Any

from django.conf import settings
from django.db.backends.postgresql import base
from django.utils.asyncio import async_unsafe
from psycopg import IsolationLevel
from psycopg_pool import PoolClosed, PoolTimeout

from blockyou.postgresql.outage import (
    ANSWER_SECONDS,
    FIRST_SECONDS,
    GLANCE_SECONDS,
    Absence,
    ServerAway,
    connect_within,
    is_full,
    seconds_elsewhere,
    take_connection,
    take_living,
)
from blockyou.postgresql.silence import WatchedConnection


class DatabaseWrapper(base.DatabaseWrapper):
    """Django's connection to PostgreSQL, taken from the pool only alive, and not waited for while there is none.

    Whoever can wait for the database waits for a server that says nothing, too; all others hear soon that it does.
    """

    @property
    def pool(self) -> Any:
        """Return the pool, as Django does, None where there is none."""
        options = self.settings_dict["OPTIONS"].get("pool")
        if options and not settings.WAITS_FOR_DATABASE:
            options.setdefault("connection_class", WatchedConnection)
        return super().pool

    @async_unsafe
    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection of the pool, or one of its own where there is no pool.

        Raises: psycopg.OperationalError, at once while the server is known to be away.
        """
        pool = self.pool
        is_patient = pool is None and settings.WAITS_FOR_DATABASE
        if is_patient or "isolation_level" in self.settings_dict["OPTIONS"]:
            return super().get_new_connection(conn_params)
        self.isolation_level = IsolationLevel.READ_COMMITTED
        if pool is None:
            return connect_alone(conn_params)
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


def connect_alone(conn_params: dict[str, Any]) -> Any:
    """Return a connection that is of no pool.

    Raises: psycopg.OperationalError, at once while the server is known to say nothing.
    """
    elsewhere = seconds_elsewhere(conn_params)
    if Absence.is_silent and Absence.is_not_to_be_asked(elsewhere):
        raise ServerAway("The server said nothing a moment ago.")
    try:
        return connect_within(lambda: WatchedConnection.connect(**conn_params), ANSWER_SECONDS + elsewhere)
    except TimeoutError as error:
        Absence.begin(error, is_silent=True)
        raise ServerAway("The server says nothing.") from error
