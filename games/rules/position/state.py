"""The state of play: what a position is, and what it is worth."""

from games.rules import errors
from games.rules.board import Board
from games.rules.errors import shown
from games.rules.position.game import RETIRE, GameTerms, Turn
from games.rules.position.keys import ALL_BITS, key_of_number, key_of_placement
from games.rules.scoring import ColourScore, colour_score, places, sum_by_seat, winners
from games.rules.variants import Variant


class State:
    """What a position keeps. `_drawn` and `_sum` are None until they are asked for."""

    __slots__ = ("_active", "_board", "_drawn", "_game", "_history", "_number", "_passed", "_sum", "retired")

    retired: frozenset[int]
    _game: GameTerms
    _board: Board
    _number: int
    _active: int
    _passed: int
    _history: tuple[tuple[int, int], ...]
    _drawn: str | None
    _sum: int | None

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, State):
            return NotImplemented
        return self._history == other._history and self._game.is_like(other._game)

    def __hash__(self) -> int:
        return hash(self.key)

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

    @property
    def is_set_up(self) -> bool:
        """Return whether `Position.setup` has made this position, or one that it was played on from.

        The first turns of its history are then what was set up, and need not have been played.
        """
        return self._game.is_set_up

    @property
    def key(self) -> int:
        """Return a number of 64 bits, from 0, for tables of positions: the same in every process and on every machine.

        Positions that come from different orders of the same placements, and can only go on and be scored
        alike, have the same key: `history` does not count. Equal positions have equal keys; positions that
        can go on or be scored differently have different ones, unless by a chance of 1 to 2**64. Variants
        are distinguished by their ids.
        """
        placements = self._sum
        if placements is None:
            placements = sum(key_of_placement(who, what) for who, what in self._history if what >= 0) & ALL_BITS
            object.__setattr__(self, "_sum", placements)
        return self._game.key + placements + key_of_number(1 << 62 | self._turn_state()) & ALL_BITS

    def _turn_state(self) -> int:
        """Return as bits what matters of a position besides where the pieces lie."""
        retired = sum(1 << seat for seat in self.retired)
        finished = sum(1 << number for number in self._game.numbers if self._has_monomino_last(number))
        return self._number + 1 | self._passed << 8 | self._active << 16 | retired << 24 | finished << 32

    def _has_monomino_last(self, number: int) -> bool:
        """Return whether a colour has placed its whole stock, the monomino last."""
        if self._board.left[number]:
            return False
        table = self._game.table
        last = next(what for who, what in reversed(self._history) if who == number and what >= 0)
        return len(table.cells_of(last)) == 1

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
        colours, placement = self.variant.colours, self._game.table.placement
        return tuple(
            [
                Turn(colours[who], placement(what)) if what >= 0 else self._turn_without_piece(who, what)
                for who, what in self._history
            ]
        )

    def _turn_without_piece(self, who: int, what: int) -> Turn:
        return Turn(None, seat=who) if what == RETIRE else Turn(self.variant.colours[who], None)

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
            drawn = "".join(cells)
            object.__setattr__(self, "_drawn", drawn)
            return drawn
        return self._drawn

    def cell_mask(self, colour: str) -> int:
        """Return the cells that a colour covers as a set: bit i is the cell of index i."""
        number = self.variant.colour_number(colour)
        cells_of = self._game.table.cells_of
        return sum(1 << cell for who, what in self._history if who == number and what >= 0 for cell in cells_of(what))

    def planes(self) -> tuple[bytes, ...]:
        """Return the cells of each colour of `variant.colours` as a picture, each a byte a cell: 1 where it covers it.

        A picture has `variant.height` rows from the bottom, of `variant.width` bytes each; see `Grid.plane`.
        """
        return tuple(self.variant.grid.plane(self.cell_mask(colour)) for colour in self.variant.colours)

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

    def stock_counts(self, colour: str) -> tuple[int, ...]:
        """Return how many copies of each of `variant.pieces` the colour has not placed.

        Rule: R1
        """
        left = self._board.left_of(self.variant.colour_number(colour))
        number_of = self._game.table.piece_number
        return tuple(left[number_of[piece.name]] for piece in self.variant.pieces)

    def last_piece(self, colour: str) -> str | None:
        """Return the name of the piece that the colour placed last, None before its first."""
        number = self.variant.colour_number(colour)
        for who, what in reversed(self._history):
            if who == number and what >= 0:
                return self._game.table.placement(what).piece
        return None

    # What it is worth

    def scores(self) -> dict[str, int]:
        """Return each colour's score as if the game ended here, in the order of play.

        A shared colour's score is included, though it counts for no seat.

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

    def places(self) -> tuple[int, ...]:
        """Return each seat's place as if the game ended here, from 1 on, by seat; equal scores share a place.

        Seats that have retired come after all others.

        Rule: R9, R12
        """
        scores = self.seat_scores()
        return places([(seat not in self.retired, score) for seat, score in enumerate(scores)])

    def winners(self) -> tuple[int, ...]:
        """Return the seats that have won: none until the game is over, several on a tie.

        A retired seat cannot win.

        Rule: R9, R12
        """
        if not self.is_over:
            return ()
        scores = enumerate(self.seat_scores())
        return winners({seat: score for seat, score in scores if seat not in self.retired})
