"""The board of a study: every step is an address or a form, answered with the page or the part that changes."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts.doors import person
from games.actions.studies.remove_variation import remove_variation as _remove_variation
from games.actions.studies.undo_variation import undo_variation as _undo_variation
from games.errors import GameError, NotFound
from games.pages.analysis.study_board import study_board_page
from games.pages.analysis.study_branches import study_branches_page
from games.pages.analysis.study_compare import study_compare_page
from games.table.counting import count_variation
from games.table.texts.comments import CommentPlace, place_query
from games.views.errors import with_headers
from games.views.offline import readable_offline
from games.views.play.play import number_in


@require_safe
@login_required
def study_board(request: HttpRequest, study: str) -> HttpResponse:
    """Show the board of a study after `?move=N` moves, by default at its end; with `?branch=N` those of a variation."""
    branch, move = number_in(request.GET.get("branch", "")) or 0, number_in(request.GET.get("move", ""))
    return _show(request, study, branch, move, piece=request.GET.get("piece", "")[:8])


@require_safe
def compare_variations(request: HttpRequest, study: str) -> HttpResponse:
    """Show two variations of a study side by side: those up to the varied turns `one` and `other`, 0 for the game."""
    one, other = (number_in(request.GET.get(name, "")) for name in ("one", "other"))
    page = study_compare_page(request.user, study, one, other)
    return render(request, "games/studies/compare.html", {"page": page})


@require_safe
def read_variations(request: HttpRequest, study: str) -> HttpResponse:
    """Show the game of a study and all its variations, to be read, also without a network."""
    page = study_branches_page(request.user, study)
    return readable_offline(request, render(request, "games/studies/branches.html", {"page": page}))


@require_POST
@login_required
def remove_variation(request: HttpRequest, study: str) -> HttpResponse:
    """Remove the move shown from the variations of a study, and all that follows it."""
    user = person(request)
    count_variation(user)
    branch, edition = number_in(request.POST.get("branch", "")) or 0, number_in(request.POST.get("edition", "")) or 0
    try:
        place = _remove_variation(user, study, branch=branch, edition=edition)
    except NotFound:
        raise
    except GameError as error:
        return refused_on_board(request, study, branch, number_in(request.POST.get("move", "")), error)
    return answer_on_board(request, study, place)


@require_POST
@login_required
def undo_variation(request: HttpRequest, study: str) -> HttpResponse:
    """Undo the last change of the variations of a study, or make it again."""
    user = person(request)
    count_variation(user)
    branch, edition = number_in(request.POST.get("branch", "")) or 0, number_in(request.POST.get("edition", "")) or 0
    try:
        place = _undo_variation(user, study, edition=edition, is_redo=request.POST.get("what") == "redo")
    except NotFound:
        raise
    except GameError as error:
        return refused_on_board(request, study, branch, number_in(request.POST.get("move", "")), error)
    return answer_on_board(request, study, place)


def answer_on_board(request: HttpRequest, study: str, place: CommentPlace) -> HttpResponse:
    """Go on the board where a change led."""
    if getattr(request, "htmx", False):
        return _show(request, study, place.variation, place.move)
    return redirect(f"{reverse('study-board', args=[study])}?{place_query(place)}")


def refused_on_board(request: HttpRequest, study: str, branch: int, move: int | None, error: GameError) -> HttpResponse:
    """Show the board again with the sentence that says why a change is refused."""
    return with_headers(_show(request, study, branch, move, error=error), error)


def _show(
    request: HttpRequest,
    study: str,
    branch: int,
    move: int | None,
    *,
    piece: str = "",
    error: GameError | None = None,
) -> HttpResponse:
    page = study_board_page(request.user, study, branch, move, piece=piece, error=error)
    is_part = getattr(request, "htmx", False)
    template = "games/studies/board/fragment.html" if is_part else "games/studies/board/page.html"
    response = render(request, template, {"page": page, "notice": page.notice}, status=error.status if error else 200)
    if is_part:
        # The address bar says where the board is, so that a reload shows the same.
        response["HX-Replace-Url"] = page.here
    return response
