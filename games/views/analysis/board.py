"""The analysis board of a game: every step is an address or a form, answered with the page or the part that changes."""

from collections.abc import Callable
from dataclasses import replace
from urllib.parse import urlencode

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from accounts.doors import person
from accounts.models import User
from games.actions.analysis.extend_branch import extend_branch as _extend_branch
from games.actions.analysis.name_branch import name_branch as _name_branch
from games.actions.analysis.remove_branch import remove_branch as _remove_branch
from games.actions.analysis.retry_mistake import retry_mistake as _retry_mistake
from games.actions.analysis.undo_branch import undo_branch as _undo_branch
from games.actions.studies.create_study import create_study
from games.errors import GameError, NotFound, NotSeated
from games.pages.analysis.board import AT_PRESENT, analysis_page
from games.pages.analysis.branch_record import branch_record, varied_turns
from games.pages.analysis.branches import branches_page
from games.pages.analysis.compare import compare_page
from games.pages.review.record import reviewed_record
from games.queries.analysis.analyses import AnalysisPlace
from games.table.counting import READ_AN_HOUR, TRIED_AN_HOUR
from games.views.errors import with_headers
from games.views.offline import readable_offline
from games.views.play.play import link_token, number_in


@require_safe
@login_required
def analysis(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the analysis board of a game where it is asked for, by default as the game stands."""
    return _show(request, slug, _place_in(request.GET), piece=request.GET.get("piece", "")[:8])


@require_safe
@login_required
def compare_branches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show two branches side by side: those that end with the tried moves `one` and `other`, 0 for the game itself."""
    one, other = (number_in(request.GET.get(name, "")) for name in ("one", "other"))
    page = compare_page(person(request), slug, one, other, link_token(request))
    return render(request, "games/compare/page.html", {"page": page})


@require_safe
@login_required
def read_branches(request: HttpRequest, slug: str) -> HttpResponse:
    """Show all that the person who asks has tried in a game, to be read, also without a network."""
    page = branches_page(person(request), slug, link_token(request))
    return readable_offline(request, render(request, "games/branches/page.html", {"page": page}))


@require_POST
@login_required
def extend_branch(request: HttpRequest, slug: str) -> HttpResponse:
    """Try a move on the board."""
    place, move = _place_in(request.POST), request.POST.get("placement", "")

    def extend(user: User) -> AnalysisPlace:
        token = link_token(request)
        there = _extend_branch(user, slug, move=move, node=place.node, after=place.after, token=token)
        if not place.node:
            # In place of a move of the game: it may be a mistake of theirs that is tried again.
            _retry_mistake(user, slug, number=there.after + 1, move=move, token=token)
        return there

    return _change(request, slug, place, extend)


@require_POST
@login_required
def name_branch(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the branch that begins with the move shown a name."""
    place = _place_in(request.POST)

    def name(user: User) -> AnalysisPlace:
        called = request.POST.get("name", "")
        _name_branch(user, slug, node=place.node, name=called, edition=_edition(request), token=link_token(request))
        return place

    return _change(request, slug, place, name)


@require_POST
@login_required
def remove_branch(request: HttpRequest, slug: str) -> HttpResponse:
    """Remove the move shown, and all that was tried after it."""
    place = _place_in(request.POST)

    def remove(user: User) -> AnalysisPlace:
        return _remove_branch(user, slug, node=place.node, edition=_edition(request), token=link_token(request))

    return _change(request, slug, place, remove)


@require_POST
@login_required
def undo_branch(request: HttpRequest, slug: str) -> HttpResponse:
    """Undo the last change of the branches, or make it again."""
    is_redo = request.POST.get("what") == "redo"

    def undo(user: User) -> AnalysisPlace:
        return _undo_branch(user, slug, edition=_edition(request), is_redo=is_redo, token=link_token(request))

    return _change(request, slug, _place_in(request.POST), undo)


@require_POST
@login_required
def create_study_from_branch(request: HttpRequest, slug: str) -> HttpResponse:
    """Keep a branch of a finished game as a study, and go to it at its first tried move; or all branches together."""
    user, token = person(request), link_token(request)
    # Before the work, which is what is to be limited.
    limits.count_use(f"study:{user.pk}", READ_AN_HOUR, 3600)
    if request.POST.get("what") == "tree":
        whole = replace(reviewed_record(user, slug, token), varied=varied_turns(user, slug, token))
        return redirect("study", create_study(user, whole).slug)
    record = branch_record(user, slug, _place_in(request.POST), token)
    study = create_study(user, record)
    return redirect(f"{reverse('study', args=[study.slug])}?move={min(record.comments)}")


def _change(
    request: HttpRequest, slug: str, place: AnalysisPlace, action: Callable[[User], AnalysisPlace]
) -> HttpResponse:
    """Do it and go where it leads; refused, show the place again with the sentence that says why."""
    user = person(request)
    limits.count_use(f"tried:{user.pk}", TRIED_AN_HOUR, 3600)
    try:
        there = action(user)
    except (NotFound, NotSeated):
        raise
    except GameError as error:
        return with_headers(_show(request, slug, place, error=error), error)
    if getattr(request, "htmx", False):
        return _show(request, slug, there)
    asked = {"token": token} if (token := link_token(request)) else {}
    found = {"node": there.node} if there.node else {"move": there.after}
    return redirect(f"{reverse('game-analysis', args=[slug])}?{urlencode(asked | found)}")


def _show(
    request: HttpRequest, slug: str, place: AnalysisPlace, *, piece: str = "", error: GameError | None = None
) -> HttpResponse:
    page = analysis_page(person(request), slug, link_token(request), place, piece=piece, error=error)
    is_part = getattr(request, "htmx", False)
    template = "games/analysis/fragment.html" if is_part else "games/analysis/page.html"
    response = render(request, template, {"page": page, "notice": page.notice}, status=error.status if error else 200)
    if is_part:
        # The address bar says where the board is, so that a reload shows the same.
        response["HX-Replace-Url"] = page.here
    return response


def _place_in(asked: QueryDict) -> AnalysisPlace:
    """Return the place that a request is about; nonsense is none, and the game as it stands."""
    node, after = number_in(asked.get("node", "")), number_in(asked.get("move", ""))
    return AnalysisPlace(node or 0, AT_PRESENT.after if after is None else after)


def _edition(request: HttpRequest) -> int:
    """Return the edition of the branches that the page showed; nonsense is one that is never stored."""
    return number_in(request.POST.get("edition", "")) or 0
