"""The fields of one seat of a new table: a person, or a bot with its strength, its character and its seed."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, cast

from django import forms
from django.forms import BoundField
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.setup import MAX_SEED, SeatKind, SeatSetup
from games.lines.entries import Line
from games.lines.matching import lines_of
from games.rules.variants import Variant
from games.words import ladder, sentences
from games.words.boards import StartView

BOT = "bot"
SEATS: tuple[tuple[str, str | Promise], ...] = (
    ("me", _("Me")),
    ("open", _("Open to anyone")),
    ("link", _("By invitation link")),
    ("named", _("Invite a player by name")),
    (BOT, _("A bot")),
)
NAME_ATTRIBUTES: dict[str, str | Promise] = {
    "list": "companions",
    "placeholder": _("Name"),
    "autocomplete": "off",
    "autocapitalize": "none",
    "spellcheck": "false",
}


@dataclass(frozen=True)
class SeatRow:
    """The fields of one seat, for the template. `starts` are the colours that it plays where that is fixed.

    `character` is None where no bot has one, `opening` where the board has no named one.
    """

    number: int
    starts: tuple[StartView, ...]
    who: BoundField
    username: BoundField
    strength: BoundField
    character: BoundField | None
    seed: BoundField
    simulations: BoundField
    seconds: BoundField
    opening: BoundField | None
    colour: BoundField | None


def seat_number(text: str) -> int | None:
    """Return the number of a seat, None for anything that is none."""
    return int(text) if text.isascii() and text.isdigit() and len(text) < 3 else None


def seat_fields(variant: Variant, number: int) -> dict[str, forms.Field]:
    """Return the fields of a seat by name."""
    found = {"": _who_field(number), "-name": _name_field(number), **_bot_fields(number)}
    if lines := lines_of(variant):
        found["-opening"] = _opening_field(lines, number)
    if variant.choosable_colours:
        found["-colour"] = _colour_field(variant, number)
    return {f"seat-{number}{name}": field for name, field in found.items()}


def seat_row(form: forms.Form, number: int, starts: tuple[StartView, ...]) -> SeatRow:
    """Return the fields of a seat of this form."""
    prefix = f"seat-{number}"
    return SeatRow(
        number=number + 1,
        starts=starts,
        who=form[prefix],
        username=form[f"{prefix}-name"],
        strength=form[f"{prefix}-strength"],
        character=_field(form, f"{prefix}-character"),
        seed=form[f"{prefix}-seed"],
        simulations=form[f"{prefix}-simulations"],
        seconds=form[f"{prefix}-seconds"],
        opening=_field(form, f"{prefix}-opening"),
        colour=_field(form, f"{prefix}-colour"),
    )


def bot_fields_unused(data: Mapping[str, Any], names: Iterable[str]) -> list[str]:
    """Return which of these fields are about a bot, of seats that no bot takes."""
    parts = [name.rpartition("-") for name in names]
    return [
        f"{seat}-{what}"
        for seat, _, what in parts
        if what in ("strength", "character", "seed", "simulations", "seconds", "opening") and data.get(seat) != BOT
    ]


def seat_setup(data: Mapping[str, Any], number: int) -> SeatSetup:
    """Return what a valid form says of a seat. The action refuses a bot that does not exist."""
    prefix = f"seat-{number}"
    kind = data[prefix]
    if kind == BOT:
        strength = ladder.rung_of(data[f"{prefix}-strength"])
        return SeatSetup(
            kind="bot",
            bot=strength.bot_of(data.get(f"{prefix}-character", "")),
            seed=data[f"{prefix}-seed"],
            simulations=data[f"{prefix}-simulations"],
            seconds=data[f"{prefix}-seconds"],
            opening=data.get(f"{prefix}-opening") or "",
        )
    return SeatSetup(kind=cast(SeatKind, kind), username=data[f"{prefix}-name"].strip() if kind == "named" else "")


def _field(form: forms.Form, name: str) -> BoundField | None:
    return form[name] if name in form.fields else None


def _who_field(number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext("Seat %(number)d") % {"number": number + 1},
        choices=SEATS,
        initial="me" if number == 0 else "open",
        widget=forms.Select(_spoken(_("Seat %(number)d: who plays"), number)),
        error_messages={"invalid_choice": _("Choose who sits here."), "required": _("Choose who sits here.")},
    )


def _name_field(number: int) -> forms.CharField:
    return forms.CharField(
        label=_("Name of the player"),
        required=False,
        max_length=150,
        widget=forms.TextInput(NAME_ATTRIBUTES | _spoken(_("Seat %(number)d: name of the player"), number)),
    )


def _bot_fields(number: int) -> dict[str, forms.Field]:
    fields: dict[str, forms.Field] = {
        "-strength": _strength_field(number),
        "-seed": _seed_field(number),
        "-simulations": _simulations_field(number),
        "-seconds": _seconds_field(number),
    }
    if characters := list(ladder.characters()):
        fields["-character"] = forms.ChoiceField(
            label=_("Character"),
            choices=characters,
            initial=characters[0][0],
            required=False,
            widget=forms.Select(_spoken(_("Seat %(number)d: character of the bot"), number)),
            error_messages={"invalid_choice": _("Choose a character from the list.")},
        )
    return fields


def _strength_field(number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Level"),
        choices=strength_choices(),
        initial=ladder.rung_of("").key,
        required=False,
        widget=forms.Select(_spoken(_("Seat %(number)d: level of the bot"), number)),
        error_messages={"invalid_choice": _("Choose a level from the list.")},
    )


def strength_choices() -> list[Any]:
    """Return the levels to choose from; those with characters are a group of their own, which stylesheets look for."""
    rungs = ladder.rungs().values()
    plain: list[Any] = [(rung.key, rung.title) for rung in rungs if not (rung.has_characters or rung.level is None)]
    grouped = [(rung.key, rung.title) for rung in rungs if rung.has_characters]
    beside = [(rung.key, rung.title) for rung in rungs if rung.level is None]
    return [*plain, *([(gettext("With a character"), grouped)] if grouped else []), *beside]


def _seed_field(number: int) -> forms.IntegerField:
    sentence = gettext("A bot's seed is a whole number from 0 to %(most)d. Leave it empty for a random one.")
    return forms.IntegerField(
        label=gettext("Seat %(number)d") % {"number": number + 1},
        required=False,
        min_value=0,
        max_value=MAX_SEED - 1,
        widget=forms.TextInput(
            {"inputmode": "numeric", "autocomplete": "off", "placeholder": _("Any")}
            | _spoken(_("Seat %(number)d: seed of the bot"), number)
        ),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), sentence % {"most": MAX_SEED - 1}),
    )


def _simulations_field(number: int) -> forms.IntegerField:
    sentence = gettext("Enter how many games the bot simulates as a number, or leave it empty.")
    return _limit_field(number, _("Seat %(number)d: games the bot simulates before each move"), sentence)


def _seconds_field(number: int) -> forms.IntegerField:
    sentence = gettext("Enter for how many seconds the bot thinks as a whole number, or leave it empty.")
    return _limit_field(number, _("Seat %(number)d: seconds the bot thinks before each move"), sentence)


def _limit_field(number: int, spoken: Promise, sentence: str) -> forms.IntegerField:
    """Return a field for how much the bot in a seat may think; its bounds are the host's, which the form knows."""
    return forms.IntegerField(
        label=gettext("Seat %(number)d") % {"number": number + 1},
        required=False,
        widget=forms.TextInput(
            {"inputmode": "numeric", "autocomplete": "off", "placeholder": _("As its level")} | _spoken(spoken, number)
        ),
        error_messages={"invalid": sentence},
    )


def _opening_field(lines: Iterable[Line], number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=gettext("Seat %(number)d") % {"number": number + 1},
        choices=[("", _("The bot's choice")), *((line.key, line.name) for line in lines)],
        required=False,
        widget=forms.Select(_spoken(_("Seat %(number)d: opening of the bot"), number)),
        error_messages={"invalid_choice": _("Choose an opening from the list.")},
    )


def _colour_field(variant: Variant, number: int) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Colour"),
        choices=[(colour, sentences.colour(colour)) for colour in variant.colours],
        initial=variant.colours[number],
        widget=forms.Select(_spoken(_("Seat %(number)d: colour"), number)),
        error_messages={"invalid_choice": _("Choose a colour from the list.")},
    )


def _spoken(text: str | Promise, number: int) -> dict[str, str]:
    """Return the attribute that names a field of one seat, for people who cannot see where it stands."""
    return {"aria-label": str(text) % {"number": number + 1}}
