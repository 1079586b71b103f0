"""All that may be asked of a position. Nothing here makes another one."""

from games.rules import errors
from games.rules.board import Board
from games.rules.errors import shown
from games.rules.legality import Faults, Sight, refusal, shape_faults
from games.rules.placement import Placement
from games.rules.position.game import PASS, RETIRE, Game, Turn
from games.rules.scoring import ColourScore, colour_score, sum_by_seat, winners
from games.rules.variants import Variant


class Asking:
    """The state of play and the questions to it; `Position` adds how play goes on."""

    __slots__ = ("_active", "_board", "_drawn", "_game", "_history", "_number", "_passed", "retired")

    retired: frozenset[int]
    _game: Game
    _board: Board
    _number: int
    _active: int
    _passed: int
    _history: tuple[tuple[int, int], ...]
    _drawn: str | None

    def __repr__(self) -> str:
        return f"<Position {self.variant.id} after {self.move_count} turns, {self.colour or 'nobody'} to play>"

    # What the position is

    @property
    def variant(self) -> Variant:
        """Return the variant that is played."""
        return self._game.variant

    @property
    def colours_in_play(self) -> tuple[str, ...]:
        """Return the colours of this game in the order of play, those of retired seats included."""
        return self._game.colours

    @property
    def seats(self) -> tuple[tuple[str, ...], ...]:
        """Return the colours of each seat."""
        return self._game.seats

    @property
    def scoring(self) -> str:
        """Return the way of scoring, one of the variant's `scorings`."""
        return self._game.scoring

    def seat_of(self, colour: str) -> int:
        """Return the seat that plays a colour; of a shared one, the seat that places its next piece.

        The seats place a shared colour's pieces in turn, from seat 0 on. One that has retired is left out.

        Raises:
            UnknownColour: no seat of this game does.

        """
        seat = self._game.seat_of.get(colour)
        if seat is None and colour not in self.colours_in_play:
            raise errors.UnknownColour(f"No seat of this game plays {shown(colour)}.")
        return self._seat_in_turn(colour) if seat is None else seat

    def _seat_in_turn(self, colour: str) -> int:
        number, seats = self.variant.colour_number(colour), len(self.seats)
        placed = sum(who == number and what >= 0 for who, what in self._history)
        return next((seat % seats for seat in range(placed, placed + seats) if seat % seats not in self.retired), 0)

    @property
    def colour(self) -> str | None:
        """Return the colour to play, None when the game is over."""
        return None if self._number < 0 else self.variant.colours[self._number]

    @property
    def seat(self) -> int | None:
        """Return the seat to play, None when the game is over."""
        return None if self.colour is None else self.seat_of(self.colour)

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended.

        Every colour still in the order has passed in succession, or at most one seat has not retired, or
        the variant's own rule has ended it.

        Rule: R8, R12
        """
        return self._number < 0

    @property
    def has_all_passed(self) -> bool:
        """Return whether every colour still in the order has passed in succession.

        Rule: R8
        """
        return not self._active & ~self._passed

    @property
    def move_count(self) -> int:
        """Return the number of recorded turns so far: placements, passes and retirements."""
        return len(self._history)

    @property
    def history(self) -> tuple[Turn, ...]:
        """Return the recorded turns from the first to the last."""
        return tuple(self._turn(*entry) for entry in self._history)

    def _turn(self, who: int, what: int) -> Turn:
        if what == RETIRE:
            return Turn(None, seat=who)
        placement = None if what == PASS else self._game.table.placement(what)
        return Turn(self.variant.colours[who], placement)

    @property
    def board(self) -> str:
        """Return the cells as one character each: `.` is free, a digit the number of its colour.

        The number is the index in `variant.colours`. The first character is a1.
        """
        if self._drawn is None:
            cells = ["."] * self.variant.cell_count
            for who, what in self._history:
                if what >= 0:
                    for cell in self._game.table.cells_of(what):
                        cells[cell] = str(who)
            self._drawn = "".join(cells)
        return self._drawn

    def owner(self, cell: int) -> str | None:
        """Return the colour that covers a cell, None where it is free."""
        held = self.board[cell]
        return None if held == "." else self.variant.colours[int(held)]

    def stock(self, colour: str) -> tuple[str, ...]:
        """Return the names of the colour's unplaced pieces, smallest first as they are listed.

        Rule: R1
        """
        left = self._board.left_of(self.variant.colour_number(colour))
        pieces = self._game.table.pieces
        return tuple(piece.name for piece, copies in zip(pieces, left, strict=True) for _ in range(copies))

    def last_piece(self, colour: str) -> str | None:
        """Return the name of the piece that the colour placed last, None before its first."""
        number = self.variant.colour_number(colour)
        for who, what in reversed(self._history):
            if who == number and what >= 0:
                return self._game.table.placement(what).piece
        return None

    # What may come next

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

    def nth_legal_id(self, number: int, colour: str | None = None) -> int:
        """Return `legal_ids(colour)[number]` without listing the others.

        Raises:
            IndexError: there are not so many.

        """
        asked = self._asked(colour)
        if asked is None or not 0 <= number < self.legal_count(colour):
            raise IndexError(number)
        return self._board.nth_legal_id(asked, number)

    def placement(self, placement_id: int) -> Placement:
        """Return the placement of that id, legal or not; IndexError if the variant has none."""
        return self._game.table.placement(placement_id)

    def pick_legal_id(self, fraction: float) -> int | None:
        """Return the id that lies at a fraction of the list of the colour to play, None if it is blocked.

        With dice from 0 up to but not including 1, every legal placement is equally likely; the
        dice are the caller's.
        """
        return self._board.pick_legal_id(self._number, fraction) if self._number >= 0 else None

    def allows_id(self, placement_id: int) -> bool:
        """Return whether the colour to play may place that, as `check` would, without saying why."""
        return self._number >= 0 <= placement_id and self._board.is_legal(self._number, placement_id)

    def has_legal(self, colour: str | None = None) -> bool:
        """Return whether a colour, by default the one to play, has any legal placement."""
        return self.legal_mask(colour) != 0

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

    def check(self, placement: Placement, colour: str | None = None) -> None:
        """Raise an error unless the colour, by default the one to play, may place that now.

        Raises:
            IllegalPlacement: it may not; with every reason that holds.

        Rule: R1-R8, R11

        """
        number = self._number if colour is None else self.variant.colour_number(colour)
        placement_id = self._id_of(placement)
        if number != self._number or placement_id < 0 or not self.allows_id(placement_id):
            raise refusal(self.variant.grid, self._faults(placement, number))

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

    def _piece_faults(self, placement: Placement, number: int) -> Faults:
        """Return what is wrong with the colour placing that piece now.

        Rule: R1
        """
        colour, piece = self.variant.colours[number], placement.piece
        if not piece or piece not in {known.name for known in self.variant.pieces}:
            return {}
        if piece not in self.stock(colour):
            return {errors.ALREADY_PLACED: self._points_of(piece, number)}
        openers = self.variant.openers.get(colour)
        is_first = self.last_piece(colour) is None
        return {errors.OPENING_PIECE: placement.points} if openers and is_first and piece not in openers else {}

    def _points_of(self, piece: str, number: int) -> tuple[tuple[int, int], ...]:
        """Return where a colour's copies of a piece lie."""
        colour = self.variant.colours[number]
        placed = (turn.placement for turn in self.history if turn.colour == colour and turn.placement)
        return tuple(point for placement in placed if placement.piece == piece for point in placement.points)

    # What it is worth

    def scores(self) -> dict[str, int]:
        """Return each colour's score as if the game ended here, in the order of play.

        A shared colour's is told too, though it counts for nobody.

        Rule: R9, S1, S2, S3
        """
        return {colour: self.score_of(colour).total for colour in self.colours_in_play}

    def score_of(self, colour: str) -> ColourScore:
        """Return what a colour's score is made of, as if the game ended here.

        Rule: R9, S1, S2, S3
        """
        sizes = {piece.name: piece.size for piece in self.variant.pieces}
        left = sum(sizes[name] for name in self.stock(colour))
        last = self.last_piece(colour)
        return colour_score(self.variant, self.scoring, left, sizes[last] if last else 0)

    def seat_scores(self) -> tuple[int, ...]:
        """Return each seat's score, the sum over its own colours, by seat.

        Rule: R9, R10
        """
        return sum_by_seat(self.scores(), self.seats)

    def winners(self) -> tuple[int, ...]:
        """Return the seats that have won: none until the game is over, several on a tie.

        A retired seat cannot win.

        Rule: R9, R12
        """
        if not self.is_over:
            return ()
        scores = enumerate(self.seat_scores())
        return winners({seat: score for seat, score in scores if seat not in self.retired})
