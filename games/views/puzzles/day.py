"""The puzzles: their list, and one on its board, where every try is a form that is answered with what changes."""

from collections.abc import Sequence

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from accounts import limits
from games.actions.puzzles.take_hint import take_hint as _take_hint
from games.actions.puzzles.try_puzzle import TriedPuzzle, position_with
from games.actions.puzzles.try_puzzle import try_puzzle as _try_puzzle
from games.errors import GameError, NotFound
from games.pages.puzzles.day import SEPARATOR, puzzle_page
from games.pages.puzzles.overview import puzzles_page
from games.queries.puzzles.days import parse_day, puzzle_of, today_of
from games.table.counting import PUZZLES_AN_HOUR
from games.views.errors import with_headers
from games.views.offline import readable_offline
from games.views.play.play import number_in
from games.views.view_request import remember_mode, view_request_of

#: What of a request for placements is read.
_LONGEST = 1000


@require_safe
def puzzles(request: HttpRequest) -> HttpResponse:
    """Show today's puzzle and earlier ones, up to a day if one is asked for."""
    asked = request.GET.get("until", "")
    page = puzzles_page(request.user, today_of(timezone.now()), parse_day(asked) if asked else None)
    return readable_offline(request, render(request, "games/puzzles/page.html", {"page": page}), is_for_all=True)


@require_safe
def todays_puzzle(request: HttpRequest) -> HttpResponse:
    """Lead to the puzzle of today."""
    return redirect("puzzle", today_of(timezone.now()).isoformat())


@require_safe
def puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """Show the puzzle of a day, with what was placed."""
    placed, level = _placed(request.GET.get("placed", "")), number_in(request.GET.get("level", "")) or 0
    return readable_offline(request, _show(request, day, placed=placed, level=level), is_for_all=True)


@require_POST
def puzzle_mode(request: HttpRequest, day: str) -> HttpResponse:
    """Remember whether this browser wants boards in words, and go back to the puzzle."""
    response = redirect("puzzle", parse_day(day).isoformat())
    remember_mode(response, is_spoken=request.POST.get("spoken") == "yes")
    return response


@require_POST
def try_puzzle(request: HttpRequest, day: str) -> HttpResponse:
    """Try one more placement."""
    limits.count_use(f"puzzle:{limits.requester(request)}", PUZZLES_AN_HOUR, 3600)
    placed, move = _placed(request.POST.get("placed", "")), request.POST.get("placement", "")
    level = number_in(request.POST.get("level", "")) or 0
    try:
        tried = _try_puzzle(request.user, parse_day(day), placed=placed, move=move)
    except NotFound:
        raise
    except GameError as error:
        return with_headers(_show(request, day, placed=placed, level=level, error=error), error)
    return _show(request, day, tried=tried, level=level)


@require_POST
def take_hint(request: HttpRequest, day: str) -> HttpResponse:
    """Take the next hint."""
    limits.count_use(f"puzzle:{limits.requester(request)}", PUZZLES_AN_HOUR, 3600)
    placed, on = _placed(request.POST.get("placed", "")), parse_day(day)
    # What was placed and cannot be is refused before the hint is noted.
    position_with(puzzle_of(on, today_of(timezone.now())), placed)
    level = _take_hint(request.user, on, level=number_in(request.POST.get("level", "")) or 0)
    return _show(request, day, placed=placed, level=level)


def _placed(text: str) -> list[str]:
    return [each for each in text[:_LONGEST].split(SEPARATOR) if each]


def _show(
    request: HttpRequest,
    day: str,
    *,
    placed: Sequence[str] = (),
    tried: TriedPuzzle | None = None,
    level: int = 0,
    error: GameError | None = None,
) -> HttpResponse:
    page = puzzle_page(
        request.user,
        parse_day(day),
        today_of(timezone.now()),
        placed=placed,
        tried=tried,
        level=min(level, 3),
        error=error,
        view_request=view_request_of(request, ""),
    )
    is_part = getattr(request, "htmx", False)
    whole = "games/puzzles/spoken.html" if page.is_spoken else "games/puzzles/puzzle.html"
    template = "games/puzzles/fragment.html" if is_part else whole
    context = {"page": page, "notice": page.notice}
    response = render(request, template, context, status=error.status if error else 200)
    if is_part:
        # The address bar says what lies on the board, so that a reload shows the same.
        response["HX-Replace-Url"] = page.current_address
    return response
