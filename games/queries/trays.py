"""The trays of the play page: the pieces of the viewer's colours, and which of them fit somewhere now."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from django.utils.translation import get_language

from games.queries import drawing, sentences
from games.rules import Position


@dataclass(frozen=True)
class SlotView:
    """A place in the tray: a piece that can be placed, one that fits nowhere now, or the trace of a spent one."""

    piece: str
    label: str
    is_spent: bool
    is_playable: bool


@dataclass(frozen=True)
class TrayView:
    """The stock of one of my colours; `is_shown` is the one the page begins with."""

    colour: str
    label: str
    slots: tuple[SlotView, ...]
    is_shown: bool


def trays(position: Position, colours: Sequence[str]) -> tuple[TrayView, ...]:
    """Return the trays of my colours; the one to play, or to play soonest, is shown."""
    if not colours:
        return ()
    order = position.colours_in_play
    start = order.index(position.colour) if position.colour else 0
    coming = [colour for colour in order[start:] + order[:start] if colour in colours]
    shown = next((colour for colour in coming if position.has_legal(colour)), coming[0])
    return tuple(_tray(position, colour, colour == shown) for colour in colours)


def _tray(position: Position, colour: str, is_shown: bool) -> TrayView:
    stock, language = Counter(position.stock(colour)), get_language()
    playable = drawing.pieces_among(position.variant, position.legal_ids(colour))
    slots = tuple(
        _slot(language, name, icon.size, copy < stock[name], name in playable)
        for name, icon in drawing.icons(position.variant.id).items()
        for copy in range(position.variant.copies)
    )
    return TrayView(colour, sentences.colour(colour), slots, is_shown)


@lru_cache(maxsize=1024)
def _slot(_language: str | None, piece: str, size: int, is_left: bool, is_playable: bool) -> SlotView:
    return SlotView(piece, sentences.slot(piece, size, is_left, is_playable), not is_left, is_playable)
