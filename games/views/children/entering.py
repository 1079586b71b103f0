"""What children do themselves: get in by a guardian's link, and ask for people to play with."""

from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from accounts import limits
from accounts.children.keeping import child_of_link, use_link
from accounts.doors import person
from accounts.guests import BACKEND
from games.actions.children.ask_to_meet import ask_to_meet as _ask_to_meet
from games.errors import BadRequest, TooMany
from games.table.counting import count_asking

#: How often one address may try links in an hour.
LINKS_AN_HOUR = 60


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def enter(request: HttpRequest, secret: str) -> HttpResponse:
    """Show the button that logs this device in as a child; a POST does it, once.

    Programs that look at links before people do only GET, and use nothing up.
    """
    limits.count_use(f"child-link:{limits.client(request)}", LINKS_AN_HOUR, 3600)
    now = timezone.now()
    child = use_link(secret, now) if request.method == "POST" else child_of_link(secret, now)
    if child is None:
        return render(request, "games/children/enter.html", {"child": None}, status=404)
    if request.method != "POST":
        return render(request, "games/children/enter.html", {"child": child})
    login(request, child, backend=BACKEND)
    messages.success(request, _("Welcome, %(name)s.") % {"name": child.username})
    return redirect("home")


@require_POST
@login_required
def ask_to_meet(request: HttpRequest) -> HttpResponse:
    """Note for the guardian with whom the child wants to play."""
    child = person(request)
    count_asking(child)
    try:
        _ask_to_meet(child, request.POST.get("username", ""))
    except (BadRequest, TooMany) as error:
        messages.error(request, str(error.sentence))
    else:
        messages.success(request, _("Your adult can read that now, and decides."))
    return redirect("home")
