"""The pages of moderators: the queue, a case, the record. For everybody else they do not exist."""

import time
from functools import wraps
from typing import Any

from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts.doors import View, person
from accounts.keys.factors import factor_shown_at, has_second_factor
from accounts.models import User
from games.actions.moderation.answer_appeal import answer_appeal as _answer_appeal
from games.actions.moderation.ask_for_reviews import ask_for_reviews as _ask_for_reviews
from games.actions.moderation.decide_case import DAYS
from games.actions.moderation.decide_case import decide_case as _decide_case
from games.actions.moderation.lift_decision import lift_decision as _lift_decision
from games.errors import BadRequest, WrongStatus
from games.pages.lists.paging import page_number
from games.pages.moderation.desk import appeal_page, case_page, open_appeals, queue, record_page
from games.table.counting import count_case_reviews
from games.views.lists import is_elsewhere, way_without


def moderators_only(view: View) -> View:
    """Answer everybody but moderators as if there were no such page, and ask those once in a while who they are.

    They need a second factor, and are led to where it is set up. A password alone does not do: a session that is older
    than the factor may be a thief's. A login in which the factor was shown counts as having been asked.
    """

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not (isinstance(request.user, User) and request.user.is_moderator):
            raise Http404
        if not has_second_factor(request.user):
            messages.info(request, _("Moderators need a second factor. Switch one on here first."))
            return redirect("mfa_index")
        if not _has_shown_key(request, request.user):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return guarded


def _has_shown_key(request: HttpRequest, user: User) -> bool:
    shown = factor_shown_at(request, user)
    return shown is not None and time.time() - shown < settings.DESK_MINUTES * 60


@require_safe
@moderators_only
def moderation(request: HttpRequest) -> HttpResponse:
    """Show the cases that wait."""
    moderator = person(request)
    context = {"cases": queue(moderator), "appeals": open_appeals(moderator)}
    return render(request, "games/moderation/queue.html", context)


@require_safe
@moderators_only
def moderation_record(request: HttpRequest) -> HttpResponse:
    """Show all that moderators have decided."""
    page = record_page(page_number(request.GET.get("page", "")))
    if is_elsewhere(request, page.number):
        return way_without(request, "page")
    return render(request, "games/moderation/record.html", {"page": page})


@require_http_methods(["GET", "HEAD", "POST"])
@moderators_only
def decide_case(request: HttpRequest, person: int) -> HttpResponse:
    """Show all about a person who was reported; a POST decides, and goes on to the queue."""
    moderator, refusal = _moderator(request), None
    if request.method == "POST":
        try:
            _decide(request, moderator, person)
        except (BadRequest, WrongStatus) as error:
            refusal = error
        else:
            messages.success(request, _("The case is decided. It stands in the record."))
            return redirect("moderation")
    context = {"case": case_page(moderator, person, DAYS), "refusal": refusal, "typed": request.POST}
    return render(request, "games/moderation/case.html", context, status=refusal.status if refusal else 200)


@require_POST
@moderators_only
def ask_for_reviews(request: HttpRequest, person: int) -> HttpResponse:
    """Ask for reviews of a person's latest rated games, and go back to the case."""
    moderator = _moderator(request)
    count_case_reviews(moderator)
    number = _ask_for_reviews(moderator, person)
    text = ngettext("%(n)d game is going to be reviewed.", "%(n)d games are going to be reviewed.", number)
    messages.success(request, text % {"n": number} if number else _("All these games have a review already."))
    return redirect("moderation-case", person)


@require_http_methods(["GET", "HEAD", "POST"])
@moderators_only
def answer_appeal(request: HttpRequest, appeal: int) -> HttpResponse:
    """Show an appeal; a POST answers it, and goes on to the queue."""
    moderator, refusal = person(request), None
    if request.method == "POST":
        try:
            _answer_appeal(moderator, appeal, is_granted="grant" in request.POST, words=request.POST.get("words", ""))
        except BadRequest as error:
            refusal = error
        else:
            messages.success(request, _("The appeal is answered."))
            return redirect("moderation")
    context = {"appeal": appeal_page(moderator, appeal), "refusal": refusal, "typed": request.POST}
    return render(request, "games/moderation/appeal.html", context, status=refusal.status if refusal else 200)


@require_POST
@moderators_only
def lift_decision(request: HttpRequest, decision: int) -> HttpResponse:
    """Take a decision back, and go back to the case."""
    lifted = _lift_decision(person(request), decision, words=request.POST.get("words", ""))
    messages.success(request, _("The decision is taken back. The person reads so."))
    return redirect("moderation-case", lifted.person_id)


def _moderator(request: HttpRequest) -> User:
    return person(request)


def _decide(request: HttpRequest, moderator: User, about: int) -> None:
    """Decide as the form says: its buttons name the measure, and the days where it has an end ("silence 7")."""
    measure, _space, days = request.POST.get("measure", "").partition(" ")
    _decide_case(
        moderator,
        about,
        measure=measure,
        days=_number(days),
        reason=request.POST.get("reason", ""),
        words=request.POST.get("words", ""),
        last=_number(request.POST.get("last", "")),
        lines=[_number(line) for line in request.POST.getlist("line")],
        comments=[_number(comment) for comment in request.POST.getlist("comment")],
    )


def _number(text: str) -> int:
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0
