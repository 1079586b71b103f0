"""Records that people keep to study."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import limits
from accounts.doors import person
from accounts.guests import ensure_player
from accounts.models import User
from games.actions.studies.create_study import create_study
from games.actions.studies.delete_study import delete_study as _delete_study
from games.actions.studies.share_study import share_study as _share_study
from games.base import access
from games.forms.study import StudyForm
from games.pages.analysis.studies import studies_page, study_page
from games.pages.lists.paging import page_number
from games.pages.review.record import reviewed_record
from games.table.counting import READ_AN_HOUR
from games.views.analysis.replay import move_number
from games.views.game.play import link_token, number_in
from games.views.lists import is_elsewhere, way_without


@require_http_methods(["GET", "HEAD", "POST"])
def studies(request: HttpRequest) -> HttpResponse:
    """Show the studies of the person who asks, or keep one more."""
    if request.method == "POST":
        return _open(request)
    return _show(request, StudyForm())


def _open(request: HttpRequest) -> HttpResponse:
    limits.count_use(f"study:{limits.requester(request)}", READ_AN_HOUR, 3600)
    form = StudyForm(request)
    if not form.is_valid() or form.read is None:
        return _show(request, form, 422)
    # Only now: no guest is made for a file that cannot be read.
    study = create_study(ensure_player(request), form.read, title=form.cleaned_data["title"])
    return redirect("study", study.slug)


@require_POST
@login_required
def create_study_from_game(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep a finished game as a study, with what its review has found, and go to it at the same move."""
    user, token = person(request), link_token(request)
    # A game that the person may not see takes nothing off their limit.
    access.game_to_view(user, slug, token)
    limits.count_use(f"study:{user.pk}", READ_AN_HOUR, 3600)
    study = create_study(user, reviewed_record(user, slug, token))
    number = number_in(request.POST.get("move", ""))
    return redirect(reverse("study", args=[study.slug]) + ("" if number is None else f"?move={number}"))


def _show(request: HttpRequest, form: StudyForm, status: int = 200) -> HttpResponse:
    user = request.user if isinstance(request.user, User) else None
    page = studies_page(user, page_number(request.GET.get("page", "")))
    if request.method != "POST" and is_elsewhere(request, page.number):
        return way_without(request, "page")
    return render(request, "games/studies/page.html", {"page": page, "form": form}, status=status)


@require_safe
def study(request: HttpRequest, study: str) -> HttpResponse:
    """Show a study after `?move=N` moves, by default after the last; with `?branch=N` those of a variation."""
    branch = number_in(request.GET.get("branch", "")) or 0
    page = study_page(request.user, study, move_number(request), branch)
    return render(request, "games/studies/study.html", {"page": page})


@require_POST
@login_required
def share_study(request: HttpRequest, study: str) -> HttpResponse:
    """Share the study with everybody who has its link, or with no one."""
    _share_study(person(request), study, is_shared=request.POST.get("shared") == "yes")
    return redirect("study", study)


@require_POST
@login_required
def delete_study(request: HttpRequest, study: str) -> HttpResponse:
    """Throw a study away."""
    _delete_study(person(request), study)
    messages.success(request, _("The study has been deleted."))
    return redirect("studies")
