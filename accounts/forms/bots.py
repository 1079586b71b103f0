"""Forms of people who keep bot accounts."""

from typing import Any

from allauth.account.adapter import get_adapter
from django import forms
from django.db import IntegrityError
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts import names
from accounts.bots.keeping import MOST_BOTS, NoMoreBots, make_bot
from accounts.forms.entrance import NAME_HELP, NAME_JUST_TAKEN, NAME_WIDGET
from accounts.models import User


class NewBotForm(forms.Form):
    """What a new bot account is called: by the same rules as people."""

    username = forms.CharField(
        label=_("Name"),
        help_text=NAME_HELP,
        widget=forms.TextInput(attrs={**NAME_WIDGET, "autocomplete": "off", "maxlength": names.LONGEST_USERNAME}),
    )

    def clean_username(self) -> str:
        """Return the name as it is stored.

        Raises: ValidationError.
        """
        return str(get_adapter().clean_username(self.cleaned_data["username"]))

    def save(self, operator: User) -> User | None:
        """Return the new bot; None if there can be no more or the name has just been taken, which the form then says.

        Raises: LimitReached.
        """
        if operator.has_lost(self.cleaned_data["username"]):
            self.add_error("username", gettext("A moderator has taken this name away. Choose another one."))
            return None
        try:
            return make_bot(operator, self.cleaned_data["username"])
        except IntegrityError:
            self.add_error("username", NAME_JUST_TAKEN)
        except NoMoreBots:
            sentence = gettext("You have %(most)d bots, the most you can have. Close one first.")
            self.add_error(None, sentence % {"most": MOST_BOTS})
        return None


class CloseBotForm(forms.Form):
    """The name of a bot once more, before its account is closed."""

    typed = forms.CharField(widget=forms.TextInput(attrs={**NAME_WIDGET, "autocomplete": "off"}))

    def __init__(self, bot: User, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.bot = bot
        self.fields["typed"].label = gettext("Type the name %(name)s") % {"name": bot.username}

    def clean_typed(self) -> str:
        """Refuse another name.

        Raises: ValidationError.
        """
        typed: str = self.cleaned_data["typed"]
        if not names.is_same(self.bot.username, typed):
            raise forms.ValidationError(gettext("Type %(word)s to continue.") % {"word": self.bot.username})
        return typed
