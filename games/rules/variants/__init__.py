"""The variants by id. Another one is another file of data beside `blockyou.py`, and a line here."""

import copyreg
import re
from collections.abc import Mapping, Sequence
from dataclasses import fields, replace
from functools import lru_cache
from types import MappingProxyType

from games.rules.errors import UnknownVariant, shown
from games.rules.variants import blockyou, classic, codingame, duo, trigon
from games.rules.variants.base import BASIC, COVERAGE, PENALTY, Bonus, Variant

_VARIANTS = (
    *(blockyou.BLOCKYOU_4, blockyou.BLOCKYOU_3, blockyou.BLOCKYOU_2),
    *(classic.CLASSIC_4, classic.CLASSIC_3, classic.CLASSIC_2),
    *(duo.DUO, duo.JUNIOR),
    *(trigon.TRIGON_4, trigon.TRIGON_3, trigon.TRIGON_2),
    *(codingame.codingame(players) for players in codingame.STOCKS),
)

#: Every variant by its id, in the order in which they are offered; those of a chosen size in their usual one.
VARIANTS: Mapping[str, Variant] = MappingProxyType({variant.id: variant for variant in _VARIANTS})

#: The families whose games choose a size and a seed, with the number of players of each.
SIZED: Mapping[str, int] = MappingProxyType({f"codingame-{players}": players for players in codingame.STOCKS})

_CHOSEN = re.compile(r"([a-z]+-[0-9]):([1-9][0-9]?):(0|[1-9][0-9]{0,9})")

#: The variants for two seats whose tables may name the piece with which each side opens.
NAMED: tuple[str, ...] = tuple(kind for kind, each in VARIANTS.items() if each.seats == 2 and kind not in SIZED)

_NAMED = re.compile(r"([a-z]+(?:-[0-9])?):([A-Z0-9]{1,2}):([A-Z0-9]{1,2})", re.ASCII)


def get_variant(variant: str | Variant) -> Variant:
    """Return the variant of that id; a variant is returned as it is.

    An id may go on with a size and a seed where the family has them: `codingame-2:13:42`. That of a game for two may go
    on with the pieces that open it, one for each seat: `duo:N:W`.

    Raises:
        UnknownVariant: there is none of that id.

    """
    if isinstance(variant, Variant):
        return variant
    if not isinstance(variant, str):
        raise _unknown(variant)
    return VARIANTS.get(variant) or (_named if variant.partition(":")[0] in NAMED else _sized)(variant)


def sized_id(family: str, size: int, seed: int) -> str:
    """Return the id of a variant of a chosen size and seed.

    Raises:
        UnknownVariant: the family has none, or not of that size or seed.

    """
    return get_variant(f"{family}:{size}:{seed}").id


def drawn_again(variant: str, seed: int) -> str:
    """Return the id of the same variant with pieces drawn from another seed, where pieces are drawn."""
    kind = get_variant(variant)
    return sized_id(kind.family, kind.width, seed % len(codingame.SEEDS)) if kind.family in SIZED else kind.id


def named_id(family: str, pieces: Sequence[str]) -> str:
    """Return the id of a variant for two whose seats open with these pieces.

    Raises:
        UnknownVariant: it is not for two, or has no such piece.

    """
    return get_variant(":".join((family, *pieces))).id


@lru_cache(maxsize=1024)
def _named(variant: str) -> Variant:
    named = _NAMED.fullmatch(variant)
    kind = VARIANTS[named[1]] if named else None
    if named is None or kind is None or not {named[2], named[3]} <= {piece.name for piece in kind.pieces}:
        raise _unknown(variant)
    sides = zip(kind.seating, named.groups()[1:], strict=True)
    return replace(kind, id=variant, openers={colour: (piece,) for colours, piece in sides for colour in colours})


@lru_cache(maxsize=256)
def _sized(variant: str) -> Variant:
    chosen = _CHOSEN.fullmatch(variant)
    players, size, seed = (SIZED.get(chosen[1]), int(chosen[2]), int(chosen[3])) if chosen else (None, 0, 0)
    if players is None or size not in codingame.SIZES or seed not in codingame.SEEDS:
        raise _unknown(variant)
    made = codingame.codingame(players, size, seed)
    return VARIANTS.get(made.id, made)


def _reduced(variant: Variant) -> tuple[object, ...]:
    """Return what a variant is pickled as: its id, where that is enough to have the same one again, tables and all."""
    if _is_known(variant):
        return get_variant, (variant.id,)
    return Variant, tuple(getattr(variant, each.name) for each in fields(Variant))


def _is_known(variant: Variant) -> bool:
    try:
        return get_variant(variant.id) == variant
    except UnknownVariant:
        return False


copyreg.pickle(Variant, _reduced)  # type: ignore[arg-type]


def _unknown(variant: object) -> UnknownVariant:
    names = ", ".join(VARIANTS)
    return UnknownVariant(
        "There is no variant %(variant)s. Choose from: %(names)s.", variant=shown(variant), names=names
    )


__all__ = [
    "BASIC",
    "COVERAGE",
    "NAMED",
    "PENALTY",
    "SIZED",
    "VARIANTS",
    "Bonus",
    "Variant",
    "drawn_again",
    "get_variant",
    "named_id",
    "sized_id",
]
