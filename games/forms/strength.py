"""How strong the bots are to be that one tap starts a game against."""

from django import forms
from django.utils.translation import gettext_lazy as _

from games.forms.seats import strength_choices
from games.queries import ladder


class StrengthForm(forms.Form):
    """One select, for the template; what is chosen is read by `ladder.rung_of`, which is never at a loss."""

    strength = forms.ChoiceField(label=_("Level of the bots"), choices=strength_choices)

    @classmethod
    def of(cls, key: str) -> "StrengthForm":
        """Return the form with this strength chosen, or the one that is offered first."""
        return cls(initial={"strength": ladder.rung_of(key).key}, label_suffix="")
