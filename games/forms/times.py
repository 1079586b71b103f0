"""The fields of a new table about time: a pace by name, days per move, or three times of one's own."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.terms import DAYS_A_MOVE
from games.clock import PACES, TimeControl
from games.pages.waiting.create import OWN, PER_MOVE, SPANS, UNITS, UNLIMITED
from games.rules.variants import Variant
from games.words import clocks, deadlines

DEFAULT_PACE = "normal"
DEFAULT_DAYS = 3
#: What the choices are called.
CHOICES: Mapping[str, str | Promise] = {
    **clocks.PACE_NAMES,
    PER_MOVE: _("Days per move"),
    UNLIMITED: _("No limit"),
    OWN: _("Custom"),
}
LONGEST_NUMBER = 4


@dataclass(frozen=True)
class TimeRow:
    """One choice: its button, its name, and how fast a game goes with it, with about how long it takes.

    `exact` is all that is agreed where that is more; both are empty where it is unknown yet.
    """

    radio: Any
    key: str
    name: str
    line: str
    exact: str


@dataclass(frozen=True)
class SpanRow:
    """One of the three times: a number, and the field for its unit."""

    amount: BoundField
    unit: BoundField


def _amount_field(label: Any, initial: str) -> forms.IntegerField:
    sentence = _("Enter a whole number.")
    return forms.IntegerField(
        label=label,
        initial=initial,
        required=False,
        min_value=1,
        max_value=10**LONGEST_NUMBER - 1,
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off", "size": LONGEST_NUMBER}),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), sentence),
    )


def _unit_field(label: Any) -> forms.ChoiceField:
    names = {"min": _("minutes"), "h": _("hours"), "d": _("days")}
    return forms.ChoiceField(
        choices=tuple(names.items()),
        initial="d",
        required=False,
        widget=forms.Select({"aria-label": label}),
        error_messages={"invalid_choice": _("Choose minutes, hours or days.")},
    )


class TimeForm(forms.Form):
    """The part of a form that asks how much time the players have."""

    # A page loaded before there was this choice sends only the days.
    time = forms.ChoiceField(
        label=_("Time"),
        choices=tuple(CHOICES.items()),
        initial=DEFAULT_PACE,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose a time from the list.")},
    )
    days = forms.ChoiceField(
        label=_("Days per move"),
        choices=[(str(days), str(days)) for days in DAYS_A_MOVE],
        initial=str(DEFAULT_DAYS),
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose a time per move from the list.")},
    )
    initial_amount = _amount_field(_("At the start"), "3")
    initial_unit = _unit_field(_("At the start, unit"))
    increment_amount = _amount_field(_("Added after each move"), "1")
    increment_unit = _unit_field(_("Added after each move, unit"))
    cap_amount = _amount_field(_("At most"), "7")
    cap_unit = _unit_field(_("At most, unit"))

    rests_weekends = forms.BooleanField(
        label=_("Clocks stand still at weekends"),
        help_text=_("Saturday and Sunday in each player's own time zone."),
        required=False,
    )

    def time_rows(self, variant: Variant, people: int) -> Iterator[TimeRow]:
        """Yield the choices, with about how long a game of this variant takes with this many people in its seats."""
        for (key, name), radio in zip(CHOICES.items(), self["time"], strict=True):
            control = PACES.get(key) or _offered(key)
            said = [] if control is None or control.is_unlimited else [clocks.pace_name(control)]
            exact = "" if control is None or control.is_unlimited else clocks.time_name(control)
            length = [deadlines.game_length(variant, control, people)] if control else []
            yield TimeRow(radio, key, str(name), " · ".join(said + length), "" if exact in said else exact)

    @property
    def span_rows(self) -> list[SpanRow]:
        """Return the fields of the three times."""
        return [SpanRow(self[f"{name}_amount"], self[f"{name}_unit"]) for name in SPANS]

    def clean_time(self) -> str:
        """Return the choice; where only days were sent, they are meant, of which 0 meant no limit."""
        return self.cleaned_data["time"] or (UNLIMITED if self.data.get("days") == "0" else PER_MOVE)

    def clean(self) -> None:
        """Ask for the numbers that the choice needs; what it does not need causes no error."""
        super().clean()
        choice = self.cleaned_data.get("time")
        if choice != PER_MOVE:
            self.errors.pop("days", None)
        for name in SPANS:
            if choice != OWN:
                self.errors.pop(f"{name}_amount", None)
                self.errors.pop(f"{name}_unit", None)
            elif f"{name}_amount" not in self.errors and not self.cleaned_data.get(f"{name}_amount"):
                self.add_error(f"{name}_amount", gettext("Enter a whole number."))

    def control(self) -> TimeControl:
        """Return what a valid form says about time; the action decides whether it makes sense."""
        return control_asked({name: str(value) for name, value in self.cleaned_data.items()})


def _offered(key: str) -> TimeControl | None:
    """Return what a choice without a name of its own usually means; nothing where the numbers are still to come."""
    if key == PER_MOVE:
        return TimeControl.days_a_move(DEFAULT_DAYS)
    return TimeControl() if key == UNLIMITED else None


def control_asked(asked: Mapping[str, str]) -> TimeControl:
    """Return the control that valid fields describe; the usual one where nothing is said.

    Where clocks cannot stand still they do not at weekends either.
    """
    control = _spans_asked(asked)
    rests = asked.get("rests_weekends", "") not in ("", "False") and control.allows_rests
    return replace(control, rests_weekends=rests)


def _spans_asked(asked: Mapping[str, str]) -> TimeControl:
    choice = asked.get("time", DEFAULT_PACE)
    if choice in PACES:
        return PACES[choice]
    if choice == OWN:
        initial, increment, cap = (int(asked[f"{name}_amount"]) * UNITS[asked[f"{name}_unit"] or "d"] for name in SPANS)
        return TimeControl(initial, increment, cap)
    return TimeControl() if choice == UNLIMITED else TimeControl.days_a_move(int(asked.get("days") or DEFAULT_DAYS))
