"""The moment at which a mail server takes a mail: what is to be written down of it is written down first of all."""

from collections.abc import Callable
from contextlib import suppress
from smtplib import SMTPException

from django.core.mail import EmailMessage, get_connection

from accounts.outbox import write_down


def hand_in(mail: EmailMessage, taken: Callable[[], object]) -> None:
    """Give a mail to the mail server; `taken` is called as soon as it has it.

    Whatever is said after that, as at the end of the session, may take its time, fail, or never happen: a process that
    is killed meanwhile would leave a mail that is sent again.

    Raises: OSError, SMTPException, before it was taken.
    """
    mail.connection = get_connection()
    mail.connection.open()
    try:
        mail.send()
        write_down(taken)
    finally:
        with suppress(OSError, SMTPException):
            mail.connection.close()
