"""Forms of guardians, who keep children's accounts."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.db import IntegrityError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.children.keeping import MOST_CHILDREN, NoMoreChildren, make_child
from accounts.forms.entrance import NAME_JUST_TAKEN, NAME_WIDGET
from accounts.models import User

CHILDS_PASSWORD_HELP = _("At least 8 characters. Not a common word, not the child's name.")
OWN_PASSWORD = forms.PasswordInput(attrs={"autocomplete": "new-password"}, render_value=False)


class NewChildForm(forms.Form):
    """What a child is called, and a password if the two choose one together."""

    username = forms.CharField(
        label=_("Name"),
        help_text=_("2 to 20 letters, digits or spaces. Not the full name. The child logs in with it."),
        widget=forms.TextInput(attrs={**NAME_WIDGET, "autocomplete": "off", "maxlength": names.LONGEST_USERNAME}),
    )
    password = forms.CharField(
        label=_("Password"),
        required=False,
        strip=False,
        help_text=_("Choose it together. Leave it empty to let the child in by a link instead."),
        widget=OWN_PASSWORD,
    )
    answers = forms.BooleanField(
        label=_("I am an adult who takes care of this child, and I agree that they may have this account."),
        error_messages={"required": _("Only an adult who takes care of the child can agree.")},
    )

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        return str(get_adapter().clean_username(self.cleaned_data["username"]))

    def clean_password(self) -> str:
        """Return the password, empty for none.

        Raises: ValidationError.
        """
        typed: str = self.cleaned_data["password"]
        return _checked(typed, User(username=self.cleaned_data.get("username", ""))) if typed else ""

    def save(self, guardian: User) -> User | None:
        """Return the new child; None if there can be no more or the name has just been taken, which the form then says.

        Raises: LimitReached.
        """
        try:
            return make_child(guardian, self.cleaned_data["username"], self.cleaned_data["password"])
        except IntegrityError:
            self.add_error("username", NAME_JUST_TAKEN)
        except NoMoreChildren:
            sentence = gettext("You keep %(most)d children's accounts, the most there can be.")
            self.add_error(None, sentence % {"most": MOST_CHILDREN})
        return None


class ChildPasswordForm(forms.Form):
    """Another password for a child."""

    password = forms.CharField(
        label=_("New password"), strip=False, help_text=CHILDS_PASSWORD_HELP, widget=OWN_PASSWORD
    )

    def __init__(self, child: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.child = child

    def clean_password(self) -> str:
        """Return the password.

        Raises: ValidationError.
        """
        return _checked(self.cleaned_data["password"], self.child)


class ChildNameForm(forms.Form):
    """The name of a child once more, before something that cannot be undone."""

    typed = forms.CharField(widget=forms.TextInput(attrs={**NAME_WIDGET, "autocomplete": "off"}))

    def __init__(self, child: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.child = child
        self.fields["typed"].label = gettext("Type the name %(name)s") % {"name": child.username}

    def clean_typed(self) -> str:
        """Refuse another name.

        Raises: ValidationError.
        """
        typed: str = self.cleaned_data["typed"]
        if not names.is_same(self.child.username, typed):
            raise forms.ValidationError(gettext("Type %(word)s to continue.") % {"word": self.child.username})
        return typed


def _checked(password: str, user: User) -> str:
    return str(get_adapter().clean_password(password, user=user))
