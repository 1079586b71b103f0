"""What a variant carries: its board, start cells, stock, seats and bonus, all of it data."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from games.rules.errors import UnknownColour, UnsuitableColours, shown
from games.rules.frozen import FrozenMapping
from games.rules.geometry import Grid, Point
from games.rules.notation import format_cell, parse_cell
from games.rules.pieces import Piece


@dataclass(frozen=True)
class Bonus:
    """What a colour gets instead of 0 for having placed its whole stock.

    Rule: R9
    """

    all_placed: int = 15
    monomino_last: int = 20


#: Ways of scoring: unplaced cells and a bonus, unplaced cells alone, placed cells and a bonus. Rule: S1, S2, S3
PENALTY, BASIC, COVERAGE = "penalty", "basic", "coverage"


@dataclass(frozen=True, repr=False)
class Variant:
    """One way to play: values only, so that no code asks which variant it has before it.

    `colours` is the order of play. `starts` gives each colour the names of its start cells, of which
    its first placement covers at least one; where `openers` names pieces for a colour, it is one of
    them. `pieces` are those in a stock and `copies` says how many of each a colour holds. `seating`
    gives each seat its colours; it is empty where the creator of a game chooses `choosable_colours`
    colours, one for each seat. The colours that are `shared` belong to no seat: the seats play them in
    turn, and their score belongs to no seat. `scorings` are the ways of scoring that a game may choose, the
    first where none is chosen. `ends_by_trailing_pass`: a seat that has to pass with the lowest score of all
    ends the game. `numbered` are the pieces of a table that several variants share, where a stock has
    not all of them. Cells are numbered from 0 (a1) row by row from the bottom.
    """

    id: str
    grid: Grid
    colours: tuple[str, ...]
    starts: Mapping[str, tuple[str, ...]]
    pieces: tuple[Piece, ...]
    bonus: Bonus = field(default_factory=Bonus)
    seating: tuple[tuple[str, ...], ...] = ()
    choosable_colours: int = 0
    copies: int = 1
    shared: tuple[str, ...] = ()
    openers: Mapping[str, tuple[str, ...]] = field(default_factory=FrozenMapping)
    scorings: tuple[str, ...] = (PENALTY, BASIC, COVERAGE)
    ends_by_trailing_pass: bool = False
    numbered: tuple[Piece, ...] = ()

    def __post_init__(self) -> None:
        for name in ("starts", "openers"):
            object.__setattr__(self, name, FrozenMapping(getattr(self, name)))

    def __hash__(self) -> int:
        return hash(self.id)

    def __repr__(self) -> str:
        return f"<Variant {self.id}>"

    @property
    def family(self) -> str:
        """Return the id without the size and the seed, or the named pieces, that some variants have."""
        return self.id.partition(":")[0]

    @property
    def named_pieces(self) -> tuple[str, ...]:
        """Return the piece that each seat has to open with, where one was named for each; else nothing."""
        if len(self.openers) < len(self.colours) or any(len(pieces) > 1 for pieces in self.openers.values()):
            return ()
        return tuple(self.openers[colours[0]][0] for colours in self.seating)

    @cached_property
    def opening_pieces(self) -> tuple[str, ...]:
        """Return the names of the pieces that can cover a start cell of each colour; in a corner the cross cannot.

        Rule: R3
        """
        starts = [[self.grid.points[cell] for cell in cells] for cells in self.start_cells.values()]
        return tuple(
            piece.name
            for piece in self.pieces
            if all(any(self._covers(piece, start) for start in colour) for colour in starts)
        )

    def _covers(self, piece: Piece, start: Point) -> bool:
        """Return whether a piece fits on the board so that it covers that cell."""
        steps = [
            (shape, (start[0] - x, start[1] - y))
            for shape in piece.orientations
            for x, y in shape
            if self.grid.lattice.can_shift((start[0] - x, start[1] - y))
        ]
        return any(all((x + dx, y + dy) in self.grid.index for x, y in shape) for shape, (dx, dy) in steps)

    @property
    def seats(self) -> int:
        """Return the number of seats."""
        return len(self.seating) or self.choosable_colours

    @property
    def width(self) -> int:
        """Return the number of columns of the box around the board."""
        return self.grid.width

    @property
    def height(self) -> int:
        """Return the number of rows of the box around the board."""
        return self.grid.height

    @property
    def cell_count(self) -> int:
        """Return the number of cells of the board."""
        return len(self.grid.points)

    @cached_property
    def cells(self) -> tuple[str, ...]:
        """Return the name of each cell by its index: ("a1", "b1", …)."""
        return tuple(format_cell(point) for point in self.grid.points)

    @cached_property
    def start_cells(self) -> Mapping[str, tuple[int, ...]]:
        """Return the indices of each colour's start cells.

        Rule: R3
        """
        index = self.grid.index
        cells = {colour: tuple(index[parse_cell(name)] for name in self.starts[colour]) for colour in self.colours}
        return FrozenMapping(cells)

    @cached_property
    def stock_cells(self) -> int:
        """Return how many cells a full stock has."""
        return self.copies * sum(piece.size for piece in self.pieces)

    def cell_index(self, name: str) -> int:
        """Return the index of the cell of that name, in any case of letters.

        Raises:
            UnreadablePlacement: the text is no name of a cell.
            KeyError: the cell lies beyond the board.

        """
        return self.grid.index[parse_cell(name)]

    def colour_number(self, colour: str) -> int:
        """Return the place of a colour in the order of play, from 0.

        Raises:
            UnknownColour: the variant has no such colour.

        """
        try:
            return self.colours.index(colour)
        except ValueError:
            raise UnknownColour(
                "%(variant)s has no colour %(colour)s. It has: %(names)s.",
                variant=self.id,
                colour=shown(colour),
                names=", ".join(self.colours),
            ) from None

    def seat_colours(self, colours: Sequence[str] | None = None) -> tuple[tuple[str, ...], ...]:
        """Return the colours of each seat.

        Where colours are chosen, `colours[i]` is the colour of seat i; without a choice the first
        ones of the order of play are dealt. Elsewhere `colours` is None or every colour.

        Raises:
            UnsuitableColours: too few, too many, unknown or repeated colours, or none to choose.

        Rule: R10

        """
        if not self.choosable_colours:
            if colours is not None and _listed(colours) != self.colours:
                raise UnsuitableColours("The colours cannot be chosen in %(variant)s.", variant=self.id)
            return self.seating
        chosen = self.colours[: self.choosable_colours] if colours is None else _listed(colours)
        known = [colour for colour in self.colours if colour in chosen]
        if not len(known) == len(chosen) == self.choosable_colours:
            raise UnsuitableColours(
                "Choose %(n)d different colours from %(names)s for %(variant)s.",
                n=self.choosable_colours,
                names=", ".join(self.colours),
                variant=self.id,
            )
        return tuple((colour,) for colour in chosen)


def _listed(colours: object) -> tuple[str, ...]:
    """Return the colours that were given, none where what was given is no list of anything."""
    return tuple(colours) if isinstance(colours, Iterable) else ()
