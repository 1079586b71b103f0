"""What a moderator sees: the queue, one case, and the record of what was decided."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.conf import settings
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts.models import FOR_GOOD, User
from games.errors import NotFound
from games.pages.board.faces import Face, face
from games.pages.lists.paging import OpenPage, open_page
from games.pages.moderation.reports import DecisionView, decision_view, report_reasons, unbroken
from games.pages.talk.messages import said
from games.queries.moderation.cases import (
    WaitingCase,
    appeal_for,
    case_for,
    decisions_made,
    has_case,
    reports_behind,
    waiting_appeals,
    waiting_cases,
)
from games.queries.moderation.likeness import likeness_of, reviewed_games
from games.values import MAX_DECISION, MAX_REPORT, Occupant, ReportReason
from games.words import moments
from games.words.moments import When
from games.words.names import variant_name
from games.words.ratings import ask_for_reviews_text, likeness_text, reviewed_text

if TYPE_CHECKING:
    from datetime import datetime

    from games.models import Appeal, Decision, PlayerReport, TalkMessage


#: What is worst in a case, by its gravity.
GRAVEST = (_("Other rules"), _("Insults or an offensive name"), ReportReason.HATE.label, ReportReason.VIOLENCE.label)

NO_CASE = _("There is no such case, or it is not yours to decide.")
#: So many decisions stand above the buttons; what was decided before them is folded.
LATEST = 3


@dataclass(frozen=True)
class CaseRow:
    """A case of the queue: whom it is about, what is worst in it, and how many reports of how many people there are."""

    key: int
    name: str
    face: Face
    worst: str
    reports: str
    since: When | None


@dataclass(frozen=True)
class LineAround:
    """A line that was said just before or after a reported one at the same table, or that one itself."""

    name: str
    text: str
    is_reported: bool


@dataclass(frozen=True)
class ReportView:
    """A report as moderators read it. `line` and `comment` are the keys of what may still be hidden.

    `table` says on which board the game is, empty without one; `game` is its address where everyone may see it.
    `around` is what was said around a line, empty where it stands alone.
    """

    key: int
    what: str
    reason: str
    reporter: str
    shown: str
    words: str
    table: str
    game: str
    around: Sequence[LineAround]
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

    `decisions` are the latest, `older` those before them.
    `last` is the key of the last report that is shown, `reason` the gravest of them; `silenced` and `suspended` say
    until when the person writes nothing, or does nothing at all, `is_banned` that this has no end.
    Nothing is decided without an open report. `likeness` says how often they have played what an engine would have,
    empty without a move with a choice in a reviewed rated game; `reviewed` how many of their latest rated games have a
    review, empty where the site has no ratings, and `ask` what the button says that asks for the others, empty where
    none is to be asked for.
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
    older: Sequence[LogRow]
    likeness: str
    reviewed: str
    ask: str
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
            worst=_worst(case),
            reports=_reports(case),
            since=moments.when(case.since, now),
        )
        for case in waiting_cases(moderator)
    ]


def _worst(case: WaitingCase) -> str:
    """Return what is worst in a case; that there is more where several reports may have several reasons."""
    worst = str(GRAVEST[case.gravity])
    if case.reports == 1 or not case.gravity:
        return worst
    return gettext("Most serious: %(reason)s") % {"reason": worst}


def _reports(case: WaitingCase) -> str:
    """Return how many reports wait, and of how many people they are."""
    reports = ngettext("%(n)d report", "%(n)d reports", case.reports) % {"n": case.reports}
    if case.reports == 1:
        return reports
    people = ngettext("%(n)d person", "%(n)d people", case.reporters) % {"n": case.reporters}
    return gettext("%(reports)s from %(people)s") % {"reports": reports, "people": people}


def case_page(moderator: User, key: int, days: Sequence[int]) -> CasePage:
    """Return the case of the person of that key; measures for a time are offered for so many days.

    Eleven queries at most. Raises: NotFound where this moderator has no such case.
    """
    case, now = case_for(moderator, key), timezone.now()
    if case is None:
        raise NotFound(NO_CASE)
    person = case.person
    decisions = [_row(each, person, now, can_lift=each.pk in case.liftable) for each in case.decisions]
    reviewed = reviewed_games(person) if settings.RATINGS else None
    lacking = reviewed.lacking if reviewed and case.reports and person.is_active else 0
    return CasePage(
        key=person.pk,
        username=person.username if person.is_active else "",
        name=person.shown_name,
        face=face(Occupant.of(person)),
        since=unbroken(date_format(timezone.localtime(person.date_joined), "DATE_FORMAT")),
        silenced=_until(person.silenced_until, now),
        suspended=_until(person.suspended_until, now),
        is_banned=person.suspended_until == FOR_GOOD,
        reports=[_report(each, case.hidden, now, case.around) for each in case.reports],
        earlier=[_report(each, case.hidden, now) for each in case.earlier],
        decisions=decisions[:LATEST],
        older=decisions[LATEST:],
        likeness=likeness_text(likeness) if (likeness := likeness_of(person)) else "",
        reviewed=reviewed_text(reviewed) if reviewed else "",
        ask=ask_for_reviews_text(lacking) if lacking else "",
        last=max((each.pk for each in case.reports), default=0),
        reason=case.reports[0].reason if case.reports else ReportReason.OTHER,
        reasons=report_reasons(),
        days=days,
    )


@dataclass(frozen=True)
class AppealView:
    """An appeal: by whom, in which words, against which decision of which moderator, and which reports led to that.

    `case` is the key of the person whose case the reader may open, 0 where they may not.
    """

    key: int
    name: str
    words: str
    moderator: str
    decision: DecisionView
    when: When | None
    case: int = 0
    reports: Sequence[ReportView] = ()
    most: int = MAX_REPORT


def open_appeals(moderator: User) -> list[AppealView]:
    """Return the appeals that wait for this moderator, the oldest first."""
    now = timezone.now()
    return [_appeal(each, now) for each in waiting_appeals(moderator)]


def appeal_page(moderator: User, key: int) -> AppealView:
    """Return an appeal that waits for this moderator. Five queries at most. Raises: NotFound."""
    found, now = appeal_for(moderator, key), timezone.now()
    if found is None:
        raise NotFound(NO_CASE)
    decision, view = found.decision, _appeal(found, now)
    reports = [_report(each, frozenset(), now) for each in reports_behind(decision)]
    if reports and all(each.shown == decision.shown for each in reports):
        # It stands in the reports.
        view = replace(view, decision=replace(view.decision, shown=""))
    case = decision.person_id if has_case(moderator, decision.person) else 0
    return replace(view, case=case, reports=reports)


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
    return unbroken(date_format(timezone.localtime(until), "DATETIME_FORMAT")) if until and until > now else ""


def _row(decision: "Decision", person: User, now: "datetime", *, can_lift: bool = False) -> LogRow:
    view = replace(decision_view(decision, now), is_lifted=hasattr(decision, "lifted_by"))
    liftable = decision.pk if can_lift else 0
    return LogRow(decision.moderator.shown_name, person.shown_name, person.pk, view, liftable)


def _report(
    report: "PlayerReport",
    hidden: frozenset[int],
    now: "datetime",
    around: "Mapping[int, Sequence[TalkMessage]] | None" = None,
) -> ReportView:
    message, game = report.message, report.game
    return ReportView(
        key=report.pk,
        what=str(report.get_kind_display()),
        reason=str(report.get_reason_display()),
        reporter=report.reporter.shown_name,
        shown=report.shown,
        words=report.words,
        table="" if game is None else variant_name(game.variant),
        game=reverse("game", args=[game.slug]) if game is not None and game.is_public else "",
        around=_around(report.message_id, (around or {}).get(report.message_id or 0, ())),
        line=report.message_id,
        comment=report.comment_key,
        is_hidden=report.comment_key in hidden or (message is not None and message.is_hidden),
        is_upheld=report.is_upheld,
        when=moments.when(report.made_at, now),
    )


def _around(reported: int | None, lines: "Sequence[TalkMessage]") -> list[LineAround]:
    if len(lines) < 2:
        return []
    return [
        LineAround(
            name=line.author.shown_name if line.author is not None else gettext("A closed account"),
            text=said(line) or gettext("Deleted with the account."),
            is_reported=line.pk == reported,
        )
        for line in lines
    ]
