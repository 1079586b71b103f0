"""A server that takes no connections: noticed within a second, remembered for one, and one line in the log.

A web process has four places for requests. Were each to wait for the pool, which goes on trying for twenty seconds, a
page that asks nothing of the database would wait as well, and so would the question of a balancer.
"""

import logging
import select
import threading
import time
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

import psycopg
from psycopg_pool import PoolTimeout

if TYPE_CHECKING:
    from psycopg_pool import ConnectionPool

logger = logging.getLogger(__name__)

#: Seconds that the pool gets before the server itself is asked, and the server before it counts as away.
FIRST_SECONDS, ANSWER_SECONDS = 0.5, 1.0
#: Seconds in which a server that was away is not asked again; a request only looks whether the pool has something.
SERVER_PAUSE_SECONDS, GLANCE_SECONDS = 1.0, 0.01
#: Seconds after which the pool is asked anew, in the time it has in all: it connects when it is asked.
STEP_SECONDS = 5.0
#: By which code or, since the library passes on none before there is a connection, in which words a server, or a
#: pooler before it, says that it has no connection left. One that speaks another language is not understood.
FULL_CODE = "53300"
FULL_WORDS = (
    "too many clients",
    "too many connections",
    "connection slots are reserved",
    "no more connections allowed",
)


class ServerAway(psycopg.OperationalError):
    """The server takes no connections for now."""

    #: The log has its line about it; `blockyou.logs` leaves out the rest.
    is_told = True


class Absence:
    """Whether the server is away, as this process knows it, and when it is asked again, on the monotonic clock."""

    is_on = False
    ask_again_at = float("-inf")
    #: Whether it says nothing, rather than refuse, and when that was found last: a connection from before may be dead,
    #: though nothing shows it.
    is_silent, silent_at = False, float("-inf")
    _lock = threading.Lock()

    @classmethod
    def begin(cls, error: BaseException, *, is_silent: bool = False) -> None:
        """Note a failure. One line in the log for an outage."""
        with cls._lock:
            is_new, cls.is_on = not cls.is_on, True
            cls.ask_again_at = time.monotonic() + SERVER_PAUSE_SECONDS
            if is_silent:
                cls.is_silent, cls.silent_at = True, time.monotonic()
        if is_new:
            logger.error("PostgreSQL takes no connections (%s): what needs it is refused.", type(error).__name__)

    @classmethod
    def end(cls) -> None:
        """Note a connection."""
        with cls._lock:
            was_on, cls.is_on, cls.is_silent = cls.is_on, False, False
        if was_on:
            logger.warning("PostgreSQL takes connections again.")

    @classmethod
    def is_not_to_be_asked(cls, seconds_elsewhere: float) -> bool:
        """Return whether the server is away and was lately asked; else it is this caller who asks, and no other.

        That may take `seconds_elsewhere` and more.
        """
        if not cls.is_on:
            return False
        with cls._lock:
            now = time.monotonic()
            if now < cls.ask_again_at:
                return cls.is_on
            cls.ask_again_at = now + SERVER_PAUSE_SECONDS + seconds_elsewhere
            return False


def seconds_elsewhere(parameters: Mapping[str, Any]) -> float:
    """Return how long it may take until the last of the servers is asked that an address names.

    They are asked one after the other, and one whose host is off uses up the time that each is given.
    """
    others = str(parameters.get("host", "")).count(",")
    return others * float(parameters.get("connect_timeout", 0))


def take_connection(
    pool: "ConnectionPool[Any]", connect: Callable[[], Any], *, is_patient: bool, seconds_elsewhere: float = 0.0
) -> Any:
    """Return a connection of the pool that its server has not ended.

    Where the pool has none in time, `connect` says whether the server takes any: if so all are in use, and one is
    waited for as long as the pool allows. A patient caller waits for as long in any case. `connect` may need
    `seconds_elsewhere` until it comes to a server that answers.

    Raises: ServerAway, PoolTimeout.
    """
    is_hopeless = not is_patient and Absence.is_not_to_be_asked(seconds_elsewhere)
    seconds, end = GLANCE_SECONDS if is_hopeless else FIRST_SECONDS, time.monotonic() + pool.timeout
    while True:
        try:
            connection = take_living(pool, seconds)
        except PoolTimeout as error:
            if is_hopeless:
                raise ServerAway("The server took no connections a moment ago.") from error
            is_over = time.monotonic() >= end
            if (is_over or not is_patient) and (failure := failure_of(connect, ANSWER_SECONDS + seconds_elsewhere)):
                Absence.begin(failure, is_silent=isinstance(failure, TimeoutError))
                raise ServerAway("The server takes no connections.") from failure
            if is_over:
                raise
        else:
            Absence.end()
            return connection
        seconds = max(GLANCE_SECONDS, min(STEP_SECONDS, end - time.monotonic()))


def take_living(pool: "ConnectionPool[Any]", seconds: float) -> Any:
    """Return a connection of the pool within some seconds; those that their server has ended are given back.

    Raises: PoolTimeout.
    """
    end = time.monotonic() + seconds
    while True:
        connection = pool.getconn(timeout=max(GLANCE_SECONDS, end - time.monotonic()))
        if not is_ended(connection):
            return connection
        connection.close()
        pool.putconn(connection)


def is_ended(connection: "psycopg.Connection[Any]") -> bool:
    """Return whether the server has hung up, as seen from here: nothing is sent, and nothing waited for.

    A server says nothing unasked over a connection that rests, but why it ends it. One that has fallen silent since a
    connection was made counts as gone from it.
    """
    if connection.closed or getattr(connection, "made_at", float("inf")) < Absence.silent_at:
        return True
    poll = select.poll()
    poll.register(connection.fileno(), select.POLLIN)
    return bool(poll.poll(0))


def failure_of(connect: Callable[[], Any], seconds: float) -> BaseException | None:
    """Return why no connection comes about in time, None if one does."""
    try:
        connect_within(connect, seconds).close()
    except (psycopg.Error, TimeoutError) as error:
        return error
    return None


def connect_within(connect: Callable[[], Any], seconds: float) -> Any:
    """Return the connection that comes about in time; one that comes later is closed.

    Raises: psycopg.Error, TimeoutError.
    """
    found: Future[Any] = Future()

    def attempt() -> None:
        try:
            connection = connect()
        except Exception as error:  # noqa: BLE001  (whatever it is: it is for the one who waits)
            if found.set_running_or_notify_cancel():
                found.set_exception(error)
        else:
            if found.set_running_or_notify_cancel():
                found.set_result(connection)
            else:
                connection.close()

    # In a thread: the least time limit of the library is two seconds.
    threading.Thread(target=attempt, daemon=True, name="ask PostgreSQL").start()
    try:
        return found.result(seconds)
    except TimeoutError:
        if found.cancel():
            raise TimeoutError("no answer") from None
        # It came at this very moment.
        return found.result()


def is_full(error: BaseException) -> bool:
    """Return whether a server refused a connection because others have all that it has to give."""
    return getattr(error, "sqlstate", None) == FULL_CODE or any(words in str(error) for words in FULL_WORDS)
