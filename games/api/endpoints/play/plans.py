"""What players plan for their next turns."""

from django.http import HttpRequest

from accounts import limits
from accounts.doors import person
from games.actions.plans.clear_plan import clear_plan as _clear_plan
from games.actions.plans.set_plan import set_plan as _set_plan
from games.api.door import PLAYING
from games.api.endpoints.answers import responses, router
from games.api.plans import PlanOut, PlanRequest, own_plan
from games.table.counting import PLANS_AN_HOUR


@router.get(
    "games/{slug}/plan", auth=PLAYING, response=responses(PlanOut, 404, 409), url_name="api-plan", tags=["plans"]
)
def show_plan(request: HttpRequest, slug: str) -> PlanOut:
    """Show what you have planned for your next turns in a game; only you can see it."""
    return own_plan(person(request), slug)


@router.post(
    "games/{slug}/plan", auth=PLAYING, response=responses(PlanOut, 404, 409, 422), url_name="api-plan", tags=["plans"]
)
def set_plan(request: HttpRequest, slug: str, wish: PlanRequest) -> PlanOut:
    """Plan your next turns: the site makes the first move of each list that it can as soon as the turn begins."""
    user = person(request)
    limits.count_use(f"plan:{user.pk}", PLANS_AN_HOUR, 3600)
    _set_plan(user, slug, wish.planned(), number=wish.number, edition=wish.edition)
    return own_plan(user, slug)


@router.post(
    "games/{slug}/plan/clear",
    auth=PLAYING,
    response=responses(PlanOut, 404, 409),
    url_name="api-plan-clear",
    tags=["plans"],
)
def clear_plan(request: HttpRequest, slug: str) -> PlanOut:
    """Give up what you have planned in a game."""
    user = person(request)
    _clear_plan(user, slug)
    return own_plan(user, slug)
