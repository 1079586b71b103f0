"""A new table, as people fill it in."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST
from games.clock import TimeControl
from games.errors import BadRequest
from games.forms.seats import BOT, SeatRow, bot_fields_unused, seat_fields, seat_row, seat_setup
from games.queries import boards
from games.queries.boards import BoardChoice, StartView, VariantChoice
from games.rules import VARIANTS
from games.rules.variants import SIZED, Variant, sized_id
from games.rules.variants.codingame import DEFAULT_SIZE, SEEDS, SIZES
from games.setup import DAYS_A_MOVE, MAX_NAME, GameSetup

DEFAULT_VARIANT = "blockyou-4"
DEFAULT_DAYS = 3
UNLIMITED = "0"
BOX = forms.BooleanField


@dataclass(frozen=True)
class ScoringRow:
    """One way of scoring to choose: its button, its name and what counts."""

    radio: Any
    name: str
    line: str


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
    is_paused = forms.BooleanField(label=_("Begin paused"), required=False, initial=True)
    is_public = forms.ChoiceField(
        label=_("Who may watch"),
        choices=[("yes", _("Everybody")), ("no", _("Only the players"))],
        initial="yes",
        widget=forms.RadioSelect,
    )
    hints = forms.ChoiceField(
        label=_("Hints"),
        help_text=_("Players may be shown where pieces fit, and good placements."),
        choices=[("yes", _("Allowed")), ("no", _("Not at this table"))],
        initial="yes",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose whether hints are allowed.")},
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

    def __init__(self, data: QueryDict | None = None, *, asked: Mapping[str, str] | None = None) -> None:
        """Take what was sent, or else begin with what the address asks for."""
        asked = asked or {}
        variant = (data or asked).get("variant", "")
        self.variant = variant if variant in VARIANTS else DEFAULT_VARIANT
        super().__init__(data, label_suffix="", initial=_invitation(asked))
        for number in range(self.kind.seats):
            self.fields |= seat_fields(self.kind, number)
        if self.kind.family in SIZED:
            self.fields |= {"size": _size_field(), "seed": _seed_field()}
        if ways := boards.scorings(self.kind):
            self.fields["scoring"] = _scoring_field(ways)
        self.initial.update({name: asked[name][:LONGEST] for name in self.fields if name in asked})

    @property
    def kind(self) -> Variant:
        """Return the rules' description of the variant."""
        return VARIANTS[self.variant]

    @property
    def boards(self) -> list[BoardChoice]:
        """Return the boards to choose from."""
        return boards.board_choices(self.variant)

    @property
    def variants(self) -> list[VariantChoice]:
        """Return how many may play on the chosen board."""
        return boards.variant_choices(self.variant)

    @property
    def facts(self) -> list[str]:
        """Return what is to be known about the variant."""
        return boards.facts(self.kind)

    @property
    def starts(self) -> list[StartView]:
        """Return where each colour starts."""
        return boards.starts(self.kind)

    @property
    def board_key(self) -> str:
        """Return the place of the variant's board on the page of rules."""
        return boards.board_key(self.variant)

    @property
    def sizes(self) -> list[BoundField]:
        """Return the fields of a board that is as large as one likes, none for any other."""
        return [self[name] for name in ("size", "seed") if name in self.fields]

    @property
    def scoring(self) -> BoundField | None:
        """Return the field of the way of scoring, if there is a choice."""
        return self["scoring"] if "scoring" in self.fields else None

    def scoring_rows(self) -> Iterator[ScoringRow]:
        """Yield the ways of scoring to choose from."""
        for way, radio in zip(boards.scorings(self.kind), self["scoring"], strict=True):
            yield ScoringRow(radio, boards.scoring_name(way), boards.scoring_line(self.kind, way))

    def seat_rows(self) -> Iterator[SeatRow]:
        """Yield the fields of each seat."""
        starts = {start.code: start for start in self.starts}
        for number, colours in enumerate(self.kind.seat_colours()):
            fixed = () if self.kind.choosable_colours else tuple(starts[colour] for colour in colours)
            yield seat_row(self, number, fixed)

    def as_asked(self, variant: str) -> str:
        """Return the part of an address that shows another variant with all that was filled in here."""
        query = QueryDict(mutable=True)
        # Of a box that is empty nothing is sent.
        sent = [name for name, field in self.fields.items() if name in self.data or isinstance(field, BOX)]
        query.update({"variant": variant} | {name: self.data.get(name, "")[:LONGEST] for name in sent})
        return query.urlencode()

    def clean(self) -> None:
        """Say at the field where a colour has been chosen before; nobody is told of a bot that does not sit."""
        for name in bot_fields_unused(self.cleaned_data, self.fields):
            self.errors.pop(name, None)
        chosen: set[str] = set()
        for name in [name for name in self.fields if name.endswith("-colour")]:
            colour = self.cleaned_data.get(name)
            if colour in chosen:
                self.add_error(name, gettext("Choose a different colour for each player."))
            chosen.add(str(colour))

    def setup(self) -> GameSetup:
        """Return the valid form's table; whether it makes sense is for the action to say."""
        data, seats = self.cleaned_data, range(self.kind.seats)
        return GameSetup(
            variant=self._variant_id(),
            scoring=data.get("scoring") or self.kind.scorings[0],
            seats=tuple(seat_setup(data, number) for number in seats),
            colours=tuple(data[f"seat-{number}-colour"] for number in seats) if self.kind.choosable_colours else (),
            name=data["name"],
            is_public=data["is_public"] == "yes",
            declares_passes=data["passes"] == "declared",
            allows_hints=data["hints"] != "no",
            time=TimeControl.days_a_move(int(data["days"]) or None),
            is_shuffled=data["is_shuffled"],
            is_paused=data["is_paused"] and all(data[f"seat-{number}"] == BOT for number in seats),
        )

    def _variant_id(self) -> str:
        """Return the whole id: with the size and the seed where there are any, drawn now if none was given."""
        if "size" not in self.fields:
            return self.variant
        seed = self.cleaned_data["seed"]
        return sized_id(self.variant, self.cleaned_data["size"], secrets.choice(SEEDS) if seed is None else seed)

    def refuse(self, error: BadRequest) -> None:
        """Show what the action found beside the field it is about."""
        field = {"time": "days"}.get(error.field, error.field).replace("seats-", "seat-")
        if self.cleaned_data.get(field) == "named":
            field += "-name"
        self.add_error(field if field in self.fields else None, str(error.sentence))


def _invitation(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what the form begins with where somebody is to be invited."""
    opponent = asked.get("opponent", "")
    return {"seat-1": "named", "seat-1-name": opponent[:LONGEST]} if opponent else {}


def _size_field() -> forms.IntegerField:
    values = {"least": SIZES[0], "most": SIZES[-1]}
    sentence = gettext("A board has %(least)d to %(most)d rows. Type a number from %(least)d to %(most)d.") % values
    return forms.IntegerField(
        label=_("Rows and columns"),
        help_text=gettext("From %(least)d to %(most)d.") % values,
        initial=DEFAULT_SIZE,
        min_value=SIZES[0],
        max_value=SIZES[-1],
        widget=forms.NumberInput({"inputmode": "numeric"}),
        error_messages=dict.fromkeys(("required", "invalid", "min_value", "max_value"), sentence),
    )


def _seed_field() -> forms.IntegerField:
    sentence = gettext("A seed is a whole number from 0 to %(most)d. Without one, one is drawn.") % {"most": SEEDS[-1]}
    return forms.IntegerField(
        label=_("Seed"),
        help_text=_("Draws the pieces. Without one it is drawn too; the table shows it."),
        required=False,
        min_value=SEEDS[0],
        max_value=SEEDS[-1],
        widget=forms.TextInput({"inputmode": "numeric", "autocomplete": "off", "placeholder": _("Any")}),
        error_messages=dict.fromkeys(("invalid", "min_value", "max_value"), sentence),
    )


def _scoring_field(ways: tuple[str, ...]) -> forms.ChoiceField:
    return forms.ChoiceField(
        label=_("Scoring"),
        choices=[(way, boards.scoring_name(way)) for way in ways],
        initial=ways[0],
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose a way of scoring from the list.")},
    )
