"""Report a comment in a study to the moderators."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.errors import NotFound
from games.models import PlayerReport, Reported
from games.queries.analysis.comments import comment_shown
from games.table.moderation.reporting import keep_report
from games.table.moves import moment
from games.table.texts.comments import NO_COMMENT


@transaction.atomic
def report_comment(
    user: User, slug: str, comment: int, *, reason: str, words: str = "", now: datetime | None = None
) -> PlayerReport:
    """Store that a person reports what another has written in a study, with a copy of it; twice is once.

    Raises:
        NotFound: there is no such study for this person, or no such comment that they are shown.
        NotSeated: the account is closed.
        BadRequest: the reason is none, it is too long, or the comment is the person's own.

    """
    study = access.study_to_view(user, slug)
    found = comment_shown(study, user, comment)
    if found is None:
        raise NotFound(NO_COMMENT)
    thing = f"comment-{found.pk}"
    return keep_report(
        user,
        found.author,
        Reported.COMMENT,
        moment(now),
        thing=thing,
        shown=found.text,
        reason=reason,
        words=words,
    )
