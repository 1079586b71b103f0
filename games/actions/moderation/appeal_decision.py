"""Appeal against a decision about oneself, once."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.text import plain
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import MAX_REPORT, Appeal, Decision
from games.queries.moderation.reports import APPEAL_WITHIN
from games.table import seats
from games.table.moves import moment

NO_DECISION = _("There is no such decision about you.")
EMPTY = _("Say why the decision should be taken back.")
TOO_LONG = _("An appeal has at most %(most)d characters; this one has %(length)d.")
TOO_LATE = _("Appeals are possible for six months. This decision is older.")


@transaction.atomic
def appeal_decision(user: User, decision: int, *, words: str, now: datetime | None = None) -> Appeal:
    """Store what the person says against the decision of that key, for another moderator; twice is once.

    Those who are suspended appeal too.

    Raises:
        NotFound: there is no such decision about this person, or it cannot be taken back.
        BadRequest: nothing is said, or it is too long.
        NotSeated: the account is closed.
        WrongStatus: the decision is older than half a year (`appeal-late`).

    """
    text = plain(words, MAX_REPORT)
    if not text:
        raise BadRequest(EMPTY, field="words")
    if len(words) > MAX_REPORT:
        raise BadRequest(TOO_LONG % {"most": MAX_REPORT, "length": len(words)}, field="words")
    person = seats.lock_person(user, may_be_suspended=True)
    found = Decision.objects.filter(pk=decision, person=person).select_related("lifted_by", "appeal").first()
    if found is None or not (found.can_be_lifted or hasattr(found, "appeal")):
        raise NotFound(NO_DECISION)
    if moment(now) - found.made_at > APPEAL_WITHIN:
        raise WrongStatus(TOO_LATE, code="appeal-late")
    appeal, _is_new = Appeal.objects.get_or_create(decision=found, defaults={"words": text, "made_at": moment(now)})
    return appeal
