"""Report the name of a group to the moderators."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base.groups import named_group_of_link
from games.models import PlayerReport, Reported
from games.table.moderation.reporting import keep_report
from games.table.moves import moment


@transaction.atomic
def report_group(user: User, token: str, *, reason: str, words: str = "", now: datetime | None = None) -> PlayerReport:
    """Store that a person who has the link of a group reports its name, for which its owner answers; twice is once.

    Raises:
        NotFound: there is no such group, or not any more.
        BadRequest: the reason is none, it is too long, the group has no name of its own, or the person owns it.

    """
    group, owner = named_group_of_link(token)
    thing = f"group-{group.pk}"
    return keep_report(
        user, owner, Reported.GROUP, moment(now), thing=thing, shown=group.name, reason=reason, words=words
    )
