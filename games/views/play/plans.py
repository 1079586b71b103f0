"""What a player plans for their next turns: the page on which it is seen and changed, and giving it up."""

import re

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts.doors import person
from accounts.limits import count_use
from games.actions.plans.clear_plan import clear_plan as _clear_plan
from games.actions.plans.set_plan import set_plan
from games.base.plans import MAX_NAMED, OtherMove, PlannedMove, PlannedTurn, with_choice, without_choice
from games.errors import GameError, NotFound, NotSeated
from games.pages.play.plan import PlanPage, plan_page
from games.rules.notation import LONGEST_PLACEMENT
from games.table.counting import PLANS_AN_HOUR
from games.views.errors import with_headers
from games.views.play.play import act, due_in, number_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's own plan, with a move to add if one is named; a POST adds it, or takes a move away."""
    user = person(request)
    asked = request.POST if request.method == "POST" else request.GET
    typed, colour = asked.get("placement", "")[: LONGEST_PLACEMENT + 1], asked.get("colour", "")[:10]
    node = number_in(asked.get("node", "")) or 0
    page = plan_page(user, slug, typed=typed, colour=colour, piece=asked.get("piece", "")[:8], node=node)
    if request.method != "POST":
        return _render(request, page)
    count_use(f"plan:{user.pk}", PLANS_AN_HOUR, 3600)
    try:
        turns, edition = _turns_after(page, request.POST), number_in(asked.get("edition", "")) or 0
        if turns:
            set_plan(user, slug, turns, number=due_in(request), edition=edition)
        else:
            # A second tap, or a page from before a move of the plan, is about another one.
            _clear_plan(user, slug, edition=edition)
    except (NotFound, NotSeated):
        raise
    except GameError as error:
        again = plan_page(user, slug, typed=typed, colour=colour, node=node, error=error)
        return with_headers(_render(request, again, error.status), error)
    if "drop" in request.POST:
        return redirect("game-plan", slug)
    return redirect("game", slug)


@require_POST
@login_required
def clear_plan(request: HttpRequest, slug: str) -> HttpResponse:
    """Give up what was planned."""
    return act(request, slug, lambda user: _clear_plan(user, slug))


def _render(request: HttpRequest, page: PlanPage, status: int = 200) -> HttpResponse:
    return render(request, "games/plan/page.html", {"page": page}, status=status)


def _turns_after(page: PlanPage, sent: QueryDict) -> tuple[PlannedTurn, ...]:
    """Return what the plan is to be: a branch, or without the move that is dropped, or with the one that is added."""
    if page.branch:
        return page.branch.turns if "strictly" in sent else tuple(map(_whatever_happens, page.branch.turns))
    if "drop" in sent:
        turn, _dot, which = sent.get("drop", "").partition(".")
        return without_choice(page.turns, _count(turn), _count(which))
    named = sent.get("other_move", "")[: LONGEST_PLACEMENT + 1].strip()
    others = (OtherMove(sent.get("other", ""), named, sent.get("other_made") != "no"),) if named else ()
    choice = PlannedMove(
        sent.get("placement", "")[: LONGEST_PLACEMENT + 1],
        _named(sent.get("free", "")),
        _named(sent.get("corners", "")),
        others,
    )
    where, colour = sent.get("where", ""), sent.get("colour", "")
    if where.startswith("else-"):
        return with_choice(page.turns, choice, colour, _count(where.removeprefix("else-")))
    return with_choice(page.turns if where == "then" else (), choice, colour)


def _whatever_happens(turn: PlannedTurn) -> PlannedTurn:
    return turn._replace(choices=tuple(choice._replace(others=()) for choice in turn.choices))


def _named(text: str) -> tuple[str, ...]:
    """Return the cells that were typed, one more than may be named at most."""
    return tuple(filter(None, re.split(r"[\s,;]+", text[:200])))[: MAX_NAMED + 1]


def _count(text: str) -> int:
    """Return a place in the plan; nonsense is none."""
    number = number_in(text)
    return -1 if number is None else number
