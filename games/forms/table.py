"""A new table, as people fill it in."""

import secrets
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from django import forms
from django.conf import settings
from django.forms import BoundField
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.names import LONGEST_USERNAME
from games.base.setup import GameSetup, as_usual, is_usually_public
from games.base.terms import MAX_NAME, NUMBERS, RELIABILITIES
from games.errors import BadRequest, InvitationRefused
from games.forms.freestyle import PIECES, WHERE_RATED, freestyle_faults, freestyle_fields, freestyle_id
from games.forms.seats import BOT, SeatRow, bot_fields_unused, seat_fields, seat_row, seat_setup
from games.forms.stand_in import stand_in_field, stand_in_of
from games.forms.times import TimeForm, TimeRow
from games.lines.matching import lines_of
from games.pages.guide import choices
from games.pages.guide.choices import BoardChoice, VariantChoice
from games.pages.waiting.create import CHOOSE, DRAW, OF_BOT, PER_MOVE, SET, SPANS, USUAL
from games.rules import VARIANTS
from games.rules.variants import NAMED, SIZED, Variant, sized_id
from games.rules.variants.codingame import DEFAULT_SIZE, SEEDS, SIZES
from games.words import boards, deadlines, ladder
from games.words.boards import StartView

DEFAULT_VARIANT = "blockyou-4"
BOX = forms.BooleanField
#: What the answers to questions say that leave it, if answered otherwise, as it usually is.
YES_OR_NO = {"yes": True, "no": False}


@dataclass(frozen=True)
class ScoringRow:
    """One way of scoring to choose: its button, its name and what counts."""

    radio: Any
    name: str
    line: str


class NewGameForm(TimeForm):
    """A new table. Its seats are those of one variant, which is chosen before anything else."""

    #: The slug of the group whose table it is to be, empty for none.
    group = forms.CharField(max_length=12, required=False, widget=forms.HiddenInput)
    name = forms.CharField(
        label=_("Name of the table"),
        max_length=MAX_NAME,
        required=False,
        help_text=_("If left empty, the table is named after you while it waits, and the game after its players."),
    )
    dealing = forms.ChoiceField(
        label=_("Seats and colours"),
        help_text=_("If the game starts at once, seats are random, unless set as above."),
        choices=[
            (CHOOSE, _("Players choose until the game begins")),
            (DRAW, _("Drawn at random when the table opens")),
            (SET, _("In the order above")),
        ],
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list how colours are dealt.")},
    )
    is_paused = forms.BooleanField(label=_("Start paused"), required=False, initial=True)
    is_public = forms.ChoiceField(
        label=_("Who can watch"),
        choices=[
            (USUAL, _("Everyone, unless you invite players and no seat is open to anyone")),
            ("yes", _("Everyone")),
            ("no", _("Players only")),
        ],
        initial=USUAL,
        widget=forms.RadioSelect,
    )
    hints = forms.ChoiceField(
        label=_("Hints"),
        help_text=_("An engine suggests moves to players when they ask."),
        choices=[
            ("usual", _("Where pieces fit; suggested moves only if all your opponents are bots")),
            ("yes", _("Where pieces fit, and suggested moves")),
            ("no", _("No hints")),
        ],
        initial="usual",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose whether hints are allowed.")},
    )
    explains = forms.ChoiceField(
        label=_("Bots explain their moves"),
        help_text=_("Everyone who sees the game can read why a bot made a move, and what chance it gives itself."),
        choices=[
            ("usual", _("During the game if all your opponents are bots, otherwise once it is over")),
            ("yes", _("During the game")),
            ("no", _("Once the game is over")),
        ],
        initial="usual",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list when bots explain their moves.")},
    )
    rated = forms.ChoiceField(
        label=_("Rated"),
        help_text=_(
            "A rated game changes the ratings of its players, once it is over. Until then no engine suggests moves, "
            "and no bot explains its own."
        ),
        choices=[
            ("usual", _("If the table is public, and no moves are suggested or explained during the game")),
            ("yes", _("Yes")),
            ("no", _("No")),
        ],
        initial="usual",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list whether the game is rated.")},
    )
    takebacks = forms.ChoiceField(
        label=_("Taking moves back"),
        help_text=_("Everyone at the table has to agree. If all your opponents are bots, you need to ask no one."),
        choices=[
            ("usual", _("Allowed, unless the game is rated or a seat is open to anyone")),
            ("yes", _("Allowed")),
            ("no", _("No moves are taken back")),
        ],
        initial="usual",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose whether moves can be taken back.")},
    )
    talk = forms.ChoiceField(
        label=_("Talk"),
        help_text=_("What players can say to each other at the table."),
        choices=[
            ("usual", _("Ready phrases; your own words among friends and at private tables")),
            ("phrases", _("Ready phrases only")),
        ],
        initial="usual",
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list what players can say.")},
    )
    bot_pause = forms.ChoiceField(
        label=_("Bots wait before they move"),
        help_text=_("Time to follow what several of them do."),
        choices=[(0, _("Not at all")), (2, _("2 seconds")), (5, _("5 seconds")), (10, _("10 seconds"))],
        initial=0,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list how long bots wait.")},
    )
    min_reliability = forms.ChoiceField(
        label=_("Players make their turns in time"),
        help_text=_("Of the last 50. Newcomers and players whom you invite by name can always sit down."),
        choices=[(0, _("Any")), *((share, f"{share}\N{NO-BREAK SPACE}%") for share in RELIABILITIES if share)],
        initial=0,
        required=False,
        widget=forms.RadioSelect,
        error_messages={"invalid_choice": _("Choose from the list how reliable players must be.")},
    )
    passes = forms.ChoiceField(
        label=_("Passing"),
        choices=[
            ("automatic", _("Colours with no moves left pass automatically")),
            ("declared", _("Players press Pass themselves")),
        ],
        initial="automatic",
        widget=forms.RadioSelect,
    )
    use_required_attribute = False

    def __init__(
        self, data: QueryDict | None = None, *, asked: Mapping[str, str] | None = None, strength: str = ""
    ) -> None:
        """Take what was sent, or else begin with what the address asks for, and bots of this strength."""
        asked = asked or {}
        variant = (data or asked).get("variant", "")
        self.variant = variant if variant in VARIANTS else DEFAULT_VARIANT
        super().__init__(data, label_suffix="", initial=_invitation(asked))
        self._fit_to_variant()
        self.initial["dealing"] = self.usual_dealing
        if strength:
            self.initial.update({f"seat-{number}-strength": strength for number in range(self.chosen.seats)})
        self.initial.update({name: asked[name][:LONGEST_USERNAME] for name in self.fields if name in asked})
        if "days" in asked and "time" not in asked:
            self.initial["time"] = PER_MOVE

    @classmethod
    def unchanged(cls, asked: Mapping[str, str]) -> "NewGameForm":
        """Return the form as it is sent by a person who changes nothing of what is asked for."""
        shown, sent = cls(asked=asked), QueryDict(mutable=True)
        begins_with = {name: shown.get_initial_for_field(field, name) for name, field in shown.fields.items()}
        # Of a box that is empty nothing is sent.
        sent.update({name: str(value) for name, value in begins_with.items() if value not in (None, False)})
        sent["variant"] = shown.variant
        return cls(sent)

    def _fit_to_variant(self) -> None:
        """Ask what there is to choose on this board, and nothing that this site does not offer."""
        for number in range(self.chosen.seats):
            self.fields |= seat_fields(self.chosen, number)
        if self.chosen.family in SIZED:
            self.fields |= {"size": _size_field(), "seed": _seed_field()}
        if self.variant in NAMED:
            self.fields |= freestyle_fields(self.chosen)
        if self.chosen.seats > 2:
            self.fields["stand_in"] = stand_in_field()
        if not settings.RATINGS:
            del self.fields["rated"]
        if ways := boards.scorings(self.chosen):
            self.fields["scoring"] = _scoring_field(ways)

    @property
    def chosen(self) -> Variant:
        """Return the rules' description of the variant."""
        return VARIANTS[self.variant]

    @property
    def usual_dealing(self) -> str:
        """Return how colours are dealt unless something else is chosen: of two players the first would begin."""
        return CHOOSE if self.chosen.seats > 2 else DRAW

    @property
    def boards(self) -> list[BoardChoice]:
        """Return the boards to choose from."""
        return choices.board_choices(self.variant)

    @property
    def variants(self) -> list[VariantChoice]:
        """Return how many may play on the chosen board."""
        return choices.variant_choices(self.variant)

    @property
    def facts(self) -> list[str]:
        """Return the facts about the variant."""
        return boards.facts(self.chosen)

    @property
    def starts(self) -> list[StartView]:
        """Return where each colour starts."""
        return boards.starts(self.chosen)

    @property
    def board_key(self) -> str:
        """Return the place of the variant's board on the page of rules."""
        return boards.board_key(self.variant)

    @property
    def sizes(self) -> list[BoundField]:
        """Return the fields for the size and seed of a board that has them, else none."""
        return [self[name] for name in ("size", "seed") if name in self.fields]

    @property
    def freestyle(self) -> BoundField | None:
        """Return the field of how the sides open, where a piece can be named for each."""
        return self["freestyle"] if "freestyle" in self.fields else None

    @property
    def opening_pieces(self) -> list[BoundField]:
        """Return the fields of the pieces that the sides open with."""
        return [self[name] for name in PIECES if name in self.fields]

    @property
    def stand_in(self) -> BoundField | None:
        """Return the field of what happens to missed turns, where more than two play."""
        return self["stand_in"] if "stand_in" in self.fields else None

    @property
    def scoring(self) -> BoundField | None:
        """Return the field of the way of scoring, if there is a choice."""
        return self["scoring"] if "scoring" in self.fields else None

    def scoring_rows(self) -> Iterator[ScoringRow]:
        """Yield the ways of scoring to choose from."""
        for way, radio in zip(boards.scorings(self.chosen), self["scoring"], strict=True):
            yield ScoringRow(radio, boards.scoring_name(way), boards.scoring_line(self.chosen, way))

    @property
    def numbers(self) -> list[BoundField]:
        """Return the fields of terms that are numbers."""
        return [self[name] for name in NUMBERS]

    @property
    def has_openings(self) -> bool:
        """Return whether the board has openings that bots can be told to begin with."""
        return bool(lines_of(self.chosen))

    @property
    def simulations_help(self) -> str:
        """Return how many games a seat's bot may be told to simulate."""
        return ladder.simulations_line()

    @property
    def seconds_help(self) -> str:
        """Return for how many seconds bots may be told to simulate games instead."""
        return ladder.seconds_line()

    @property
    def estimate(self) -> str:
        """Return how the lengths of games beside the times come about."""
        return deadlines.estimate_line(self.chosen, self.chosen.seats)

    def times(self) -> Iterator[TimeRow]:
        """Yield the choices of time."""
        return self.time_rows(self.chosen, self.chosen.seats)

    def seat_rows(self) -> Iterator[SeatRow]:
        """Yield the fields of each seat."""
        starts = {start.code: start for start in self.starts}
        for number, colours in enumerate(self.chosen.seat_colours()):
            fixed = () if self.chosen.choosable_colours else tuple(starts[colour] for colour in colours)
            yield seat_row(self, number, fixed)

    def as_asked(self, variant: str) -> str:
        """Return the part of an address that shows another variant with all that was filled in here."""
        query = QueryDict(mutable=True)
        # Of a box that is empty nothing is sent.
        sent = [name for name, field in self.fields.items() if name in self.data or isinstance(field, BOX)]
        if self.data.get("dealing") == self.usual_dealing:
            # What is usual differs from variant to variant.
            sent.remove("dealing")
        query.update({"variant": variant} | {name: self.data.get(name, "")[:LONGEST_USERNAME] for name in sent})
        return query.urlencode()

    def clean(self) -> None:
        """Add an error where a colour has been chosen before; a bot that does not sit causes none."""
        super().clean()
        for name in bot_fields_unused(self.cleaned_data, self.fields):
            self.errors.pop(name, None)
        for name, sentence in freestyle_faults(self.cleaned_data).items():
            self.add_error(name, sentence)
        chosen: set[str] = set()
        for name in [name for name in self.fields if name.endswith("-colour")]:
            colour = self.cleaned_data.get(name)
            if colour in chosen:
                self.add_error(name, gettext("Choose a different colour for each player."))
            chosen.add(str(colour))

    def setup(self) -> GameSetup:
        """Return the valid form's table; the action decides whether it makes sense."""
        data, seats = self.cleaned_data, range(self.chosen.seats)
        kinds = [data[f"seat-{number}"] for number in seats]
        numbers: dict[str, Any] = {name: int(data[name] or usual) for name, usual in NUMBERS.items()}
        setup = GameSetup(
            variant=self._variant_id(),
            scoring=data.get("scoring") or self.chosen.scorings[0],
            seats=tuple(seat_setup(data, number) for number in seats),
            colours=tuple(data[f"seat-{number}-colour"] for number in seats) if self.chosen.choosable_colours else (),
            name=data["name"],
            is_public=data["is_public"] == "yes" or (data["is_public"] == USUAL and is_usually_public(kinds)),
            declares_passes=data["passes"] == "declared",
            allows_hints=data["hints"] != "no",
            allows_advice=True if data["hints"] == "yes" else None,
            allows_explanations=YES_OR_NO.get(data["explains"]),
            allows_takebacks=YES_OR_NO.get(data["takebacks"]),
            allows_texts=data["talk"] != "phrases",
            is_rated=YES_OR_NO.get(data.get("rated", "")),
            time=self.control(),
            is_shuffled=data["dealing"] == DRAW,
            lets_choose=data["dealing"] == CHOOSE,
            bot_names_pieces=data.get("freestyle") == OF_BOT,
            stand_in=stand_in_of(data),
            is_paused=data["is_paused"] and all(kind == BOT for kind in kinds),
            **numbers,
        )
        if data.get("freestyle") != WHERE_RATED:
            return setup
        return as_usual(setup.among_members() if data["group"] else setup)

    def _variant_id(self) -> str:
        """Return the whole id, with a size and a seed or the opening pieces, which are drawn where none are given."""
        if "size" not in self.fields:
            return freestyle_id(self.chosen, self.cleaned_data)
        seed = self.cleaned_data["seed"]
        return sized_id(self.variant, self.cleaned_data["size"], secrets.choice(SEEDS) if seed is None else seed)

    def refuse(self, error: BadRequest | InvitationRefused) -> None:
        """Show what the action found beside the field it is about."""
        field = f"{error.field}_amount" if error.field in SPANS else error.field.replace("seats-", "seat-")
        field = {"bot_names_pieces": "freestyle"}.get(field, field)
        if self.cleaned_data.get(field) == "named":
            field += "-name"
        self.add_error(field if field in self.fields else None, str(error.sentence))


def _invitation(asked: Mapping[str, str]) -> dict[str, str]:
    """Return what the form begins with where a person is to be invited."""
    opponent = asked.get("opponent", "")
    return {"seat-1": "named", "seat-1-name": opponent[:LONGEST_USERNAME]} if opponent else {}


def _size_field() -> forms.IntegerField:
    values = {"least": SIZES[0], "most": SIZES[-1]}
    sentence = gettext("Enter a number of rows from %(least)d to %(most)d.") % values
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
    sentence = gettext("A seed is a whole number from 0 to %(most)d. Leave it empty for a random one.") % {
        "most": SEEDS[-1]
    }
    return forms.IntegerField(
        label=_("Seed"),
        help_text=_("Decides which pieces are drawn. Leave it empty for a random one; the table shows it."),
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
