"""Take back a decision that was a mistake, without an appeal."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base.text import plain
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import MAX_REPORT, Appeal, Decision
from games.queries.moderation.cases import may_lift
from games.table.moderation import measures
from games.table.moves import moment

NO_DECISION = _("There is no such decision, or it is not yours to take back.")
LIFTED = _("This decision does not stand any more.")
TOO_LONG = _("A reason has at most %(most)d characters; this one has %(length)d.")


@transaction.atomic
def lift_decision(moderator: User, decision: int, *, words: str = "", now: datetime | None = None) -> Decision:
    """Take the decision of that key back with all that followed from it, and grant an appeal that waits against it.
    Return what is decided now, which the person reads.

    Raises:
        NotFound: there is none that this moderator may take back: it is about themselves, about someone whom the host
            has put beside them, or a report of their own led to it.
        WrongStatus: it has been taken back (`decision-lifted`).
        BadRequest: the reason is too long.

    """
    now = moment(now)
    if len(words) > MAX_REPORT:
        raise BadRequest(TOO_LONG % {"most": MAX_REPORT, "length": len(words)}, field="words")
    person = Decision.objects.filter(pk=decision).values_list("person", flat=True).first()
    if person is None:
        raise NotFound(NO_DECISION)
    judge, about, bots = measures.lock_for_case(moderator, person)
    # Asked for when the person is locked: two moderators may take it back at one instant.
    found = Decision.objects.select_related("lifted_by").get(pk=decision)
    if not may_lift(judge, about, found):
        raise NotFound(NO_DECISION)
    if not found.can_be_lifted:
        raise WrongStatus(LIFTED, code="decision-lifted")
    text = plain(words, MAX_REPORT)
    lifted = measures.lift(judge, (about, *bots), found, text, now)
    waiting = Appeal.objects.filter(decision=found, closed_at=None)
    waiting.update(closed_at=now, is_granted=True, moderator=judge, answer=text)
    User.objects.filter(pk__in=measures.told_of(about)).update(has_decisions=True)
    events.publish(events.DecisionsMade(decisions=(lifted.pk,)))
    return lifted
