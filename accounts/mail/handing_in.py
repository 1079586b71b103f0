"""The moment at which a mail server takes a mail: what is to be written down of it is written down first of all.

A mail server that hangs costs each mail seconds, and there is no other one: it is left alone for a while, and what
waits for it is put off without having been tried.
"""

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from smtplib import SMTPException

from django.conf import settings
from django.core.mail import EmailMessage, get_connection
from django.core.mail.backends.base import BaseEmailBackend

from accounts.outbox import write_down

logger = logging.getLogger(__name__)

#: After so many mails in a row for which it was late, the server is left alone for so many seconds; twice as long each
#: time it is late again, up to the longest.
LATE_MAILS, FIRST_MAIL_REST, LONGEST_MAIL_REST = 3, 60.0, 300.0
#: Seconds in which a server has to answer where the settings name none.
MAIL_PATIENCE = 10.0


class MailServerLateError(OSError):
    """The mail server did not answer in time."""


class MailServer:
    """How often the mail server was late in a row, and until when it is left alone.

    Known to this process alone: one that starts learns it again. Kept under a lock, since several mails are handed in
    at once.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self.clock = clock
        self._lock = threading.Lock()
        self._late = 0
        self._until = 0.0
        self._is_tried = False

    def rest(self) -> timedelta:
        """Return for how long the server is still to be left alone; zero for who may hand in a mail now.

        After a rest that is one alone: all others wait for what comes of it.
        """
        with self._lock:
            now = self.clock()
            if self._late < LATE_MAILS:
                return timedelta()
            if now < self._until:
                return timedelta(seconds=self._until - now)
            self._is_tried, self._until = True, now + 2 * patience()
            return timedelta()

    def note_answer(self) -> None:
        """Note that the server did not hang, whatever it said."""
        with self._lock:
            if self._late >= LATE_MAILS:
                logger.warning("The mail server does not hang any more.")
            self._late, self._is_tried = 0, False

    def note_late(self) -> None:
        """Note that the server did not answer in time."""
        with self._lock:
            # Of those that were under way together when it came to rest only the first count.
            if self._late >= LATE_MAILS and not self._is_tried:
                return
            self._late, self._is_tried = self._late + 1, False
            seconds = min(LONGEST_MAIL_REST, FIRST_MAIL_REST * 2 ** max(0, min(self._late, 20) - LATE_MAILS))
            if self._late >= LATE_MAILS:
                self._until = self.clock() + seconds
            if self._late == LATE_MAILS:
                logger.error(
                    "The mail server was late %s times in a row and is left alone for %.0f s, then for longer. "
                    "E-mails wait meanwhile.",
                    self._late,
                    seconds,
                )

    def forget(self) -> None:
        """Know nothing of the server."""
        with self._lock:
            self._late, self._until, self._is_tried = 0, 0.0, False


#: The host's, as this process knows it.
mail_server = MailServer()


def patience() -> float:
    """Return the seconds in which the mail server has to answer each thing that it is told."""
    return float(settings.EMAIL_TIMEOUT or MAIL_PATIENCE)


def hand_in(mail: EmailMessage, taken: Callable[[], object]) -> None:
    """Give a mail to the mail server; `taken` is called as soon as it has it.

    Whatever is said after that, as at the end of the session, may take its time, fail, or never happen: a process that
    is killed meanwhile would leave a mail that is sent again.

    Raises: OSError, SMTPException, before it was taken; MailServerLateError where no answer came in time.
    """
    session = mail.connection = get_connection()
    try:
        _send(mail, session)
        write_down(taken)
    finally:
        with suppress(OSError, SMTPException):
            session.close()


def _send(mail: EmailMessage, session: BaseEmailBackend) -> None:
    began = mail_server.clock()
    try:
        session.open()
        mail.send()
    except (OSError, SMTPException) as error:
        # How it is told that the time is up depends on where it was: only how long it took is sure.
        if mail_server.clock() - began >= patience():
            mail_server.note_late()
            raise MailServerLateError from error
        mail_server.note_answer()
        raise
    mail_server.note_answer()
