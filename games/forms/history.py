"""The filters of a list of finished games."""

from collections.abc import Mapping
from datetime import date
from typing import Any, cast

from django import forms
from django.core.validators import MaxValueValidator, MinValueValidator
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from games.lines.entries import LINES
from games.queries.lists.search import BOTS, LOST, OTHERS_LEFT, OUT_OF_TIME, PLAYED_OUT, RESIGNED, TIED, WON, Filters
from games.words import names
from games.words.boards import board_name, boards
from games.words.endings import place_name

#: No game has ended before, or will end after, these days; a day further on has no next one.
EARLIEST_DAY, LATEST_DAY = date(2000, 1, 1), date(2999, 12, 31)

RESULTS = [
    ("", _("Any result")),
    (WON, _("Won")),
    (TIED, _("Tied")),
    (LOST, _("Lost")),
    (PLAYED_OUT, _("Played to the end")),
    (RESIGNED, _("I resigned")),
    (OUT_OF_TIME, _("I ran out of time")),
    (OTHERS_LEFT, _("Others resigned or ran out of time")),
]

#: What people look for most.
USUAL = ("opponent", "variant", "result")

#: The places of players in a game: as many as its seats at most.
PLACES = range(1, 5)


class DayField(forms.DateField):
    """A day, chosen from the browser's own calendar."""

    def __init__(self, label: Any) -> None:
        widget = forms.DateInput({"type": "date"}, format="%Y-%m-%d")
        limits = [MinValueValidator(EARLIEST_DAY), MaxValueValidator(LATEST_DAY)]
        super().__init__(label=label, required=False, widget=widget, input_formats=["%Y-%m-%d"], validators=limits)


class HistoryForm(forms.Form):
    """The filters of a list of finished games. One that makes no sense lets everything through."""

    opponent = forms.CharField(
        label=_("With"), required=False, max_length=150, widget=forms.TextInput({"placeholder": _("Part of a name")})
    )
    variant = forms.ChoiceField(label=_("Board"), required=False)
    result = forms.ChoiceField(label=_("How it ended"), required=False, choices=RESULTS)
    since = DayField(_("From"))
    until = DayField(_("To"))
    place = forms.ChoiceField(label=pgettext_lazy("place", "Place"), required=False)
    who = forms.ChoiceField(
        label=_("Games"), required=False, choices=[("", _("I played")), (BOTS, _("Between my bots"))]
    )
    opening = forms.ChoiceField(label=_("Opening"), required=False)

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, label_suffix="")
        cast(forms.ChoiceField, self.fields["variant"]).choices = [("", _("Any board")), *_kinds()]
        taken = [(str(number), place_name(number)) for number in PLACES]
        cast(forms.ChoiceField, self.fields["place"]).choices = [("", _("Any place")), *taken]
        openings = [(line.key, line.name) for line in LINES.values()]
        cast(forms.ChoiceField, self.fields["opening"]).choices = [("", _("Any opening")), *openings]

    @property
    def usual(self) -> list[BoundField]:
        """Return the fields that are always shown."""
        return [self[name] for name in USUAL]

    @property
    def further(self) -> list[BoundField]:
        """Return the fields that are shown when they are asked for, or used."""
        return [self[name] for name in self.fields if name not in USUAL]

    @property
    def is_narrowed_further(self) -> bool:
        """Whether one of the further fields is used."""
        return any(getattr(self.filters(), name) for name in self.fields if name not in USUAL)

    def filters(self) -> Filters:
        """Return the valid ones among the filters."""
        self.is_valid()
        return Filters(**{name: found for name in self.fields if (found := self.cleaned_data.get(name))})

    def query(self) -> str:
        """Return the valid filters as the part of an address that a link to another page keeps."""
        query = QueryDict(mutable=True)
        query.update({name: str(value) for name, value in vars(self.filters()).items() if value})
        return query.urlencode()


def _kinds() -> list[tuple[str, Any]]:
    """Return the boards: those for several numbers of players as groups, any number first."""
    found: list[tuple[str, Any]] = []
    for key, variants in boards().items():
        kinds = [(variant.id, names.kind_name(variant.id)) for variant in variants]
        if len(kinds) > 1:
            any_number = gettext("%(board)s, any number of players") % {"board": board_name(key)}
            found.append((board_name(key), [(key, any_number), *kinds]))
        else:
            found += kinds
    return found
