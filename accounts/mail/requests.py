"""E-mails that a page asks for and a job writes, so that the page does the same for everybody who asks.

The page stores a row. A job finds out what to write and to whom, then posts it (`accounts.mail.outbox`) and forgets the
row in one transaction: each is answered once, however often the job runs.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import TypeAlias, TypeVar

from django.db import transaction
from django.utils import translation

from accounts.mail.outbox import TRIED_FOR, WrittenMail, post_mail
from accounts.models import MailRequest

logger = logging.getLogger(__name__)

Request = TypeVar("Request", bound=MailRequest)
#: What makes e-mails of a request.
Writer: TypeAlias = Callable[[Request], Sequence[WrittenMail]]


def requests_due(kind: type[MailRequest], before: datetime) -> set[tuple[int, int]]:
    """Return each request that should have been answered before a moment; the second number is 0. One query."""
    waiting = kind._default_manager.filter(asked_at__lt=before)
    return {(pk, 0) for pk in waiting.values_list("pk", flat=True)}


def answer_once(kind: type[Request], request_id: int, write: Writer[Request], now: datetime) -> bool:
    """Post the e-mails that `write` makes of the request, in its language; return whether it was done now.

    Safe to repeat and to run twice at once. A request that could not be answered for a day is dropped.
    """
    asked = kind._default_manager.filter(pk=request_id).first()
    if asked is None:
        return False
    mails: Sequence[WrittenMail] = ()
    if now - asked.asked_at < TRIED_FOR:
        # Before the transaction: rendering takes long, and every other write waits for the end of this one.
        with translation.override(asked.language):
            mails = write(asked)
    else:
        logger.error("%s %s could not be answered for a day and is dropped.", kind.__name__, asked.pk)
    with transaction.atomic():
        if not kind._default_manager.filter(pk=request_id).delete()[0]:
            return False
        for mail in mails:
            post_mail(mail.message, mail.kind, mail.page)
    return True
