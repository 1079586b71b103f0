"""Report the title of a study, or the name of one of its variations, to the moderators."""

from datetime import datetime

from django.db import transaction

from accounts.models import User
from games.base import access
from games.models import PlayerReport, Reported, Study
from games.table.moderation.reporting import keep_report
from games.table.moves import moment
from games.table.studies.naming import name_to_report


def report_study(
    user: User, slug: str, *, branch: int = 0, reason: str, words: str = "", now: datetime | None = None
) -> PlayerReport:
    """Store that a person reports the title of a study, or what the variation through the varied turn `branch` is
    called, for which its owner answers; twice is once.

    Raises:
        NotFound: there is no such study for this person.
        NotSeated: the account is closed.
        BadRequest: the reason is none, it is too long, there is no such variation, or it has no name, or the study is
            the person's own.

    """
    study = access.study_to_view(user, slug)
    return _keep(user, study, branch, name_to_report(study, branch), reason, words, moment(now))


@transaction.atomic
def _keep(user: User, study: Study, branch: int, shown: str, reason: str, words: str, now: datetime) -> PlayerReport:
    kind = Reported.BRANCH if branch else Reported.STUDY
    thing = f"branch-{study.pk}-{branch}" if branch else f"study-{study.pk}"
    return keep_report(user, study.owner, kind, now, thing=thing, shown=shown, reason=reason, words=words)
