"""What was sent when it had to be shown again who it is: it waits in the session until then, for some minutes.

allauth would keep the whole request there, with the address that it came from and a new password in clear, and do it
whenever its page is opened next.
"""

import time
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.reauthentication import STATE_SESSION_KEY
from allauth.account.utils import get_next_redirect_url
from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect, QueryDict
from django.http.response import HttpResponseBase
from django.urls import resolve, reverse
from django.utils.http import urlencode
from django.utils.translation import gettext as _

#: For how many seconds a form waits, and how long it may be.
FORM_WAITS, LONGEST_FORM = 600, 20_000
#: What goes on with it, by allauth's name of this module.
GO_ON = "accounts.keys.again.go_on"


def ask_again(request: HttpRequest) -> HttpResponseBase:
    """Send a person to where they show again who they are, and from there back to this page.

    A form that they have sent waits meanwhile, unless it has a password in it: then it is to be sent again. One that
    waited before is given up, for another page was asked for since.
    """
    request.session.pop(STATE_SESSION_KEY, None)
    if request.method == "POST" and request.user.is_authenticated:
        fields = request.POST.copy()
        # Looked at by now: it belongs to a page that is gone.
        fields.pop("csrfmiddlewaretoken", None)
        form = fields.urlencode()
        if len(form) <= LONGEST_FORM and not any("password" in name for name in fields):
            state = {"page": request.get_full_path(), "path": request.path_info, "form": form, "at": time.time()}
            request.session[STATE_SESSION_KEY] = {"callback": GO_ON, "state": state}
        else:
            messages.info(request, _("Nothing has changed yet. Send the form again."))
    ways = get_adapter().get_reauthentication_methods(request.user)
    way = ways[0]["url"] if ways else reverse("account_login")
    return HttpResponseRedirect(f"{way}?{urlencode({'next': request.get_full_path()})}")


def go_on(request: HttpRequest, waiting: dict[str, Any]) -> HttpResponseBase | None:
    """Do what was sent, as if it were sent now; return None where it is over, or another page is gone on to."""
    page = get_next_redirect_url(request)
    if not page or page != waiting.get("page") or time.time() - waiting.get("at", 0) > FORM_WAITS:
        return None
    path, _mark, query = page.partition("?")
    request.GET, request.POST = QueryDict(query), QueryDict(waiting["form"])
    request.path, request.path_info = path, waiting["path"]
    request.resolver_match = found = resolve(waiting["path"])
    answer: HttpResponseBase = found.func(request, *found.args, **found.kwargs)
    return answer
