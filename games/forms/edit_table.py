"""What the person who opened a table may change of it before the start, as forms."""

from copy import deepcopy
from dataclasses import replace
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.terms import EDITABLE, FILL_AFTER, NUMBERS, TableTerms
from games.errors import BadRequest
from games.forms.seats import strength_choices
from games.forms.stand_in import stand_in_field, stand_in_of
from games.forms.table import NewGameForm
from games.forms.times import TimeForm, TimeRow
from games.pages.waiting.create import CHOOSE, SET, SPANS
from games.pages.waiting.edit_table import EditPage
from games.rules.variants import get_variant
from games.words import deadlines, ladder, table_changes

#: The choice that leaves the moment at which bots sit down as it is.
KEEP = "keep"


class EditTableForm(TimeForm):
    """The terms of a table: its name, who can watch, the time, and what becomes of missed turns and empty seats."""

    name = NewGameForm.base_fields["name"]
    is_public = forms.ChoiceField(
        label=_("Who can watch"),
        choices=[("yes", _("Everyone")), ("no", _("Players only"))],
        widget=forms.RadioSelect,
    )
    dealing = forms.ChoiceField(
        label=_("Colours"),
        choices=[(CHOOSE, _("Players choose")), (SET, _("The colours stay as they are now"))],
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list how colours are dealt.")},
    )
    fill_after = forms.ChoiceField(
        label=_("Bots take seats that are still empty"),
        required=False,
        widget=forms.Select,
        error_messages={"invalid_choice": _("Choose a time from the list.")},
    )
    strength = forms.ChoiceField(label=_("Level of these bots"), choices=strength_choices, required=False)
    use_required_attribute = False

    def __init__(self, page: EditPage, data: QueryDict | None = None) -> None:
        """Take what was sent, or else begin with what is agreed."""
        self.page, self.variant = page, get_variant(page.variant)
        initial = {**page.asked, "fill_after": KEEP if page.bots_later else "0", "strength": ladder.rung_of("").key}
        super().__init__(data, label_suffix="", initial=initial)
        if self.variant.seats > 2:
            self.fields["stand_in"] = stand_in_field()
        if self.variant.named_pieces:
            # The one who named the pieces leaves the choice to the other.
            del self.fields["dealing"]
        self.fields |= {name: deepcopy(NewGameForm.base_fields[name]) for name in NUMBERS if name in EDITABLE}
        hours = [(str(number), table_changes.hours_text(number)) for number in FILL_AFTER]
        kept = [(KEEP, gettext("As it is"))] if page.bots_later else []
        self.fields["fill_after"].choices = [*kept, *hours]  # type: ignore[attr-defined]  # a field of choices

    @property
    def times(self) -> list[TimeRow]:
        """Return the choices of time."""
        return list(self.time_rows(self.variant, self.page.people))

    @property
    def estimate(self) -> str:
        """Return how the lengths of games beside the times come about."""
        return deadlines.estimate_line(self.variant, self.page.people)

    @property
    def stand_in(self) -> forms.BoundField | None:
        """Return the field of what happens to missed turns, where more than two play."""
        return self["stand_in"] if "stand_in" in self.fields else None

    @property
    def numbers(self) -> list[forms.BoundField]:
        """Return the fields of terms that are numbers."""
        return [self[name] for name in NUMBERS if name in self.fields]

    def terms(self) -> TableTerms:
        """Return what a valid form says; the action decides whether it makes sense."""
        data, agreed = self.cleaned_data, self.page.agreed
        after = data["fill_after"] or KEEP
        numbers: dict[str, Any] = {
            each.name: int(data[each.name] or getattr(agreed, each.name)) for each in self.numbers
        }
        return replace(
            agreed,
            name=data["name"],
            is_public=data["is_public"] == "yes",
            time=self.control(),
            stand_in=stand_in_of(data) if "stand_in" in self.fields else agreed.stand_in,
            fill_after=None if after == KEEP else int(after),
            fill_bot=bot_of(data.get("strength", "")),
            lets_choose=data["dealing"] == CHOOSE if data.get("dealing") else agreed.lets_choose,
            **numbers,
        )

    def refuse(self, error: BadRequest) -> None:
        """Show what the action found beside the field it is about."""
        field = f"{error.field}_amount" if error.field in SPANS else error.field
        self.add_error(field if field in self.fields else None, str(error.sentence))


def bot_of(strength: str) -> str:
    """Return the stored name of a bot of that strength, of the usual one where there is none of that key."""
    return ladder.rung_of(strength).bots_for(1)[0]


class RemovalForm(forms.Form):
    """Why a player is removed: one select, for the template."""

    reason = forms.ChoiceField(label=_("Reason, shown to the player"), choices=table_changes.reasons)


class FillForm(forms.Form):
    """The level of the bots that take the empty seats now: one select, for the template."""

    strength = forms.ChoiceField(label=_("Level of the bots"), choices=strength_choices)

    @classmethod
    def usual(cls) -> "FillForm":
        """Return the form with the level that is offered first."""
        return cls(initial={"strength": ladder.rung_of("").key}, label_suffix="", auto_id="fill-%s")


def removal_form(seat: int) -> RemovalForm:
    """Return the form of one seat, counted from 0."""
    form = RemovalForm(label_suffix="", auto_id=f"remove-{seat}-%s")
    form.fields["reason"].widget.attrs["aria-label"] = gettext("Reason, shown to the player")
    return form
