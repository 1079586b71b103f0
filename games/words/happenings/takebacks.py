"""Moves that were taken back, in sentences."""

from django.utils.translation import gettext, ngettext


def taken_back_line(name: str, first: int, last: int, piece: str, *, is_you: bool = False) -> str:
    """Return who took back which moves; `piece` is that of the first of them."""
    values = {"name": name, "number": first, "first": first, "last": last, "piece": piece}
    if is_you:
        one = gettext("You took back move %(number)d, %(piece)s.")
        several = gettext("You took back moves %(first)d to %(last)d, from your %(piece)s on.")
    else:
        one = gettext("%(name)s took back move %(number)d, %(piece)s.")
        several = gettext("%(name)s took back moves %(first)d to %(last)d, from their %(piece)s on.")
    return (one if first == last else several) % values


def many_taken_back(count: int) -> str:
    """Return that moves were taken back at a place more often than is listed."""
    return ngettext("Moves were taken back here once.", "Moves were taken back here %(n)d times.", count) % {"n": count}
