"""Errors are reported to the host by e-mail or Sentry's protocol, without personal data."""

import gzip
import io
import json
import logging
import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import brotli
import pytest
from django.core import mail
from django.core.exceptions import ImproperlyConfigured
from django.http import HttpRequest, HttpResponse
from django.test import Client
from django.urls import path

from blockyou import env, urls
from blockyou.logs import FORMS, JsonFormatter, logging_with
from blockyou.reports import MailHandler, ReportHandler, SentryHandler

ROOT = Path(__file__).resolve().parents[3]
UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress, None: bytes}
SECRETS = ("zoe", "zoe@example.org", "203.0.113.9", "token")


def log_failure(handler: logging.Handler, name: str = "games.bots.turns", times: int = 1) -> None:
    """Log an error about a person, from within an exception that knows her address."""
    logger = logging.Logger(name)
    logger.addHandler(handler)
    for _ in range(times):
        try:
            raise ValueError("zoe@example.org from 203.0.113.9 with token")
        except ValueError:
            logger.exception("Bot %s failed at move %s.", "zoe", 7)
    handler.flush()


def test_a_mail_says_what_failed_and_where_and_nothing_of_people() -> None:
    log_failure(MailHandler("1.2.3+3dfc0c2", "host@example.org"))
    [sent] = mail.outbox
    assert (sent.to, sent.subject) == (
        ["host@example.org"],
        "[Block-You] games.bots.turns: ValueError: Bot %s failed at move %s.",
    )
    assert "Release 1.2.3+3dfc0c2" in sent.body
    assert "tests/project/processes/test_reports.py" in sent.body
    assert not [secret for secret in SECRETS if secret in f"{sent.subject}{sent.body}"]


def test_the_message_of_a_library_is_left_out() -> None:
    log_failure(MailHandler("1.2.3", "host@example.org"), "some.library")
    assert mail.outbox[0].subject == "[Block-You] some.library: ValueError"


def test_the_same_error_is_reported_once_an_hour() -> None:
    log_failure(MailHandler("1.2.3", "host@example.org"), times=5)
    assert len(mail.outbox) == 1


def test_a_report_that_fails_is_a_line_and_no_loop(caplog: pytest.LogCaptureFixture) -> None:
    log_failure(ReportHandler("1.2.3"))
    assert "An error could not be reported (NotImplementedError)." in caplog.text


class Collector(BaseHTTPRequestHandler):
    """A server that keeps what it is sent, as Sentry does."""

    received: list[bytes] = []

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.received.append(UNPACK[self.headers["Content-Encoding"]](body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_arguments: object) -> None:
        """Say nothing."""


@pytest.fixture
def dsn() -> Iterator[str]:
    """Yield the address of a server that speaks Sentry's protocol."""
    Collector.received = []
    server = HTTPServer(("127.0.0.1", 0), Collector)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://key@127.0.0.1:{server.server_port}/1"
    server.shutdown()
    thread.join()
    server.server_close()


def test_an_event_holds_kind_and_place_and_nothing_of_people(dsn: str) -> None:
    log_failure(SentryHandler("1.2.3+3dfc0c2", dsn))
    [envelope] = Collector.received
    event = json.loads(envelope.splitlines()[2])
    [exception] = event["exception"]["values"]
    assert (event["release"], event["logger"], exception["type"]) == ("1.2.3+3dfc0c2", "games.bots.turns", "ValueError")
    assert exception["stacktrace"]["frames"][-1]["function"] == "log_failure"
    assert {"request", "user", "breadcrumbs", "extra"} & event.keys() == set()
    assert not [secret for secret in SECRETS if secret.encode() in envelope]


def test_a_line_of_json_holds_an_event_whatever_a_visitor_typed() -> None:
    record = logging.LogRecord("games", logging.WARNING, __file__, 1, "name %s", ('bob\n"ERROR',), None)
    line = JsonFormatter().format(record)
    event = json.loads(line)
    assert "\n" not in line
    assert (event["level"], event["logger"], event["message"]) == ("warning", "games", 'name bob\n"ERROR')
    assert event["time"].endswith("+00:00")


def test_a_traceback_is_part_of_its_line_of_json() -> None:
    handler = logging.StreamHandler(written := io.StringIO())
    handler.setFormatter(JsonFormatter())
    log_failure(handler)
    [line] = written.getvalue().splitlines()
    assert "ValueError" in json.loads(line)["traceback"]


def test_more_lines_are_ours_alone() -> None:
    made = logging_with("debug", "json", {})
    assert {made["loggers"][name]["level"] for name in ("blockyou", "games", "accounts")} == {"DEBUG"}
    assert (made["root"]["level"], made["loggers"]["django"]["level"]) == ("WARNING", "WARNING")


@pytest.mark.parametrize("value", ["xml", "lines"])
def test_another_form_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("A_FORM", value)
    with pytest.raises(ImproperlyConfigured, match="Use line or json"):
        env.choice("A_FORM", "line", FORMS)


def fail(request: HttpRequest, token: str) -> HttpResponse:
    """Fail as a view with a mistake does."""
    raise ZeroDivisionError


class WithAFailingInvitation:
    """A URLconf with an address whose view fails, and which holds a secret."""

    urlpatterns = [*urls.urlpatterns, path("fail/<token>/", fail, name="failing")]


def test_a_failure_is_logged_by_the_name_of_its_view(settings: object, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.ROOT_URLCONF = WithAFailingInvitation  # type: ignore[attr-defined]
    [handler] = [each for each in logging.getLogger("django.request").handlers if each.filters]
    monkeypatch.setattr(handler, "stream", written := io.StringIO())
    Client(raise_request_exception=False).get("/fail/s3cr3t-t0ken/")
    assert "ERROR django.request: Internal Server Error: failing" in written.getvalue()
    assert "s3cr3t-t0ken" not in written.getvalue()


def test_settings_choose_where_errors_are_reported_and_the_form_of_the_log() -> None:
    """In a process of its own, whose mails are printed: what it logs is a line of JSON there and a mail beside it."""
    failing = "import django, logging; django.setup(); logging.getLogger('games').error('Bot %s failed.', 'zoe')"
    own = {
        "DJANGO_SETTINGS_MODULE": "blockyou.settings.dev",
        "EMAIL_URL": "console://",
        "ERROR_EMAIL": "host@example.org",
        "LOG_FORMAT": "json",
    }
    ran = subprocess.run(
        [sys.executable, "-c", failing], cwd=ROOT, env=os.environ | own, capture_output=True, text=True, check=True
    )
    assert json.loads(ran.stderr)["message"] == "Bot zoe failed."
    assert "Subject: [Block-You] games: Bot %s failed." in ran.stdout
    assert "zoe" not in ran.stdout
