"""allauth's forms of second factors, which count tries, take a code once, and say what to do."""

import json
from typing import Any, cast

from allauth.core import context
from allauth.mfa.adapter import get_adapter
from allauth.mfa.base.forms import AuthenticateForm, ReauthenticateForm
from allauth.mfa.base.internal.flows import post_authentication
from allauth.mfa.internal.flows.add import validate_can_add_authenticator
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.totp.internal.auth import SECRET_SESSION_KEY
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxLengthValidator
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.adapter import person_called
from accounts.devices import device_of
from accounts.forms.entrance import LOGIN_WIDGET, Plain, SignupForm
from accounts.forms.own import name_of
from accounts.keys.factors import CodeSpent, current_period, is_code_of, take_code, take_recovery_code
from accounts.keys.passkeys import MOST_PASSKEYS, check_public_key, passkeys_count, refusing_broken
from accounts.limits import client, count_use, take_back
from accounts.models import User

#: How many wrong codes there may be in a period, in seconds, for a person on a device, or on all that are not known.
MOST_TRIES, TRIES_PERIOD = 5, 300
#: How many recovery codes, of twelve digits, may be tried in place of a lost passkey: in a minute from one address, and
#: in an hour for one account on all devices that it does not know. The owner's new one is one of these.
LOST_A_MINUTE, LOST_AN_HOUR = 10, 50
#: The longest name of a passkey, and the longest answer of a browser: attestations take some kilobytes.
LONGEST_PASSKEY_NAME, LONGEST_CREDENTIAL = 40, 20_000
CODE_HELP = _("Six digits from your authenticator app. Or twelve digits: one of your recovery codes.")
CODE_WIDGET = {"inputmode": "numeric", "autocomplete": "one-time-code", "autocapitalize": "none", "maxlength": "40"}


class CountedCode(Plain):
    """A field for a code whose wrong tries are counted."""

    fields: dict[str, Any]
    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["code"].widget.attrs.update(CODE_WIDGET)

    def counted(self) -> str:
        """Count a try, and return what `right` takes back.

        Raises: LimitReached.
        """
        key = f"code:{self.user.pk}:{device_of(context.request, self.user)}"
        count_use(key, MOST_TRIES, TRIES_PERIOD)
        return key

    def right(self, key: str) -> None:
        """Uncount a try that was right."""
        take_back(key, TRIES_PERIOD)


class TakenCode(CountedCode):
    """A code of the person, taken once."""

    words = {"code": {"label": _("Code"), "help_text": CODE_HELP}}
    cleaned_data: dict[str, Any]
    authenticator: Authenticator

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # With a passkey alone there is no app: the codes are those that were kept.
        self.has_app = get_adapter().is_mfa_enabled(self.user, [Authenticator.Type.TOTP])
        if not self.has_app:
            self.fields["code"].label = _("Recovery code")
            self.fields["code"].help_text = _("Twelve digits, one of the codes that you have kept.")

    def clean_code(self) -> str:
        """Take the code.

        Raises:
            LimitReached: there were too many wrong ones.
            ValidationError: it is wrong, or was taken before.

        """
        key, code = self.counted(), cast(str, self.cleaned_data["code"])
        try:
            found = take_code(self.user, code)
        except CodeSpent:
            raise get_adapter().validation_error("code_spent") from None
        if found is None:
            raise get_adapter().validation_error("incorrect_code" if self.has_app else "unknown_recovery_code")
        self.right(key)
        self.authenticator = found
        return code


class LogInCodeForm(TakenCode, AuthenticateForm):
    """The code after the password."""

    def save(self) -> None:
        """Note what was shown. A recovery code may have been the last: nothing is asked again for a while."""
        is_recovery = self.authenticator.type == Authenticator.Type.RECOVERY_CODES
        post_authentication(context.request, self.authenticator, reauthenticated=is_recovery)


class AgainCodeForm(TakenCode, ReauthenticateForm):
    """A code before something that matters."""


class FirstCodeForm(CountedCode, ActivateTOTPForm):
    """The first code of an authenticator app, which shows that it has the secret."""

    words = {"code": {"label": _("Code"), "help_text": _("The six digits that the app shows now.")}}
    cleaned_data: dict[str, Any]
    secret: str
    period: int

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        session = context.request.session
        kept = session.get(SECRET_SESSION_KEY)
        super().__init__(*args, **kwargs)
        if kept:
            # A browser may fetch the page twice: the secret on the page that is seen stays the one.
            self.secret = session[SECRET_SESSION_KEY] = kept

    def clean_code(self) -> str:
        """Check the code.

        Raises:
            LimitReached: there were too many wrong ones.
            ValidationError: it is wrong.

        """
        validate_can_add_authenticator(self.user)
        key, code = self.counted(), cast(str, self.cleaned_data["code"])
        self.period = current_period()
        if not is_code_of(self.secret, code, self.period):
            raise get_adapter().validation_error("incorrect_code")
        self.right(key)
        return code


class AnswerField(forms.JSONField):
    """What a browser answers about a passkey, as JSON; it is neither long nor deep."""

    widget = forms.HiddenInput

    def to_python(self, value: Any) -> Any:
        """Return it read.

        Raises: ValidationError.
        """
        if isinstance(value, str) and len(value) > LONGEST_CREDENTIAL:
            raise ValidationError(self.error_messages["invalid"], code="invalid")
        try:
            found = super().to_python(value)
            text = json.dumps(found, ensure_ascii=False, allow_nan=False)
            # PostgreSQL stores neither; and a number may be too long to be read.
            if "\\u0000" in text or not text.encode():
                raise ValueError("nothing that is stored")
        except ValidationError:
            raise
        except (RecursionError, ValueError):
            raise ValidationError(self.error_messages["invalid"], code="invalid") from None
        return found

    def bound_data(self, data: Any, initial: Any) -> None:
        """Return nothing: an answer is given once, and the page that comes again asks for another."""


class Ceremony(Plain):
    """What the browser answers to the question for a passkey; what it has broken changes nothing."""

    fields: dict[str, Any]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        sentence = get_adapter().error_messages["passkey_refused"]
        self.fields["credential"] = AnswerField(error_messages={"required": sentence, "invalid": sentence})


class AskedPasskey(Ceremony):
    """A passkey that was made before."""

    def clean_credential(self) -> Any:
        """Return whose it is.

        Raises: ValidationError.
        """
        with refusing_broken():
            return super().clean_credential()  # type: ignore[misc]  # a form, by the class it is mixed into


class LogInPasskeyForm(AskedPasskey, LoginWebAuthnForm):
    """A passkey instead of a name and a password."""


class StepPasskeyForm(AskedPasskey, AuthenticateWebAuthnForm):
    """A passkey after the password. It has just been shown: for a while it is not asked for again."""

    reauthenticated = True


class AgainPasskeyForm(AskedPasskey, ReauthenticateWebAuthnForm):
    """A passkey before something that matters."""


class NewPasskeyForm(Ceremony, AddWebAuthnForm):
    """A new passkey, and what its owner calls it."""

    words = {"name": {"label": _("Name"), "help_text": _("So that you know it again, such as the device it is on.")}}
    cleaned_data: dict[str, Any]
    user: User

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # All passkeys here log in alone: the browser was told so.
        self.fields.pop("passwordless", None)
        fit_passkey_name(self.fields["name"])

    def clean(self) -> dict[str, Any]:
        """Check what the browser has made.

        Raises: ValidationError.
        """
        if passkeys_count(self.user) >= MOST_PASSKEYS:
            raise get_adapter().validation_error("too_many_passkeys")
        with refusing_broken():
            data = cast(dict[str, Any], super().clean())
            if data.get("credential"):
                check_public_key(data["credential"])
            return data


class PasskeyNameForm(Plain, EditWebAuthnForm):
    """What the owner of a passkey calls it."""

    words = {"name": {"label": _("Name")}}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        fit_passkey_name(self.fields["name"])


def fit_passkey_name(field: Any) -> None:
    """Set a field up for the name of a passkey."""
    field.max_length = LONGEST_PASSKEY_NAME
    field.validators.append(MaxLengthValidator(LONGEST_PASSKEY_NAME))
    field.widget.attrs.update(maxlength=str(LONGEST_PASSKEY_NAME), autocomplete="off")


class LostPasskeyForm(forms.Form):
    """The way in of a person without a password whose passkey is lost: the name, and a recovery code."""

    username = forms.CharField(label=_("Name or e-mail"), max_length=254, widget=forms.TextInput(attrs=LOGIN_WIDGET))
    code = forms.CharField(
        label=_("Recovery code"),
        max_length=40,
        help_text=_("Twelve digits, from the codes that you kept when you made the passkey."),
        widget=forms.TextInput(attrs={**CODE_WIDGET, "autocomplete": "off"}),
    )
    authenticator: Authenticator

    def clean(self) -> dict[str, Any]:
        """Take the code.

        Raises:
            LimitReached: there were too many wrong ones.
            ValidationError: name and code do not belong together, or the account has a password.

        """
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if self.errors:
            return data
        count_use(f"lost:{client(context.request)}", LOST_A_MINUTE, 60)
        person = person_called(names.normalise(data["username"]))
        typed = salted_hmac("accounts.keys.lost", data["username"].casefold()).hexdigest()
        key = f"lost:{person.pk}:{device_of(context.request, person)}" if person else f"lost:{typed}"
        count_use(key, LOST_AN_HOUR, 3600)
        found = take_recovery_code(person, data["code"])
        if found is None:
            raise get_adapter().validation_error("wrong_recovery_code")
        take_back(key, 3600)
        self.authenticator = found
        return data


class PasskeySignupForm(SignupForm):
    """A new account without a password: the name, and the address. A guest becomes a member by it."""

    def __init__(self, guest: User | None, *args: Any, **kwargs: Any) -> None:
        initial = {} if guest is None or guest.lacks_own_name else {"username": guest.username}
        super().__init__(*args, initial=initial, by_passkey=True, **kwargs)
        self.guest = guest

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        if self.guest is None:
            return str(super().clean_username())
        return name_of(self.guest, self.cleaned_data["username"])
