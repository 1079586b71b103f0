"""Placements as people type them: the forms of a record, and a short one that turns a piece and sets it down.

The short form is `F at c7 r90 flip`: the piece as docs/rules.md lists it, turned clockwise and flipped in the order
that is written, its first cell (lowest row, then leftmost) on the cell named. A piece may have its size behind its
name, F5. Its words are understood in English, and in the reader's language. It is a way of typing only: what is
recorded is the canonical text.
"""

import re
from functools import lru_cache

from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from games.base import access
from games.errors import BadRequest, Refused
from games.rules import Placement, UnreadablePlacement, errors
from games.rules.geometry import Point, row_by_row
from games.rules.notation import LONGEST_PLACEMENT, format_placement, parse_cell
from games.rules.pieces import Piece
from games.rules.variants import Variant, get_variant

#: The short form; `at` and `flip` stand for the words of the reader's language.
_SHORT = r"([a-z0-9]{{1,8}})(?: +(?:at|{at}) +| *@ *)([a-z]{{1,2}}[1-9][0-9]?)((?: +(?:r[0-9]{{1,3}}|flip|{flip}))*)"


def read_typed(text: str, variant: Variant) -> Placement:
    """Return the placement that was typed. Whether it is legal is a question for a position.

    Raises:
        BadRequest: it is no placement; `field` is placement.
        Refused: a piece in the short form would leave the board.

    """
    form = _SHORT.format(at=re.escape(_at()), flip=re.escape(_flip()))
    written = " ".join(text[: LONGEST_PLACEMENT + 1].split())
    short = re.fullmatch(form, written, re.IGNORECASE) if len(text) <= LONGEST_PLACEMENT else None
    try:
        return _short(short, variant) if short else Placement.parse(text, variant)
    except UnreadablePlacement as unreadable:
        sentence = _(
            "This move could not be read. Enter a piece and its cells, such as V3:a1,b1,a2, or a piece at a cell, such "
            "as F at c7 r90 flip."
        )
        raise BadRequest(sentence, field="placement") from unreadable


def canonical(user: access.Viewer, slug: str, text: str) -> str:
    """Return the canonical text of what a person has typed in a game; two queries.

    Raises:
        NotFound: there is no such game for this person.
        BadRequest, Refused: as `read_typed`.

    """
    return str(read_typed(text, get_variant(access.game_to_view(user, slug).variant)))


def _at() -> str:
    return pgettext("typed between a piece and its cell", "at")


def _flip() -> str:
    return pgettext("typed to turn a piece over", "flip")


def short_example(variant: Variant) -> str:
    """Return a placement in the short form that the board has room for, in the words of the reader's language."""
    piece, cell, step = _example(variant)
    return f"{piece} {_at()} {cell} r{step} {_flip()}"


def example_of(variant: Variant) -> Placement:
    """Return the placement that the short example means."""
    return read_typed(short_example(variant), variant)


@lru_cache(maxsize=32)
def _example(variant: Variant) -> tuple[str, str, int]:
    """Return the piece, the cell and the turn of the short example."""
    piece, step = next(one.name for one in variant.pieces if len(one.orientations) > 3), step_of(variant)
    cells = _from_the_middle(variant)
    return piece, next(cell for cell in cells if _fits(f"{piece} at {cell} r{step} flip", variant)), step


def _from_the_middle(variant: Variant) -> tuple[str, ...]:
    return variant.cells[variant.cell_count // 2 + variant.width // 3 :]


def _fits(text: str, variant: Variant) -> bool:
    try:
        read_typed(text, variant)
    except (BadRequest, Refused):
        return False
    return True


def step_of(variant: Variant) -> int:
    """Return by how many degrees the smallest turn turns a piece: 90, on triangles 60."""
    return 360 // max(_round(piece) for piece in variant.pieces)


def _round(piece: Piece) -> int:
    """Return after how many turns a piece lies as it did at first."""
    count, form = 1, piece.turns[0]
    while form:
        count, form = count + 1, piece.turns[form]
    return count


def _short(short: re.Match[str], variant: Variant) -> Placement:
    piece, cell = _piece(short[1], variant), parse_cell(short[2])
    form = row_by_row(piece.orientations[_orientation(piece, short[3].lower().split(), variant)])
    step = (cell[0] - form[0][0], cell[1] - form[0][1])
    if not variant.grid.lattice.can_shift(step):
        sentence = _("%(piece)s points the other way at %(cell)s. Turn it once more, or choose the cell next to it.")
        raise BadRequest(sentence % {"piece": piece.name, "cell": short[2].lower()}, field="placement")
    points: list[Point] = [(x + step[0], y + step[1]) for x, y in form]
    if any(point not in variant.grid.index for point in points):
        raise Refused(reasons=(errors.OFF_BOARD,))
    return Placement.parse(format_placement(piece.name, points), variant)


def _piece(name: str, variant: Variant) -> Piece:
    known = {f"{piece.name}{piece.size}".lower(): piece for piece in variant.pieces}
    known |= {piece.name.lower(): piece for piece in variant.pieces}
    if name.lower() not in known:
        names = ", ".join(piece.name for piece in variant.pieces)
        sentence = _("There is no piece %(piece)s here. The pieces are %(pieces)s.")
        raise BadRequest(sentence % {"piece": name, "pieces": names}, field="placement")
    return known[name.lower()]


def _orientation(piece: Piece, words: list[str], variant: Variant) -> int:
    """Return the number of the orientation that these turns and flips make of the piece as it is listed."""
    form, step = 0, step_of(variant)
    for word in words:
        if not re.fullmatch(r"r[0-9]+", word):
            form = piece.flips[form]
            continue
        if int(word[1:]) % step:
            sentence = _("Pieces turn by %(step)d degrees here, for example r%(step)d.")
            raise BadRequest(sentence % {"step": step}, field="placement")
        for _turn in range(int(word[1:]) // step):
            form = piece.turns[form]
    return form
