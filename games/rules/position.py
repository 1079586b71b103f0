"""A position: everything the rules need to say what may come next. An immutable value."""

from collections.abc import Iterable, Sequence
from functools import cache
from typing import NamedTuple

from games.rules import errors
from games.rules.board import Board
from games.rules.errors import IllegalPlacement, UnknownSeat, shown
from games.rules.legality import Faults, Sight, refusal, shape_faults
from games.rules.placement import Placement, PlacementTable, table_for
from games.rules.scoring import colour_score, sum_by_seat, winners
from games.rules.variants import Variant, get_variant

#: What a history holds in place of a placement's id.
_PASS, _RETIRE = -1, -2

#: The number of the colour to play once the game is over.
_NOBODY = -1


class Turn(NamedTuple):
    """A recorded turn: a placement, a pass (no placement) or a retirement (a seat, no colour)."""

    colour: str | None
    placement: Placement | None = None
    seat: int | None = None


class Game:
    """What stays the same from the first position of a game to its last."""

    def __init__(self, variant: Variant, seats: tuple[tuple[str, ...], ...]) -> None:
        self.variant = variant
        self.table: PlacementTable = table_for(variant)
        self.seats = seats
        self.seat_of = {colour: seat for seat, own in enumerate(self.seats) for colour in own}
        self.colours = tuple(colour for colour in variant.colours if colour in self.seat_of)
        self.numbers = tuple(map(variant.colour_number, self.colours))
        self.everyone = self.bits(range(len(self.seats)))

    def bits(self, seats: Iterable[int]) -> int:
        """Return the colours of those seats as a set of bits by colour number."""
        colours = (colour for seat in seats for colour in self.seats[seat])
        return sum(1 << self.variant.colour_number(colour) for colour in colours)


class Position:
    """A state of play. Whatever plays returns another position; none ever passes by itself.

    Colours are named, seats are counted from 0, cells are indices (a1 is 0, row by row from the
    bottom). Questions about a colour may be asked at any time and are answered as if it were its
    turn; a colour that has retired, is not in the game, or whose game is over has nothing to place.
    """

    __slots__ = ("_active", "_board", "_drawn", "_game", "_history", "_number", "_passed", "retired")

    retired: frozenset[int]
    _game: Game
    _board: Board
    _number: int
    _active: int
    _passed: int
    _history: tuple[tuple[int, int], ...]
    _drawn: str | None

    @classmethod
    def start(cls, variant: str | Variant, colours: Sequence[str] | None = None) -> "Position":
        """Return the position before the first turn.

        Where a variant leaves colours to choose, `colours[i]` is the colour of seat i.

        Raises:
            UnknownVariant, UnsuitableColours

        Rule: R1, R7, R10

        """
        chosen = get_variant(variant)
        return _first_position(chosen, chosen.seat_colours(colours))

    @classmethod
    def setup(
        cls,
        variant: str | Variant,
        placed: Iterable[tuple[str, Placement]],
        to_play: str | None = None,
        colours: Sequence[str] | None = None,
    ) -> "Position":
        """Return a position in which colours have placed things in this order, and one is to play.

        For tests, puzzles and drawings: only pieces in stock are placed on the board, but whether that
        was legal, or such a game could have been played, is not checked. `to_play` is the first
        colour of the order where it is not given.

        Raises:
            IllegalPlacement: the shape is no piece, or not in stock, or reaches over the side.

        """
        position = cls.start(variant, colours)
        number = position.variant.colour_number
        for colour, placement in placed:
            placement_id = position._id_of(placement)
            if placement_id < 0 or placement.piece not in position.stock(colour):
                raise refusal(position.variant.grid, position._faults(placement, number(colour)))
            position = position._placed(number(colour), placement_id)
        laid = position._copy()
        laid._number = number(to_play) if to_play else position._game.numbers[0]
        return laid

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

    def seat_of(self, colour: str) -> int:
        """Return the seat that plays a colour.

        Raises:
            UnknownColour: no seat of this game does.

        """
        seat = self._game.seat_of.get(colour)
        if seat is None:
            raise errors.UnknownColour(f"No seat of this game plays {shown(colour)}.")
        return seat

    @property
    def colour(self) -> str | None:
        """Return the colour to play, None when the game is over."""
        return None if self._number < 0 else self.variant.colours[self._number]

    @property
    def seat(self) -> int | None:
        """Return the seat to play, None when the game is over."""
        return None if self.colour is None else self._game.seat_of[self.colour]

    @property
    def is_over(self) -> bool:
        """Return whether the game has ended.

        Every colour still in the order has passed in succession, or at most one seat has not retired.

        Rule: R8, R12
        """
        return self._number < 0

    @property
    def move_count(self) -> int:
        """Return the number of recorded turns so far: placements, passes and retirements."""
        return len(self._history)

    @property
    def history(self) -> tuple[Turn, ...]:
        """Return the recorded turns from the first to the last."""
        return tuple(self._turn(*entry) for entry in self._history)

    def _turn(self, who: int, what: int) -> Turn:
        if what == _RETIRE:
            return Turn(None, seat=who)
        placement = None if what == _PASS else self._game.table.placement(what)
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
        pieces = self.variant.pieces
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
        if known is not None and known < len(table) and table.placement(known) is placement:
            return known
        found = table.resolve(placement.points, placement.piece).id
        return -1 if found is None else found

    def _faults(self, placement: Placement, number: int) -> Faults:
        """Return everything that keeps the colour from placing that."""
        faults = shape_faults(self._game.table, placement)
        if self.is_over:
            faults[errors.GAME_OVER] = ()
        elif number != self._number:
            faults[errors.NOT_YOUR_TURN] = ()
        sight = self._sight(max(number, 0))
        faults |= sight.cell_faults(placement)
        if number in self._game.numbers:
            faults |= sight.contact_faults(placement)
            if placement.piece and placement.piece not in self.stock(self.variant.colours[number]):
                faults[errors.ALREADY_PLACED] = self._points_of(placement.piece, number)
        return faults

    def _points_of(self, piece: str, number: int) -> tuple[tuple[int, int], ...]:
        """Return where a colour's copies of a piece lie."""
        colour = self.variant.colours[number]
        placed = (turn.placement for turn in self.history if turn.colour == colour and turn.placement)
        return tuple(point for placement in placed if placement.piece == piece for point in placement.points)

    # Playing on

    def play(self, placement: Placement) -> "Position":
        """Return the position after the colour to play has placed that.

        Raises:
            IllegalPlacement: it may not; nothing has changed.

        Rule: R2, R7, R11

        """
        self.check(placement)
        return self._placed(self._number, self._id_of(placement))

    def play_id(self, placement_id: int, *, trusted: bool = False) -> "Position":
        """Return the position after the placement of that id: `play` without making the object.

        `trusted` leaves out the check, for moves that were checked before.

        Raises:
            IllegalPlacement: it may not be placed; nothing has changed.
            IndexError: the variant's table has no such id.

        """
        if not trusted and not self.allows_id(placement_id):
            self.check(self.placement(placement_id))
        return self._placed(self._number, placement_id)

    def pass_turn(self) -> "Position":
        """Return the position after the colour to play has passed.

        Raises:
            IllegalPlacement: `must-place`, with the cells a placement could start from, while it can
                place; `game-over` once nobody has a turn.

        Rule: R7, R8

        """
        if self._number < 0:
            raise IllegalPlacement((errors.GAME_OVER,))
        if self.has_legal():
            cells = self._sight(self._number).attach_points()
            raise IllegalPlacement((errors.MUST_PLACE,), {errors.MUST_PLACE: cells})
        return self._passed_on()

    def retire(self, seat: int) -> "Position":
        """Return the position after a seat has given up, whoever's turn it is.

        Its cells stand and are scored; its colours have no turns any more.

        Raises:
            UnknownSeat: there is no such seat.
            IllegalPlacement: `game-over`, or `not-your-turn` for a seat that has retired before.

        Rule: R12

        """
        if not isinstance(seat, int) or seat not in range(len(self.seats)):
            raise UnknownSeat(f"This game has the seats 0 to {len(self.seats) - 1} only.")
        if self._number < 0:
            raise IllegalPlacement((errors.GAME_OVER,))
        if seat in self.retired:
            raise IllegalPlacement((errors.NOT_YOUR_TURN,))
        return self._without(seat)

    def _placed(self, number: int, placement_id: int) -> "Position":
        """Return the position after a placement that is not checked."""
        after = _blank(Position)
        after._game, after._active, after.retired = self._game, self._active, self.retired
        after._board = self._board.place(number, placement_id)
        after._number = _next(self._active, number)
        after._passed = 0
        after._history = (*self._history, (number, placement_id))
        after._drawn = None
        return after

    def _passed_on(self) -> "Position":
        """Return the position after a pass that is not checked."""
        after = self._copy()
        after._passed = self._passed | 1 << self._number
        after._history = (*self._history, (self._number, _PASS))
        after._number = _next(self._active, self._number)
        return after._ended()

    def _without(self, seat: int) -> "Position":
        """Return the position after a retirement that is not checked."""
        after, gone = self._copy(), self._game.bits((seat,))
        after.retired = self.retired | {seat}
        after._active = self._active & ~gone
        after._history = (*self._history, (seat, _RETIRE))
        if gone >> self._number & 1:
            after._number = _next(after._active, self._number)
        after._board = self._board.withdraw(n for n in self._game.numbers if gone >> n & 1)
        return after._ended()

    def _ended(self) -> "Position":
        """Return this new position, closed if that was the last turn."""
        alone = len(self.seats) - len(self.retired) <= 1
        if alone or not self._active & ~self._passed:
            self._number = _NOBODY
            self._board = self._board.withdraw(self._game.numbers)
        return self

    def _copy(self) -> "Position":
        copy = _blank(Position)
        for name in Position.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy

    # What it is worth

    def scores(self) -> dict[str, int]:
        """Return each colour's score as if the game ended here, in the order of play.

        Rule: R9
        """
        return {colour: self._score(colour) for colour in self.colours_in_play}

    def _score(self, colour: str) -> int:
        sizes = {piece.name: piece.size for piece in self.variant.pieces}
        left = sum(sizes[name] for name in self.stock(colour))
        last = self.last_piece(colour)
        return colour_score(left, sizes[last] if last else 0, self.variant.bonus)

    def seat_scores(self) -> tuple[int, ...]:
        """Return each seat's score, the sum over its colours, by seat.

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


_blank = object.__new__


@cache
def _first_position(variant: Variant, seats: tuple[tuple[str, ...], ...]) -> Position:
    game = Game(variant, seats)
    position = _blank(Position)
    position._game = game
    position._board = Board.start(game.variant, game.numbers)
    position._number = game.numbers[0]
    position._active = game.everyone
    position._passed = 0
    position._history = ()
    position._drawn = None
    position.retired = frozenset()
    return position


@cache
def _next(active: int, number: int) -> int:
    """Return the colour after `number` in the order of those whose bits are set.

    Rule: R7
    """
    later = active >> number + 1 << number + 1
    rest = later or active
    return (rest & -rest).bit_length() - 1
