"""The trays of a board with hands: the pieces of the viewer's colours, and which of them fit somewhere now."""

from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from django.utils.translation import get_language

from games.drawing import svg
from games.queries.tables.turns import soonest
from games.rules import Position
from games.words import sentences


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


def trays(position: Position, hand: Sequence[str]) -> tuple[TrayView, ...]:
    """Return the trays of the viewer's colours; the one to play, or to play soonest, is shown."""
    shown = soonest(position, hand)
    return tuple(_tray(position, colour, colour == shown) for colour in hand)


def _tray(position: Position, colour: str, is_shown: bool) -> TrayView:
    return tray_of(position, colour, position.fitting_pieces(colour), is_shown=is_shown)


def usable_first(tray: TrayView) -> TrayView:
    """Return the tray with the pieces first that can be placed, and with the spent ones last."""
    return replace(tray, slots=tuple(sorted(tray.slots, key=lambda slot: (slot.is_spent, not slot.is_playable))))


def tray_of(position: Position, colour: str, playable: Collection[str], *, is_shown: bool = True) -> TrayView:
    """Return the tray of a colour of whose pieces these can be placed."""
    stock, language = Counter(position.stock(colour)), get_language()
    slots = tuple(
        _slot(language, name, icon.size, copy < stock[name], name in playable)
        for name, icon in svg.icons(position.variant.id).items()
        for copy in range(position.variant.copies)
    )
    return TrayView(colour, sentences.colour(colour), slots, is_shown)


@lru_cache(maxsize=1024)
def _slot(_language: str | None, piece: str, size: int, is_left: bool, is_playable: bool) -> SlotView:
    return SlotView(piece, sentences.slot(piece, size, is_left, is_playable), not is_left, is_playable)
