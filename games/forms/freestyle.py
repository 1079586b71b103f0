"""The fields of a new table for two that say whether the opening pieces are named, and the other chooses the side."""

import secrets
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.pages.waiting.create import OF_BOT
from games.roster.sides import even_pairs, pairs_to_name
from games.rules.variants import Variant, named_id
from games.words import sentences

#: What the answers are called: Freestyle where the game is rated; any pieces; two that the site draws; two that the
#: host names; and `OF_BOT`: two that the bot names against which the host plays.
WHERE_RATED, FREE, DRAWN, OWN = "usual", "no", "drawn", "own"

#: The fields of the pieces, by seat.
PIECES = ("first_piece", "second_piece")


def freestyle_fields(variant: Variant) -> dict[str, forms.ChoiceField]:
    """Return the fields by name: how the sides open, and the piece of each; drawn only where pieces were measured.

    A bot names them only where it knows pairs.
    """
    drawn = [(DRAWN, _("Freestyle, with pieces that leave both sides about even"))] if even_pairs(variant.id) else []
    of_bot = [(OF_BOT, _("Freestyle, with pieces the bot names: you choose the side"))]
    if not pairs_to_name(variant.id):
        of_bot = []
    usual = [(WHERE_RATED, _("As usual: Freestyle with such pieces if the game is rated, else any piece"))]
    if not (drawn and settings.RATINGS):
        usual = []
    return {
        "freestyle": forms.ChoiceField(
            label=_("Opening pieces"),
            help_text=_(
                "Freestyle takes away the advantage of the first move. Your opponent chooses the side, unless a bot "
                "names the pieces."
            ),
            choices=[
                (FREE, _("Both sides open with any piece")),
                *drawn,
                (OWN, _("Freestyle, with the pieces you name")),
                *of_bot,
                *usual,
            ],
            initial=WHERE_RATED if usual else FREE,
            required=False,
            widget=forms.RadioSelect,
            error_messages={"invalid_choice": _("Choose from the list how the sides open.")},
        )
    } | {name: _piece_field(variant, colours) for name, colours in zip(PIECES, variant.seating, strict=True)}


def _piece_field(variant: Variant, colours: tuple[str, ...]) -> forms.ChoiceField:
    cells = [
        (each.name, ngettext("%(n)d cell", "%(n)d cells", each.size) % {"n": each.size})
        for each in variant.pieces
        if each.name in variant.opening_pieces
    ]
    listed = sentences.listed([sentences.colour(colour) for colour in colours])
    return forms.ChoiceField(
        label=ngettext("%(colours)s opens with", "%(colours)s open with", len(colours)) % {"colours": listed},
        choices=[("", _("Choose a piece")), *((name, f"{name} ({size})") for name, size in cells)],
        required=False,
        error_messages={"invalid_choice": _("Choose a piece from the list.")},
    )


def freestyle_faults(data: Mapping[str, Any]) -> dict[str, str]:
    """Return what is missing of the pieces that the host wants to name, by field."""
    if data.get("freestyle") != OWN:
        return {}
    return {name: gettext("Choose the piece that this side opens with.") for name in PIECES if data.get(name) == ""}


def freestyle_id(variant: Variant, data: Mapping[str, Any]) -> str:
    """Return the id of the variant with its opening pieces, drawn or named, where the host wants it so.

    Where a bot is to name them, it has none yet.
    """
    match data.get("freestyle"):
        case "drawn":
            return named_id(variant.id, secrets.choice(even_pairs(variant.id)))
        case "own":
            return named_id(variant.id, [data[name] for name in PIECES])
    return variant.id
