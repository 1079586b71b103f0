"""Decide about a person on whom reports wait: hide what they wrote, warn, take the name, silence, suspend, or close the
case without a measure.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games import events
from games.base import counters
from games.base.text import plain
from games.errors import BadRequest, NotFound, WrongStatus
from games.models import MAX_DECISION, Decision, Measure, PlayerReport, Reported, ReportReason
from games.queries.moderation.cases import hidden_comments
from games.table.moderation import measures
from games.table.moves import moment
from games.values import MAX_SHOWN

#: For how many days a person may be silenced or suspended.
DAYS = (1, 7, 30)
TIMED = (Measure.SILENCE, Measure.SUSPEND)
MEASURES = (*TIMED, Measure.BAN, Measure.NONE, Measure.WARN, Measure.RENAME)
#: After these a person leaves the tables that wait.
SUSPENDING = (Measure.SUSPEND, Measure.BAN)
#: What has a name beside people, and loses it by any measure.
NAMED_THINGS = (Reported.GROUP, Reported.STUDY, Reported.BRANCH)

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
    comments: Collection[int] = (),
    now: datetime | None = None,
) -> Sequence[Decision]:
    """Decide about the person of that key: close the open reports up to the one of the key `last`, hide these lines
    and comments of theirs, and take a measure, for so many days where it has an end. Return what was decided, in that
    order.

    The person reads it, and the reporters what became of their reports. Of reported names of bots it is theirs that is
    taken, else the person's; with any measure the groups, studies and variations whose names were reported lose these.
    Who is suspended leaves the tables that wait; running games go on, and so do their clocks.

    What is hidden already is not hidden by a second decision; a report about it counts as upheld all the same.

    Raises:
        NotFound: there is no such case for this moderator: they have no such right, it is about themselves, they have
            reported it, or it is about someone whom the host has put beside them.
        WrongStatus: no report of those is open any more (`case-decided`).
        BadRequest: there is no such measure or reason, the days are none that are offered, or it is too long.

    """
    now = moment(now)
    _check(measure, reason, days, words)
    judge, about, bots, reports = _lock_case(moderator, person, last)
    gone = hidden_comments(reports)
    hidden = _hidden(reports, lines)
    unseen = _hidden_comments(reports, {*comments} - gone)
    named = _named(reports, about, bots) if measure == Measure.RENAME else []
    named_as = [each.username for each in named]
    # Groups are locked before games.
    taken = measures.take_group_names(reports) if measure != Measure.NONE else []
    with counters.together():
        measures.change_games(about, [*hidden], now, leaves_tables=measure in SUSPENDING)
        # Studies are locked after games.
        taken += measures.change_studies(unseen, reports if measure != Measure.NONE else ())
        # Companions are locked before the lists, which are written at the end of the block.
        measures.take_names(named)
    shown = ", ".join([*named_as, *taken])[:MAX_SHOWN]
    same = {"person": about, "moderator": judge, "reason": reason, "words": plain(words, MAX_DECISION), "made_at": now}
    made = [Decision(measure=Measure.HIDE, message_id=key, shown=line, **same) for key, line in hidden.items()]
    made += [Decision(measure=Measure.HIDE, comment_key=key, shown=line, **same) for key, line in unseen.items()]
    if measure != Measure.NONE or not made:
        until = now + timedelta(days=days) if measure in TIMED else None
        made.append(Decision(measure=measure, until=until, shown=shown, **same))
    for row in made:
        row.save()
    if measure in (*TIMED, Measure.BAN):
        measures.settle_limits(about, now)
    _close(reports, made[-1], now, gone)
    _tell(about, {report.reporter_id for report in reports}, made[-1])
    if made[-1].measure != Measure.NONE:
        events.publish(events.DecisionsMade(decisions=tuple(row.pk for row in made)))
    return made


def _lock_case(moderator: User, person: int, last: int) -> tuple[User, User, list[User], list[PlayerReport]]:
    """Return the moderator, the person and their bots, all locked, and the reports that are decided about."""
    waiting = PlayerReport.objects.filter(person=person, closed_at=None).select_related("message")
    judge, about, bots = measures.lock_for_case(moderator, person, waiting.values_list("reporter", flat=True))
    reports = list(waiting.filter(pk__lte=last).order_by("pk"))
    if waiting.filter(reporter__in=User.answering(judge.pk)).exists():
        raise NotFound(measures.NO_CASE)
    if not reports:
        raise WrongStatus(measures.DECIDED, code="case-decided")
    return judge, about, bots, reports


def _hidden(reports: Sequence[PlayerReport], lines: Collection[int]) -> dict[int, str]:
    """Return which of these lines were reported and are not hidden yet, by their keys in order, as they were shown."""
    said = {each.message.pk: each.shown for each in reports if each.message is not None and not each.message.is_hidden}
    return {key: said[key] for key in sorted(said.keys() & {*lines})}


def _hidden_comments(reports: Sequence[PlayerReport], comments: Collection[int]) -> dict[int, str]:
    """Return which of these comments in studies were reported, likewise."""
    said = {each.comment_key: each.shown for each in reports if each.comment_key is not None}
    return {key: said[key] for key in sorted(said.keys() & {*comments})}


def _check(measure: str, reason: str, days: int, words: str) -> None:
    if measure not in MEASURES or (measure in TIMED and days not in DAYS):
        raise BadRequest(NO_MEASURE, field="measure")
    if reason not in ReportReason.values:
        raise BadRequest(NO_REASON, field="reason")
    if len(words) > MAX_DECISION:
        raise BadRequest(TOO_LONG % {"most": MAX_DECISION, "length": len(words)}, field="words")


def _named(reports: Sequence[PlayerReport], about: User, bots: Sequence[User]) -> list[User]:
    things = {report.thing for report in reports if report.kind == Reported.NAME}
    named = [each for each in (about, *bots) if f"player-{each.pk}" in things]
    # Where the name of a group, a study or a variation alone was reported it is that which goes.
    return named if named or any(report.kind in NAMED_THINGS for report in reports) else [about]


def _close(reports: Sequence[PlayerReport], decision: Decision, now: datetime, gone: Collection[int]) -> None:
    """Close these reports by a decision: upheld are all if that is a measure, else those about what was hidden before,
    such as the comments of the keys in `gone`.
    """
    for report in reports:
        was_hidden = report.comment_key in gone or (report.message is not None and report.message.is_hidden)
        is_upheld = decision.measure != Measure.NONE or was_hidden
        PlayerReport.objects.filter(pk=report.pk, closed_at=None).update(
            closed_at=now, decision=decision, is_upheld=is_upheld
        )


def _tell(about: User, reporters: set[int], decision: Decision) -> None:
    """Note that the reporters, and the person unless nothing was done, have a decision to read.

    They are locked, with the guardian of a child, who reads it too.
    """
    told = reporters | (measures.told_of(about) if decision.measure != Measure.NONE else set())
    User.objects.filter(pk__in=told).update(has_decisions=True)
