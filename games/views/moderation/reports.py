"""Report a line, a player, a table, a group, a study or a comment, and read what became of it; no script is needed."""

from collections.abc import Callable

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.doors import person
from accounts.limits import client
from games.actions.moderation.appeal_decision import appeal_decision as _appeal_decision
from games.actions.moderation.read_decisions import read_decisions
from games.actions.moderation.report_comment import report_comment as _report_comment
from games.actions.moderation.report_group import report_group as _report_group
from games.actions.moderation.report_line import report_line as _report_line
from games.actions.moderation.report_player import report_player as _report_player
from games.actions.moderation.report_study import report_study as _report_study
from games.actions.moderation.report_table import report_table as _report_table
from games.errors import BadRequest, WrongStatus
from games.pages.moderation.conduct import conduct_page
from games.pages.moderation.reports import (
    ReportForm,
    comment_form,
    decisions_page,
    group_form,
    line_form,
    player_form,
    study_form,
    table_form,
)
from games.table.counting import count_report
from games.views.play.play import number_in

form_page = require_http_methods(["GET", "HEAD", "POST"])


@form_page
@login_required
def report_line(request: HttpRequest, slug: str, line: int) -> HttpResponse:
    """Show the form of a report about a line of talk; a POST sends it."""
    user = person(request)
    form = line_form(user, slug, line)

    def send(reason: str, words: str) -> object:
        return _report_line(user, slug, line, reason=reason, words=words, shown=form.shown)

    return _answer(request, form, send)


@form_page
@login_required
def report_player(request: HttpRequest, username: str) -> HttpResponse:
    """Show the form of a report about a player; a POST sends it."""
    user = person(request)

    def send(reason: str, words: str) -> object:
        return _report_player(user, username, reason=reason, words=words)

    return _answer(request, player_form(username, user), send)


@form_page
@login_required
def report_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the form of a report about a table; a POST sends it."""
    user = person(request)

    def send(reason: str, words: str) -> object:
        return _report_table(user, slug, request.POST.get("person", ""), reason=reason, words=words)

    return _answer(request, table_form(user, slug), send)


@form_page
@login_required
def report_group(request: HttpRequest, invite: str) -> HttpResponse:
    """Show the form of a report about the name of a group, for who has its link; a POST sends it."""
    user = person(request)

    def send(reason: str, words: str) -> object:
        return _report_group(user, invite, reason=reason, words=words)

    return _answer(request, group_form(invite), send)


@form_page
@login_required
def report_comment(request: HttpRequest, study: str, comment: int) -> HttpResponse:
    """Show the form of a report about a comment in a study; a POST sends it."""
    user = person(request)

    def send(reason: str, words: str) -> object:
        return _report_comment(user, study, comment, reason=reason, words=words)

    return _answer(request, comment_form(user, study, comment), send)


@form_page
@login_required
def report_study(request: HttpRequest, study: str) -> HttpResponse:
    """Show the form of a report about the title of a study, with `branch` about a variation's name; a POST sends it."""
    user, branch = person(request), number_in(request.GET.get("branch", "")) or 0

    def send(reason: str, words: str) -> object:
        return _report_study(user, study, branch=branch, reason=reason, words=words)

    return _answer(request, study_form(user, study, branch), send)


def _answer(request: HttpRequest, form: ReportForm, send: Callable[[str, str], object]) -> HttpResponse:
    refusal: BadRequest | None = None
    if request.method == "POST":
        count_report(person(request), client(request))
        try:
            send(request.POST.get("reason", ""), request.POST.get("words", ""))
        except BadRequest as error:
            refusal = error
        else:
            messages.success(
                request, _("Thank you. A moderator will look at it, and you will read here what they decide.")
            )
            return redirect(form.back)
    typed = request.POST if refusal is not None else {}
    context = {
        "report": form,
        "refusal": refusal,
        "words": typed.get("words", ""),
        # Nobody is chosen beforehand: a report that went to the first of the list could not be taken back.
        "chosen": typed.get("person", ""),
    }
    return render(request, "games/moderation/report.html", context, status=refusal.status if refusal else 200)


@require_safe
def conduct(request: HttpRequest) -> HttpResponse:
    """Show what is not allowed, how it is decided, and how often it was."""
    return render(request, "games/moderation/conduct.html", {"page": conduct_page()})


@require_POST
@login_required
def appeal_decision(request: HttpRequest, decision: int) -> HttpResponse:
    """Send an appeal against a decision about the reader."""
    count_report(person(request), client(request))
    try:
        _appeal_decision(person(request), decision, words=request.POST.get("words", ""))
    except (BadRequest, WrongStatus) as error:
        messages.error(request, str(error.sentence))
    else:
        messages.success(request, _("Your appeal is sent. A moderator will answer it on this page."))
    return redirect("decisions")


@never_cache
@require_safe
@login_required
def decisions(request: HttpRequest) -> HttpResponse:
    """Show what moderators have decided about the reader and the reader's reports; it counts as read."""
    user = person(request)
    if request.method != "HEAD":
        read_decisions(user)
    return render(request, "games/moderation/decisions.html", {"page": decisions_page(user)})
