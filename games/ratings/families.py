"""The families of variants: what a person has one rating for."""

from games.rules.variants import NAMED, SIZED, VARIANTS

#: The variants that are one family, however many play; each of the others is a family of its own.
_TOGETHER = ("trigon", "codingame")


def rating_family(variant: str) -> str:
    """Return the family of a variant, whose id may have more, such as a size: `trigon` for `trigon-3`."""
    kind = variant.partition(":")[0]
    return next((family for family in _TOGETHER if kind.startswith(f"{family}-")), kind)


def seats_kind(variant: str) -> str:
    """Return whose seats are worth the same as those of a variant: all of its kind, or those with named pieces.

    Who begins has hardly an advantage where one player has named the pieces and the other has chosen the side.
    """
    kind, *named = variant.split(":")
    return f"{kind}:named" if named and kind in NAMED else kind


def measured_board(variant: str) -> str:
    """Return the board on which bots are measured of which this variant is, empty for one of another size.

    Which pieces were drawn or named is not looked at: each seat has a value of its own for that.
    """
    kind, *chosen = variant.split(":")
    is_usual = kind not in SIZED or not chosen or chosen[0] == str(VARIANTS[kind].width)
    return kind if is_usual else ""


#: Every family, in the order of the variants.
FAMILIES = tuple(dict.fromkeys(rating_family(variant) for variant in VARIANTS))
