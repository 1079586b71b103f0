"""What speaks for a placement, as a sentence."""

from collections.abc import Callable, Sequence

from django.utils.translation import gettext, ngettext

from games.queries import findings, sentences
from games.queries.findings import Reason


def told(reasons: Sequence[Reason], is_yours: bool) -> str:
    """Return what a placement does in one sentence, empty if there is nothing to say.

    `is_yours` makes it say "you" to whoever is to place it; else it speaks of a player.
    """
    clauses = [_clause(reason, is_yours) for reason in reasons]
    if not clauses:
        return ""
    whole = clauses[0]
    if len(clauses) > 1:
        whole = gettext("%(one)s and %(other)s") % {"one": whole, "other": clauses[1]}
    return f"{whole[:1].upper()}{whole[1:]}."


def _clause(reason: Reason, is_yours: bool) -> str:
    """Return what comes after the placement's name: "takes 2 corners of Red"."""
    values = {"n": reason.count, "colour": sentences.colour(reason.colour) if reason.colour else ""}
    if reason.kind in _OF_ALL:
        return _OF_ALL[reason.kind](reason.count) % values
    return (_YOURS if is_yours else _THEIRS)[reason.kind](reason.count) % values


_Words = dict[str, Callable[[int], str]]

_OF_ALL: _Words = {
    findings.SIZE: lambda n: ngettext("places %(n)d cell", "places %(n)d cells", n),
    findings.TAKES: lambda n: ngettext("takes %(n)d corner of %(colour)s", "takes %(n)d corners of %(colour)s", n),
    findings.HAMPERS: lambda n: ngettext(
        "leaves %(colour)s %(n)d placement fewer", "leaves %(colour)s %(n)d placements fewer", n
    ),
}

_YOURS: _Words = {
    findings.OPENS: lambda n: ngettext("opens %(n)d corner of yours", "opens %(n)d corners of yours", n),
    findings.FREES: lambda n: ngettext("gives you %(n)d placement more", "gives you %(n)d placements more", n),
    findings.KEEPS: lambda _: gettext("closes no corner of yours"),
    findings.SPARES: lambda n: ngettext(
        "leaves your %(colour)s %(n)d placement", "leaves your %(colour)s %(n)d placements", n
    ),
}

_THEIRS: _Words = {
    findings.OPENS: lambda n: ngettext("opens %(n)d corner of its own", "opens %(n)d corners of its own", n),
    findings.FREES: lambda n: ngettext("gains %(n)d placement", "gains %(n)d placements", n),
    findings.KEEPS: lambda _: gettext("closes no corner of its own"),
    findings.SPARES: lambda n: ngettext(
        "leaves %(colour)s, the same player's, %(n)d placement",
        "leaves %(colour)s, the same player's, %(n)d placements",
        n,
    ),
}
