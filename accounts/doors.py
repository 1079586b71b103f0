"""Which people may open a page."""

from collections.abc import Callable
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account.utils import get_login_redirect_url
from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponseBase, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User

View = Callable[..., HttpResponseBase]


def person(request: HttpRequest) -> User:
    """Return who is logged in.

    Raises: PermissionDenied for an anonymous visitor, which a view behind `login_required` never sees.
    """
    if not isinstance(request.user, User):
        raise PermissionDenied
    return request.user


def own_bot_of(operator: User, pk: int) -> User:
    """Return the bot account of that number, for the person who answers for it. One query.

    Raises: Http404 if there is none, or another person's.
    """
    bot = User.objects.filter(pk=pk, operator=operator).first()
    if bot is None:
        raise Http404
    return bot


def own_child_of(guardian: User, pk: int) -> User:
    """Return the child's account of that number, for the person who keeps it. One query.

    Raises: Http404 if there is none, or another person's.
    """
    child = User.objects.filter(pk=pk, guardian=guardian, is_active=True).first()
    if child is None:
        raise Http404
    return child


def members_only(view: View) -> View:
    """Send strangers to log in and guests to claim their account first; then they are where they wanted to be."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if getattr(request.user, "is_guest", False):
            return _claim_first(request.get_full_path() if request.method in {"GET", "HEAD"} else "")
        return view(request, *args, **kwargs)

    return login_required(guarded)


def signed_in_only(view: View) -> View:
    """Send strangers to sign up."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, *args, **kwargs) if request.user.is_authenticated else redirect("account_signup")

    return guarded


def guests_only(view: View) -> View:
    """Send strangers to sign up and members to their account."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        return view(request, *args, **kwargs) if person(request).is_guest else redirect("account")

    return signed_in_only(guarded)


def not_for_members(view: View) -> View:
    """Send who is logged in already, guests not counted, where the login would lead."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.user.is_authenticated and not request.user.is_guest:
            # Not redirect(): it would take an address typed by hand for the name of a page.
            return HttpResponseRedirect(get_login_redirect_url(request))
        return view(request, *args, **kwargs)

    return guarded


def strangers_only(view: View) -> View:
    """Like `not_for_members`, and send guests to claim the account they have."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if getattr(request.user, "is_guest", False):
            return _claim_first(request.GET.get("next", ""))
        return view(request, *args, **kwargs)

    return not_for_members(guarded)


def while_sign_up_is_open(view: View) -> View:
    """Say that nobody makes an account here by themselves, where the host wants it so (`SIGN_UP`)."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if settings.SIGN_UP != "open":
            return render(request, "account/signup_closed.html", status=HTTPStatus.FORBIDDEN)
        return view(request, *args, **kwargs)

    return guarded


def _claim_first(goal: str) -> HttpResponseRedirect:
    """Send a guest to claim the account, and from there to an address, which that page checks."""
    return HttpResponseRedirect(reverse("guest-claim", query={"next": goal} if goal else None))
