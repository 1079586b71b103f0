"""What people fill in about games, and how it becomes what actions and queries take."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST
from games.bots.registry import engines
from games.clock import TimeControl
from games.errors import BadRequest
from games.queries import names, sentences
from games.queries.history import Filters
from games.rules import VARIANTS
from games.setup import DAYS_A_MOVE, MAX_NAME, GameSetup, SeatKind, SeatSetup

DEFAULT_VARIANT = "blockyou-4"
DEFAULT_DAYS = 3
UNLIMITED = "0"
BOT = "bot:"
SEATS: tuple[tuple[str, str | Promise], ...] = (
    ("me", _("Me")),
    ("open", _("Anyone who joins")),
    ("link", _("Whoever has the link")),
    ("named", _("A player I name")),
)


def seat_number(text: str) -> int | None:
    """Return the number of a seat, None for anything that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


def seat_choices() -> list[tuple[str, str | Promise]]:
    """Return who may sit in a seat: people first, then each kind of bot."""
    return [*SEATS, *((BOT + name, names.bot_name(name)) for name in engines())]


@dataclass(frozen=True)
class SeatRow:
    """The fields of one seat, for the template. `colours` are what the seat plays where that is fixed."""

    number: int
    colours: tuple[str, ...]
    who: BoundField
    username: BoundField
    colour: BoundField | None


@dataclass(frozen=True)
class VariantChoice:
    """A variant to choose. `note` says what is special about it."""

    id: str
    name: str
    note: str | Promise
    is_chosen: bool


class NewGameForm(forms.Form):
    """A new table. Its seats are those of one variant, which is chosen before anything else."""

    name = forms.CharField(
        label=_("Name of the table"),
        max_length=MAX_NAME,
        required=False,
        help_text=_("Without one the table is called after the players."),
    )
    days = forms.ChoiceField(
        label=_("Days for each move"),
        help_text=_("Who lets the time run out may be retired by an opponent."),
        choices=[(str(days), str(days)) for days in DAYS_A_MOVE] + [(UNLIMITED, _("No limit"))],
        initial=str(DEFAULT_DAYS),
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose a time per move from the list.")},
    )
    is_shuffled = forms.BooleanField(label=_("Draw the seats by lot"), required=False, initial=True)
    is_public = forms.ChoiceField(
        label=_("Who may watch"),
        choices=[("yes", _("Everybody")), ("no", _("Only the players"))],
        initial="yes",
        widget=forms.RadioSelect,
    )
    passes = forms.ChoiceField(
        label=_("Passing"),
        choices=[
            ("automatic", _("A colour that cannot place passes by itself")),
            ("declared", _("Its player presses Pass")),
        ],
        initial="automatic",
        widget=forms.RadioSelect,
    )
    use_required_attribute = False

    def __init__(self, data: QueryDict | None = None, *, variant: str = "", opponent: str = "") -> None:
        asked = data.get("variant", "") if data else variant
        self.variant = asked if asked in VARIANTS else DEFAULT_VARIANT
        invitation = {"seat-1": "named", "seat-1-name": opponent[:LONGEST]} if opponent else {}
        super().__init__(data, label_suffix="", initial=invitation)
        for number in range(self.kind.seats):
            self._add_seat(number)

    @property
    def kind(self) -> Any:
        """Return the rules' description of the variant."""
        return VARIANTS[self.variant]

    @property
    def variants(self) -> list[VariantChoice]:
        """Return the variants to choose from, the one with most seats first."""
        return [
            VariantChoice(key, names.variant_name(key), VARIANT_NOTES.get(key, ""), key == self.variant)
            for key in VARIANTS
        ]

    def seat_rows(self) -> Iterator[SeatRow]:
        """Yield the fields of each seat."""
        for number, colours in enumerate(self.kind.seat_colours()):
            choosable = bool(self.kind.choosable_colours)
            yield SeatRow(
                number=number + 1,
                colours=() if choosable else colours,
                who=self[f"seat-{number}"],
                username=self[f"seat-{number}-name"],
                colour=self[f"seat-{number}-colour"] if choosable else None,
            )

    def setup(self) -> GameSetup:
        """Return the valid form's table; whether it makes sense is for the action to say."""
        data, seats = self.cleaned_data, range(self.kind.seats)
        return GameSetup(
            variant=self.variant,
            seats=tuple(_seat(data[f"seat-{number}"], data[f"seat-{number}-name"]) for number in seats),
            colours=tuple(data[f"seat-{number}-colour"] for number in seats) if self.kind.choosable_colours else (),
            name=data["name"],
            is_public=data["is_public"] == "yes",
            declares_passes=data["passes"] == "declared",
            time=TimeControl.days_a_move(int(data["days"]) or None),
            is_shuffled=data["is_shuffled"],
        )

    def refuse(self, error: BadRequest) -> None:
        """Show what the action found beside the field it is about."""
        field = {"time": "days"}.get(error.field, error.field).replace("seats-", "seat-")
        if self.cleaned_data.get(field) == "named":
            field += "-name"
        self.add_error(field if field in self.fields else None, str(error.sentence))

    def _add_seat(self, number: int) -> None:
        self.fields[f"seat-{number}"] = forms.ChoiceField(
            label=gettext("Seat %(number)d") % {"number": number + 1},
            choices=seat_choices,
            initial="me" if number == 0 else "open",
            widget=forms.Select(_spoken(_("Seat %(number)d: who plays"), number)),
            error_messages={"invalid_choice": _("Choose who sits here."), "required": _("Choose who sits here.")},
        )
        self.fields[f"seat-{number}-name"] = forms.CharField(
            label=_("Name of the player"),
            required=False,
            max_length=150,
            widget=forms.TextInput(NAME_ATTRIBUTES | _spoken(_("Seat %(number)d: name of the player"), number)),
        )
        if self.kind.choosable_colours:
            colours = self.kind.colours
            self.fields[f"seat-{number}-colour"] = forms.ChoiceField(
                label=_("Colour"),
                choices=[(colour, sentences.colour(colour)) for colour in colours],
                initial=colours[number],
                widget=forms.Select(_spoken(_("Seat %(number)d: colour"), number)),
                error_messages={"invalid_choice": _("Choose a colour from the list.")},
            )


def _spoken(text: str | Promise, number: int) -> dict[str, str]:
    """Return the attribute that names a field of one seat for who cannot see where it stands."""
    return {"aria-label": str(text) % {"number": number + 1}}


NAME_ATTRIBUTES: dict[str, str | Promise] = {
    "list": "companions",
    "placeholder": _("Name"),
    "autocomplete": "off",
    "autocapitalize": "none",
    "spellcheck": "false",
}
VARIANT_NOTES: dict[str, str | Promise] = {
    "blockyou-4": _("One colour each."),
    "blockyou-3": _("One colour each, one stays out."),
    "blockyou-2": _("Two colours each."),
}


def _seat(choice: str, username: str) -> SeatSetup:
    if choice.startswith(BOT):
        return SeatSetup(kind="bot", bot=choice.removeprefix(BOT))
    return SeatSetup(kind=cast(SeatKind, choice), username=username.strip() if choice == "named" else "")


class HistoryForm(forms.Form):
    """How to narrow a list of finished games. What makes no sense narrows nothing."""

    opponent = forms.CharField(
        label=_("With"), required=False, max_length=150, widget=forms.TextInput({"placeholder": _("Any name")})
    )
    variant = forms.ChoiceField(label=_("Players"), required=False)
    result = forms.ChoiceField(
        label=_("Result"),
        required=False,
        choices=[("", _("Any result")), ("won", _("Won")), ("tied", _("Tied")), ("lost", _("Lost"))],
    )

    def __init__(self, data: Mapping[str, Any]) -> None:
        super().__init__(data, label_suffix="")
        known = [(key, names.variant_name(key)) for key in VARIANTS]
        cast(forms.ChoiceField, self.fields["variant"]).choices = [("", _("Any number")), *known]

    def filters(self) -> Filters:
        """Return the valid ones among the filters."""
        self.is_valid()
        return Filters(**{name: self.cleaned_data.get(name, "") for name in self.fields})

    def query(self) -> str:
        """Return the valid filters as the part of an address that a link to another page keeps."""
        query = QueryDict(mutable=True)
        query.update({name: value for name, value in vars(self.filters()).items() if value})
        return query.urlencode()
