"""The steps of a report: what may be said with it, how much it weighs, and that it is kept once."""

from datetime import datetime, timedelta

from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base.text import plain
from games.errors import BadRequest, NotFound, NotSeated
from games.models import MAX_REPORT, MAX_SHOWN, Game, PlayerReport, Reported, ReportReason, TalkMessage

#: How grave a reason is: of two cases the graver one is handled first.
GRAVITY = {ReportReason.VIOLENCE: 3, ReportReason.HATE: 2, ReportReason.INSULT: 1, ReportReason.NAME: 1}
#: A report counts so much from someone whose reports were all upheld, usually, and from a newcomer.
MOST_TRUST, USUAL_TRUST, LEAST_TRUST = 60, 20, 5
#: An account is a newcomer for so long.
NEW = timedelta(hours=3)
#: So many of the reporter's latest reports say how often they were upheld, once there are a few.
REPORTS_REMEMBERED, A_FEW = 20, 3

NO_REASON = _("Choose what is wrong with it.")
TOO_LONG = _("A report has at most %(most)d characters; this one has %(length)d.")
ONESELF = _("That is you, or a bot of yours. You cannot report yourself.")


def answerable(person: User) -> int:
    """Return the key of the person who answers for what this one does: of a bot account its operator."""
    return person.operator_id or person.pk


def keep_report(
    user: User,
    person: User,
    kind: Reported,
    now: datetime,
    *,
    thing: str,
    shown: str,
    reason: str,
    words: str,
    game: Game | None = None,
    message: TalkMessage | None = None,
) -> PlayerReport:
    """Store what a person reports about another, in a transaction; while a report of theirs about it is open, return
    that one.

    Raises:
        BadRequest: the reason is none, it is too long, or the person reports themselves.
        NotFound: the account of the other has just been closed.
        NotSeated: the reporter's account is closed.

    """
    if answerable(user) == answerable(person):
        raise BadRequest(ONESELF, code="oneself")
    if reason not in ReportReason.values:
        raise BadRequest(NO_REASON, code="reason", field="reason")
    if len(words) > MAX_REPORT:
        raise BadRequest(TOO_LONG % {"most": MAX_REPORT, "length": len(words)}, field="words")
    reporter, about = _lock_both(user, answerable(person))
    asked = {"reporter": reporter, "thing": thing, "closed_at": None}
    # The reporter is locked: a second tap finds the report of the first.
    known = PlayerReport.objects.filter(**asked).first()
    if known is not None:
        return known
    return PlayerReport.objects.create(
        **asked,
        person=about,
        kind=kind,
        game=game,
        message=message,
        reason=reason,
        words=plain(words, MAX_REPORT),
        shown=plain(shown, MAX_SHOWN),
        gravity=GRAVITY.get(ReportReason(reason), 0),
        trust=_trust_of(reporter, now),
        made_at=now,
    )


def _lock_both(user: User, other: int) -> tuple[User, User]:
    # So the report goes with an account that is being closed.
    rows = User.objects.select_for_update(no_key=True).filter(pk__in=(user.pk, other), is_active=True)
    found = {row.pk: row for row in rows.order_by("pk")}
    if user.pk not in found:
        raise NotSeated(_("This account is closed."), code="account-closed")
    if found[user.pk].is_suspended:
        raise NotSeated(_("This account is suspended."), code="suspended")
    if other not in found:
        raise NotFound(_("There is no player with this name."))
    return found[user.pk], found[other]


def _trust_of(reporter: User, now: datetime) -> int:
    """Return how much a report of this person counts, by how many of the latest were upheld. One query."""
    latest = PlayerReport.objects.filter(reporter=reporter, closed_at__isnull=False).order_by("-pk")[
        :REPORTS_REMEMBERED
    ]
    upheld = list(latest.values_list("is_upheld", flat=True))
    if len(upheld) < A_FEW:
        return LEAST_TRUST if now - reporter.date_joined < NEW else USUAL_TRUST
    return max(LEAST_TRUST, MOST_TRUST * sum(map(bool, upheld)) // len(upheld))
