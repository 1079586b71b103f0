"""The families of variants: what a person has one rating for."""

from games.rules.variants import VARIANTS

#: The variants that are one family, however many play; each of the others is a family of its own.
_TOGETHER = ("trigon", "codingame")


def rating_family(variant: str) -> str:
    """Return the family of a variant, whose id may have a size and a seed: `trigon` for `trigon-3`."""
    kind = variant.partition(":")[0]
    return next((family for family in _TOGETHER if kind.startswith(f"{family}-")), kind)


#: Every family, in the order of the variants.
FAMILIES = tuple(dict.fromkeys(rating_family(variant) for variant in VARIANTS))
