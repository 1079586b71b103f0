"""The cases that wait for a moderator: all open reports about one person are one."""

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Count, Max, Min, Q, QuerySet, Sum
from django.db.models.functions import Coalesce

from accounts.models import User
from games.models import Appeal, Decision, PlayerReport, StudyComment, TalkMessage
from games.queries.moderation.around import lines_around

#: How many cases the queue shows, and how many earlier rows one case.
QUEUE, EARLIER = 50, 50


@dataclass(frozen=True)
class WaitingCase:
    """A person about whom reports wait: how grave the worst is, how many people report them, and since when."""

    person: User
    gravity: int
    reporters: int
    reports: int
    since: datetime


@dataclass(frozen=True)
class Case:
    """A person with the open reports about them, the gravest first, what was reported before, and what was decided.

    `liftable` are the keys of the decisions that the moderator may take back, `hidden` those of the reported comments
    in studies that are hidden already. `around` has what was said around each line of an open report, by its key.
    """

    person: User
    reports: Sequence[PlayerReport]
    earlier: Sequence[PlayerReport]
    decisions: Sequence[Decision]
    liftable: frozenset[int]
    hidden: frozenset[int]
    around: Mapping[int, Sequence[TalkMessage]]


def may_handle(moderator: User, person: User) -> bool:
    """Return whether this moderator may handle cases of this person at all: not their own or those of a child of
    theirs, nor those of people whom the host has put beside or above them, unless the host has put them there too.
    """
    is_of_the_house = person.is_staff or person.is_moderator or person.is_superuser
    return (
        moderator.is_moderator
        and moderator.is_active
        and not moderator.is_suspended
        and moderator.pk not in (person.pk, person.guardian_id)
        and (moderator.is_staff or not is_of_the_house)
    )


def may_answer(moderator: User, person: User, decision: Decision) -> bool:
    """Return whether this moderator may answer an appeal of a person: not against a decision of their own, as long as
    there is another who may, and not where a report of their own led to it. One query, and one for their own decisions.
    """
    deciders = _moderators() if decision.moderator_id == moderator.pk else ()
    return _may_answer(moderator, person, decision, _who_led_to([decision]), deciders)


def may_lift(moderator: User, person: User, decision: Decision) -> bool:
    """Return whether this moderator may take back a decision about a person: not where a report of their own led to it.
    One query.
    """
    return _may_lift(moderator, person, decision, _who_led_to([decision]))


#: Who reported what was decided, by the person and the moment of the decision: people and who answers for them.
_Leaders = Mapping[tuple[int, datetime | None], frozenset[int]]


def _who_led_to(decisions: Collection[Decision]) -> _Leaders:
    """Return whose reports led to these decisions. One query, none for no decision."""
    if not decisions:
        return {}
    # All that was decided about the same reports bears one moment.
    rows = PlayerReport.objects.filter(closed_at__in={each.made_at for each in decisions})
    found: dict[tuple[int, datetime | None], set[int]] = defaultdict(set)
    for person, moment, *answering in rows.values_list("person", "closed_at", "reporter", "reporter__operator"):
        found[person, moment].update(key for key in answering if key is not None)
    return {key: frozenset(answering) for key, answering in found.items()}


def _may_lift(moderator: User, person: User, decision: Decision, leaders: _Leaders) -> bool:
    led = leaders.get((person.pk, decision.made_at), frozenset())
    return may_handle(moderator, person) and moderator.pk not in led


def _may_answer(
    moderator: User, person: User, decision: Decision, leaders: _Leaders, deciders: Collection[User]
) -> bool:
    """Return whether this moderator may answer, of the `deciders` there are (looked at for their own decisions)."""
    if not _may_lift(moderator, person, decision, leaders):
        return False
    others = [each for each in deciders if each.pk not in (moderator.pk, person.pk)]
    return decision.moderator_id != moderator.pk or not any(
        _may_lift(other, person, decision, leaders) for other in others
    )


def _moderators() -> list[User]:
    """Return who may be asked to decide. One query."""
    return list(User.objects.filter(is_moderator=True, is_active=True))


def waiting_appeals(moderator: User) -> list[Appeal]:
    """Return the appeals that this moderator may answer, of the fifty that have waited longest, with their decisions.

    Three queries at most.
    """
    found = Appeal.objects.filter(closed_at=None).select_related("decision__person", "decision__moderator")
    rows = list(found.order_by("made_at")[:QUEUE])
    leaders = _who_led_to([row.decision for row in rows])
    deciders = _moderators() if any(row.decision.moderator_id == moderator.pk for row in rows) else ()
    return [row for row in rows if _may_answer(moderator, row.decision.person, row.decision, leaders, deciders)]


def appeal_for(moderator: User, key: int) -> Appeal | None:
    """Return the open appeal of that key, None where this moderator has none. Three queries at most."""
    found = Appeal.objects.filter(pk=key, closed_at=None).select_related("decision__person", "decision__moderator")
    row = found.first()
    return row if row is not None and may_answer(moderator, row.decision.person, row.decision) else None


def waiting_cases(moderator: User) -> list[WaitingCase]:
    """Return the cases that this moderator may handle: the gravest first, then those that weigh most, then the oldest.

    Two queries, over what waits alone.
    """
    open_reports = PlayerReport.objects.filter(closed_at=None)
    own = open_reports.filter(reporter__in=User.answering(moderator.pk)).values("person")
    found = (
        open_reports.exclude(person=moderator)
        .exclude(person__guardian=moderator)
        .exclude(person__in=own)
        .filter(_in_reach(moderator))
    )
    rows = (
        found.order_by()
        .values("person")
        .annotate(
            worst=Max("gravity"),
            weight=Sum("trust"),
            people=Count(Coalesce("reporter__operator", "reporter"), distinct=True),
            number=Count("pk"),
            since=Min("made_at"),
        )
    )
    first = list(rows.order_by("-worst", "-people", "-weight", "since")[:QUEUE])
    people = User.objects.in_bulk([row["person"] for row in first])
    return [
        WaitingCase(people[row["person"]], row["worst"], row["people"], row["number"], row["since"]) for row in first
    ]


def _in_reach(moderator: User) -> Q:
    if moderator.is_staff:
        return Q()
    return Q(person__is_staff=False, person__is_moderator=False, person__is_superuser=False)


def case_for(moderator: User, key: int) -> Case | None:
    """Return the case of the person of that key, None where this moderator has none: for `may_handle`, and those who
    have reported the person themselves. Four queries, one where comments in studies were reported, and two where lines
    were.
    """
    person = User.objects.filter(pk=key).first()
    if person is None or not may_handle(moderator, person):
        return None
    case = _case_of(person, moderator)
    return None if any(moderator.pk in _answering(report) for report in case.reports) else case


def has_case(moderator: User, person: User) -> bool:
    """Return whether `case_for` finds this person's case, for a moderator who may handle it. One query."""
    return not PlayerReport.objects.filter(
        person=person, closed_at=None, reporter__in=User.answering(moderator.pk)
    ).exists()


def reports_behind(decision: Decision) -> list[PlayerReport]:
    """Return the reports that led to a decision, with their reporters, games and lines. One query."""
    # All that was decided about the same reports bears one moment.
    led = PlayerReport.objects.filter(person=decision.person_id, closed_at=decision.made_at)
    return list(led.select_related("reporter", "game", "message").order_by("pk"))


def _answering(report: PlayerReport) -> tuple[int | None, int | None]:
    return report.reporter_id, report.reporter.operator_id


def _case_of(person: User, moderator: User) -> Case:
    about = PlayerReport.objects.filter(person=person).select_related("reporter", "game", "message")
    decided = Decision.objects.filter(person=person).select_related("moderator", "lifted_by")
    earlier, decisions = about.filter(closed_at__isnull=False).order_by("-pk")[:EARLIER], decided.order_by("-pk")
    own = {report.closed_at for report in earlier if moderator.pk in _answering(report)}
    shown, waiting = list(decisions[:EARLIER]), list(about.filter(closed_at=None).order_by("-gravity", "-trust", "pk"))
    return Case(
        person=person,
        reports=waiting,
        earlier=list(earlier),
        decisions=shown,
        liftable=frozenset(each.pk for each in shown if each.can_be_lifted and each.made_at not in own),
        hidden=hidden_comments([*waiting, *earlier]),
        around=lines_around({each.message_id for each in waiting if each.message_id is not None}),
    )


def hidden_comments(reports: Iterable[PlayerReport]) -> frozenset[int]:
    """Return the keys of the reported comments in studies that are hidden. One query, none for no comment."""
    keys = {key for report in reports if (key := report.comment_key) is not None}
    if not keys:
        return frozenset()
    return frozenset(StudyComment.objects.filter(pk__in=keys, is_hidden=True).values_list("pk", flat=True))


def decisions_made() -> QuerySet[Decision]:
    """Return all that moderators have decided, the latest first. No query."""
    return Decision.objects.select_related("person", "moderator", "lifted_by").order_by("-pk")
