"""Time that players give each other."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from games.actions.kindness.give_day import give_day as _give_day
from games.views.play.play import act, due_in


@require_POST
@login_required
def give_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the player whose turn it is one more day."""
    return act(request, slug, lambda user: _give_day(user, slug, number=due_in(request)))
