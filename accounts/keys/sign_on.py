"""The host's own sign-on: logging in by it, a name at the first time, adding it to an account and taking it away."""

import time
from functools import wraps
from http import HTTPStatus
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.internal.flows.login import perform_login, record_authentication
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from django.conf import settings
from django.contrib import messages
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from accounts import guests, limits
from accounts.doors import not_for_members, person
from accounts.forms.entrance import NAME_JUST_TAKEN
from accounts.forms.own import SignOnNameForm
from accounts.keys.changes import note_account_change
from accounts.keys.views import own, own_and_fresh
from accounts.models import ChangeKind, User
from accounts.sign_on.linked import (
    OnlyWayIn,
    OtherPerson,
    OthersAccount,
    keep_address,
    link_account,
    link_of,
    linked_person,
    unlink_account,
)

#: How often the provider may be asked from one address in a minute: a school behind one address comes at once.
ASKED_A_MINUTE = 120
#: Where a session keeps whom the provider has named, until they have chosen a name here; and for how many seconds.
NEWCOMER, NEWCOMER_KEPT = "accounts.newcomer", 1800
#: For how many seconds a session is kept of somebody who has gone to the provider and not come back.
WAY_KEPT = 3600
#: What a person goes to the provider for: to log in, to add it to their account, to show again who they are.
LOGIN, LINK, AGAIN = "login", "link", "again"
#: How much earlier than they went there the provider may have asked them, as its clock has it, in seconds.
CLOCKS_DIFFER = 30


def with_provider(view: Any) -> Any:
    """Find no such page where the host has set no provider."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if not settings.SIGN_ON:
            raise Http404
        answer: HttpResponseBase = view(request, *args, **kwargs)
        return answer

    return guarded


@require_POST
@never_cache
@with_provider
@not_for_members
def sign_on(request: HttpRequest) -> HttpResponse:
    """Send a stranger or a guest to the provider."""
    return _sent(request, LOGIN, get_next_redirect_url(request) or "")


@require_POST
@with_provider
@own_and_fresh
def add_sign_on(request: HttpRequest) -> HttpResponse:
    """Send a member to the provider, who comes back as a person that opens this account."""
    return _sent(request, LINK, reverse("mfa_index"))


@require_http_methods(["GET", "HEAD", "POST"])
@with_provider
@own
def again_by_sign_on(request: HttpRequest) -> HttpResponse:
    """Show by the provider again who it is, where there is nothing else to show."""
    on = get_next_redirect_url(request) or reverse("account")
    if get_reauthentication_flows(person(request)):
        # A password, or a second factor, is not to be gone round.
        return HttpResponseRedirect(reverse("account_reauthenticate", query={"next": on}))
    if link_of(person(request)) is None:
        return redirect("mfa_index")
    if request.method == "POST":
        return _sent(request, AGAIN, on)
    return render(request, "mfa/sign_on/again.html", {"on": on})


def _sent(request: HttpRequest, purpose: str, on: str) -> HttpResponse:
    from accounts.sign_on import provider  # it loads what asks, which sites without a provider need not have

    limits.count_use(f"sign-on:{limits.client(request)}", ASKED_A_MINUTE, 60)
    if not request.user.is_authenticated and request.session.is_empty():
        request.session.set_expiry(WAY_KEPT)
    try:
        place = provider.authorization_url(request, purpose, on, afresh=purpose == AGAIN)
    except provider.ProviderAway:
        return _away(request)
    except provider.ProviderDoubted:
        return _doubted(request)
    # Not a redirect: browsers hold those after a form to the addresses that a page may send its forms to, and the
    # provider may well lead on to another one.
    answer = render(request, "mfa/sign_on/go.html", {"place": place})
    answer["Refresh"] = f"0; url={place}"
    return answer


@require_safe
@never_cache
@with_provider
def sign_on_back(request: HttpRequest) -> HttpResponse:
    """Take who comes back from the provider to where they were going."""
    from accounts.sign_on import provider  # it loads what asks, which sites without a provider need not have

    limits.count_use(f"sign-on:{limits.client(request)}", ASKED_A_MINUTE, 60)
    try:
        noted, claims = provider.read_callback(request)
    except provider.UnknownState:
        sentence = _("This log-in took too long, or its page was opened twice. Nothing has changed. Begin again.")
        return _refused(request, sentence, HTTPStatus.BAD_REQUEST)
    except provider.PersonDeclined:
        messages.info(request, _("You have stopped the log-in there. Nothing has changed."))
        return redirect("mfa_index" if _is_member(request) else "account_login")
    except provider.ProviderAway:
        return _away(request)
    except provider.ProviderDoubted:
        return _doubted(request)
    if noted["process"] == LINK:
        return _linked(request, claims.subject)
    if noted["process"] == AGAIN:
        return _shown_again(request, noted, claims.subject, claims.shown_at)
    return _entered(request, noted.get("next") or "", claims)


def _entered(request: HttpRequest, on: str, claims: Any) -> HttpResponse:
    found = linked_person(claims.subject)
    if found is not None:
        record_authentication(request, found, "socialaccount")
        return perform_login(request, Login(user=found, redirect_url=on or None))
    if settings.SIGN_UP == "closed":
        return render(request, "account/signup_closed.html", status=HTTPStatus.FORBIDDEN)
    # Whoever has planted the key of this session may not choose the name, and have the account with it.
    request.session.cycle_key()
    request.session[NEWCOMER] = {
        "subject": claims.subject,
        "name": claims.name,
        "email": claims.email,
        "on": on,
        "at": time.time(),
        "of": request.user.pk,
    }
    return redirect("sign-on-name")


def _linked(request: HttpRequest, subject: str) -> HttpResponse:
    user = person(request)
    try:
        is_new = link_account(user, subject)
    except OthersAccount:
        sentence = _("That log-in already opens another account here. Nothing has changed. Log in to that account.")
        return _refused(request, sentence, HTTPStatus.CONFLICT)
    except OtherPerson:
        sentence = _("Another log-in there already opens your account. Nothing has changed. Remove that one first.")
        return _refused(request, sentence, HTTPStatus.CONFLICT)
    if is_new:
        note_account_change(user.pk, ChangeKind.SIGN_ON_ADDED, request)
        get_adapter(request).send_notification_mail("mfa/email/sign_on_added", user)
    messages.success(request, _("You can log in by %(name)s from now on.") % {"name": settings.SIGN_ON["name"]})
    return redirect("mfa_index")


def _shown_again(request: HttpRequest, noted: dict[str, Any], subject: str, shown_at: float | None) -> HttpResponse:
    user = person(request)
    own_link = link_of(user)
    if own_link is None or own_link.uid != subject or get_reauthentication_flows(user):
        sentence = _("That is another person's log-in, not the one of this account. Nothing has changed. Try again.")
        return _refused(request, sentence, HTTPStatus.FORBIDDEN)
    if shown_at is None or shown_at < noted["begun"] - CLOCKS_DIFFER:
        sentence = _(
            "%(name)s has not asked you again who you are. Log out there, then try again, or log in here by a link for "
            "a new password."
        )
        return _refused(request, sentence % {"name": settings.SIGN_ON["name"]}, HTTPStatus.FORBIDDEN)
    record_authentication(request, user, "socialaccount", reauthenticated=True)
    return HttpResponseRedirect(noted["next"])


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@with_provider
@not_for_members
def name_newcomer(request: HttpRequest) -> HttpResponse:
    """Ask who comes by the provider for the first time how to be called; then there is an account. A guest keeps the
    games.
    """
    wish: dict[str, Any] = request.session.get(NEWCOMER) or {}
    if not wish or wish["of"] != request.user.pk or time.time() - wish["at"] > NEWCOMER_KEPT:
        return redirect("account_login")
    guest = request.user if isinstance(request.user, User) else None
    form = SignOnNameForm(guest, request.POST or None, wished=wish["name"])
    if request.method == "POST" and form.is_valid():
        user = guest or guests.sign_in_guest(request)
        # Where the name is refused after all, the next try is of this guest.
        request.session[NEWCOMER] = wish = {**wish, "of": user.pk}
        try:
            member = _made(request, user, form.cleaned_data["username"], wish)
        except (OthersAccount, OtherPerson):
            # The first of two taps has made the account.
            return redirect("account_login")
        except IntegrityError:
            form.add_error("username", NAME_JUST_TAKEN)
        else:
            request.session.pop(NEWCOMER, None)
            record_authentication(request, member, "socialaccount")
            messages.success(request, _("Your account is ready."))
            return HttpResponseRedirect(wish["on"] or reverse(settings.LOGIN_REDIRECT_URL))
    return render(request, "mfa/sign_on/name.html", {"form": form})


@transaction.atomic
def _made(request: HttpRequest, guest: User, name: str, wish: dict[str, Any]) -> User:
    link_account(guest, wish["subject"])
    member = guests.make_member(request, guest, username=name, password=None)
    keep_address(member, wish["email"])
    return member


@require_POST
@with_provider
@own_and_fresh
def drop_sign_on(request: HttpRequest) -> HttpResponse:
    """Unlink the provider from the account, unless it is the only way to log in."""
    user = person(request)
    try:
        if unlink_account(user):
            note_account_change(user.pk, ChangeKind.SIGN_ON_REMOVED, request)
            get_adapter(request).send_notification_mail("mfa/email/sign_on_removed", user)
    except OnlyWayIn:
        messages.error(request, _("This is your only way in. Set a password or add a passkey first."))
        return redirect("mfa_index")
    messages.success(request, _("That log-in no longer opens your account."))
    return redirect("mfa_index")


def _is_member(request: HttpRequest) -> bool:
    return isinstance(request.user, User) and not request.user.is_guest


def _away(request: HttpRequest) -> HttpResponse:
    sentence = _("%(name)s does not answer. Nothing has changed. Try again in a minute, or log in another way.")
    answer = _refused(request, sentence % {"name": settings.SIGN_ON["name"]}, HTTPStatus.SERVICE_UNAVAILABLE)
    answer["Retry-After"] = "60"
    return answer


def _doubted(request: HttpRequest) -> HttpResponse:
    sentence = _(
        "The answer of %(name)s cannot be trusted. Nothing has changed. Try again; if it stays so, tell the people who "
        "run this site."
    )
    return _refused(request, sentence % {"name": settings.SIGN_ON["name"]}, HTTPStatus.BAD_GATEWAY)


def _refused(request: HttpRequest, sentence: str, status: HTTPStatus) -> HttpResponse:
    return render(request, "mfa/sign_on/refused.html", {"sentence": sentence}, status=status)
