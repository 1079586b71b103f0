"""Answer an appeal: the decision stands, or it is taken back with all that followed from it."""

from datetime import datetime

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base.text import plain
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import MAX_REPORT, Appeal
from games.queries.moderation.cases import may_answer
from games.table.moderation import measures
from games.table.moves import moment

ANSWERED = _("Another moderator has just answered this appeal.")
NO_APPEAL = _("There is no such appeal, or it is not yours to answer.")
TOO_LONG = _("An answer has at most %(most)d characters; this one has %(length)d.")


@transaction.atomic
def answer_appeal(
    moderator: User, appeal: int, *, is_granted: bool, words: str = "", now: datetime | None = None
) -> Appeal:
    """Store the answer to the appeal of that key. If it is granted, the decision is taken back: a line is shown again,
    a person writes or comes in again unless another decision stands; a name that was taken away may be chosen again.

    Raises:
        NotFound: there is none that this moderator may answer: it is about themselves, about someone whom the host has
            put beside them, or against their own decision while another moderator can answer.
        WrongStatus: it has been answered (`appeal-answered`).
        BadRequest: the answer is too long.

    """
    now = moment(now)
    if len(words) > MAX_REPORT:
        raise BadRequest(TOO_LONG % {"most": MAX_REPORT, "length": len(words)}, field="words")
    found = Appeal.objects.filter(pk=appeal).select_related("decision").first()
    if found is None:
        raise NotFound(NO_APPEAL)
    decision = found.decision
    judge, about, bots = measures.lock_for_case(moderator, decision.person_id)
    if not may_answer(judge, about, decision):
        raise NotFound(NO_APPEAL)
    text = plain(words, MAX_REPORT)
    answer = {"closed_at": now, "is_granted": is_granted, "moderator": judge, "answer": text}
    if not Appeal.objects.filter(pk=found.pk, closed_at=None).update(**answer):
        raise WrongStatus(ANSWERED, code="appeal-answered")
    if is_granted:
        lifted = measures.lift(judge, (about, *bots), decision, text, now)
        events.publish(events.DecisionsMade(decisions=(lifted.pk,)))
    else:
        events.publish(events.AppealRefused(appeal_id=found.pk))
    User.objects.filter(pk__in=measures.told_of(about)).update(has_decisions=True)
    found.refresh_from_db()
    return found
