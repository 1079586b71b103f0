"""The strength of the bots in a game that is started with one tap."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.seats import strength_choices
from games.words import ladder


class StrengthForm(forms.Form):
    """One select, for the template; `ladder.rung_of` reads what is chosen, whatever it is."""

    strength = forms.ChoiceField(label=_("Level of the bots"), choices=strength_choices)

    @classmethod
    def of(cls, key: str) -> "StrengthForm":
        """Return the form with this strength chosen, or the one that is offered first."""
        return cls(initial={"strength": ladder.rung_of(key).key}, label_suffix="")
