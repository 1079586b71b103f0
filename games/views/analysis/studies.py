"""Records that people keep to study."""

from dataclasses import replace
from typing import TYPE_CHECKING

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
from games.actions.studies.add_editor import add_editor as _add_editor
from games.actions.studies.add_variation import add_variation as _add_variation
from games.actions.studies.create_study import create_study
from games.actions.studies.delete_study import delete_study as _delete_study
from games.actions.studies.leave_study import leave_study as _leave_study
from games.actions.studies.name_variation import name_variation as _name_variation
from games.actions.studies.remove_comment import remove_comment as _remove_comment
from games.actions.studies.remove_editor import remove_editor as _remove_editor
from games.actions.studies.share_study import share_study as _share_study
from games.actions.studies.write_comment import write_comment as _write_comment
from games.base import access
from games.errors import GameError, NotFound, WrongStatus
from games.forms.study import StudyForm
from games.pages.analysis.studies import refusal_text, studies_page, study_page
from games.pages.lists.paging import page_number
from games.pages.review.record import reviewed_record
from games.table.counting import READ_AN_HOUR, count_comment, count_study_change, count_variation
from games.table.people.relations import NO_PLAYER
from games.table.texts.comments import comment_query, place_query
from games.views.analysis.replay import move_number
from games.views.analysis.study_board import answer_on_board, refused_on_board
from games.views.errors import with_headers
from games.views.lists import is_elsewhere, way_without
from games.views.play.play import link_token, number_in

if TYPE_CHECKING:
    from games.models import StudyComment


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
    # An opening is opened to try moves from it.
    return redirect("study-board" if request.POST.get("then") == "board" else "study", study.slug)


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
    page, others = studies_page(user, page_number(request.GET.get("page", "")))
    if request.method != "POST" and is_elsewhere(request, page.number):
        return way_without(request, "page")
    return render(request, "games/studies/page.html", {"page": page, "form": form, "others": others}, status=status)


@require_safe
def study(request: HttpRequest, study: str) -> HttpResponse:
    """Show a study after `?move=N` moves, by default after the last; with `?branch=N` those of a variation."""
    branch = number_in(request.GET.get("branch", "")) or 0
    page = study_page(request.user, study, move_number(request), branch)
    return render(request, "games/studies/study.html", {"page": page})


@require_POST
@login_required
def write_comment(request: HttpRequest, study: str) -> HttpResponse:
    """Keep a comment at a position of a study, and go there; refused, show the page with what was typed."""
    user, text = person(request), request.POST.get("text", "")
    count_comment(user)
    move, branch = number_in(request.POST.get("move", "")), number_in(request.POST.get("branch", "")) or 0
    try:
        kept = _write_comment(
            user, study, move=-1 if move is None else move, branch=branch, text=text, edition=_edition(request)
        )
    except NotFound:
        raise
    except GameError as error:
        page = replace(study_page(user, study, move, branch), draft=text, refusal=str(error.sentence))
        shown = render(request, "games/studies/study.html", {"page": page}, status=error.status)
        return with_headers(shown, error)
    return redirect(_address_of(study, kept))


@require_POST
@login_required
def remove_comment(request: HttpRequest, study: str, comment: int) -> HttpResponse:
    """Take a comment out of a study, and show where it stood."""
    user = person(request)
    count_study_change(user)
    try:
        gone = _remove_comment(user, study, comment, edition=_edition(request))
    except WrongStatus as error:
        messages.error(request, str(error.sentence))
        return redirect("study", study)
    messages.success(request, _("The comment has been removed."))
    return redirect(_address_of(study, gone))


@require_POST
@login_required
def add_variation(request: HttpRequest, study: str, *, is_on_board: bool = False) -> HttpResponse:
    """Try another move at a position of a study, and go there; refused, show the page with what was typed.

    What was tried on the study's board is answered there.
    """
    user, typed = person(request), request.POST.get("placement", "")
    count_variation(user)
    move, branch = number_in(request.POST.get("move", "")), number_in(request.POST.get("branch", "")) or 0
    try:
        place = _add_variation(
            user, study, move=-1 if move is None else move, branch=branch, placement=typed, edition=_edition(request)
        )
    except NotFound:
        raise
    except GameError as error:
        if is_on_board:
            return refused_on_board(request, study, branch, move, error)
        page = replace(study_page(user, study, move, branch), typed=typed[:200], untried=refusal_text(error))
        shown = render(request, "games/studies/study.html", {"page": page}, status=error.status)
        return with_headers(shown, error)
    if is_on_board:
        return answer_on_board(request, study, place)
    return redirect(f"{reverse('study', args=[study])}?{place_query(place)}")


@require_POST
@login_required
def name_variation(request: HttpRequest, study: str) -> HttpResponse:
    """Call a variation of a study as asked; refused, show the page with what was typed, or the board it came from."""
    user, name = person(request), request.POST.get("name", "")
    count_study_change(user)
    move, branch = number_in(request.POST.get("move", "")), number_in(request.POST.get("branch", "")) or 0
    is_on_board = request.POST.get("then") == "board"
    try:
        _name_variation(user, study, branch=branch, name=name, edition=_edition(request))
    except NotFound:
        raise
    except GameError as error:
        if is_on_board:
            return refused_on_board(request, study, branch, move, error)
        page = replace(study_page(user, study, move, branch), called=name[:200], uncalled=str(error.sentence))
        shown = render(request, "games/studies/study.html", {"page": page}, status=error.status)
        return with_headers(shown, error)
    there = reverse("study-board" if is_on_board else "study", args=[study])
    return redirect(f"{there}?branch={branch}&move={move or 0}")


@require_POST
@login_required
def add_editor(request: HttpRequest, study: str) -> HttpResponse:
    """Add an editor to the study; refused, show the page with the name that was typed."""
    user, name = person(request), request.POST.get("name", "").strip()
    count_study_change(user)
    try:
        made = _add_editor(user, study, name)
    except NotFound:
        access.study_to_view(user, study)
        return _unnamed(request, study, name, NotFound(NO_PLAYER))
    except GameError as error:
        return _unnamed(request, study, name, error)
    messages.success(request, _("%(name)s can write in this study now.") % {"name": made.person.shown_name})
    return redirect(f"{reverse('study', args=[study])}#writers")


def _unnamed(request: HttpRequest, study: str, name: str, error: GameError) -> HttpResponse:
    page = replace(study_page(request.user, study), named=name, unnamed=str(error.sentence))
    shown = render(request, "games/studies/study.html", {"page": page}, status=error.status)
    return with_headers(shown, error)


@require_POST
@login_required
def remove_editor(request: HttpRequest, study: str) -> HttpResponse:
    """Take from a person the right to write in the study."""
    user, name = person(request), request.POST.get("name", "")
    count_study_change(user)
    _remove_editor(user, study, name)
    messages.success(request, _("%(name)s no longer writes in this study.") % {"name": name})
    return redirect(f"{reverse('study', args=[study])}#writers")


@require_POST
@login_required
def leave_study(request: HttpRequest, study: str) -> HttpResponse:
    """Give back the right to write in the study of another."""
    user = person(request)
    count_study_change(user)
    _leave_study(user, study)
    messages.success(request, _("You do not write in this study any more."))
    return redirect("studies")


def _address_of(study: str, comment: "StudyComment") -> str:
    return f"{reverse('study', args=[study])}?{comment_query(comment)}"


def _edition(request: HttpRequest) -> int:
    """Return the edition of the study that the page showed; nonsense is one that is never stored."""
    return number_in(request.POST.get("edition", "")) or 0


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
