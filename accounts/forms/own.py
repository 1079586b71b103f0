"""Forms of people that allauth lacks."""

from datetime import time
from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names, naming, signals
from accounts.forms.entrance import NAME_HELP, NAME_JUST_TAKEN, NAME_WIDGET, SignupForm
from accounts.models import OwnMark, OwnTint, Placing, Scope, User, Welcome
from accounts.presence.noting import forget_presence
from accounts.readers import zones

#: The most quiet hours a day, in minutes.
LONGEST_QUIET = 9 * 60


def _zone_choices(chosen: str) -> list[Any]:
    """Return the time zones to choose from by region; a name that is no longer offered stays with who has it."""
    first = [("", gettext("Same as my browser")), ("UTC", "UTC")]
    names = {name for _region, found in zones.offered() for name, _text in found} | {"", "UTC"}
    return [*first, *([] if chosen in names else [(chosen, chosen)]), *zones.offered()]


def _time_field(label: Any) -> forms.TimeField:
    return forms.TimeField(
        label=label,
        required=False,
        widget=forms.TimeInput({"type": "time"}, format="%H:%M"),
        error_messages={"invalid": _("Enter a time such as 23:00.")},
    )


class PreferencesForm(forms.ModelForm[User]):
    """How the site looks and behaves for one person."""

    own_mark = forms.ChoiceField(
        label=_("Your mark"), choices=OwnMark.choices, widget=forms.RadioSelect, required=False
    )
    own_tint = forms.ChoiceField(
        label=_("Its colour"), choices=OwnTint.choices, widget=forms.RadioSelect, required=False
    )
    language = forms.ChoiceField(label=_("Language"), required=False)
    # A page loaded before there was this choice may still be sent.
    placing = forms.ChoiceField(
        label=_("Placing a piece"), choices=Placing.choices, widget=forms.RadioSelect, required=False
    )

    invited_by = forms.ChoiceField(
        label=_("Who may invite you by name"), choices=Welcome.choices, widget=forms.RadioSelect, required=False
    )
    written_by = forms.ChoiceField(
        label=_("Who may write to you"),
        help_text=_(
            "Texts of their own at a table where you sit; ready phrases stay. A game that you still play does not count"
            " as played."
        ),
        choices=Welcome.choices,
        widget=forms.RadioSelect,
        required=False,
    )
    seen_by = forms.ChoiceField(
        label=_("Who may see when you were here"),
        help_text=_(
            "Whether you are online, or the day of your last visit. If you choose no one, it is not kept, and you do"
            " not see it of others either."
        ),
        choices=Welcome.choices,
        widget=forms.RadioSelect,
        required=False,
    )

    time_zone = forms.ChoiceField(
        label=_("Time zone"),
        help_text=_("Dates and deadlines are shown in this time zone."),
        required=False,
        error_messages={"invalid_choice": _("There is no such time zone. Choose one from the list.")},
    )

    quiet_from = _time_field(_("Quiet from"))
    quiet_until = _time_field(_("Quiet until"))

    class Meta:
        """The fields a person may change, and nothing else of the row."""

        model = User
        fields = [
            *("theme", "has_high_contrast", "colour_names", "language", "time_zone", "quiet_from", "quiet_until"),
            *("invited_by", "written_by", "seen_by", "own_mark", "own_tint", "shows_ratings"),
        ]
        labels = {
            "theme": _("Light or dark"),
            "has_high_contrast": _("More contrast"),
            "colour_names": _("Colours of the pieces"),
            "shows_ratings": _("Ratings at tables"),
        }
        help_texts = {
            "has_high_contrast": _("Stronger text and lines. Always on if your device asks for more contrast."),
            "shows_ratings": _(
                "Show how strong the people at a table are, before the game and in it. Only you see this."
            ),
        }
        widgets = {"theme": forms.RadioSelect, "colour_names": forms.RadioSelect}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["language"].choices = [("", _("Same as my browser")), *settings.LANGUAGES]  # type: ignore[attr-defined]
        self.fields["time_zone"].choices = _zone_choices(self.instance.time_zone)  # type: ignore[attr-defined]
        self.fields["placing"].initial = self.instance.placing
        # A page loaded before there was this choice may still be sent.
        self.fields["colour_names"].required = False
        if not settings.RATINGS:
            del self.fields["shows_ratings"]
        # A guest shows it to no one.
        if not settings.PRESENCE or self.instance.is_guest:
            del self.fields["seen_by"]
        if str(settings.TALK) == "off":
            del self.fields["written_by"]

    def clean_colour_names(self) -> str:
        """Return the choice; without one it stays as it was."""
        return str(self.cleaned_data["colour_names"] or self.instance.colour_names)

    def clean_own_mark(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["own_mark"] if "own_mark" in self.data else self.instance.own_mark)

    def clean_own_tint(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["own_tint"] if "own_tint" in self.data else self.instance.own_tint)

    def clean_invited_by(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["invited_by"] or self.instance.invited_by)

    def clean_written_by(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["written_by"] or self.instance.written_by)

    def clean_seen_by(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["seen_by"] or self.instance.seen_by)

    def clean_time_zone(self) -> str:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return str(self.cleaned_data["time_zone"] if "time_zone" in self.data else self.instance.time_zone)

    def clean_quiet_from(self) -> time | None:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return self._sent_time("quiet_from")

    def clean_quiet_until(self) -> time | None:
        """Return the choice; a page loaded before there was one leaves it as it was."""
        return self._sent_time("quiet_until")

    def _sent_time(self, name: str) -> time | None:
        chosen: time | None = self.cleaned_data[name] if name in self.data else getattr(self.instance, name)
        return chosen and chosen.replace(second=0, microsecond=0)

    def clean(self) -> dict[str, Any]:
        """Refuse half of the quiet hours, or too many."""
        data: dict[str, Any] = super().clean() or self.cleaned_data
        if {"quiet_from", "quiet_until"} & set(self.errors):
            return data
        begin, end = data.get("quiet_from"), data.get("quiet_until")
        if (begin is None) != (end is None):
            missing = "quiet_until" if end is None else "quiet_from"
            self.add_error(missing, gettext("Enter both times, or leave both empty."))
        elif begin is not None and end is not None and not 0 < _minutes_between(begin, end) <= LONGEST_QUIET:
            self.add_error("quiet_until", gettext("Quiet hours last at most 9 hours a day."))
        return data

    @transaction.atomic
    def save(self, commit: bool = True) -> User:
        """Save the preferences alone; without a choice of how to place a piece, that stays as it was.

        What else has become of the account since it was read stays; of one that was closed meanwhile nothing changes.
        Open pages show another face. Changed quiet hours are announced to the games, and so is a changed time zone, in
        which they are read, and who may write to the person.
        """
        if choice := self.cleaned_data["placing"]:
            self.instance.placing = Placing(choice)
        user = self.instance
        if not User.objects.select_for_update(no_key=True).filter(pk=user.pk, is_active=True).values_list("pk"):
            return user
        user.save(update_fields=[*self.Meta.fields, "confirms_placement", "can_undo_placement"])
        if user.seen_by == Welcome.NO_ONE:
            forget_presence(user)
        if any(getattr(user, name) != self.initial[name] for name in ("quiet_from", "quiet_until", "time_zone")):
            signals.quiet_hours_changed.send(sender=User, user_id=user.pk)
        if user.written_by != self.initial.get("written_by", user.written_by):
            signals.writers_changed.send(sender=User, user=user, before=self.initial["written_by"])
        if any(getattr(user, name) != self.initial[name] for name in ("own_mark", "own_tint")):
            signals.tell_seen_anew(user.pk)
        return user


def _minutes_between(begin: time, end: time) -> int:
    """Return how many minutes after a time of day another one comes, on the same day or the next."""
    return ((end.hour - begin.hour) * 60 + end.minute - begin.minute) % (24 * 60)


def name_of(person: User, name: str) -> str:
    """Return the name as it is stored, if no other account has one that looks like it. The person's own will do.

    Raises: ValidationError.
    """
    if names.normalise(name) == person.username:
        return person.username
    stored = str(get_adapter().clean_username(name, shallow=True))
    if person.has_lost(stored):
        raise forms.ValidationError(_("A moderator has taken this name away. Choose another one."), code="refused")
    is_own = names.key(stored) in (person.name_key, person.login_key)
    if not is_own and User.is_name_taken(stored, but=person.pk):
        raise get_adapter().validation_error("username_taken")
    return stored


class SignOnNameForm(forms.Form):
    """The name of somebody who comes by the host's own sign-on for the first time."""

    username = forms.CharField(label=_("Name"), help_text=NAME_HELP, widget=forms.TextInput(NAME_WIDGET))

    def __init__(self, guest: User | None, data: Any = None, *, wished: str = "") -> None:
        chosen = wished if guest is None or guest.lacks_own_name else guest.username
        super().__init__(data, initial={"username": chosen})
        self.guest = guest

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        name: str = self.cleaned_data["username"]
        return name_of(self.guest, name) if self.guest else str(get_adapter().clean_username(name))


class TokenForm(forms.Form):
    """A token for a program: what it is called, and what it may do."""

    name = forms.CharField(
        label=_("What is it for?"),
        max_length=40,
        help_text=_("Only you see this name."),
        widget=forms.TextInput({"autocomplete": "off"}),
    )
    scopes = forms.MultipleChoiceField(
        label=_("What may it do?"),
        choices=Scope.choices,
        widget=forms.CheckboxSelectMultiple,
        error_messages={"required": _("Choose at least one thing that it may do.")},
    )

    def clean_scopes(self) -> list[Scope]:
        """Return the scopes that were ticked."""
        return [Scope(scope) for scope in self.cleaned_data["scopes"]]


class ClaimForm(SignupForm):
    """A guest's name, e-mail and password: the same fields and checks as signing up."""

    def __init__(self, guest: User, *args: Any, **kwargs: Any) -> None:
        initial = {} if guest.lacks_own_name else {"username": guest.username}
        super().__init__(*args, initial=initial, **kwargs)
        self.guest = guest

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        return name_of(self.guest, self.cleaned_data["username"])


class NameForm(forms.Form):
    """How a person wants to be called, guest or member."""

    username = forms.CharField(
        label=_("What should we call you?"),
        help_text=NAME_HELP,
        widget=forms.TextInput(attrs={**NAME_WIDGET, "autocomplete": "nickname", "maxlength": names.LONGEST_USERNAME}),
    )

    def __init__(self, person: User, data: Any = None) -> None:
        super().__init__(data, initial={} if person.lacks_own_name else {"username": person.username})
        self.person = person

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        return name_of(self.person, self.cleaned_data["username"])

    def save(self) -> bool:
        """Rename the person; return whether the name was still free, else say so beside the field.

        Raises: LimitReached.
        """
        try:
            naming.rename(self.person, self.cleaned_data["username"])
        except IntegrityError:
            self.add_error("username", NAME_JUST_TAKEN)
            return False
        return True


def name_guest(guest: User, name: str) -> str:
    """Call the guest so, and return ""; return the name if it cannot be, for the page that says why.

    Raises: LimitReached.
    """
    form = NameForm(guest, {"username": name})
    return "" if form.is_valid() and form.save() else name


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
            raise ValidationError(gettext("Type %(word)s to continue.") % {"word": self.magic})
        return typed


def closing_form(user: User, data: Any = None) -> PasswordForm | WordForm:
    """Return the form that this person has to fill in to close the account."""
    return PasswordForm(user, data) if user.has_usable_password() else WordForm(user, data)
