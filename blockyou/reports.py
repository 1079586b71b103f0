"""Reporting errors to the host, by e-mail or to a server that speaks Sentry's protocol, without a word about people.

A report is put together from the few things that cannot hold personal data: our own message before its values are put
in, the kind of exception without its message, and where in the code it happened. Nothing is collected besides: no
request, no address, no variables, no breadcrumbs.
"""

import logging
import os
import threading
import time
import traceback
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
#: Loggers whose messages are constants of ours or Django's with places for values.
TRUSTED = ("blockyou", "games", "accounts", "django.request")
#: Each process reports a kind of error once in REPORT_PAUSE_SECONDS, and at most MOST_KINDS kinds in that time.
REPORT_PAUSE_SECONDS, MOST_KINDS = 3600.0, 10
LONGEST_WAIT_SECONDS = 25.0


@dataclass(frozen=True)
class Report:
    """An error: the logger, its message without values, the kinds of exceptions, cause last, and where it happened.

    A frame is a file, a line and a function, the innermost last.
    """

    logger: str
    message: str
    kinds: tuple[str, ...]
    frames: tuple[tuple[str, int, str], ...]

    @property
    def title(self) -> str:
        """Return one line that says what happened."""
        return ": ".join(part for part in (self.logger, *self.kinds[:1], self.message) if part)

    def text(self, release: str) -> str:
        """Return the whole report as people read it."""
        where = [f"  {file}:{line} in {function}" for file, line, function in self.frames]
        caused = [f"Caused by {kind}" for kind in self.kinds[1:]]
        return "\n".join([self.title, *caused, "", f"Release {release}", "", *where, "", ENDING])


ENDING = (
    "The log of the site has the values that this message leaves out. The same error is not reported again within an "
    "hour."
)


def report_of(record: logging.LogRecord) -> Report:
    """Return what may be said elsewhere of a line of the log."""
    is_trusted = any(record.name == name or record.name.startswith(f"{name}.") for name in TRUSTED)
    error = record.exc_info[1] if record.exc_info else None
    kinds: list[str] = []
    cause = error
    while cause is not None and len(kinds) < MOST_KINDS:
        kinds.append(f"{type(cause).__module__}.{type(cause).__qualname__}".removeprefix("builtins."))
        cause = cause.__cause__ or cause.__context__
    frames = traceback.extract_tb(error.__traceback__) if error else []
    return Report(
        logger=record.name,
        message=str(record.msg) if is_trusted else "",
        kinds=tuple(kinds),
        frames=tuple((_short(frame.filename), frame.lineno or 0, frame.name) for frame in frames),
    )


def _short(file: str) -> str:
    """Return the file as it is named in the repository, or in its package: the rest of the path is the host's own."""
    return file.removeprefix(f"{ROOT}{os.sep}").rpartition("site-packages/")[2]


class ReportHandler(logging.Handler):
    """A handler of the log that reports each kind of error once an hour, in a thread: no visitor waits for it."""

    def __init__(self, release: str) -> None:
        super().__init__(logging.ERROR)
        self.version = release
        self._reported: dict[Report, float] = {}
        self._threads: list[threading.Thread] = []

    def emit(self, record: logging.LogRecord) -> None:
        """Report the error unless it was lately."""
        report, now = report_of(record), time.monotonic()
        self._reported = {known: at for known, at in self._reported.items() if now - at < REPORT_PAUSE_SECONDS}
        if report in self._reported or len(self._reported) >= MOST_KINDS:
            return
        self._reported[report] = now
        thread = threading.Thread(target=self._try, args=(report,), daemon=True, name="report of an error")
        self._threads = [*filter(threading.Thread.is_alive, self._threads), thread]
        thread.start()

    def send(self, report: Report) -> None:
        """Send the report to the host."""
        raise NotImplementedError

    def flush(self) -> None:
        """Wait until what is being sent has been; Python does so at the end of a process."""
        for thread in self._threads:
            thread.join(LONGEST_WAIT_SECONDS)

    def _try(self, report: Report) -> None:
        try:
            self.send(report)
        except Exception as error:  # noqa: BLE001  (whatever it is, a report of it would fail likewise)
            logging.getLogger(__name__).warning("An error could not be reported (%s).", type(error).__name__)


class MailHandler(ReportHandler):
    """Reports by e-mail, through EMAIL_URL."""

    def __init__(self, release: str, address: str) -> None:
        super().__init__(release)
        self.address = address

    def send(self, report: Report) -> None:
        """Send one mail."""
        from django.core.mail import send_mail

        send_mail(f"[Block-You] {report.title[:150]}", report.text(self.version), None, [self.address])


class SentryHandler(ReportHandler):
    """Reports to a server that speaks Sentry's protocol; needs the extra `sentry`."""

    def __init__(self, release: str, dsn: str) -> None:
        super().__init__(release)
        self.dsn = dsn
        self._client: Any = None

    def send(self, report: Report) -> None:
        """Send one event, by a client of its own that gathers nothing by itself."""
        import sentry_sdk

        if self._client is None:
            self._client = sentry_sdk.Client(
                dsn=self.dsn,
                release=self.version,
                server_name="block-you",
                default_integrations=False,
                auto_enabling_integrations=False,
                send_client_reports=False,
            )
        self._client.capture_event(event_of(report))
        self._client.flush(timeout=LONGEST_WAIT_SECONDS)


def event_of(report: Report) -> Any:
    """Return the report as an event of Sentry's protocol."""
    frames = [
        {"filename": file, "lineno": line, "function": function, "in_app": not file.startswith("/")}
        for file, line, function in report.frames
    ]
    kinds = [{"type": kind} for kind in reversed(report.kinds)]
    if kinds and frames:
        kinds[-1] = {**kinds[-1], "stacktrace": {"frames": frames}}  # type: ignore[dict-item]
    event: dict[str, Any] = {"level": "error", "logger": report.logger, "message": report.title}
    return {**event, "exception": {"values": kinds}} if kinds else event
