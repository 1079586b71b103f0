"""E-mails that a page asks for and a job writes, so that the page does the same for everybody who asks.

The page stores a row. A job finds out what to write and to whom, posts it (`accounts.mail.outbox`) and forgets the row,
in one transaction: each is answered once, however often the job runs.
"""

import logging
from collections.abc import Callable
from datetime import datetime
from typing import TypeVar

from django.db import transaction
from django.utils import translation

from accounts.mail.outbox import TRIED_FOR
from accounts.models import MailRequest

logger = logging.getLogger(__name__)

Request = TypeVar("Request", bound=MailRequest)


def requests_due(kind: type[MailRequest], before: datetime) -> set[tuple[int, int]]:
    """Return each request that should have been answered before a moment; the second number is 0. One query."""
    waiting = kind._default_manager.filter(asked_at__lt=before)
    return {(pk, 0) for pk in waiting.values_list("pk", flat=True)}


@transaction.atomic
def answer_once(kind: type[Request], request_id: int, write: Callable[[Request], None], now: datetime) -> bool:
    """Post the e-mails that `write` makes of the request, in its language; return whether it was done now.

    Safe to repeat and to run twice at once. A request that could not be answered for a day is dropped.
    """
    asked = kind._default_manager.select_for_update().filter(pk=request_id).first()
    if asked is None:
        return False
    if now - asked.asked_at < TRIED_FOR:
        with translation.override(asked.language):
            write(asked)
    else:
        logger.error("%s %s could not be answered for a day and is dropped.", kind.__name__, asked.pk)
    asked.delete()
    return True
