"""Logging: one readable line an event on standard error, no personal data, nothing a visitor can forge."""

import logging
from typing import Any

# Every control character, and the two separators that some viewers break lines at, becomes its escape.
ESCAPES = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))} | {0x2028: "\\u2028", 0x2029: "\\u2029"}


class LineFormatter(logging.Formatter):
    """Keep an event on one line, whatever a visitor typed; the lines of a traceback are marked by a bar."""

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (the name is logging's)
        """Return the line with control characters escaped."""
        return super().formatMessage(record).translate(ESCAPES)

    def formatException(self, ei: Any) -> str:  # noqa: N802  (the name is logging's)
        """Return the traceback, each line marked."""
        return "\n".join(f"  | {line.translate(ESCAPES)}" for line in super().formatException(ei).splitlines())


LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"line": {"()": LineFormatter, "format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "handlers": {
        "console": {"class": "logging.StreamHandler", "formatter": "line"},
        "failures": {"class": "logging.StreamHandler", "formatter": "line", "level": "ERROR"},
    },
    "root": {"handlers": ["console"], "level": "WARNING"},
    "loggers": {
        "blockyou": {"level": "INFO"},
        "games": {"level": "INFO"},
        "accounts": {"level": "INFO"},
        # Django's own handlers would print and mail; addresses of refused requests hold tokens of invitations.
        "django": {"handlers": ["console"], "level": "WARNING", "propagate": False},
        "django.request": {"handlers": ["failures"], "level": "ERROR", "propagate": False},
        "django.security": {"handlers": ["failures"], "level": "ERROR", "propagate": False},
        # The worker sets its own level and says every job it takes; only what failed is news.
        "django_tasks": {"handlers": ["failures"], "propagate": False},
        "django_tasks_db": {"handlers": ["failures"], "propagate": False},
    },
}
