"""Logging: one line an event on standard error, as text or JSON; no personal data, nothing a visitor can forge."""

import json
import logging
from collections.abc import Mapping
from copy import copy
from datetime import UTC, datetime
from typing import Any

# Every control character, and the two separators that some viewers break lines at, becomes its escape.
ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {0x2028: "\\u2028", 0x2029: "\\u2029"}

#: What PostgreSQL's SQLSTATE begins with where there is no connection, or its host ends it.
GONE = ("08", "57P")

LEVELS = ("debug", "info", "warning", "error")
FORMS = ("line", "json")


def lost_connection(error: BaseException | None) -> BaseException | None:
    """Return what says that PostgreSQL could not be reached or has hung up, None if the error is anything else."""
    while error is not None:
        names = {f"{kind.__module__.partition('.')[0]}.{kind.__name__}" for kind in type(error).__mro__}
        if "psycopg.OperationalError" in names:
            state = getattr(error, "sqlstate", None)
            return error if state is None or state.startswith(GONE) else None
        error = error.__cause__
    return None


def in_one_line(record: logging.LogRecord) -> logging.LogRecord:
    """Return the record, or one that says in its message that the database could not be reached, without a traceback.

    While the database is away every request, job and heartbeat fails alike: where in the code helps nobody.
    """
    error = lost_connection(record.exc_info[1]) if record.exc_info else None
    if error is None:
        return record
    short = copy(record)
    reason = next(iter(str(error).splitlines()), "")
    short.msg, short.args = f"{record.getMessage()} (no database: {reason or type(error).__name__})", ()
    short.exc_info = short.exc_text = None
    return short


class LineFormatter(logging.Formatter):
    """Keep an event on one line, whatever a visitor typed; the lines of a traceback are marked by a bar."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, and those of the traceback; none where the database could not be reached."""
        return super().format(in_one_line(record))

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the name is logging's)
        """Return the line with control characters escaped."""
        return super().formatMessage(record).translate(ESCAPES)

    def formatException(self, ei: Any) -> str:  # noqa: N802  (the name is logging's)
        """Return the traceback, each line marked."""
        return "\n".join(f"  | {line.translate(ESCAPES)}" for line in super().formatException(ei).splitlines())


class JsonFormatter(logging.Formatter):
    """Make of an event one line of JSON: time (UTC, ISO 8601), level, logger, message, and the traceback if any."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line, all of it ASCII."""
        record = in_one_line(record)
        event = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": record.getMessage(),
        }
        if record.exc_info:
            event["traceback"] = self.formatException(record.exc_info)
        return json.dumps(event)


def without_traceback(record: logging.LogRecord) -> bool:
    """Pass every record, without the exception that it was logged with: its message says all there is."""
    record.exc_info = record.exc_text = None
    return True


def without_address(record: logging.LogRecord) -> bool:
    """Pass every record of Django's, with the name of the view in place of its address, which may hold a token."""
    request = getattr(record, "request", None)
    if request is not None and isinstance(record.args, tuple) and request.path in record.args:
        view = request.resolver_match.view_name if request.resolver_match else "no page"
        record.args = tuple(view if value == request.path else value for value in record.args)
    return True


def without_known_outage(record: logging.LogRecord) -> bool:
    """Pass every record but those of an outage that has its own line: whose exception, or a cause of it, `is_told`.

    And but those of the health page, which says itself what is wrong, to programs that ask every other second.
    """
    if getattr(getattr(record, "request", None), "path", "") == "/healthz" and not record.exc_info:
        return False
    error = record.exc_info[1] if record.exc_info else None
    seen = set[int]()
    while error is not None and id(error) not in seen:
        if getattr(error, "is_told", False):
            return False
        seen.add(id(error))
        error = error.__cause__ or error.__context__
    return True


def logging_with(level: str, form: str, reports: Mapping[str, Mapping[str, Any]]) -> dict[str, Any]:
    """Return Django's LOGGING: our own lines from a level on, in a form, and errors also to the handlers `reports`.

    Other libraries' lines begin at warnings, whatever the level: some write what people typed. Each of `reports` is
    a handler as logging describes it.
    """
    stream = {"class": "logging.StreamHandler", "formatter": form, "filters": ["no known outage"]}
    failures, own = ["failures", *reports], {"level": level.upper()}
    return {
        "version": 1,
        "disable_existing_loggers": False,
        "formatters": {
            "line": {"()": LineFormatter, "format": "{asctime} {levelname} {name}: {message}", "style": "{"},
            "json": {"()": JsonFormatter},
        },
        "filters": {
            "bare": {"()": lambda: without_traceback},
            "by view": {"()": lambda: without_address},
            "no known outage": {"()": lambda: without_known_outage},
        },
        "handlers": {
            "console": stream,
            "failures": {**stream, "level": "ERROR", "filters": ["no known outage", "by view"]},
            # What a visitor has sent is at fault there, a wrong Host above all, and no code of ours.
            "refusals": {**stream, "level": "ERROR", "filters": ["bare"]},
            **{name: {"filters": ["no known outage"], **report} for name, report in reports.items()},
        },
        "root": {"handlers": ["console", *reports], "level": "ERROR" if level == "error" else "WARNING"},
        "loggers": {
            "blockyou": own,
            "games": own,
            "accounts": own,
            # Django's own handlers would print and mail; addresses of refused requests hold tokens of invitations.
            "django": {"handlers": ["console", *reports], "level": "WARNING", "propagate": False},
            "django.request": {"handlers": failures, "level": "ERROR", "propagate": False},
            "django.security": {"handlers": ["refusals"], "level": "ERROR", "propagate": False},
            # The worker sets its own level and says every job it takes; only what failed is news.
            "django_tasks": {"handlers": failures, "propagate": False},
            "django_tasks_db": {"handlers": failures, "propagate": False},
            "rq": {"handlers": failures, "propagate": False},
            # It has a line for each try to connect; `blockyou.postgresql` has one for the outage.
            "psycopg.pool": {"level": "ERROR"},
        },
    }
