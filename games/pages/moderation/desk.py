"""What a moderator sees: the queue, one case, and the record of what was decided."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext_lazy as _

from accounts.models import FOR_GOOD, User
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.lists.paging import OpenPage, open_page
from games.pages.moderation.reports import DecisionView, decision_view, report_reasons
from games.queries.moderation.cases import appeal_for, case_for, decisions_made, waiting_appeals, waiting_cases
from games.queries.moderation.likeness import likeness_of
from games.values import MAX_DECISION, MAX_REPORT, Occupant, ReportReason
from games.words import moments
from games.words.moments import When
from games.words.ratings import likeness_text

if TYPE_CHECKING:
    from datetime import datetime

    from games.models import Appeal, Decision, PlayerReport


#: What is worst in a case, by its gravity.
GRAVEST = (_("Other rules"), _("Insults or an offensive name"), ReportReason.HATE.label, ReportReason.VIOLENCE.label)

NO_CASE = _("There is no such case, or it is not yours to decide.")


@dataclass(frozen=True)
class CaseRow:
    """A case of the queue: whom it is about, what is worst in it, and how many people report them."""

    key: int
    name: str
    face: Face
    worst: str
    reporters: int
    reports: int
    since: When | None


@dataclass(frozen=True)
class ReportView:
    """A report as moderators read it. `line` and `comment` are the keys of what may still be hidden."""

    key: int
    what: str
    reason: str
    reporter: str
    shown: str
    words: str
    game: str
    line: int | None
    comment: int | None
    is_hidden: bool
    is_upheld: bool | None
    when: When | None


@dataclass(frozen=True)
class LogRow:
    """A decision in the record: of whom, about whom. `key` is the person's, `liftable` that of a decision that may be
    taken back, else 0.
    """

    moderator: str
    name: str
    key: int
    decision: DecisionView
    liftable: int = 0


@dataclass(frozen=True)
class CasePage:
    """All about one person: the open reports, and what was reported and decided before.

    `last` is the key of the last report that is shown, `reason` the gravest of them; `silenced` and `suspended` say
    until when the person writes nothing, or does nothing at all, `is_banned` that this has no end.
    Nothing is decided without an open report. `likeness` says how often they have played what an engine would have,
    empty without a move with a choice in a reviewed rated game.
    """

    key: int
    username: str
    name: str
    face: Face
    since: str
    silenced: str
    suspended: str
    is_banned: bool
    reports: Sequence[ReportView]
    earlier: Sequence[ReportView]
    decisions: Sequence[LogRow]
    likeness: str
    last: int
    reason: str
    reasons: Sequence[tuple[str, str]]
    days: Sequence[int]
    most: int = MAX_DECISION


def queue(moderator: User) -> list[CaseRow]:
    """Return the cases that wait for this moderator, in the order in which they are handled. Two queries."""
    now = timezone.now()
    return [
        CaseRow(
            key=case.person.pk,
            name=case.person.shown_name,
            face=face(Occupant.of(case.person)),
            worst=str(GRAVEST[case.gravity]),
            reporters=case.reporters,
            reports=case.reports,
            since=moments.when(case.since, now),
        )
        for case in waiting_cases(moderator)
    ]


def case_page(moderator: User, key: int, days: Sequence[int]) -> CasePage:
    """Return the case of the person of that key; measures for a time are offered for so many days.

    Eight queries at most. Raises: NotFound where this moderator has no such case.
    """
    case, now = case_for(moderator, key), timezone.now()
    if case is None:
        raise NotFound(NO_CASE)
    person = case.person
    return CasePage(
        key=person.pk,
        username=person.username if person.is_active else "",
        name=person.shown_name,
        face=face(Occupant.of(person)),
        since=date_format(timezone.localtime(person.date_joined), "DATE_FORMAT"),
        silenced=_until(person.silenced_until, now),
        suspended=_until(person.suspended_until, now),
        is_banned=person.suspended_until == FOR_GOOD,
        reports=[_report(each, case.hidden, now) for each in case.reports],
        earlier=[_report(each, case.hidden, now) for each in case.earlier],
        decisions=[_row(each, person, now, can_lift=each.pk in case.liftable) for each in case.decisions],
        likeness=likeness_text(likeness) if (likeness := likeness_of(person)) else "",
        last=max((each.pk for each in case.reports), default=0),
        reason=case.reports[0].reason if case.reports else ReportReason.OTHER,
        reasons=report_reasons(),
        days=days,
    )


@dataclass(frozen=True)
class AppealView:
    """An appeal: by whom, in which words, against which decision of which moderator."""

    key: int
    name: str
    words: str
    moderator: str
    decision: DecisionView
    when: When | None
    most: int = MAX_REPORT


def open_appeals(moderator: User) -> list[AppealView]:
    """Return the appeals that wait for this moderator, the oldest first."""
    now = timezone.now()
    return [_appeal(each, now) for each in waiting_appeals(moderator)]


def appeal_page(moderator: User, key: int) -> AppealView:
    """Return an appeal that waits for this moderator. Raises: NotFound."""
    found = appeal_for(moderator, key)
    if found is None:
        raise NotFound(NO_CASE)
    return _appeal(found, timezone.now())


def _appeal(appeal: "Appeal", now: "datetime") -> AppealView:
    decision = appeal.decision
    return AppealView(
        key=appeal.pk,
        name=decision.person.shown_name,
        words=appeal.words,
        moderator=decision.moderator.shown_name,
        decision=decision_view(decision, now),
        when=moments.when(appeal.made_at, now),
    )


def record_page(number: int) -> OpenPage[LogRow]:
    """Return a page of all that moderators have decided, the latest first. One query."""
    now = timezone.now()
    rows = decisions_made()
    return open_page(
        lambda start, size: list(rows[start : start + size]),
        number,
        lambda found: [_row(each, each.person, now) for each in found],
    )


def _until(until: "datetime | None", now: "datetime") -> str:
    return date_format(timezone.localtime(until), "DATETIME_FORMAT") if until and until > now else ""


def _row(decision: "Decision", person: User, now: "datetime", *, can_lift: bool = False) -> LogRow:
    view = replace(decision_view(decision, now), is_lifted=hasattr(decision, "lifted_by"))
    liftable = decision.pk if can_lift else 0
    return LogRow(decision.moderator.shown_name, person.shown_name, person.pk, view, liftable)


def _report(report: "PlayerReport", hidden: frozenset[int], now: "datetime") -> ReportView:
    message = report.message
    return ReportView(
        key=report.pk,
        what=str(report.get_kind_display()),
        reason=str(report.get_reason_display()),
        reporter=report.reporter.shown_name,
        shown=report.shown,
        words=report.words,
        game=reverse("game", args=[report.game.slug]) if report.game is not None and report.game.is_public else "",
        line=report.message_id,
        comment=report.comment_key,
        is_hidden=report.comment_key in hidden or (message is not None and message.is_hidden),
        is_upheld=report.is_upheld,
        when=moments.when(report.made_at, now),
    )
