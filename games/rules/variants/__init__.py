"""The variants by id. Another one is another file of data beside `blockyou.py`, and a line here."""

from collections.abc import Mapping
from types import MappingProxyType

from games.rules.errors import UnknownVariant, shown
from games.rules.variants.base import Bonus, Variant
from games.rules.variants.blockyou import BLOCKYOU_2, BLOCKYOU_3, BLOCKYOU_4

#: Every variant by its id, in the order in which they are offered.
VARIANTS: Mapping[str, Variant] = MappingProxyType(
    {variant.id: variant for variant in (BLOCKYOU_4, BLOCKYOU_3, BLOCKYOU_2)}
)


def get_variant(variant: str | Variant) -> Variant:
    """Return the variant of that id; a variant is returned as it is.

    Raises:
        UnknownVariant: there is none of that id.

    """
    if isinstance(variant, Variant):
        return variant
    found = VARIANTS.get(variant) if isinstance(variant, str) else None
    if found is None:
        raise UnknownVariant(f"There is no variant {shown(variant)}. There are: {', '.join(VARIANTS)}.")
    return found


__all__ = ["VARIANTS", "Bonus", "Variant", "get_variant"]
