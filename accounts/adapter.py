"""How allauth is bent to this site: names, links under the one public address, sessions that end."""

import time
from typing import Any, cast
from urllib.parse import urlsplit

from allauth.account import app_settings
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import (
    _AUTHENTICATION_METHODS_USER_SESSION_KEY,
    AUTHENTICATION_METHODS_SESSION_KEY,
    get_authentication_records,
)
from allauth.account.internal.flows.reauthentication import get_reauthentication_flows
from allauth.account.models import EmailAddress
from allauth.core import context
from allauth.core.exceptions import ImmediateHttpResponse
from allauth.mfa.models import Authenticator
from allauth.mfa.utils import is_mfa_enabled
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse
from django.utils import translation
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext, gettext_noop
from django.utils.translation import gettext_lazy as _

from accounts import devices, guests, limits, names
from accounts.mail import restoring
from accounts.mail.confirmations import ask_for_confirmation
from accounts.mail.letters import letter_page
from accounts.mail.outbox import WrittenMail, post_mail
from accounts.models import User
from accounts.readers import languages
from accounts.sessions import end_sessions
from accounts.sign_on.linked import link_of
from accounts.signals import password_stored, tell_sessions_ended
from accounts.tokens import revoke_tokens

#: The seconds after which no wrong password counts any more, as the sentence about them says: the longest of the
#: periods in which allauth counts them.
GUESSING_WAIT = 300
#: Where a request keeps the number of the guest who is on the way into an account, between the password and the code.
GUEST = "accounts.guest"
#: What the button of an e-mail says, by the name of its link in templates.
BUTTONS = {
    "activate_url": gettext_noop("Confirm this address"),
    "reset_url": gettext_noop("New password"),
    "password_reset_url": gettext_noop("New password"),
    "restore_url": gettext_noop("Take your account back"),
    "signup_url": gettext_noop("Create an account"),
    "archive_url": gettext_noop("Your data"),
}


#: How a person shows again who they are, by allauth's names, in this order. The password is for those who have nothing
#: else: with it alone a thief would take a second factor away.
BY_WORD = "reauthenticate"
AGAIN = {
    BY_WORD: _("Use my password"),
    "mfa_reauthenticate:webauthn": _("Use a passkey"),
    "mfa_reauthenticate": _("Use a code"),
}
#: Where a session keeps what its person has shown.
SHOWN_KEYS = (AUTHENTICATION_METHODS_SESSION_KEY, _AUTHENTICATION_METHODS_USER_SESSION_KEY)
#: E-mails about what was added to log in with: a thief may have done it, and would keep the owner out.
ADDITIONS = {"mfa/email/totp_activated", "mfa/email/webauthn_added", "mfa/email/sign_on_added"}


class Adapter(DefaultAccountAdapter):
    """allauth's account adapter for Block-You."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This is already your address."),
        "email_password_mismatch": _("Wrong e-mail address or password. Try again."),
        "email_taken": _(
            "Another account already uses this e-mail address. Use a different one, or log in to that account."
        ),
        "enter_current_password": _("This is not your current password. Try again."),
        "incorrect_password": _("This is not your password. Try again."),
        "invalid_password_reset": _("This link has expired or has already been used."),
        "too_many_login_attempts": _("Too many wrong passwords. Wait five minutes, then try again."),
        "username_blacklisted": _("This name is reserved. Choose another one."),
        "username_password_mismatch": _("Wrong name or password. Try again."),
        "username_taken": User._meta.get_field("username").error_messages["unique"],
        "rate_limited": _("Too many requests. Wait a minute, then try again."),
    }

    def get_login_stages(self) -> list[str]:
        """Return the steps of a log-in, of which the second factor is ours."""
        own = {"allauth.mfa.stages.AuthenticateStage": "accounts.keys.stages.SecondStage"}
        return [own.get(stage, stage) for stage in super().get_login_stages()]

    def get_reauthentication_methods(self, user: Any) -> list[dict[str, str]]:
        """Return how a person can show again who they are, in our words: by a passkey first, then by a code.

        By the password only without those.
        """
        ways = {way["id"]: way for way in super().get_reauthentication_methods(user)}
        if is_mfa_enabled(user, [Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN]):
            ways.pop(BY_WORD, None)
        return [{**ways[way], "description": str(words)} for way, words in AGAIN.items() if way in ways]

    def is_reauthentication_required(self, *, app: str, **kwargs: Any) -> bool:
        """Return whether a page asks again who it is.

        allauth asks nothing of a person who has nothing to show. Here that is a member from whom the host has taken a
        lost factor, and the session may be on the lost device: there the page stays closed until there is a password.

        Raises: ImmediateHttpResponse.
        """
        request = context.request
        user = request.user
        if isinstance(user, User) and not user.is_guest and not get_reauthentication_flows(user):
            if link_of(user) is not None:
                return self._asks_the_provider(request, user)
            messages.error(request, _("There is no password and no passkey here. Log in by a link for a new password."))
            raise ImmediateHttpResponse(HttpResponseRedirect(reverse("mfa_index")))
        return bool(super().is_reauthentication_required(app=app, **kwargs))

    def _asks_the_provider(self, request: HttpRequest, user: User) -> bool:
        """Return False where the host's own sign-on has just shown who it is, the only thing that can.

        Raises: ImmediateHttpResponse.
        """
        shown = [each["at"] for each in get_authentication_records(request, user) if each.get("reauthenticated")]
        if shown and time.time() - shown[-1] < app_settings.REAUTHENTICATION_TIMEOUT:
            return False
        # A form that was sent is filled in again: its page asks for this first.
        on = request.get_full_path() if request.method in {"GET", "HEAD"} else reverse("mfa_index")
        raise ImmediateHttpResponse(HttpResponseRedirect(reverse("sign-on-again", query={"next": on})))

    def is_open_for_signup(self, request: HttpRequest) -> bool:
        """Return whether somebody may make an account here by themselves."""
        return bool(settings.SIGN_UP == "open")

    def is_ajax(self, request: HttpRequest) -> bool:
        """Return False: these pages answer with HTML alone."""
        return False

    def is_safe_url(self, url: str | None) -> bool:
        """Return whether the address leads to where the request came to: no other name of this site is gone on to, and
        neither its other scheme.
        """
        request = context.request
        is_here = url_has_allowed_host_and_scheme(url, allowed_hosts={request.get_host()})
        return is_here and urlsplit(url or "").scheme in {"", request.scheme}

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored, if it is allowed and no other account has one that looks like it.

        Raises: ValidationError.
        """
        name = super().clean_username(names.normalise(username), shallow=True)
        if not shallow and User.is_name_taken(name):
            raise self.validation_error("username_taken")
        return name

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the reset link of `<user>-<token>`, under the public address whatever the request's Host says."""
        user, _dash, token = key.partition("-")
        return public(reverse("account_reset_password_from_key", kwargs={"uidb36": user, "key": token}))

    def get_email_confirmation_url(self, request: HttpRequest | None, emailconfirmation: Any) -> str:
        """Return the link that confirms an address, under the public address."""
        return public(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return where a new password leads."""
        return reverse("account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one e-mail, as `write_mail` writes it."""
        mail = self.write_mail(template_prefix, email, context)
        post_mail(mail.message, mail.kind, mail.page)

    def write_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> WrittenMail:
        """Return an e-mail in its reader's language, with links under the public address."""
        links = {
            "public_url": settings.PUBLIC_URL,
            "signup_url": public(reverse("account_signup")),
            "password_reset_url": public(reverse("account_reset_password")),
        }
        with translation.override(languages.of_address(email, context.get("user"))):
            values = {"email": email, **links, **without_host(context)}
            message = self.render_mail(template_prefix, email, values)
            labels = {values[name]: gettext(label) for name, label in BUTTONS.items() if name in values}
            page = letter_page(
                str(message.subject).removeprefix(self.format_email_subject("")), str(message.body), labels
            )
        return WrittenMail(message, template_prefix, page)

    def send_notification_mail(
        self,
        template_prefix: str,
        user: AbstractBaseUser,
        context: dict[str, Any] | None = None,
        email: str | None = None,
    ) -> None:
        """Tell the owner of a change by e-mail.

        One about a new address, or about what was added to log in with, has a link that undoes it, where the address is
        known to be the owner's. One to a moderator or to staff about what was added has none: whoever reads their
        mail would take their second factor away.
        """
        context = context or {}
        person = cast(User, user)
        if template_prefix == "account/email/email_changed":
            context |= {"user": person, "restore_url": restoring.restoring_link(person, context["from_email"])}
        is_trusted = person.is_moderator or person.is_staff
        if template_prefix in ADDITIONS and not is_trusted and (owned := restoring.owned_address(person)):
            context |= {"user": person, "restore_url": restoring.restoring_link(person, owned)}
        super().send_notification_mail(template_prefix, user, context, email)

    def format_email_subject(self, subject: str) -> str:
        """Return the subject after the name of the site."""
        return gettext("Block-You: %(subject)s") % {"subject": subject}

    def post_login(self, request: HttpRequest, user: AbstractBaseUser, **how: Any) -> HttpResponse:
        """Return where a login leads, and have the device known from now on."""
        answer: HttpResponse = super().post_login(request, user, **how)
        devices.remember_device(request, answer, cast(User, user))
        if guests.LEFT in request.session and "Location" in answer:
            # By the question whether to bring along what the guest has.
            answer["Location"] = reverse("bring-guest", query={"next": answer["Location"]})
        return answer

    def pre_authenticate(self, request: HttpRequest, **credentials: Any) -> None:
        """Count a try; a page that says that there were too many is answered with 429 (`accounts.middleware`).

        Raises: ValidationError.
        """
        try:
            super().pre_authenticate(request, **credentials)
        except ValidationError:
            limits.note_wait(request, GUESSING_WAIT)
            raise

    def _get_login_attempts_cache_key(self, request: HttpRequest, **credentials: Any) -> str:
        """Return what wrong passwords are counted by: the account, by name or address, and a device that knows it."""
        login = credentials.get("email") or credentials.get("username", "")
        person = person_called(login)
        if person is None:
            return f"login:{login.casefold()}"
        return f"account:{person.pk}:{devices.device_of(request, person)}"

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Log the person in under a new session key. This ends the session of a guest."""
        before, key = request.META.get(GUEST, request.user.pk), request.session.session_key
        # Where a guest was, Django empties the session. What the person has just shown still holds.
        shown = {name: request.session[name] for name in SHOWN_KEYS if get_authentication_records(request, user)}
        super().login(request, user)
        request.session.update(shown)
        if before not in (None, user.pk):
            if not cast(User, user).is_child:
                # What a guest has played, with anybody, is brought into no child's account.
                guests.note_guest(request, before)
            tell_sessions_ended(before, key)

    def logout(self, request: HttpRequest) -> None:
        """Log out, then announce it: a listener that looks the session up must not find it any more.

        allauth calls this only while a person is logged in.
        """
        person, key = cast(int, request.user.pk), request.session.session_key
        super().logout(request)
        tell_sessions_ended(person, key)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Save a new person. They receive e-mail in the language in which they signed up."""
        user.language = languages.reading()
        return super().save_user(request, user, form, commit)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Set the password, end every other session of the person and all of their tokens, and note it: all or nothing.

        A password that somebody else has changed must not go unsaid.
        """
        # A hash takes long, and nobody is to wait for it.
        user.set_password(password)
        with transaction.atomic():
            user.save()
            end_sessions(user.pk, but=self.request.session.session_key)
            revoke_tokens(user.pk)
            password_stored.send(User, user_id=user.pk, request=self.request)
            tell_sessions_ended(user.pk)

    def send_confirmation_mail(self, request: HttpRequest, emailconfirmation: Any, signup: bool) -> None:
        """Send the link that confirms an address.

        At a sign-up a job finds out whether the address has an account already: the time of doing so would tell.
        """
        if signup:
            ask_for_confirmation(emailconfirmation.email_address)
        else:
            super().send_confirmation_mail(request, emailconfirmation, signup)


def person_called(login: str) -> User | None:
    """Return whose name or confirmed e-mail address this is. At most one query, by an index."""
    if "@" not in login:
        return User.objects.filter(User.bearing(login)).first()
    # Of two people with one address, only one can have confirmed it.
    owners = EmailAddress.objects.filter(email=login.lower()).order_by("-verified", "pk").select_related("user")
    return next((address.user for address in owners[:1]), None)


def public(path: str) -> str:
    """Return an address of this site as the world knows it."""
    return f"{settings.PUBLIC_URL}{path}"


def without_host(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context without the links that allauth builds from the request's Host."""
    built = {"signup_url", "password_reset_url", "current_site", "request"}
    return {name: value for name, value in context.items() if name not in built}
