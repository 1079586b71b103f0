"""A line of the log is one event, whatever a visitor typed."""

import io
import logging
from typing import Any

import psycopg
import pytest
from django.conf import settings
from django.db import OperationalError
from django.test import Client

from blockyou.logs import JsonFormatter, LineFormatter


def line(message: str, *, failure: BaseException | None = None) -> str:
    """Return what the log would show."""
    caught = (type(failure), failure, failure.__traceback__) if failure else None
    record = logging.LogRecord("games", logging.WARNING, __file__, 1, "name %s", (message,), caught)
    return LineFormatter("{levelname} {name}: {message}", style="{").format(record)


def test_a_visitor_cannot_forge_a_line() -> None:
    assert line("bob\r\nERROR games: all is lost") == "WARNING games: name bob\\x0d\\x0aERROR games: all is lost"


def test_a_visitor_cannot_colour_the_terminal_or_break_lines_otherwise() -> None:
    assert line("\x1b[31mred\x85\u2028next") == "WARNING games: name \\x1b[31mred\\x85\\u2028next"


def test_the_lines_of_a_traceback_are_marked() -> None:
    try:
        raise ValueError("first\nERROR games: second")
    except ValueError as error:
        shown = line("x", failure=error).splitlines()
    assert shown[0] == "WARNING games: name x"
    assert all(each.startswith("  | ") for each in shown[1:])
    assert shown[-1] == "  | ERROR games: second"


@pytest.mark.parametrize("form", [LineFormatter("{message}", style="{"), JsonFormatter()])
@pytest.mark.parametrize("state", [None, "08006", "57P01"])
def test_a_database_that_is_away_is_one_line_without_a_traceback(form: logging.Formatter, state: str | None) -> None:
    lost = type("Lost", (psycopg.OperationalError,), {"sqlstate": state})
    caught = failed_with(lost("connection refused\n\tIs the server running?"))
    record = logging.LogRecord("games", logging.ERROR, __file__, 1, "The page %s failed", ("lobby",), caught)
    shown = form.format(record)
    assert "The page lobby failed (no database: connection refused)" in shown
    assert ("Traceback" in shown, len(shown.splitlines()), record.exc_info) == (False, 1, caught)


def test_another_fault_of_the_database_keeps_its_traceback() -> None:
    caught = failed_with(psycopg.errors.DiskFull("no space"))
    record = logging.LogRecord("games", logging.ERROR, __file__, 1, "failed", (), caught)
    assert "Traceback" in LineFormatter("{message}", style="{").format(record)


def failed_with(cause: Exception) -> Any:
    """Return how Django's own error is caught, with what the driver says as its cause."""
    try:
        raise OperationalError(str(cause)) from cause
    except OperationalError as error:
        return type(error), error, error.__traceback__


def test_addresses_that_were_refused_are_not_logged() -> None:
    levels = {name: settings.LOGGING["loggers"][name]["level"] for name in ("django.request", "django.security")}
    assert levels == {"django.request": "ERROR", "django.security": "ERROR"}


def test_a_wrong_host_is_one_line(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    written = io.StringIO()
    [handler] = [each for each in logging.getLogger("django.security").handlers if each.filters]
    monkeypatch.setattr(handler, "stream", written)
    assert client.get("/rules/", headers={"host": "evil.example.com"}).status_code == 400
    [only] = written.getvalue().splitlines()
    assert "ERROR django.security.DisallowedHost: Invalid HTTP_HOST header: 'evil.example.com'." in only


def test_letters_of_every_language_stay_as_they_are() -> None:
    assert line("Zoë 李").endswith("name Zoë 李")
