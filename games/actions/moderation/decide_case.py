"""Decide about a person on whom reports wait: hide lines, warn, silence for a time, or close the case as it is."""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import access, counters
from games.base.text import plain
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import MAX_DECISION, Audience, Decision, Game, Measure, PlayerReport, ReportReason, TalkMessage
from games.queries.moderation.cases import may_handle
from games.table import changes
from games.table.moves import moment

#: For how many days a person may be silenced.
DAYS = (1, 7, 30)

NO_CASE = _("There is no such case, or it is not yours to decide.")
DECIDED = _("Another moderator has just decided this case. Look at it again.")
NO_MEASURE = _("Choose what is to be done.")
NO_REASON = _("Choose the rule that was broken.")
TOO_LONG = _("A reason has at most %(most)d characters; this one has %(length)d.")


@transaction.atomic
def decide_case(
    moderator: User,
    person: int,
    *,
    measure: str,
    reason: str,
    last: int,
    days: int = 0,
    words: str = "",
    lines: Collection[int] = (),
    now: datetime | None = None,
) -> Sequence[Decision]:
    """Decide about the person of that key: close the open reports up to the one of the key `last`, hide these lines of
    theirs, and take a measure, for so many days where it has an end. Return what was decided, in that order.

    The person reads it, and the reporters what became of their reports.

    Raises:
        NotFound: there is no such case for this moderator: they have no such right, it is about themselves, they have
            reported it, or it is about someone whom the host has put beside them.
        WrongStatus: no report of those is open any more (`case-decided`).
        BadRequest: there is no such measure or reason, the days are none that are offered, or it is too long.

    """
    now = moment(now)
    _check(measure, reason, days, words)
    judge, about = _lock_all(moderator, person)
    reports = list(PlayerReport.objects.filter(person=about, closed_at=None, pk__lte=last).order_by("pk"))
    if any(report.reporter_id == judge.pk for report in reports):
        raise NotFound(NO_CASE)
    if not reports:
        raise WrongStatus(DECIDED, code="case-decided")
    with counters.together():
        hidden = _hide(reports, set(lines), now)
        made = _keep(judge, about, now, measure, reason, days, words, hidden)
    _close(reports, made[-1], now, is_upheld=bool(hidden) or measure != Measure.NONE)
    _tell(about, {report.reporter_id for report in reports}, made)
    return made


def _check(measure: str, reason: str, days: int, words: str) -> None:
    if measure not in (Measure.NONE, Measure.WARN, Measure.SILENCE) or (
        measure == Measure.SILENCE and days not in DAYS
    ):
        raise BadRequest(NO_MEASURE, field="measure")
    if reason not in ReportReason.values:
        raise BadRequest(NO_REASON, field="reason")
    if len(words) > MAX_DECISION:
        raise BadRequest(TOO_LONG % {"most": MAX_DECISION, "length": len(words)}, field="words")


def _lock_all(moderator: User, person: int) -> tuple[User, User]:
    """Return the moderator and the person, locked with all who have reported the person, before any game is.

    Raises: NotFound.
    """
    reporters = PlayerReport.objects.filter(person=person, closed_at=None).values_list("reporter", flat=True)
    keys = {moderator.pk, person, *reporters}
    rows = {row.pk: row for row in User.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")}
    judge, about = rows.get(moderator.pk), rows.get(person)
    if judge is None or about is None or not (judge.is_active and about.is_active and may_handle(judge, about)):
        raise NotFound(NO_CASE)
    return judge, about


def _hide(reports: Sequence[PlayerReport], lines: set[int], now: datetime) -> list[PlayerReport]:
    """Hide those of the reported lines, and tell their games after commit; return a report about each."""
    found = {report.message_id: report for report in reports if report.message_id in lines}
    hidden = {key: report for key, report in found.items() if key is not None}
    games = {report.game_id for report in hidden.values() if report.game_id is not None}
    for game in access.games_to_close(Game.objects.filter(pk__in=games)):
        said = TalkMessage.objects.filter(pk__in=hidden, game=game)
        said.update(is_hidden=True)
        if said.filter(audience=Audience.PLAYERS).exists():
            changes.tell_of_message(game, now)
        else:
            changes.tell_watchers(game)
    return [hidden[key] for key in sorted(hidden)]


def _keep(
    judge: User,
    about: User,
    now: datetime,
    measure: str,
    reason: str,
    days: int,
    words: str,
    hidden: Sequence[PlayerReport],
) -> list[Decision]:
    until = now + timedelta(days=days) if measure == Measure.SILENCE else None
    same = {"person": about, "moderator": judge, "reason": reason, "words": plain(words, MAX_DECISION), "made_at": now}
    rows = [Decision(measure=Measure.HIDE, message_id=each.message_id, shown=each.shown, **same) for each in hidden]
    if measure != Measure.NONE or not rows:
        rows.append(Decision(measure=measure, until=until, **same))
    if until is not None and (about.silenced_until is None or about.silenced_until < until):
        User.objects.filter(pk=about.pk).update(silenced_until=until)
    for row in rows:
        row.save()
    return rows


def _close(reports: Sequence[PlayerReport], decision: Decision, now: datetime, *, is_upheld: bool) -> None:
    for report in reports:
        PlayerReport.objects.filter(pk=report.pk, closed_at=None).update(
            closed_at=now, decision=decision, is_upheld=is_upheld
        )


def _tell(about: User, reporters: set[int], made: Sequence[Decision]) -> None:
    """Have those read who are told: the reporters, and the person unless nothing was done. They are locked."""
    told = reporters | ({about.pk} if made[-1].measure != Measure.NONE else set())
    User.objects.filter(pk__in=told).update(has_decisions=True)
