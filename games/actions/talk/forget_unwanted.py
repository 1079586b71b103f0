"""Count no line as unread that its reader does not want to read any more."""

from copy import copy

from django.db import transaction

from accounts.models import User
from games.table.people import relations


@transaction.atomic
def forget_unwanted(user: User, before: str) -> None:
    """Count as unread only what the person, who is locked, wants to read by now; `before` is what they chose before."""
    former = copy(user)
    former.written_by = before
    relations.forget_unread(relations.unwanted_lines(user, former))
