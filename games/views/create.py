"""Open a table."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from games.actions.create_game import create_game
from games.errors import BadRequest
from games.forms.table import NewGameForm
from games.queries.create import companions


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def new_game(request: HttpRequest) -> HttpResponse:
    """Show the form for the variant asked for, or open the table that it describes.

    A button that chooses a variant leads to the form for it, filled in as far as this one was.
    """
    user = person(request)
    form = NewGameForm(request.POST or None, asked=request.GET)
    if "show" in request.POST:
        return redirect(f"{reverse('new-game')}?{form.as_asked(request.POST['show'])}#variant")
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("game", create_game(user, form.setup()).slug)
        except BadRequest as error:
            form.refuse(error)
    status = 422 if form.errors else 200
    return render(request, "games/create/page.html", {"form": form, "companions": companions(user)}, status=status)
