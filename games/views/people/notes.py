"""What a player has written down about a game."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.doors import person
from accounts.limits import client
from games.actions.people.keep_note import keep_note
from games.errors import BadRequest, WrongStatus
from games.pages.people.notes import note_page
from games.table.counting import count_note
from games.views.play.play import number_in


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@login_required
def note(request: HttpRequest, slug: str) -> HttpResponse:
    """Show a player's own note about a game; a POST stores it, or shows again what was typed."""
    user = person(request)
    page = note_page(user, slug)
    if request.method != "POST":
        return render(request, "games/note/page.html", {"page": page, "text": page.text})
    count_note(user, client(request))
    text, edition = request.POST.get("text", ""), number_in(request.POST.get("edition", ""))
    try:
        keep_note(user, slug, text, edition or 0)
    except (BadRequest, WrongStatus) as refusal:
        is_changed = isinstance(refusal, WrongStatus)
        context = {"page": page, "text": text, "refusal": refusal, "is_changed": is_changed}
        return render(request, "games/note/page.html", context, status=refusal.status)
    messages.success(request, _("Your note is saved."))
    return redirect("game-note", slug)
