"""A line of the log is one event, whatever a visitor typed."""

import io
import logging

import pytest
from django.conf import settings
from django.test import Client

from blockyou.logs import LineFormatter


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
