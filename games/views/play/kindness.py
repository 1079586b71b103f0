"""Time that players give each other."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.views.decorators.http import require_POST

from accounts.doors import person
from accounts.limits import client
from games.actions.kindness.give_day import give_day as _give_day
from games.table.counting import count_gift
from games.views.play.play import act, due_in


@require_POST
@login_required
def give_day(request: HttpRequest, slug: str) -> HttpResponse:
    """Give the player whose turn it is one more day."""
    count_gift(person(request), client(request))
    return act(request, slug, lambda user: _give_day(user, slug, number=due_in(request)))
