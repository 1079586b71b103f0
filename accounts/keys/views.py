"""Pages about log-ins: allauth's, bent to this site, and those that it does not have."""

from functools import wraps
from typing import Any

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.internal.flows.login import perform_login
from allauth.account.internal.templatekit import get_entrance_context_data
from allauth.account.models import Login
from allauth.account.utils import get_next_redirect_url
from allauth.account.views import BaseReauthenticateView
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.base.views import AuthenticateView, ReauthenticateView
from allauth.mfa.models import Authenticator
from allauth.mfa.signals import authenticator_removed
from allauth.mfa.totp.views import ActivateTOTPView
from allauth.mfa.webauthn.views import (
    AddWebAuthnView,
    EditWebAuthnView,
    LoginWebAuthnView,
    ReauthenticateWebAuthnView,
)
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse, reverse_lazy
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import TemplateView
from django.views.generic.edit import FormView

from accounts import guests, limits
from accounts.adapter import GUEST
from accounts.doors import View, guests_only, members_only, not_for_members, person, while_sign_up_is_open
from accounts.forms.entrance import NAME_JUST_TAKEN
from accounts.keys.factors import (
    codes_to_show,
    factors_of,
    kept_in,
    note_codes_kept,
    spend_period,
)
from accounts.keys.forms import LostPasskeyForm, NewPasskeyForm, PasskeySignupForm
from accounts.keys.listening import RENEWED
from accounts.keys.pages import login_of_handle
from accounts.keys.passkeys import (
    LastWayIn,
    asking_options,
    is_last_way_in,
    keep_passkey,
    making_options,
    remove_passkey,
    tell_passkey_added,
)
from accounts.models import User
from accounts.sessions import end_session, end_sessions
from accounts.signals import tell_sessions_ended

#: How often a person may end log-ins in an hour.
ENDINGS_AN_HOUR = 120
#: How often a browser may ask how to ask for a passkey, by the address it comes from; and how long the answer holds.
OPTIONS_A_MINUTE, OPTIONS_KEPT = 300, 3600
#: Where a session keeps how somebody who signs up by a passkey wants to be called.
WISH = "accounts.wish"
#: And where a person goes on to once the recovery codes are kept.
ON = "accounts.on"

form_page = require_http_methods(["GET", "HEAD", "POST"])


def own(view: View) -> View:
    """Show a page to members alone, and keep it nowhere."""
    return never_cache(members_only(view))


def own_and_fresh(view: View) -> View:
    """Show a page to members who have just shown again who they are."""
    return own(reauthentication_required(view))


def between(view: View) -> View:
    """Answer between the password and the code. A guest who logs in to an account is nobody yet, as a stranger is."""

    @never_cache
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        guest = request.user
        if not getattr(guest, "is_guest", False):
            return view(request, *args, **kwargs)
        request.META[GUEST] = guest.pk
        request.user = AnonymousUser()
        answer = view(request, *args, **kwargs)
        if not request.user.is_authenticated:
            request.user = guest
        return answer

    return guarded


@require_POST
@own_and_fresh
def end_login(request: HttpRequest, handle: str) -> HttpResponse:
    """Log a browser of the person out; one that has logged out already stays so."""
    user = person(request)
    limits.count_use(f"endings:{user.pk}", ENDINGS_AN_HOUR, 3600)
    key = login_of_handle(user, handle)
    if key == request.session.session_key:
        return redirect("account_logout")
    if key and end_session(user.pk, key):
        tell_sessions_ended(user.pk, key)
    messages.success(request, _("That device is logged out."))
    return redirect("mfa_index")


@require_POST
@own_and_fresh
def end_other_logins(request: HttpRequest) -> HttpResponse:
    """Log out every browser of the person but this one."""
    user = person(request)
    limits.count_use(f"endings:{user.pk}", ENDINGS_AN_HOUR, 3600)
    end_sessions(user.pk, but=request.session.session_key)
    tell_sessions_ended(user.pk)
    messages.success(request, _("All your other devices are logged out."))
    return redirect("mfa_index")


def by_new_codes(request: HttpRequest, answer: HttpResponse) -> HttpResponse:
    """Lead by the page of recovery codes where the last one was used and new ones were made; from there it goes on."""
    if request.META.pop(RENEWED, False) and request.user.is_authenticated and "Location" in answer:
        request.session[ON] = answer["Location"]
        answer["Location"] = reverse("mfa_view_recovery_codes")
    return answer


class SwitchCodesOn(ActivateTOTPView):
    """Switch one-time codes on."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the secret; a second tap finds it kept. The code that switches them on opens nothing any more."""
        user = person(self.request)
        with transaction.atomic():
            here = User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True)
            rows = Authenticator.objects.filter(user=user, type=Authenticator.Type.TOTP)
            if here.first() is None or rows.exists():
                return redirect("mfa_index")
            answer = super().form_valid(form)
            spend_period(rows.get(), form.period)
        return answer


class AddPasskey(AddWebAuthnView):
    """Make a passkey that logs in alone."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Keep the passkey."""
        user = person(self.request)
        try:
            kept = keep_passkey(user, form.cleaned_data["name"], form.cleaned_data["credential"])
        except ValidationError as error:
            form.add_error(None, error)
            return self.form_invalid(form)
        if kept is None:
            return redirect("home")
        if kept.is_new:
            tell_passkey_added(self.request, user, kept)
        return redirect("mfa_view_recovery_codes" if kept.codes else "mfa_index")

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form, and what the browser is told."""
        found = FormView.get_context_data(self, **kwargs)
        return {**found, "options": making_options(person(self.request))}


class NamePasskey(EditWebAuthnView):
    """Call a passkey otherwise."""

    success_url = reverse_lazy("mfa_index")


class AgainByPasskey(ReauthenticateWebAuthnView):
    """Show by a passkey again who it is."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form, and what the browser is told."""
        found = BaseReauthenticateView.get_context_data(self, **kwargs)
        return {**found, "options": asking_options(person(self.request))}

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the page again, with the reason."""
        return FormView.form_invalid(self, form)


class AgainByCode(ReauthenticateView):
    """Show by a code again who it is."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Go on to where the person was going."""
        return by_new_codes(self.request, super().form_valid(form))


class StepByKey(AuthenticateView):
    """Ask for a code or a passkey after the password."""

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in."""
        return by_new_codes(self.request, super().form_valid(form))

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the forms of what the person has, and what the browser is told."""
        user = self.stage.login.user
        kinds = {each.type for each in factors_of(user)}
        context = {**TemplateView.get_context_data(self, **kwargs), **get_entrance_context_data(self.request)}
        has_passkey = Authenticator.Type.WEBAUTHN in kinds
        return {
            **context,
            "form": self.auth_form if kinds - {Authenticator.Type.WEBAUTHN} else None,
            "has_codes": Authenticator.Type.TOTP in kinds,
            "webauthn_form": self.webauthn_form if has_passkey else None,
            "options": asking_options(user) if has_passkey else "",
        }


class LogInByPasskey(LoginWebAuthnView):
    """Log in by a passkey alone, and go on to where the person was going."""

    def form_invalid(self, form: Any) -> HttpResponse:
        """Show the log-in page again, with the reason."""
        for sentence in form.errors.get("credential", []):
            messages.error(self.request, sentence)
        return HttpResponseRedirect(self._way("account_login"))

    def form_valid(self, form: Any) -> HttpResponse:
        """Log in."""
        authenticator = form.cleaned_data["credential"]
        login = Login(user=authenticator.user, redirect_url=get_next_redirect_url(self.request))
        # The device has just been asked who holds it: for a while nothing is asked again. allauth would ask at once.
        post_authentication(self.request, authenticator, reauthenticated=True, passwordless=True)
        return perform_login(self.request, login)

    def _way(self, name: str) -> str:
        on = get_next_redirect_url(self.request)
        return reverse(name, query={"next": on} if on else None)


@require_POST
@never_cache
def passkey_options(request: HttpRequest) -> HttpResponse:
    """Tell a browser how to ask for a passkey of anyone. What it is to sign stands in its session."""
    limits.count_use(f"passkey-options:{limits.client(request)}", OPTIONS_A_MINUTE, 60)
    if not request.user.is_authenticated and request.session.is_empty():
        # Until a log-in, which takes this away again, it holds nothing that is worth a year.
        request.session.set_expiry(OPTIONS_KEPT)
    return HttpResponse(asking_options(), content_type="application/json")


@form_page
@own_and_fresh
def drop_passkey(request: HttpRequest, pk: int) -> HttpResponse:
    """Take a passkey away, once the person has said so; not the last way into an account without a password."""
    user = person(request)
    row = next((each for each in factors_of(user) if each.pk == pk and each.type == Authenticator.Type.WEBAUTHN), None)
    if request.method != "POST":
        if row is None:
            raise Http404
        context = {"name": kept_in(row).name, "is_last": is_last_way_in(user)}
        return render(request, "mfa/webauthn/remove.html", context)
    try:
        gone = remove_passkey(user, pk)
    except LastWayIn:
        messages.error(request, _("This passkey is your only way in. Set a password or add another passkey first."))
        return redirect("mfa_index")
    if gone:
        authenticator_removed.send(Authenticator, request=request, user=user, authenticator=gone)
        get_adapter(request).send_notification_mail("mfa/email/webauthn_removed", user)
    messages.success(request, _("The passkey is removed."))
    return redirect("mfa_index")


def reads(request: HttpRequest) -> bool:
    """Return whether a request only looks."""
    return request.method != "POST"


@form_page
def kept_codes(request: HttpRequest) -> HttpResponse:
    """Show the recovery codes until the person says by a POST that they are kept, and go on to where they were going.

    Reading the page changes nothing: a browser that loads it twice, or ahead, uses nothing up.
    """
    user = person(request)
    if request.method == "POST":
        note_codes_kept(user)
        return HttpResponseRedirect(request.session.pop(ON, "") or reverse("mfa_index"))
    found = codes_to_show(user)
    if found is None:
        raise Http404
    codes, may_show = found
    context = {"left": len(codes), "codes": codes if may_show else ()}
    return render(request, "mfa/recovery_codes/index.html", context)


@never_cache
@form_page
@not_for_members
def lost_passkey(request: HttpRequest) -> HttpResponse:
    """Log a person without a password in by a recovery code, so that they can add another passkey."""
    form = LostPasskeyForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        found = form.authenticator
        post_authentication(request, found, reauthenticated=True, passwordless=True)
        messages.success(request, _("You are in. Add a passkey on this device now, and remove the lost one."))
        login = Login(user=found.user, redirect_url=reverse("mfa_add_webauthn"))
        return by_new_codes(request, perform_login(request, login))
    return render(request, "mfa/lost.html", {"form": form})


@never_cache
@form_page
@not_for_members
@while_sign_up_is_open
def sign_up_by_passkey(request: HttpRequest) -> HttpResponse:
    """Ask how a new person wants to be called; a guest keeps the games. The passkey is made on the next page."""
    guest = request.user if isinstance(request.user, User) else None
    form = PasskeySignupForm(guest, request.POST or None)
    on = get_next_redirect_url(request) or ""
    if request.method == "POST" and form.is_valid():
        user = guest or guests.sign_in_guest(request)
        wish = {"username": form.cleaned_data["username"], "email": form.cleaned_data.get("email") or "", "on": on}
        request.session[WISH] = {**wish, "of": user.pk}
        return redirect("signup-make-passkey")
    otherwise = reverse("guest-claim" if guest else "account_signup", query={"next": on} if on else None)
    return render(request, "mfa/webauthn/signup.html", {"form": form, "on": on, "otherwise": otherwise})


@never_cache
@form_page
@guests_only
@while_sign_up_is_open
def make_first_passkey(request: HttpRequest) -> HttpResponse:
    """Make the passkey of a new account, and the account with it: until then the person is a guest."""
    guest, wish = person(request), request.session.get(WISH)
    if not wish or wish["of"] != guest.pk:
        return redirect("signup-by-passkey")
    on = wish["on"]
    form = NewPasskeyForm(request.POST or None, user=guest)
    if request.method == "POST" and form.is_valid():
        return _signed_up(request, guest, wish, form)
    context = {"form": form, "options": making_options(guest, wish["username"]), "name": wish["username"], "on": on}
    return render(request, "mfa/webauthn/signup_form.html", context)


def _signed_up(request: HttpRequest, guest: User, wish: dict[str, Any], form: NewPasskeyForm) -> HttpResponse:
    found = keep_passkey(guest, form.cleaned_data["name"], form.cleaned_data["credential"])
    if found is None:
        return redirect("signup-by-passkey")
    try:
        member = guests.make_member(request, guest, username=wish["username"], password=None, email=wish["email"])
    except IntegrityError:
        # No note of it: the account that it would be about is not there yet.
        Authenticator.objects.filter(user=guest).delete()
        messages.error(request, NAME_JUST_TAKEN)
        return redirect(reverse("signup-by-passkey", query={"next": wish["on"]} if wish["on"] else None))
    kept = found.row
    request.session[ON] = request.session.pop(WISH)["on"]
    kept.user = member
    post_authentication(request, kept, reauthenticated=True, passwordless=True)
    messages.success(request, _("Your account is ready. You log in with your passkey from now on."))
    return redirect("mfa_view_recovery_codes")
