"""The boards and the variants to choose between, each with a picture."""

from dataclasses import dataclass

from games.drawing.openings import opening_thumbnail
from games.drawing.thumbnails import Thumbnail
from games.rules import VARIANTS
from games.words.boards import board_key, board_line, board_name, board_players, boards, note, players


@dataclass(frozen=True)
class VariantChoice:
    """A variant to choose: how many play, what that means for the colours, and a picture."""

    id: str
    seats: int
    players: str
    note: str
    thumb: Thumbnail
    is_chosen: bool


@dataclass(frozen=True)
class BoardChoice:
    """A board to choose. `variant` is the one that choosing it leads to, with as many players as before if it can."""

    key: str
    name: str
    line: str
    players: str
    variant: str
    thumb: Thumbnail
    is_chosen: bool


def board_choices(chosen: str) -> list[BoardChoice]:
    """Return the boards to choose from, one of them chosen by the id of a variant."""
    seats, at = VARIANTS[chosen].seats, board_key(chosen)
    found = []
    for key, variants in boards().items():
        variant = next((variant for variant in variants if variant.seats == seats), variants[0])
        variant = VARIANTS[chosen] if key == at else variant
        thumb = opening_thumbnail(variants[0].id)
        found.append(
            BoardChoice(key, board_name(key), board_line(key), board_players(key), variant.id, thumb, key == at)
        )
    return found


def variant_choices(chosen: str) -> list[VariantChoice]:
    """Return the variants of the chosen one's board; a single one is no choice, but is listed like one."""
    return [
        VariantChoice(
            variant.id,
            variant.seats,
            players(variant.seats),
            note(variant),
            opening_thumbnail(variant.id),
            variant.id == chosen,
        )
        for variant in boards()[board_key(chosen)]
    ]
