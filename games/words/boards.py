"""The boards there are to play on, in words: their names, and what is special about each, according to its data."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache

from django.conf import settings
from django.utils.functional import Promise
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.base.terms import AgreedTerms, explains_in_play, is_rated_here
from games.rules import VARIANTS
from games.rules.geometry import Point
from games.rules.notation import format_cell
from games.rules.variants import BASIC, COVERAGE, PENALTY, SIZED, Variant, get_variant
from games.words import sentences

#: A board's name, and a line about it.
TEXTS: Mapping[str, tuple[str | Promise, str | Promise]] = {
    "blockyou": ("Block-You", _("20 by 20. Start in your corner.")),
    "classic": (_("Classic"), _("20 by 20. Corners clockwise; with three, one colour is shared.")),
    "duo": (_("Duo"), _("14 by 14. Start inside the board.")),
    "junior": (_("Junior"), _("14 by 14. Two of each simple piece.")),
    "trigon": (_("Trigon"), _("Triangles on a hexagon.")),
    "codingame": ("CodinGame", _("Any size. Pieces drawn at random.")),
}


@dataclass(frozen=True)
class StartView:
    """A colour of a variant: its code, its name, where it starts and who plays it, if that is special."""

    code: str
    name: str
    where: str
    note: str


def board_key(variant: str) -> str:
    """Return which board a variant is played on: the first word of its id."""
    return variant.partition(":")[0].partition("-")[0]


@cache
def boards() -> Mapping[str, tuple[Variant, ...]]:
    """Return the variants of each board, in the order in which they are offered."""
    keys = dict.fromkeys(map(board_key, VARIANTS))
    return {key: tuple(variant for variant in VARIANTS.values() if board_key(variant.id) == key) for key in keys}


def board_name(key: str) -> str:
    """Return what a board is called."""
    return str(TEXTS[key][0])


def board_line(key: str) -> str:
    """Return a line about a board."""
    return str(TEXTS[key][1])


def players(count: int) -> str:
    """Return a number of players in words."""
    return ngettext("%(n)d player", "%(n)d players", count) % {"n": count}


def board_players(key: str) -> str:
    """Return how many may play on a board."""
    return players_between(variant.seats for variant in boards()[key])


def players_between(numbers: Iterable[int]) -> str:
    """Return these numbers of players in words: for how many a board is."""
    counts = sorted(numbers)
    if len(counts) == 1:
        return gettext("for %(n)d") % {"n": counts[0]}
    return gettext("for %(least)d to %(most)d") % {"least": counts[0], "most": counts[-1]}


def note(variant: Variant) -> str:
    """Return how the colours are shared out."""
    if variant.choosable_colours:
        return gettext("One colour each; one is not used.")
    if variant.shared:
        return gettext("One colour each; %(colour)s is shared.") % {"colour": _listed(variant.shared)}
    if len(variant.seating[0]) > 1:
        return gettext("Two colours each.")
    return gettext("One colour each.")


def facts(variant: Variant) -> list[str]:
    """Return what is to be known about a variant before a table is opened, a sentence each."""
    board = [] if variant.family in SIZED else [_board_fact(variant)]
    scoring = [] if scorings(variant) else [scoring_line(variant, variant.scorings[0])]
    return [*board, _pieces_fact(variant), *_special(variant), *scoring]


def table_facts(variant_id: str, scoring: str, *terms: str) -> list[str]:
    """Return what is special about a table that has been opened: its variant, its scoring, its seed, other terms."""
    variant = get_variant(variant_id)
    values = {"name": scoring_name(scoring), "line": scoring_line(variant, scoring)}
    scored = gettext("Scoring: %(name)s. %(line)s") % values
    return [*_special(variant), scored, *_seed_fact(variant), *filter(None, terms)]


def terms_facts(terms: AgreedTerms, people: int, bots: int) -> tuple[str, ...]:
    """Return what a table with so many people and bots says of its terms, waiting and in play; empty what is usual."""
    return (
        _hints_fact(terms, people),
        _takebacks_fact(terms, people),
        _explanations_fact(terms, people, bots),
        _talk_fact(terms, people),
        _rated_fact(terms, people),
        _pause_fact(terms, bots),
        _reliability_fact(terms),
    )


def given_fact(given_moves: int) -> str:
    """Return where a game begins that was given its first moves; empty for any other."""
    if not given_moves:
        return ""
    return ngettext(
        "It begins at a given position, after %(n)d move. Its result counts for no statistics.",
        "It begins at a given position, after %(n)d moves. Its result counts for no statistics.",
        given_moves,
    ) % {"n": given_moves}


def _hints_fact(terms: AgreedTerms, people: int) -> str:
    """Return what the table says about hints; empty where one person plays bots and has all hints."""
    if not terms.allows_hints:
        return gettext("No hints at this table.")
    if not terms.allows_advice:
        return gettext("No engine suggests moves at this table.")
    return gettext("Players can ask an engine to suggest moves.") if people > 1 else ""


def _takebacks_fact(terms: AgreedTerms, people: int) -> str:
    """Return whether moves can be taken back; empty where one person plays bots and can do so, and in games of bots."""
    if not people:
        return ""
    if not terms.allows_takebacks:
        return gettext("No moves are taken back at this table.")
    return gettext("Moves can be taken back if everyone agrees.") if people > 1 else ""


def _explanations_fact(terms: AgreedTerms, people: int, bots: int) -> str:
    """Return what the table says about when its bots explain their moves; empty without bots, and where it is usual.

    It is usual during the game where one person plays bots, else once it is over.
    """
    explains = explains_in_play(terms)
    if not bots or explains == (people < 2):
        return ""
    if explains:
        return gettext("The bots explain their moves during the game.")
    return gettext("The bots explain their moves once the game is over.")


def _talk_fact(terms: AgreedTerms, people: int) -> str:
    """Return what the table says about talk; empty where it is usual, and where one person plays bots."""
    return "" if terms.allows_texts or people < 2 else gettext("Players talk in ready phrases only.")


def _rated_fact(terms: AgreedTerms, people: int) -> str:
    """Return whether a game counts for ratings; empty where it does not and that is usual, as it is in private."""
    if is_rated_here(terms):
        return gettext("This game is rated.")
    return gettext("This game is not rated.") if people > 1 and terms.is_public and settings.RATINGS else ""


def _pause_fact(terms: AgreedTerms, bots: int) -> str:
    """Return how long the bots of a table wait before they move; empty without bots, and where they do not wait."""
    seconds = terms.bot_pause
    if not (bots and seconds):
        return ""
    return ngettext(
        "The bots wait %(n)d second before each move.", "The bots wait %(n)d seconds before each move.", seconds
    ) % {"n": seconds}


def _reliability_fact(terms: AgreedTerms) -> str:
    """Return how reliable the table wants its players to be; empty where it does not ask."""
    if not terms.min_reliability:
        return ""
    sentence = gettext("For players who make at least %(share)d%% of their turns in time, and for newcomers.")
    return sentence % {"share": terms.min_reliability}


def _special(variant: Variant) -> list[str]:
    found = []
    if variant.shared:
        found.append(
            gettext("%(colour)s is shared: the players take turns playing it, and its points do not count.")
            % {"colour": _listed(variant.shared)}
        )
    if variant.named_pieces:
        found += _named(variant)
    elif variant.openers:
        size = max(piece.size for piece in variant.pieces if piece.name in next(iter(variant.openers.values())))
        found.append(
            gettext("%(colours)s start with a piece of at most %(n)d cells.")
            % {"colours": _listed(tuple(variant.openers)), "n": size}
        )
    if variant.ends_by_trailing_pass:
        found.append(gettext("The game ends when a player has to pass with fewer points than everyone else."))
    return found


def _named(variant: Variant) -> list[str]:
    """Return the pieces that were named, side after side, and who chooses."""
    sides = (
        ngettext("%(colours)s opens with %(piece)s.", "%(colours)s open with %(piece)s.", len(colours))
        % {"colours": _listed(colours), "piece": sentences.piece_called(piece)}
        for colours, piece in zip(variant.seating, variant.named_pieces, strict=True)
    )
    rule = gettext("Freestyle: one player names the opening pieces, the other chooses the side.")
    return [rule, *sides]


def _seed_fact(variant: Variant) -> list[str]:
    if variant.family not in SIZED:
        return []
    # The usual board of a family is that of seed 0.
    seed = int(variant.id.rpartition(":")[2]) if ":" in variant.id else 0
    return [gettext("The pieces are drawn from seed %(seed)d.") % {"seed": seed}]


def is_triangular(variant: Variant) -> bool:
    """Whether the cells of the board are triangles."""
    return len(variant.grid.lattice.outline(variant.grid.points[0])) == 3


def _board_fact(variant: Variant) -> str:
    if is_triangular(variant):
        return gettext("The board is a hexagon of %(n)d triangles.") % {"n": variant.cell_count}
    return gettext("The board has %(width)d by %(height)d cells.") % {"width": variant.width, "height": variant.height}


def _pieces_fact(variant: Variant) -> str:
    values = {"n": len(variant.pieces), "least": variant.pieces[0].size, "most": variant.pieces[-1].size}
    if variant.copies == 2:
        return gettext("Each colour has two of each of %(n)d pieces, of %(least)d to %(most)d cells.") % values
    return gettext("Each colour has %(n)d pieces of %(least)d to %(most)d cells.") % values


def starts(variant: Variant) -> list[StartView]:
    """Return every colour in the order of play, with its place to start."""
    return [
        StartView(
            colour,
            sentences.colour(colour),
            where(variant, colour),
            gettext("shared") if colour in variant.shared else "",
        )
        for colour in variant.colours
    ]


def where(variant: Variant, colour: str) -> str:
    """Return where a colour starts, in a few words."""
    cells = variant.start_cells[colour]
    if len(cells) > 1:
        return gettext("any free start cell")
    point = variant.grid.points[cells[0]]
    corner, cell = _corner_at(variant, point), format_cell(point)
    if not corner:
        return gettext("start cell %(cell)s") % {"cell": cell}
    return gettext("%(corner)s, %(cell)s") % {"corner": corner, "cell": cell}


def first_step(variant: Variant, colour: str) -> str:
    """Return how a colour places its first piece, in words that follow its name."""
    if len(variant.start_cells[colour]) > 1:
        return gettext("tap a piece, then one of the marked start cells")
    point = variant.grid.points[variant.start_cells[colour][0]]
    if _corner_at(variant, point):
        text = gettext("tap a piece, then your corner %(cell)s")
    else:
        text = gettext("tap a piece, then your start cell %(cell)s")
    return text % {"cell": format_cell(point)}


def _corner_at(variant: Variant, point: Point) -> str | Promise:
    """Return which corner of the board a cell is in, empty for any other cell."""
    x, y = point
    return _CORNERS.get((x == 0, x == variant.width - 1, y == 0, y == variant.height - 1), "")


#: The corners by whether a cell is in the first column, the last one, the lowest row and the highest.
_CORNERS: Mapping[tuple[bool, bool, bool, bool], str | Promise] = {
    (True, False, True, False): _("lower left"),
    (False, True, True, False): _("lower right"),
    (True, False, False, True): _("upper left"),
    (False, True, False, True): _("upper right"),
}

SCORINGS: Mapping[str, str | Promise] = {PENALTY: _("Penalty"), BASIC: _("Basic"), COVERAGE: _("Coverage")}


def scorings(variant: Variant) -> tuple[str, ...]:
    """Return the ways of scoring to choose from; nothing where there is no choice.

    Without a bonus, counting the cells left is the same with and without it: that is one way, not two.
    """
    found = tuple(way for way in variant.scorings if way != BASIC or has_bonus(variant))
    return found if len(found) > 1 else ()


def has_bonus(variant: Variant) -> bool:
    """Whether placing everything earns anything."""
    return bool(variant.bonus.all_placed or variant.bonus.monomino_last)


def scoring_name(scoring: str) -> str:
    """Return what a way of scoring is called."""
    return str(SCORINGS[scoring])


def unusual_scoring(variant: str, scoring: str) -> str:
    """Return the name of a way of scoring that is not the variant's first, else nothing."""
    if scoring == get_variant(variant).scorings[0]:
        return ""
    return gettext("scoring: %(name)s") % {"name": scoring_name(scoring)}


def scoring_line(variant: Variant, scoring: str) -> str:
    """Return what counts in a way of scoring."""
    bonus = {"all": variant.bonus.all_placed, "last": variant.bonus.monomino_last}
    earns, costs = gettext("Each cell you place earns a point."), gettext("Each cell you cannot place costs a point.")
    counts = earns if scoring == COVERAGE else costs
    if scoring == BASIC or not has_bonus(variant):
        return f"{counts} {gettext('There is no bonus.')}"
    more = gettext("All pieces placed: a bonus of %(all)d points, or of %(last)d if the one-cell piece comes last.")
    return f"{counts} {more % bonus}"


def _listed(colours: tuple[str, ...]) -> str:
    return sentences.listed([sentences.colour(colour) for colour in colours])
