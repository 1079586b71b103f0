"""allauth's forms in our words: a label above, no placeholder, a short sentence of help."""

from typing import Any, cast

from allauth.account import forms
from allauth.account.adapter import get_adapter
from allauth.account.fields import EmailField
from allauth.account.models import EmailAddress
from allauth.account.signals import email_changed
from allauth.account.utils import setup_user_email
from django.conf import settings
from django.db import IntegrityError, transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.mail.resets import ask_for_reset
from accounts.models import ResetRequest, User

PASSWORD_HELP = _("At least 8 characters. Not a common word, not your name.")
NAME_HELP = _("2 to 20 letters, digits or spaces. Visible to everyone.")
MAIL_HELP = _(
    "To reset a lost password, and for turn e-mails once you have confirmed it. You can play at once. Shown to no one."
)
NO_MAIL_HELP = _(
    "Shown to no one. You can log in with it instead of the name. This site sends no e-mails: if you forget your "
    "password, ask the people who run it for a new one."
)
NAME_JUST_TAKEN = _("This name has just been taken. Choose another one.")
LOGIN_WIDGET = {"autocapitalize": "none", "autocorrect": "off", "spellcheck": "false"}
NAME_WIDGET = {**LOGIN_WIDGET, "autocapitalize": "words"}


class Plain:
    """Take away placeholders, which vanish when they are needed, and say what a field is for in one sentence."""

    words: dict[str, dict[str, Any]] = {}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        for name, field in self.fields.items():  # type: ignore[attr-defined]  # a form, by the class it is mixed into
            field.widget.attrs.pop("placeholder", None)
            for attribute, value in self.words.get(name, {}).items():
                setattr(field, attribute, value)


class LoginForm(Plain, forms.LoginForm):
    """Log in by name or e-mail address."""

    words = {"login": {"label": _("Name or e-mail")}, "password": {"label": _("Password")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].widget.attrs.update(LOGIN_WIDGET, autocomplete="username webauthn")

    def user_credentials(self) -> dict[str, str]:
        """Return what is tried: an address or a name, never both, so that one password is compared, as for a stranger.

        No name has an "@".
        """
        login = self.cleaned_data["login"]
        return {"email" if "@" in login else "username": login, "password": self.cleaned_data["password"]}

    def clean_login(self) -> str:
        """Return the public name as it is stored: case and accents' spelling do not matter, and the name that a member
        had first will do.
        """
        login = names.normalise(self.cleaned_data["login"])
        person = User.objects.filter(User.bearing(login)).only("username", "login_name").first()
        return person.username if person and person.answers_to(login) else login


class SignupForm(Plain, forms.SignupForm):
    """Make an account: name, e-mail (optional unless the site sends mail, confirmed later), password."""

    words = {
        "username": {"label": _("Name"), "help_text": NAME_HELP},
        "password1": {"label": _("Password"), "help_text": PASSWORD_HELP},
    }

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["username"].widget.attrs.update(NAME_WIDGET)
        email = self.fields["email"]
        email.label = _("E-mail") if email.required else _("E-mail (optional)")
        email.help_text = MAIL_HELP if settings.EMAIL_IS_SET else NO_MAIL_HELP

    def validate_unique_email(self, value: str) -> str:
        """Return the address. Whether an account has it is not looked up here, for any may be signed up with: the time
        of it would tell.
        """
        return value

    def try_save(self, request: HttpRequest) -> tuple[Any, HttpResponse | None]:
        """Save the person, or return the page again when the name was taken since it was looked up."""
        try:
            return self.save(request), None
        except IntegrityError:
            self.add_error("username", NAME_JUST_TAKEN)
        return None, render(request, "account/signup.html", {"form": self, "login_url": reverse("account_login")})

    def save(self, request: HttpRequest) -> User:
        """Return the new person, with their address, saved together.

        allauth hashes the password beside the first write. That takes long on purpose, and no other write is to wait
        for it.
        """
        adapter, email = get_adapter(), self.cleaned_data["email"]
        person = cast(User, adapter.save_user(request, adapter.new_user(request), self, commit=False))
        with transaction.atomic():
            person.save()
            self.custom_signup(request, person)
            setup_user_email(request, person, [EmailAddress(email=email)] if email else [])
        return person


class ChangePasswordForm(Plain, forms.ChangePasswordForm):
    """Change the password, knowing the present one."""

    words = {
        "oldpassword": {"label": _("Current password")},
        "password1": {"label": _("New password"), "help_text": PASSWORD_HELP},
        "password2": {"label": _("New password again")},
    }


class SetPasswordForm(Plain, forms.SetPasswordForm):
    """Set a first password."""

    words = {
        "password1": {"label": _("Password"), "help_text": PASSWORD_HELP},
        "password2": {"label": _("Password again")},
    }


class ResetPasswordForm(Plain, forms.ResetPasswordForm):
    """Ask for a reset link. Whether any account has the address is not looked up here: its time would tell."""

    email = EmailField(label=_("E-mail"), max_length=ResetRequest._meta.get_field("email").max_length)

    def clean_email(self) -> str:
        """Return the address."""
        return str(get_adapter().clean_email(self.cleaned_data["email"]))

    def save(self, request: HttpRequest, **kwargs: Any) -> str:
        """Send the link and return the address."""
        email: str = self.cleaned_data["email"]
        ask_for_reset(email)
        return email


class ResetPasswordKeyForm(Plain, forms.ResetPasswordKeyForm):
    """Choose a new password behind a reset link."""

    words = {
        "password1": {"label": _("New password"), "help_text": PASSWORD_HELP},
        "password2": {"label": _("New password again")},
    }


class ReauthenticateForm(Plain, forms.ReauthenticateForm):
    """Type the password again before something that matters."""

    words = {"password": {"label": _("Password")}}


class ChangeEmailForm(Plain, forms.AddEmailForm):
    """Change the e-mail address: confirmed by mail where the site sends mail, at once where it does not."""

    words = {"email": {"label": _("New e-mail address")}}

    def save(self, request: HttpRequest) -> EmailAddress:
        """Store the address and return it."""
        if settings.EMAIL_IS_SET:
            return cast(EmailAddress, super().save(request))
        person = cast(User, self.user)
        # Nobody is left without an address, or with another one of which nothing is noted.
        with transaction.atomic():
            EmailAddress.objects.filter(user=person).delete()
            address = EmailAddress.objects.create(user=person, email=self.cleaned_data["email"])
            address.set_as_primary()
            email_changed.send(
                EmailAddress, request=request, user=person, from_email_address=None, to_email_address=address
            )
        return address
