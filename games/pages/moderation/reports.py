"""The form of a report, and what a person reads of what became of it and of decisions about themselves."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from accounts.models import User
from accounts.naming import has_neutral_name
from games.base import access
from games.base.groups import named_group_of_link
from games.base.talk import NO_LINE
from games.errors import BadRequest, NotFound
from games.pages.talk.messages import said
from games.queries.analysis.comments import comment_shown
from games.queries.moderation.reports import (
    APPEAL_WITHIN,
    decisions_told_to,
    people_reportable,
    reports_by,
    suspension_of,
)
from games.queries.people.known import player_called
from games.queries.talk.messages import line_heard
from games.table.studies.naming import name_to_report
from games.table.texts.comments import NO_COMMENT, comment_query
from games.values import MAX_REPORT, Audience, Measure, ReportReason
from games.words import moments
from games.words.moderation import measure_taken
from games.words.moments import When
from games.words.names import game_title

if TYPE_CHECKING:
    from datetime import datetime

    from games.models import Appeal, Decision, PlayerReport


def report_reasons() -> list[tuple[str, str]]:
    """Return the keys of the reasons with their words, the gravest first."""
    return [(str(key), str(words)) for key, words in ReportReason.choices]


def unbroken(date: str) -> str:
    """Return a date that no line breaks within."""
    return date.replace(" ", "\N{NO-BREAK SPACE}")


@dataclass(frozen=True)
class ReportForm:
    """What is reported: who by name, the words as they stand there, and where to go back to.

    `people` are the keys and names of those at a table from whom one is chosen; where `who` is empty there is no one
    to report. Of a line moderators read those around it too.
    """

    who: str
    shown: str
    back: str
    people: Sequence[tuple[str, str]] = ()
    is_about_group: bool = False
    is_about_title: bool = False
    is_about_variation: bool = False
    is_about_line: bool = False
    most: int = MAX_REPORT
    reasons: Sequence[tuple[str, str]] = field(default_factory=report_reasons)


def line_form(user: User, slug: str, line: int) -> ReportForm:
    """Return the form of a report about a line that the reader is shown. Three queries.

    Raises:
        NotFound: there is no such game for this person, or no such line.

    """
    game = access.game_to_view(user, slug)
    message = line_heard(game, user, line)
    if message is None or message.author is None or message.is_hidden:
        raise NotFound(NO_LINE)
    back = "game-watchers-talk" if message.audience == Audience.WATCHERS else "game-talk"
    return ReportForm(message.author.shown_name, said(message), reverse(back, args=[slug]), is_about_line=True)


def player_form(username: str, viewer: User) -> ReportForm:
    """Return the form of a report about a player. As many queries as `player_called`.

    Raises: NotFound.
    """
    other = player_called(username, viewer)
    if other is None:
        raise NotFound(gettext("There is no player with this name."))
    return ReportForm(other.shown_name, "", reverse("player", args=[other.username]))


def table_form(user: User, slug: str) -> ReportForm:
    """Return the form of a report about a table. Two queries, three where who has opened it does not sit there.

    Raises: NotFound.
    """
    game = access.game_to_view(user, slug)
    people = [(each.username, each.shown_name) for each in people_reportable(game, user)]
    if not people:
        raise BadRequest(gettext("No other person sits at this table."), code="no-people")
    return ReportForm(people[0][1], game_title(game, user.pk), reverse("game", args=[slug]), people)


def comment_form(user: User, slug: str, comment: int) -> ReportForm:
    """Return the form of a report about a comment in a study that the reader is shown. As many queries as
    `comments_of`, and one.

    Raises: NotFound.
    """
    study = access.study_to_view(user, slug)
    found = comment_shown(study, user, comment)
    if found is None:
        raise NotFound(NO_COMMENT)
    back = f"{reverse('study', args=[slug])}?{comment_query(found)}"
    return ReportForm(found.author.shown_name, found.text, back)


def study_form(user: User, slug: str, branch: int) -> ReportForm:
    """Return the form of a report about the title of a study, or where `branch` is not 0 about what that variation is
    called. As many queries as `study_to_view`, and one.

    Raises: NotFound, BadRequest.
    """
    study = access.study_to_view(user, slug)
    back, shown = reverse("study", args=[slug]), name_to_report(study, branch)
    if branch:
        return ReportForm(study.owner.shown_name, shown, f"{back}?branch={branch}", is_about_variation=True)
    return ReportForm(study.owner.shown_name, shown, back, is_about_title=True)


def group_form(token: str) -> ReportForm:
    """Return the form of a report about the name of the group to which a link leads. One query.

    Raises: NotFound, BadRequest.
    """
    group, owner = named_group_of_link(token)
    return ReportForm(owner.shown_name, group.name, reverse("group-join", args=[token]), is_about_group=True)


@dataclass(frozen=True)
class DecisionView:
    """A decision about the reader: what was done, why, in whose words, about which line, and until when."""

    what: str
    reason: str
    words: str
    shown: str
    until: str
    when: When | None
    key: int = 0
    can_appeal: bool = False
    appeal: str = ""
    is_lifted: bool = False


@dataclass(frozen=True)
class SentReport:
    """A report of the reader's, and what became of it."""

    what: str
    reason: str
    shown: str
    outcome: str
    when: When | None


@dataclass(frozen=True)
class DecisionsPage:
    """What moderators have decided about the reader, and about what the reader has reported.

    `of_children` are the decisions about the children whose guardian the reader is, by their names. `needs_name` says
    that the reader still has the name that stands for one that was taken away.
    """

    decisions: Sequence[DecisionView]
    reports: Sequence[SentReport]
    of_children: Sequence[tuple[str, Sequence[DecisionView]]] = ()
    needs_name: bool = False
    most: int = MAX_REPORT


@dataclass(frozen=True)
class SuspendedPage:
    """What a person reads everywhere while they are suspended: the decision, None where it has just ended, and whether
    it has no end.
    """

    decision: DecisionView | None
    is_for_good: bool = False
    most: int = MAX_REPORT


def suspended_page(user: User) -> SuspendedPage:
    """Return why and until when this person may do nothing here. One query."""
    now = timezone.now()
    found = suspension_of(user, now)
    return SuspendedPage(
        None if found is None else own_decision(found, now), found is not None and found.measure == Measure.BAN
    )


def own_decision(decision: "Decision", now: "datetime") -> DecisionView:
    """Return a decision as the person reads it, with what became of their appeal (needs `appeal`, `lifted_by`)."""
    appeal: Appeal | None = getattr(decision, "appeal", None)
    return replace(
        decision_view(decision, now),
        key=decision.pk,
        can_appeal=appeal is None and decision.can_be_lifted and now - decision.made_at < APPEAL_WITHIN,
        appeal="" if appeal is None else _appeal_words(appeal),
        is_lifted=getattr(decision, "lifted_by", None) is not None,
    )


def _appeal_words(appeal: "Appeal") -> str:
    if appeal.closed_at is None:
        return gettext("Your appeal waits for a moderator.")
    if appeal.is_granted:
        return gettext("Your appeal was granted: the decision is taken back.")
    if appeal.answer:
        return gettext("Your appeal was not granted. The moderator writes: %(words)s") % {"words": appeal.answer}
    return gettext("Your appeal was not granted: the decision stands.")


def decisions_page(user: User) -> DecisionsPage:
    """Return what this person is told. Two queries."""
    now, told = timezone.now(), decisions_told_to(user)
    decided = [own_decision(each, now) for each in told if each.person_id == user.pk]
    of_children: dict[str, list[DecisionView]] = {}
    for each in told:
        if each.person_id != user.pk:
            of_children.setdefault(each.person.username, []).append(decision_view(each, now))
    reports = [_sent(each, now) for each in reports_by(user)]
    return DecisionsPage(decided, reports, [*of_children.items()], has_neutral_name(user))


def decision_view(decision: "Decision", now: "datetime") -> DecisionView:
    """Return a decision as it is shown."""
    until = decision.until
    return DecisionView(
        what=measure_taken(decision.measure, is_about_comment=decision.comment_key is not None),
        reason=str(decision.get_reason_display()),
        words=decision.words,
        shown=decision.shown,
        until="" if until is None else unbroken(date_format(timezone.localtime(until), "DATETIME_FORMAT")),
        when=moments.when(decision.made_at, now),
    )


def _sent(report: "PlayerReport", now: "datetime") -> SentReport:
    return SentReport(
        what=str(report.get_kind_display()),
        reason=str(report.get_reason_display()),
        shown=report.shown,
        outcome=_outcome(report),
        when=moments.when(report.made_at, now),
    )


def _outcome(report: "PlayerReport") -> str:
    if report.closed_at is None:
        return gettext("A moderator has yet to look at it.")
    if report.is_upheld:
        return gettext("A moderator has acted on it. Thank you.")
    return gettext("A moderator has looked at it and found nothing that is not allowed.")
