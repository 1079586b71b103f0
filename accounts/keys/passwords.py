"""A password that was forgotten: who has something else to show chooses another one, or does without."""

import time
from collections.abc import Sequence
from functools import wraps
from typing import Any

from allauth.account import app_settings
from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from allauth.account.views import PasswordChangeView
from allauth.core.exceptions import ReauthenticationRequired
from django.contrib import messages
from django.contrib.auth import update_session_auth_hash
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.utils.http import urlencode
from django.utils.translation import gettext as _

from accounts.doors import View, person
from accounts.forms.entrance import SetPasswordForm
from accounts.keys.changes import note_account_change
from accounts.keys.factors import factor_shown_at, has_second_factor
from accounts.keys.passkeys import LastWayIn, passkeys_count
from accounts.keys.views import form_page, own
from accounts.models import ChangeKind, User
from accounts.sessions import end_sessions
from accounts.signals import tell_sessions_ended


def has_just_shown_factor(request: HttpRequest, user: User) -> bool:
    """Return whether a passkey or a code of the person was shown here a moment ago. One query."""
    shown = factor_shown_at(request, user)
    return shown is not None and time.time() - shown < app_settings.REAUTHENTICATION_TIMEOUT


def ways_beside_password(user: User, page: str) -> Sequence[dict[str, str]]:
    """Return how the person may show who they are without the password, each with the address that leads on to a page.

    None for who has nothing but the password. One query.
    """
    if not has_second_factor(user):
        return ()
    ways = get_adapter().get_reauthentication_methods(user)
    return [{**way, "url": f"{way['url']}?{urlencode({'next': page})}"} for way in ways]


def by_factor(view: View) -> View:
    """Show a page to members who have just shown something else than the password; without such a thing there is none.

    Who has no password chooses their first one.
    """

    @own
    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = person(request)
        if not user.has_usable_password():
            return redirect("account_set_password")
        if not has_second_factor(user):
            return redirect("account_change_password")
        if not has_just_shown_factor(request, user):
            raise ReauthenticationRequired
        return view(request, *args, **kwargs)

    return guarded


class ChangePassword(PasswordChangeView):
    """Change the password, by the present one; who has forgotten it is led to what else they can show."""

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form, and whether there is another way."""
        user = person(self.request)
        return {**super().get_context_data(**kwargs), "has_factor": has_second_factor(user)}


class RenewPassword(PasswordChangeView):
    """Choose a new password in place of one that was forgotten."""

    template_name = "account/password_renew.html"

    def get_form_class(self) -> type[Any]:
        """Return the form, which asks for no present password."""
        return SetPasswordForm

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        """Return the form, and whether the password may go."""
        return {**super().get_context_data(**kwargs), "has_passkey": passkeys_count(person(self.request)) > 0}


@form_page
@by_factor
def drop_password(request: HttpRequest) -> HttpResponse:
    """Remove the person's password once they have confirmed it; they must have a passkey."""
    user = person(request)
    if request.method != "POST":
        return render(request, "account/password_remove.html", {"has_passkey": passkeys_count(user) > 0})
    try:
        is_gone = remove_password(user, request)
    except LastWayIn:
        messages.error(request, _("Without a password you need a passkey. Add one first."))
        return redirect("mfa_index")
    if is_gone:
        update_session_auth_hash(request, user)
        get_adapter(request).send_notification_mail("account/email/password_removed", user)
    messages.success(request, _("Your password is removed. All your other devices have been logged out."))
    return redirect("mfa_index")


@transaction.atomic
def remove_password(user: User, request: HttpRequest) -> bool:
    """Take the password of the person away, end all their other sessions and note it; return whether there was one.

    Raises: LastWayIn where there is no passkey.
    """
    stored = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if not passkeys_count(stored):
        raise LastWayIn
    if not stored.has_usable_password():
        return False
    stored.set_unusable_password()
    stored.save(update_fields=["password"])
    end_sessions(user.pk, but=request.session.session_key)
    note_account_change(user.pk, ChangeKind.PASSWORD_REMOVED, request)
    tell_sessions_ended(user.pk)
    user.password = stored.password
    return True


def closing(view: View) -> View:
    """Ask who closes their account for the password, or, where they have just shown something else, only for a word.

    A member who has no password shows something else first. Guests have nothing to show.
    """
    by_word: View = reauthentication_required(view)

    @wraps(view)
    def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        user = request.user
        if not isinstance(user, User) or user.is_guest:
            return view(request, *args, **kwargs)
        if not user.has_usable_password():
            return by_word(request, *args, **kwargs)
        ways = ways_beside_password(user, request.path)
        is_shown = bool(ways) and has_just_shown_factor(request, user)
        return view(request, *args, is_shown=is_shown, ways=ways, **kwargs)

    return guarded
