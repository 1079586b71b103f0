"""Open a table."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from games.actions.create_game import create_game
from games.errors import BadRequest
from games.forms import NewGameForm
from games.queries.create import companions


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_game(request: HttpRequest) -> HttpResponse:
    """Show the form for the variant asked for, or open the table that it describes."""
    user = person(request)
    asked = {name: request.GET.get(name, "") for name in ("variant", "opponent")}
    form = NewGameForm(request.POST or None, **asked)
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("game", create_game(user, form.setup()).slug)
        except BadRequest as error:
            form.refuse(error)
    status = 422 if form.errors else 200
    return render(request, "games/create/page.html", {"form": form, "companions": companions(user)}, status=status)
