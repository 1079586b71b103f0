"""The words of Pentobi's dialect of SGF: its games, and the properties of colours and seats."""

from collections.abc import Mapping

from games.rules.errors import UnwritableRecord
from games.rules.records.game import seat_signs
from games.rules.variants import Variant

#: The value of GM for each variant that the dialect has, and the variant.
GAMES: Mapping[str, str] = {
    "Blokus": "classic-4",
    "Blokus Two-Player": "classic-2",
    "Blokus Three-Player": "classic-3",
    "Blokus Duo": "duo",
    "Blokus Junior": "junior",
    "Blokus Trigon": "trigon-4",
    "Blokus Trigon Two-Player": "trigon-2",
    "Blokus Trigon Three-Player": "trigon-3",
}
_NAMES = {variant: game for game, variant in GAMES.items()}

#: Properties of our own, which other programs leave alone: the way of scoring, a retired seat, a pass, and the pieces
#: that were named for the seats to open with.
SCORING, RETIRES, PASSES, OPENERS = "XS", "XR", "XP", "XO"

#: Where the details of a game stand.
DETAIL_NAMES = {"title": "GN", "event": "EV", "round": "RO", "date": "DT", "result": "RE"}

#: What is set up for each colour by its number, with both sets of names; what is taken away; the colour to play.
_SETUP = {"A1": 0, "A2": 1, "A3": 2, "A4": 3, "AB": 0, "AW": 1}
CLEARED, TO_PLAY = "AE", "PL"

#: Moves by the colour's number, first as they are written. Long names are those of the first files.
_TWO = {"B": 0, "W": 1, "1": 0, "2": 1, "BLUE": 0, "GREEN": 1}
_MORE = {"1": 0, "2": 1, "3": 2, "4": 3, "BLUE": 0, "YELLOW": 1, "RED": 2, "GREEN": 3}


def game_name(variant: Variant) -> str:
    """Return the name of a variant in the dialect.

    Raises:
        UnwritableRecord: it has none.

    """
    name = _NAMES.get(variant.family) if has_blksgf(variant) else None
    if name is None:
        raise UnwritableRecord("No game of .blksgf is played like %(variant)s. Write it as JSON.", variant=variant.id)
    return name


def has_blksgf(variant: Variant) -> bool:
    """Return whether the dialect has a name for a variant."""
    return variant.id in _NAMES or (bool(variant.named_pieces) and variant.family in _NAMES)


def move_names(variant: Variant) -> dict[str, str]:
    """Return the colour of each property that may tell a move."""
    return _colours(variant, _TWO if len(variant.colours) == len(seat_signs(2)) else _MORE)


def setup_names(variant: Variant) -> dict[str, str]:
    """Return the colour of each property that may tell what is set up."""
    return _colours(variant, _SETUP)


def colour_sign(variant: Variant, colour: str) -> str:
    """Return the property that holds a move of a colour."""
    return next(name for name, own in move_names(variant).items() if own == colour)


def to_play_names(variant: Variant) -> dict[str, str]:
    """Return the colour of each value that may tell who is to play."""
    return _colours(variant, {"B": 0, "W": 1, "1": 0, "2": 1, "3": 2, "4": 3})


def _colours(variant: Variant, numbers: Mapping[str, int]) -> dict[str, str]:
    colours = variant.colours
    return {name: colours[number] for name, number in numbers.items() if number < len(colours)}
