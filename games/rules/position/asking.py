"""What may come next. Nothing here makes another position."""

from functools import reduce
from operator import index, or_
from typing import SupportsIndex

from games.rules import errors
from games.rules.board import ids_of
from games.rules.legality import Faults, Sight, refusal, shape_faults
from games.rules.placement import Placement
from games.rules.position.state import State


class Asking(State):
    """The state of play and the questions to it; `Position` adds how play goes on."""

    __slots__ = ()

    def _asked(self, colour: str | None) -> int | None:
        """Return the number of a colour asked about, by default of the one to play; None after the end."""
        if colour is not None:
            return self.variant.colour_number(colour)
        return self._number if self._number >= 0 else None

    def legal_mask(self, colour: str | None = None) -> int:
        """Return the legal placements of a colour as a set: bit i is the placement of id i.

        Without a colour, those of the colour to play.

        Rule: R3, R4, R5, R6
        """
        number = self._asked(colour)
        return 0 if number is None else self._board.legal_mask(number)

    def legal_ids(self, colour: str | None = None) -> tuple[int, ...]:
        """Return the ids of the legal placements, ascending."""
        number = self._asked(colour)
        return () if number is None else self._board.legal_ids(number)

    def legal_placements(self, colour: str | None = None) -> tuple[Placement, ...]:
        """Return every legal placement of a colour, by default of the colour to play, each once.

        Order: that of the ids, by anchor row by row, then by shape; it never changes, so a seeded
        bot repeats itself. Nothing if the colour is blocked.

        Rule: R3 (first placement), R4 (corner contact), R5 (no edge contact), R6
        """
        return tuple(map(self._game.table.placement, self.legal_ids(colour)))

    def legal_count(self, colour: str | None = None) -> int:
        """Return how many placements are legal."""
        return self.legal_mask(colour).bit_count()

    def nth_legal_id(self, number: SupportsIndex, colour: str | None = None) -> int:
        """Return `legal_ids(colour)[number]` without listing the others.

        Raises:
            IndexError: there are fewer.

        """
        asked, rank = self._asked(colour), index(number)
        if asked is None or not 0 <= rank < self.legal_count(colour):
            raise IndexError(rank)
        return self._board.nth_legal_id(asked, rank)

    def placement(self, placement_id: SupportsIndex) -> Placement:
        """Return the placement of that id, legal or not; IndexError if the variant has none."""
        return self._game.table.placement(placement_id)

    def pick_legal_id(self, fraction: float) -> int | None:
        """Return the id that lies at a fraction of the list of the colour to play, None if it is blocked.

        With dice from 0 up to but not including 1, every legal placement is equally likely; the
        dice are the caller's.
        """
        return self._board.pick_legal_id(self._number, fraction) if self._number >= 0 else None

    def allows_id(self, placement_id: SupportsIndex) -> bool:
        """Return whether the colour to play may place that, as `check` would, without saying why."""
        number = index(placement_id)
        return self._number >= 0 <= number < self._game.actions and self._board.is_legal(self._number, number)

    def has_legal(self, colour: str | None = None) -> bool:
        """Return whether a colour, by default the one to play, has any legal placement."""
        return self.legal_mask(colour) != 0

    def open_mask(self, colour: str) -> int:
        """Return what a colour could place if it had corners everywhere, as a set: bit i is the placement with id i.

        The pieces are in stock, cover free cells and touch none of its own. What is not in it never will be again.

        Rule: R1, R5, R6
        """
        return self._board.open & self._board.unbarred[self.variant.colour_number(colour)]

    def layable_ids(self, colour: str) -> tuple[int, ...]:
        """Return the ids of all that could be set up for a colour beside what lies there, ascending.

        The pieces are in stock and cover free cells. As in `Position.setup`, what they touch does not matter.

        Rule: R1, R6
        """
        return ids_of(self._board.open & self._board.masks.of_pieces(self.stock(colour)))

    def fitting_pieces(self, colour: str) -> frozenset[str]:
        """Return the names of the pieces of which a colour has a legal placement; far quicker than `legal_ids`."""
        return self._board.masks.pieces_among(self.legal_mask(colour))

    def is_blocked(self, colour: str) -> bool:
        """Return whether a colour has no legal placement, now and for the rest of the game.

        Rule: R7
        """
        return self.legal_mask(colour) == 0

    def attach_points(self, colour: str) -> tuple[int, ...]:
        """Return the free cells of which the colour's next placement covers at least one.

        They are its start cells before its first placement.

        Rule: R3, R4
        """
        return self._sight(self.variant.colour_number(colour)).attach_points()

    def attach_mask(self, colour: str) -> int:
        """Return the cells of `attach_points` as a set, quickly: bit i is the cell of index i.

        Rule: R3, R4
        """
        grid, own, taken = self.variant.grid, self.cell_mask(colour), 0
        if not own:
            wanted = sum(1 << cell for cell in self.variant.start_cells[colour])
        else:
            cells = ids_of(own)
            taken = own | reduce(or_, map(grid.edge_masks.__getitem__, cells))
            wanted = reduce(or_, map(grid.corner_masks.__getitem__, cells))
        for other in self.variant.colours:
            taken |= self.cell_mask(other)
        return wanted & ~taken

    def beside_own(self, colour: str) -> tuple[int, ...]:
        """Return the free cells that the colour may not cover because its own lie beside them.

        Rule: R5
        """
        return self._sight(self.variant.colour_number(colour)).beside_own()

    def _sight(self, number: int) -> Sight:
        grid, board = self.variant.grid, self.board
        cells = list(zip(grid.points, board, strict=True))
        starts = self.variant.start_cells[self.variant.colours[number]]
        return Sight(
            grid=grid,
            occupied=frozenset(point for point, held in cells if held != "."),
            own=frozenset(point for point, held in cells if held == str(number)),
            starts=frozenset(grid.points[cell] for cell in starts),
        )

    def check(self, placement: Placement | str, colour: str | None = None) -> None:
        """Raise an error unless the colour, by default the one to play, may place that, also given as text.

        Raises:
            UnreadablePlacement: the text is no placement.
            IllegalPlacement: it may not; with every reason that holds.

        Rule: R1-R8, R11

        """
        number = self._number if colour is None else self.variant.colour_number(colour)
        meant = self._meant(placement)
        placement_id = self._id_of(meant)
        if number != self._number or placement_id < 0 or not self.allows_id(placement_id):
            raise refusal(self.variant.grid, self._faults(meant, number))

    def _meant(self, placement: Placement | str) -> Placement:
        """Return the placement itself, or the one that a text means."""
        return placement if isinstance(placement, Placement) else self._game.table.parse(placement)

    def _id_of(self, placement: Placement) -> int:
        """Return the placement's id in this game's table, -1 if it has none.

        A placement that comes from elsewhere (another board, a copy) is looked up by its cells.
        """
        table, known = self._game.table, placement.id
        if known is not None and 0 <= known < len(table) and table.placement(known) is placement:
            return known
        found = table.resolve(placement.points, placement.piece).id
        return -1 if found is None else found

    def _faults(self, placement: Placement, number: int) -> Faults:
        """Return everything that keeps the colour from placing that."""
        faults = shape_faults(self._game.table, self.variant, placement)
        if self.is_over:
            faults[errors.GAME_OVER] = ()
        elif number != self._number:
            faults[errors.NOT_YOUR_TURN] = ()
        sight = self._sight(max(number, 0))
        faults |= sight.cell_faults(placement)
        if number in self._game.numbers:
            faults |= sight.contact_faults(placement)
            faults |= self._piece_faults(placement, number)
        return faults

    def _setup_faults(self, placement: Placement, number: int) -> Faults:
        """Return everything that keeps a placement from being set up: how it touches others does not."""
        faults = shape_faults(self._game.table, self.variant, placement)
        cells = self._sight(number).cell_faults(placement)
        if errors.OFF_BOARD in cells:
            faults[errors.OFF_BOARD] = cells[errors.OFF_BOARD]
        return faults | self._stock_faults(placement, number)

    def _stock_faults(self, placement: Placement, number: int) -> Faults:
        """Return what is wrong where the colour has no such piece left.

        Rule: R1
        """
        colour, piece = self.variant.colours[number], placement.piece
        if piece not in {known.name for known in self.variant.pieces} or piece in self.stock(colour):
            return {}
        return {errors.ALREADY_PLACED: self._points_of(piece, number)}

    def _piece_faults(self, placement: Placement, number: int) -> Faults:
        """Return what is wrong with the colour placing that piece now.

        Rule: R1
        """
        colour, piece = self.variant.colours[number], placement.piece
        openers = self.variant.openers.get(colour)
        is_first = self.last_piece(colour) is None
        if openers and is_first and piece not in openers and piece in {known.name for known in self.variant.pieces}:
            return {errors.OPENING_PIECE: placement.points}
        return self._stock_faults(placement, number)

    def _points_of(self, piece: str, number: int) -> tuple[tuple[int, int], ...]:
        """Return where a colour's copies of a piece lie."""
        colour = self.variant.colours[number]
        placed = (turn.placement for turn in self.history if turn.colour == colour and turn.placement)
        return tuple(point for placement in placed if placement.piece == piece for point in placement.points)
