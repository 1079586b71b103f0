"""What a child's account may open: the addresses that are listed here, and no others."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from allauth.account.decorators import reauthentication_required
from allauth.core.exceptions import ReauthenticationRequired
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, HttpResponseRedirect
from django.urls import reverse
from django.utils.deprecation import MiddlewareMixin
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache

from accounts.doors import View, members_only
from accounts.models import User
from games.errors import NotSeated
from games.views.errors import answer

SENTENCE = _("This is not part of a child's account. Ask the adult who takes care of you.")

#: The names of all addresses that a child may use; `tests/reliability/matrix.txt` says of each why.
OPEN = frozenset(
    {
        # Its own games, at tables that are sheltered, and moves there.
        *("home", "my-games", "waiting", "play-bots-now", "play-friend-now", "child-ask", "child-enter"),
        *("game", "game-board", "game-placements", "game-place", "game-pass", "game-resign", "game-back"),
        *("game-join", "game-seat", "game-leave", "game-cancel", "game-decline", "game-fill", "game-rematch"),
        *("game-pause-ask", "game-pause-agree", "game-pause-drop", "game-pause-end", "game-give-day"),
        *("game-takeback-ask", "game-takeback-agree", "game-takeback-drop", "game-plan", "game-plan-clear"),
        *("game-mode", "game-ask", "game-typed", "game-note", "game-advice", "game-why", "game-away"),
        *("game-reaction", "game-compare", "game-branches"),
        *("game-analysis", "game-analysis-try", "game-analysis-name", "game-analysis-remove", "game-analysis-undo"),
        *("game-record-blksgf", "game-record-json", "game-picture", "game-animation", "player"),
        *("game-talk", "game-talk-lines", "replay", "review", "review-ask", "review-cancel"),
        # Its notices and devices, and how the site looks.
        *("notices", "notice-choices", "device", "device-stop", "device-test", "preferences", "language", "time-zone"),
        "notice-picture",
        # Its account, its data, and how it logs in.
        *("account", "own-data", "own-archive", "account_login", "account_logout", "account_inactive"),
        *("account_reauthenticate", "account_change_password", "account_set_password", "mfa_index"),
        *("logins-end", "login-end", "change-password"),
        # What moderators have decided about it.
        *("decisions", "decision-appeal", "conduct"),
        # What shows no people.
        *("rules", "learn", "bots", "bot", "openings", "opening", "privacy", "offline", "health", "metrics"),
        # Puzzles, which are solved alone.
        *("puzzles", "puzzle-today", "puzzle", "puzzle-mode", "puzzle-try", "puzzle-hint"),
        *("manifest", "favicon", "robots", "service-worker", "security-txt"),
    }
)


def guardian(view: View, form_on: str = "") -> View:
    """Show a page to members who have just shown again who they are; `form_on` is the page of a form that has none.

    Nothing of a form that comes later is kept until they have: a child's password would lie in the session.
    """
    shown: View = reauthentication_required(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        try:
            return shown(request, *args, **kwargs)
        except ReauthenticationRequired:
            if request.method != "POST":
                raise
        messages.info(request, _("Nothing has changed yet. Send the form again."))
        page = reverse(form_on, kwargs=kwargs) if form_on else request.path
        return HttpResponseRedirect(reverse("account_reauthenticate", query={"next": page}))

    return never_cache(members_only(guarded))


class ChildMiddleware(MiddlewareMixin):
    """Answer a child 403 at every address that is not open to it, whatever the method; it is the API's too.

    Children have no tokens: what the API shows without one is shown to no browser in which a child is logged in.
    """

    def process_view(
        self, request: HttpRequest, view: Callable[..., HttpResponse], args: Any, kwargs: Any
    ) -> HttpResponse | None:
        """Return the refusal for a child, None for everybody else. No query but that for the person."""
        name = str(request.resolver_match.view_name) if request.resolver_match else ""
        if settings.SESSION_COOKIE_NAME not in request.COOKIES or name in OPEN:
            return None
        if not isinstance(request.user, User) or not request.user.is_child:
            return None
        return answer(request, NotSeated(SENTENCE, code="child"), is_child=True)
