"""What is answered when the site itself fails: 500, or 503 where only its database or Redis takes nothing for now.

And 400 for what Django cannot read. People are answered with a page, programs with a problem.
"""

import sqlite3
import sys

from django.core.exceptions import RequestDataTooBig
from django.db import Error, OperationalError
from django.http import HttpRequest, HttpResponse
from django.template import loader
from django.utils.translation import gettext as _
from django.views import defaults

from blockyou.cache import is_without_redis
from blockyou.plain import RETRY_AFTER
from games.api import problems
from games.api.site import ROOT

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
_READ_ONLY, _IDLE_IN_TRANSACTION = "25006", "25P03"


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer what cannot be read; called by Django."""
    if not _is_of_program(request):
        return defaults.bad_request(request, exception)
    if isinstance(exception, RequestDataTooBig):
        return problems.too_large()
    return problems.unreadable(400)


def server_error(request: HttpRequest) -> HttpResponse:
    """Answer with the page of errors; called by Django while it handles the exception."""
    error, is_program = sys.exc_info()[1], _is_of_program(request)
    if is_out_of_service(error):
        template = "503.html"
    elif is_without_redis(error):
        template = "503_without_redis.html"
    elif is_program:
        return problems.problem(500, "fault", _("The site has a fault. Try again in a minute."))
    else:
        return defaults.server_error(request)
    if is_program:
        sentence = _(
            "A part of the site is not available. Nothing has changed, and your games are safe. Try again in a minute."
        )
        answer = problems.problem(503, "out-of-service", sentence)
    else:
        answer = HttpResponse(loader.get_template(template).render(), status=503)
        answer["X-Error-Code"] = "out-of-service"
    answer["Retry-After"] = str(RETRY_AFTER)
    return answer


def _is_of_program(request: HttpRequest) -> bool:
    return request.path_info.startswith(f"/{ROOT}")


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
    return state in (_READ_ONLY, _IDLE_IN_TRANSACTION) or state.startswith(_POSTGRESQL_PASSING)
