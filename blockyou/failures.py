"""What is answered when the site itself fails: 500, or 503 where only its database or Redis takes nothing for now."""

import sqlite3
import sys

from django.db import Error, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.views import defaults

from blockyou.cache import is_without_redis
from blockyou.plain import RETRY_AFTER

#: What SQLite's primary result codes say of the place where it writes: busy, locked, read-only, out of reach, full.
_SQLITE_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_READONLY,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_FULL,
}

#: Classes of PostgreSQL's SQLSTATE: no connection, out of resources such as disk, ended by its host, system error.
_POSTGRESQL_PASSING = ("08", "53", "57", "58")
_READ_ONLY = "25006"


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with the page of errors; called by Django while it handles the exception."""
    error = sys.exc_info()[1]
    if is_out_of_service(error):
        template = "503.html"
    elif is_without_redis(error):
        template = "503_without_redis.html"
    else:
        return defaults.server_error(request)
    page = loader.get_template(template).render()
    return HttpResponse(page, status=503, headers={"Retry-After": str(RETRY_AFTER), "X-Error-Code": "out-of-service"})


def is_out_of_service(error: BaseException | None) -> bool:
    """Return whether this is the database's refusal to store or answer anything for now, not a fault of the code."""
    if not isinstance(error, Error):
        return False
    cause = error.__cause__
    if isinstance(cause, sqlite3.Error):
        # The upper bytes of an extended code say more than is asked here.
        return (getattr(cause, "sqlite_errorcode", 0) & 0xFF) in _SQLITE_PASSING
    state = getattr(cause, "sqlstate", "")
    if state is None:
        # There was no server to give one.
        return isinstance(error, OperationalError)
    return state == _READ_ONLY or state.startswith(_POSTGRESQL_PASSING)
