"""Setting up a position by hand, to study it."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods

from accounts import limits
from accounts.guests import ensure_player
from games.actions.studies.create_study import create_study
from games.forms.set_up import SetUpForm
from games.pages.analysis.set_up import boards_to_set_up
from games.rules.variants import get_variant
from games.table.counting import READ_AN_HOUR


@require_http_methods(["GET", "HEAD", "POST"])
def set_up_position(request: HttpRequest) -> HttpResponse:
    """Show the boards, or the form of the one that is chosen; keep what was set up as a study and go to its board."""
    asked = request.POST if request.method == "POST" else request.GET
    boards = boards_to_set_up()
    chosen = next((each for each in boards if each.variant == asked.get("board")), None)
    if chosen is None:
        return render(request, "games/set_up/page.html", {"boards": boards}, status=422 if asked.get("board") else 200)
    form = SetUpForm(get_variant(chosen.variant), request.POST if request.method == "POST" else None)
    if request.method == "POST":
        limits.count_use(f"study:{limits.requester(request)}", READ_AN_HOUR, 3600)
        if form.is_valid() and form.record is not None:
            study = create_study(ensure_player(request), form.record, title=form.cleaned_data["title"])
            return redirect("study-board", study.slug)
    status = 422 if form.errors else 200
    return render(request, "games/set_up/page.html", {"boards": boards, "chosen": chosen, "form": form}, status=status)
