"""How allauth is bent to this site: names, links under the one public address, sessions that end."""

import logging
from smtplib import SMTPException
from typing import Any, cast

from allauth.account.adapter import DefaultAccountAdapter
from django.conf import settings
from django.contrib import messages
from django.contrib.auth.base_user import AbstractBaseUser
from django.http import HttpRequest
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import languages, names
from accounts.models import User
from accounts.sessions import end_sessions
from accounts.signals import tell_sessions_ended

logger = logging.getLogger(__name__)


class Adapter(DefaultAccountAdapter):
    """allauth's account adapter for Block-You."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "account_inactive": _("This account is closed."),
        "duplicate_email": _("This is your address already."),
        "email_password_mismatch": _("This e-mail address and password do not belong together. Check both."),
        "email_taken": _("Another account uses this e-mail address. Use another one, or log in there."),
        "enter_current_password": _("This is not your present password. Type it again."),
        "incorrect_password": _("This is not your password. Type it again."),
        "invalid_password_reset": _("This link is used up or too old."),
        "too_many_login_attempts": _("Too many wrong passwords. Wait five minutes, then try again."),
        "username_blacklisted": _("This name is kept for the site. Choose another one."),
        "username_password_mismatch": _("This name and password do not belong together. Check both."),
        "username_taken": User._meta.get_field("username").error_messages["unique"],
        "rate_limited": _("Too many requests. Wait a minute, then try again."),
    }

    def is_ajax(self, request: HttpRequest) -> bool:
        """Return False: these pages answer with HTML alone."""
        return False

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """Return the name as it is stored, if it is allowed and nobody has one that looks like it.

        Raises: ValidationError.
        """
        name = super().clean_username(names.normalise(username), shallow=True)
        if not shallow and User.objects.filter(name_key=names.key(name)).exists():
            raise self.validation_error("username_taken")
        return name

    def get_reset_password_from_key_url(self, key: str) -> str:
        """Return the reset link of `<user>-<token>`, under the public address whatever the request's Host says."""
        user, _dash, token = key.partition("-")
        return public(reverse("account_reset_password_from_key", kwargs={"uidb36": user, "key": token}))

    def get_email_confirmation_url(self, request: HttpRequest, emailconfirmation: Any) -> str:
        """Return the link that confirms an address, under the public address."""
        return public(reverse("account_confirm_email", args=[emailconfirmation.key]))

    def get_password_change_redirect_url(self, request: HttpRequest) -> str:
        """Return where a new password leads."""
        return reverse("account")

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Send one mail in its reader's language, links under the public address; tell the person where that fails."""
        links = {
            "public_url": settings.PUBLIC_URL,
            "signup_url": public(reverse("account_signup")),
            "password_reset_url": public(reverse("account_reset_password")),
        }
        with translation.override(languages.of_address(email, context.get("user"))):
            message = self.render_mail(template_prefix, email, {"email": email, **links, **without_host(context)})
        try:
            message.send()
        except (OSError, SMTPException):
            logger.exception("A mail (%s) could not be sent.", template_prefix)
            messages.error(self.request, _("The e-mail could not be sent. Try again in a few minutes."))

    def format_email_subject(self, subject: str) -> str:
        """Return the subject after the name of the site."""
        return gettext("Block-You: %(subject)s") % {"subject": subject}

    def login(self, request: HttpRequest, user: AbstractBaseUser) -> None:
        """Log the person in under a new session key; whoever was logged in before, a guest, no longer is."""
        before, key = request.user.pk, request.session.session_key
        super().login(request, user)
        if before not in (None, user.pk):
            tell_sessions_ended(before, key)

    def logout(self, request: HttpRequest) -> None:
        """Log out, then tell: whoever looks the session up on hearing of it must not find it any more.

        allauth calls this for who is logged in.
        """
        person, key = cast(int, request.user.pk), request.session.session_key
        super().logout(request)
        tell_sessions_ended(person, key)

    def save_user(self, request: HttpRequest, user: Any, form: Any, commit: bool = True) -> Any:
        """Save somebody new. Their mails are to come in the language in which they signed up."""
        user.language = languages.reading()
        return super().save_user(request, user, form, commit)

    def set_password(self, user: AbstractBaseUser, password: str) -> None:
        """Set the password and end every other session of the person."""
        super().set_password(user, password)
        end_sessions(user.pk, but=self.request.session.session_key)
        tell_sessions_ended(user.pk)

    def get_login_stages(self) -> list[str]:
        """Return allauth's stages, with our own way of asking for a confirmed address."""
        ours = {"allauth.account.stages.EmailVerificationStage": "accounts.stages.VerifyAddressIfAny"}
        return [ours.get(stage, stage) for stage in super().get_login_stages()]


def public(path: str) -> str:
    """Return an address of this site as the world knows it."""
    return f"{settings.PUBLIC_URL}{path}"


def without_host(context: dict[str, Any]) -> dict[str, Any]:
    """Return the context without the links that allauth builds from the request's Host."""
    is_reset = "key" in context
    return {
        name: value
        for name, value in context.items()
        if name not in {"signup_url", "current_site", "request"} and (is_reset or name != "password_reset_url")
    }
