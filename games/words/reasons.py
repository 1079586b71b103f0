"""What speaks for a placement, as a sentence."""

from collections.abc import Callable, Iterable, Sequence

from django.utils.translation import gettext, ngettext

from games import findings
from games.findings import Merit
from games.words import sentences


def reasons_text(reasons: Sequence[Merit], is_yours: bool) -> str:
    """Return what a placement does in one sentence, empty if there is nothing to say.

    `is_yours` addresses the player who is to place it as "you"; else the sentence is about a player.
    """
    clauses = _of_one_colour(reasons) or [_clause(reason, is_yours) for reason in reasons]
    if not clauses:
        return ""
    whole = clauses[0]
    if len(clauses) > 1:
        whole = gettext("%(one)s and %(other)s") % {"one": whole, "other": clauses[1]}
    return f"{whole[:1].upper()}{whole[1:]}."


def better_text(reasons: Sequence[Merit], colour: str, is_yours: bool) -> str:
    """Return what a better placement does as a sentence, empty if there is nothing to say.

    Its subject is the colour that should have placed it, or the placement where that is yours.
    """
    said = reasons_text(reasons, is_yours)
    if not said:
        return ""
    what = f"{said[:1].lower()}{said[1:-1]}"
    if is_yours:
        return gettext("It %(what)s.") % {"what": what}
    return gettext("%(colour)s %(what)s.") % {"colour": sentences.colour(colour), "what": what}


def leaves_text(colour: str, moves: int, instead: int) -> str:
    """Return how many moves a placement leaves a colour, instead of how many after another one."""
    text = ngettext(
        "It leaves %(colour)s %(n)d move instead of %(other)d.",
        "It leaves %(colour)s %(n)d moves instead of %(other)d.",
        moves,
    )
    return text % {"colour": sentences.colour(colour), "n": moves, "other": instead}


def reason_sentences(reasons: Iterable[tuple[str, str, int]]) -> tuple[str, ...]:
    """Return what speaks for a bot's placement, a sentence each, of reasons as a thought keeps them.

    An effect that is not known, as a record from elsewhere may have it, is left out.
    """
    merits = [Merit(*reason) for reason in reasons]
    clauses = (_clause(merit, is_yours=False) for merit in merits if merit.effect in _OF_ALL or merit.effect in _THEIRS)
    return tuple(f"{clause[:1].upper()}{clause[1:]}." for clause in clauses)


def _of_one_colour(reasons: Sequence[Merit]) -> list[str]:
    """Return a clause for both reasons where they are about another colour's moves and corners, else none."""
    found = {reason.effect: reason for reason in reasons}
    if set(found) != {findings.HAMPERS, findings.TAKES} or len({reason.colour for reason in reasons}) > 1:
        return []
    moves, corners = found[findings.HAMPERS], found[findings.TAKES]
    one = ngettext(
        "blocks %(moves)d of %(colour)s's moves and one of its corners",
        "blocks %(moves)d of %(colour)s's moves and %(n)d of its corners",
        corners.count,
    )
    return [one % {"moves": moves.count, "colour": sentences.colour(moves.colour), "n": corners.count}]


def _clause(reason: Merit, is_yours: bool) -> str:
    """Return what comes after the placement's name: "takes 2 corners of Red"."""
    values = {"n": reason.count, "colour": sentences.colour(reason.colour) if reason.colour else ""}
    if reason.effect in _OF_ALL:
        return _OF_ALL[reason.effect](reason.count) % values
    return (_YOURS if is_yours else _THEIRS)[reason.effect](reason.count) % values


_Words = dict[str, Callable[[int], str]]

_OF_ALL: _Words = {
    findings.SIZE: lambda n: ngettext("places %(n)d cell", "places %(n)d cells", n),
    findings.TAKES: lambda n: ngettext("takes %(n)d of %(colour)s's corners", "takes %(n)d of %(colour)s's corners", n),
    findings.HAMPERS: lambda n: ngettext("blocks %(n)d of %(colour)s's moves", "blocks %(n)d of %(colour)s's moves", n),
}

_YOURS: _Words = {
    findings.OPENS: lambda n: ngettext("opens %(n)d new corner for you", "opens %(n)d new corners for you", n),
    findings.NEARS: lambda n: ngettext(
        "opens %(n)d corner closer to the middle than any you had",
        "opens %(n)d corners closer to the middle than any you had",
        n,
    ),
    findings.FREES: lambda n: ngettext("gives you %(n)d more move", "gives you %(n)d more moves", n),
    findings.KEEPS: lambda _: gettext("closes none of your corners"),
    findings.SPARES: lambda n: ngettext("leaves your %(colour)s %(n)d move", "leaves your %(colour)s %(n)d moves", n),
}

_THEIRS: _Words = {
    findings.OPENS: lambda n: ngettext("opens %(n)d new corner for itself", "opens %(n)d new corners for itself", n),
    findings.NEARS: lambda n: ngettext(
        "opens %(n)d corner closer to the middle than any it had",
        "opens %(n)d corners closer to the middle than any it had",
        n,
    ),
    findings.FREES: lambda n: ngettext("gains %(n)d move", "gains %(n)d moves", n),
    findings.KEEPS: lambda _: gettext("closes none of its own corners"),
    findings.SPARES: lambda n: ngettext(
        "leaves %(n)d move for %(colour)s, the player's other colour",
        "leaves %(n)d moves for %(colour)s, the player's other colour",
        n,
    ),
}
