"""How people narrow a list of finished games."""

from collections.abc import Mapping
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from games.queries import names
from games.queries.history import Filters
from games.rules import VARIANTS


class HistoryForm(forms.Form):
    """How to narrow a list of finished games. What makes no sense narrows nothing."""

    opponent = forms.CharField(
        label=_("With"), required=False, max_length=150, widget=forms.TextInput({"placeholder": _("Any name")})
    )
    variant = forms.ChoiceField(label=_("Board"), required=False)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("Any result")), ("won", _("Won")), ("tied", _("Tied")), ("lost", _("Lost"))],
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, label_suffix="")
        known = [(key, names.variant_name(key)) for key in VARIANTS]
        cast(forms.ChoiceField, self.fields["variant"]).choices = [("", _("Any board")), *known]

    def filters(self) -> Filters:
        """Return the valid ones among the filters."""
        self.is_valid()
        return Filters(**{name: self.cleaned_data.get(name, "") for name in self.fields})

    def query(self) -> str:
        """Return the valid filters as the part of an address that a link to another page keeps."""
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in vars(self.filters()).items() if value})
        return query.urlencode()
