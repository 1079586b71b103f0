"""E-mails about accounts on their way: stored with what caused them, sent by a job.

So no request waits for a mail server, and the time a page takes does not tell whether a mail was sent. A row is an
e-mail that has not been sent; it holds addresses and links that log in, and goes as soon as it is.
"""

import logging
from dataclasses import dataclass
from datetime import datetime, timedelta
from smtplib import SMTPException, SMTPRecipientsRefused

from django.conf import settings
from django.core.mail import EmailMessage, EmailMultiAlternatives
from django.utils import timezone

from accounts.mail.handing_in import hand_in, mail_server
from accounts.models import Mail
from accounts.outbox import Outbox
from accounts.signals import tell_mail_posted

logger = logging.getLogger(__name__)

#: The pause after a try that failed, longer than any try; each further pause is twice as long, up to the longest.
MAIL_PAUSE, LONGEST_MAIL_PAUSE = timedelta(minutes=1), timedelta(minutes=15)

MAIL_OUTBOX = Outbox(Mail, MAIL_PAUSE, LONGEST_MAIL_PAUSE)

#: How long sending is tried: the links in most of these e-mails are worth nothing after a day.
TRIED_FOR = timedelta(days=1)

#: Replies of a mail server from this code on are for good (RFC 5321, 4.2.1).
PERMANENT = 500


@dataclass(frozen=True)
class WrittenMail:
    """A message that is to be posted, as text and as a page, and its kind: a name for the log, nothing personal."""

    message: EmailMessage
    kind: str
    page: str = ""


def post_mail(message: EmailMessage, kind: str, page: str = "") -> None:
    """Store a message to one address, its text and the same as a page, and announce it after commit. One insert.

    Nothing waits for a mail server here. `kind` is a name for the log, without anything personal.
    """
    now = timezone.now()
    row = {"to": message.to[0], "subject": message.subject, "body": message.body, "page": page}
    tell_mail_posted(Mail.objects.create(kind=kind, posted_at=now, due_at=now, **row).pk)


def send_posted_mail(mail_id: int, tries: int, *, now: datetime) -> bool:
    """Send an e-mail of which that many tries have begun; return whether it was sent now.

    Safe to repeat and to run twice at once: the worker that counts the try sends. Only a worker killed between sending
    and writing that down leads to a second e-mail, which has the same Message-ID. While the mail server is left alone
    the e-mail is put off, and no try is counted.
    """
    mail = MAIL_OUTBOX.find(mail_id, tries).first()
    if mail is not None and (rest := mail_server.rest()):
        MAIL_OUTBOX.put_off(mail_id, tries, now + rest)
        return False
    if mail is None or not MAIL_OUTBOX.claim(mail_id, tries, now):
        return False
    headers = {"Auto-Submitted": "auto-generated", "Message-ID": f"<account.{mail.pk}@{settings.PUBLIC_HOST}>"}
    try:
        message = EmailMultiAlternatives(mail.subject, mail.body, to=[mail.to], headers=headers)
        if mail.page:
            message.attach_alternative(mail.page, "text/html")
        hand_in(message, mail.delete)
    except (OSError, SMTPException) as error:
        _keep_or_give_up(mail, error, now)
        return False
    return True


def drop_mails_to(addresses: set[str]) -> None:
    """Forget what waits for these addresses. One query."""
    Mail.objects.filter(to__in=addresses).delete()


def _keep_or_give_up(mail: Mail, error: Exception, now: datetime) -> None:
    """Leave the e-mail for its next try, unless there is no hope. The error itself may have the address in it."""
    what = type(error).__name__
    if isinstance(error, SMTPRecipientsRefused) and all(code >= PERMANENT for code, _text in error.recipients.values()):
        logger.info("E-mail %s (%s) is dropped: there is no such address.", mail.pk, mail.kind)
        mail.delete()
    elif now - mail.posted_at >= TRIED_FOR:
        logger.error("E-mail %s (%s) could not be sent for a day and is dropped: %s.", mail.pk, mail.kind, what)
        mail.delete()
    else:
        logger.warning("E-mail %s (%s) could not be sent and is tried again: %s.", mail.pk, mail.kind, what)
