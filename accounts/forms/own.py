"""Forms of people that allauth lacks."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.forms.entrance import SignupForm
from accounts.models import User


class PreferencesForm(forms.ModelForm[User]):
    """How the site looks and behaves for one person."""

    language = forms.ChoiceField(label=_("Language"), required=False)

    class Meta:
        """The fields a person may change, and nothing else of the row."""

        model = User
        fields = ["theme", "has_high_contrast", "colour_names", "language", "confirms_placement", "wants_turn_emails"]
        labels = {
            "theme": _("Light or dark"),
            "has_high_contrast": _("More contrast"),
            "colour_names": _("Names of the pieces' colours"),
            "confirms_placement": _("Ask before a piece is placed"),
            "wants_turn_emails": _("Send me an e-mail when it is my turn"),
        }
        help_texts = {
            "has_high_contrast": _("Stronger text and lines. A device that asks for more contrast gets it anyway."),
        }
        widgets = {"theme": forms.RadioSelect, "colour_names": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("As my browser")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        if not self.instance.email:
            self.fields["wants_turn_emails"].help_text = _("You have no e-mail address yet.")
        else:
            self.fields["wants_turn_emails"].help_text = _("Not while you are looking at that game.")
        # A page loaded before there was this choice may still be sent.
        self.fields["colour_names"].required = False

    def clean_colour_names(self) -> str:
        """Return the choice; without one it stays as it was."""
        return str(self.cleaned_data["colour_names"] or self.instance.colour_names)


class ClaimForm(SignupForm):
    """A guest's name, e-mail and password: the same fields and checks as signing up."""


class PasswordForm(forms.Form):
    """The password once more, before the account is closed."""

    password = forms.CharField(
        label=_("Your password"),
        strip=False,
        widget=forms.PasswordInput(attrs={"autocomplete": "current-password"}),
    )

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.user = user

    def clean_password(self) -> str:
        """Refuse another password; the tries count as tries to log in.

        Raises: ValidationError.
        """
        password: str = self.cleaned_data["password"]
        if not get_adapter().reauthenticate(self.user, password):
            raise get_adapter().validation_error("incorrect_password")
        return password


class WordForm(forms.Form):
    """A word to type, for who has no password."""

    word = forms.CharField(widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none"}))

    def __init__(self, user: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.magic = gettext("delete")
        self.fields["word"].label = gettext("Type the word %(word)s") % {"word": self.magic}

    def clean_word(self) -> str:
        """Refuse another word.

        Raises: ValidationError.
        """
        typed: str = self.cleaned_data["word"]
        if typed.casefold() != self.magic.casefold():
            raise ValidationError(gettext("Type %(word)s to go on.") % {"word": self.magic})
        return typed


def closing_form(user: User, data: Any = None) -> PasswordForm | WordForm:
    """Return the form that this person has to fill in to close the account."""
    return PasswordForm(user, data) if user.has_usable_password() else WordForm(user, data)
