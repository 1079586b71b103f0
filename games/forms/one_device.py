"""A game of several people on one device, as its host asks for it: what they are called, and on which board."""

from collections.abc import Iterable, Mapping

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.base.setup import GameSetup, SeatSetup
from games.errors import BadRequest
from games.rules.variants import SIZED, Variant
from games.words import boards, ladder

#: How many people may share a device.
FEWEST_AT_DEVICE, MOST_AT_DEVICE = 2, 4
USUAL_BOARD = "blockyou"
TOO_MANY = _("This board is not for that number of players. Choose another board, or another number.")


def boards_to_share() -> Mapping[str, Mapping[int, Variant]]:
    """Return the boards to choose from by their keys, each with its variants by how many play."""
    found: dict[str, dict[int, Variant]] = {}
    for key, variants in boards.boards().items():
        for variant in variants:
            if variant.family not in SIZED and not variant.named_pieces:
                found.setdefault(key, {}).setdefault(variant.seats, variant)
    return found


def _board(key: str, sizes: Iterable[int]) -> str:
    """Return what a board is called, and how many can play on it."""
    values = {"board": boards.board_name(key), "seats": boards.players_between(sizes)}
    return gettext("%(board)s, %(seats)s") % values


class OneDeviceForm(forms.Form):
    """How many people play, their names, the board, and whether bots take the seats that are left."""

    players = forms.TypedChoiceField(
        label=_("Players on this device"),
        coerce=int,
        widget=forms.RadioSelect,
        choices=[(str(count), str(count)) for count in range(FEWEST_AT_DEVICE, MOST_AT_DEVICE + 1)],
        initial=str(FEWEST_AT_DEVICE),
        error_messages={"invalid_choice": _("Choose two to four players.")},
    )
    board = forms.ChoiceField(
        label=_("Board"),
        widget=forms.RadioSelect,
        initial=USUAL_BOARD,
        error_messages={"invalid_choice": _("Choose a board from the list.")},
    )
    bots = forms.BooleanField(label=_("Add bots until the board has as many players as it can"), required=False)
    use_required_attribute = False

    def __init__(self, data: QueryDict | None = None, *, own_name: str = "", strength: str = "") -> None:
        """Take what was sent, or begin with two players, the first of whom is called `own_name`."""
        super().__init__(data, label_suffix="")
        self.strength = strength
        offered: forms.ChoiceField = self.fields["board"]  # type: ignore[assignment]
        offered.choices = [(key, _board(key, sizes)) for key, sizes in boards_to_share().items()]
        for number in range(1, MOST_AT_DEVICE + 1):
            self.fields[f"name-{number}"] = forms.CharField(
                label=_("Name of player %(n)d") % {"n": number},
                required=False,
                max_length=20,
                initial=own_name if number == 1 else "",
                widget=forms.TextInput(
                    {
                        "placeholder": _("Player %(n)d") % {"n": number},
                        "autocomplete": "off",
                        "spellcheck": "false",
                    }
                ),
                error_messages={"max_length": _("A name can have at most 20 characters.")},
            )

    @property
    def names(self) -> list[forms.BoundField]:
        """Return the fields of the names, in order."""
        return [self[f"name-{number}"] for number in range(1, MOST_AT_DEVICE + 1)]

    def clean(self) -> None:
        """Refuse more players than a board has seats."""
        super().clean()
        data = self.cleaned_data
        if {"players", "board"} <= data.keys() and self._variant() is None:
            self.add_error("players", TOO_MANY)

    def _variant(self) -> Variant | None:
        sizes, players = boards_to_share()[self.cleaned_data["board"]], self.cleaned_data["players"]
        return sizes.get(max(sizes) if self.cleaned_data["bots"] and players <= max(sizes) else players)

    def setup(self) -> GameSetup:
        """Return the table that a valid form asks for."""
        variant, players = self._variant(), self.cleaned_data["players"]
        if variant is None:
            raise ValueError("the form is not valid")
        called = [self.cleaned_data[f"name-{number}"].strip() for number in range(1, players + 1)]
        me = SeatSetup(kind="me", local_name=called[0])
        others = (SeatSetup(kind="local", local_name=name) for name in called[1:])
        bots = (
            SeatSetup(kind="bot", bot=name) for name in ladder.rung_of(self.strength).bots_for(variant.seats - players)
        )
        return GameSetup(
            variant=variant.id, seats=(me, *others, *bots), is_public=False, is_shuffled=False, allows_takebacks=True
        )

    def refuse(self, error: BadRequest) -> None:
        """Show why no such table can be opened, at the name that is at fault where it is one."""
        seat = error.field.removeprefix("seats-")
        name = f"name-{int(seat) + 1}" if seat.isdigit() else None
        self.add_error(name if name in self.fields else None, str(error.sentence))
