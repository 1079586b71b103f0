"""The boards there are to play on: their variants, a picture of each, and what is special, told from its data."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from pathlib import Path

from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.queries import sentences
from games.queries.thumbnails import Thumbnail, thumbnail
from games.rules import VARIANTS
from games.rules.notation import format_cell, parse_placement
from games.rules.variants import BASIC, COVERAGE, PENALTY, SIZED, Variant, get_variant

#: The first turns of a game of each variant, for its picture: no picture has to wait for an engine.
OPENINGS: Mapping[str, list[str]] = json.loads(Path(__file__).with_name("openings.json").read_text("utf-8"))

#: A board's name, and a line about it.
TEXTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "blockyou": ("Block-You", _("20 by 20. Start in your corner.")),
    "classic": (_("Classic"), _("20 by 20. Corners clockwise; three share a colour.")),
    "duo": (_("Duo"), _("14 by 14. Start inside the board.")),
    "junior": (_("Junior"), _("14 by 14. Two of each simple piece.")),
    "trigon": (_("Trigon"), _("Triangles on a hexagon.")),
    "codingame": ("CodinGame", _("Any size. Pieces drawn by lot.")),
}


@dataclass(frozen=True)
class VariantChoice:
    """A variant to choose: how many play, what that means for the colours, and a picture."""

    id: str
    seats: int
    players: str
    note: str
    thumb: Thumbnail
    is_chosen: bool


@dataclass(frozen=True)
class BoardChoice:
    """A board to choose. `variant` is the one that choosing it leads to, with as many players as before if it can."""

    key: str
    name: str
    line: str
    players: str
    variant: str
    thumb: Thumbnail
    is_chosen: bool


@dataclass(frozen=True)
class StartView:
    """A colour of a variant: its code, its name, where it starts and who plays it, if that is special."""

    code: str
    name: str
    where: str
    note: str


def board_key(variant: str) -> str:
    """Return which board a variant is played on: the first word of its id."""
    return variant.partition("-")[0]


@cache
def boards() -> Mapping[str, tuple[Variant, ...]]:
    """Return the variants of each board, in the order in which they are offered."""
    keys = dict.fromkeys(map(board_key, VARIANTS))
    return {key: tuple(kind for kind in VARIANTS.values() if board_key(kind.id) == key) for key in keys}


def board_name(key: str) -> str:
    """Return what a board is called."""
    return str(TEXTS[key][0])


def board_line(key: str) -> str:
    """Return a line about a board."""
    return str(TEXTS[key][1])


def board_choices(chosen: str) -> list[BoardChoice]:
    """Return the boards to choose from, one of them chosen by the id of a variant."""
    seats, at = VARIANTS[chosen].seats, board_key(chosen)
    found = []
    for key, kinds in boards().items():
        kind = next((kind for kind in kinds if kind.seats == seats), kinds[0])
        kind = VARIANTS[chosen] if key == at else kind
        thumb = picture(kinds[0].id)
        found.append(BoardChoice(key, board_name(key), board_line(key), board_players(key), kind.id, thumb, key == at))
    return found


def variant_choices(chosen: str) -> list[VariantChoice]:
    """Return the variants of the chosen one's board; a single one is no choice, but is told like one."""
    return [
        VariantChoice(kind.id, kind.seats, players(kind.seats), note(kind), picture(kind.id), kind.id == chosen)
        for kind in boards()[board_key(chosen)]
    ]


def players(count: int) -> str:
    """Return a number of players in words."""
    return ngettext("%(n)d player", "%(n)d players", count) % {"n": count}


def board_players(key: str) -> str:
    """Return how many may play on a board."""
    counts = sorted(kind.seats for kind in boards()[key])
    if len(counts) == 1:
        return gettext("for %(n)d") % {"n": counts[0]}
    return gettext("for %(least)d to %(most)d") % {"least": counts[0], "most": counts[-1]}


def note(kind: Variant) -> str:
    """Return how the colours are shared out."""
    if kind.choosable_colours:
        return gettext("One colour each, one stays out.")
    if kind.shared:
        return gettext("One colour each, %(colour)s is shared.") % {"colour": _listed(kind.shared)}
    if len(kind.seating[0]) > 1:
        return gettext("Two colours each.")
    return gettext("One colour each.")


@lru_cache(maxsize=64)
def picture(variant: str) -> Thumbnail:
    """Return the variant's board after some first turns."""
    kind = VARIANTS[variant]
    board, playing = ["."] * kind.cell_count, kind.choosable_colours or len(kind.colours)
    for turn, text in enumerate(OPENINGS[variant]):
        for point in parse_placement(text.partition(":")[2], ())[1]:
            board[kind.grid.index[point]] = str(turn % playing)
    return thumbnail("".join(board), variant)


def facts(kind: Variant) -> list[str]:
    """Return what is to be known about a variant before a table is opened, a sentence each."""
    board = [] if kind.family in SIZED else [_board_fact(kind)]
    scoring = [] if scorings(kind) else [scoring_line(kind, kind.scorings[0])]
    return [*board, _pieces_fact(kind), *_special(kind), *scoring]


def table_facts(variant: str, scoring: str, *, allows_hints: bool) -> list[str]:
    """Return what is special about a table that has been opened: its variant, its scoring, its seed, its hints."""
    kind = get_variant(variant)
    values = {"name": scoring_name(scoring), "line": scoring_line(kind, scoring)}
    hints = [] if allows_hints else [gettext("No hints at this table.")]
    return [*_special(kind), gettext("Scoring: %(name)s. %(line)s") % values, *_seed_fact(kind), *hints]


def _special(kind: Variant) -> list[str]:
    found = []
    if kind.shared:
        found.append(
            gettext("%(colour)s belongs to nobody: the players take turns with it, and its points do not count.")
            % {"colour": _listed(kind.shared)}
        )
    if kind.openers:
        size = max(piece.size for piece in kind.pieces if piece.name in next(iter(kind.openers.values())))
        found.append(
            gettext("%(colours)s open with a piece of at most %(n)d cells.")
            % {"colours": _listed(tuple(kind.openers)), "n": size}
        )
    if kind.ends_by_trailing_pass:
        found.append(gettext("Who has to pass with fewer points than everybody else ends the game."))
    return found


def _seed_fact(kind: Variant) -> list[str]:
    if kind.family not in SIZED:
        return []
    # The usual board of a family is that of seed 0.
    seed = int(kind.id.rpartition(":")[2]) if ":" in kind.id else 0
    return [gettext("The pieces are drawn from seed %(seed)d.") % {"seed": seed}]


def is_triangular(kind: Variant) -> bool:
    """Whether the cells of the board are triangles."""
    return len(kind.grid.lattice.outline(kind.grid.points[0])) == 3


def _board_fact(kind: Variant) -> str:
    if is_triangular(kind):
        return gettext("The board is a hexagon of %(n)d triangles.") % {"n": kind.cell_count}
    return gettext("The board has %(width)d by %(height)d cells.") % {"width": kind.width, "height": kind.height}


def _pieces_fact(kind: Variant) -> str:
    values = {"n": len(kind.pieces), "least": kind.pieces[0].size, "most": kind.pieces[-1].size}
    if kind.copies == 2:
        return gettext("Each colour has two each of %(n)d pieces, of %(least)d to %(most)d cells.") % values
    return gettext("Each colour has %(n)d pieces of %(least)d to %(most)d cells.") % values


def starts(kind: Variant) -> list[StartView]:
    """Return every colour in the order of play, with its place to start."""
    return [
        StartView(
            colour, sentences.colour(colour), where(kind, colour), gettext("shared") if colour in kind.shared else ""
        )
        for colour in kind.colours
    ]


def where(kind: Variant, colour: str) -> str:
    """Return where a colour starts, in a few words."""
    cells = kind.start_cells[colour]
    if len(cells) > 1:
        return gettext("any free start cell")
    point = kind.grid.points[cells[0]]
    x, y = point
    corner = _CORNERS.get((x == 0, x == kind.width - 1, y == 0, y == kind.height - 1))
    cell = format_cell(point)
    return gettext("%(corner)s, %(cell)s") % {"corner": corner, "cell": cell} if corner else cell


#: The corners by whether a cell is in the first column, the last one, the lowest row and the highest.
_CORNERS: Mapping[tuple[bool, bool, bool, bool], str | Promise] = {
    (True, False, True, False): _("lower left"),
    (False, True, True, False): _("lower right"),
    (True, False, False, True): _("upper left"),
    (False, True, False, True): _("upper right"),
}

SCORINGS: Mapping[str, str | Promise] = {PENALTY: _("Penalty"), BASIC: _("Basic"), COVERAGE: _("Coverage")}


def scorings(kind: Variant) -> tuple[str, ...]:
    """Return the ways of scoring to choose from; nothing where there is no choice.

    Without a bonus, counting the cells left is the same with and without it: that is one way, not two.
    """
    found = tuple(way for way in kind.scorings if way != BASIC or has_bonus(kind))
    return found if len(found) > 1 else ()


def has_bonus(kind: Variant) -> bool:
    """Whether placing everything earns anything."""
    return bool(kind.bonus.all_placed or kind.bonus.monomino_last)


def scoring_name(scoring: str) -> str:
    """Return what a way of scoring is called."""
    return str(SCORINGS[scoring])


def unusual_scoring(variant: str, scoring: str) -> str:
    """Return the name of a way of scoring that is not the variant's first, else nothing."""
    if scoring == get_variant(variant).scorings[0]:
        return ""
    return gettext("scoring: %(name)s") % {"name": scoring_name(scoring)}


def scoring_line(kind: Variant, scoring: str) -> str:
    """Return what counts in a way of scoring."""
    bonus = {"all": kind.bonus.all_placed, "last": kind.bonus.monomino_last}
    if scoring == COVERAGE:
        counts = gettext("Each cell you place earns a point.")
        more = gettext("Everything placed: %(all)d more, or %(last)d with the single cell last.")
    else:
        counts = gettext("Each cell you cannot place costs a point.")
        more = gettext("Everything placed: %(all)d points, or %(last)d with the single cell last.")
    return f"{counts} {more % bonus if scoring != BASIC and has_bonus(kind) else gettext('There is no bonus.')}"


def _listed(colours: tuple[str, ...]) -> str:
    return sentences.listed([sentences.colour(colour) for colour in colours])
