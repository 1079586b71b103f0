"""A position: everything the rules need to say what may come next. An immutable value."""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from games.rules import errors
from games.rules.board import Board
from games.rules.errors import IllegalPlacement, UnknownScoring, UnknownSeat, shown
from games.rules.legality import refusal
from games.rules.placement import Placement
from games.rules.position.asking import Asking
from games.rules.position.game import NOBODY, PASS, RETIRE, Game, Turn, next_colour
from games.rules.variants import VARIANTS, Variant, get_variant

__all__ = ["Position", "Turn"]


class Position(Asking):
    """A state of play. Whatever plays returns another position; none ever passes by itself.

    Colours are named, seats are counted from 0, cells are indices (a1 is 0, row by row from the
    bottom). Questions about a colour may be asked at any time and are answered as if it were its
    turn; a colour that has retired, is not in the game, or whose game is over has nothing to place.
    """

    __slots__ = ()

    @classmethod
    def start(
        cls, variant: str | Variant, colours: Sequence[str] | None = None, scoring: str | None = None
    ) -> "Position":
        """Return the position before the first turn.

        Where a variant leaves colours to choose, `colours[i]` is the colour of seat i. `scoring` is one
        of the variant's `scorings`, by default the first.

        Raises:
            UnknownVariant, UnsuitableColours, UnknownScoring

        Rule: R1, R7, R10

        """
        chosen = get_variant(variant)
        way = chosen.scorings[0] if scoring is None else scoring
        if way not in chosen.scorings:
            raise UnknownScoring(
                "%(variant)s is not scored by %(way)s. There are: %(names)s.",
                variant=chosen.id,
                way=shown(way),
                names=", ".join(chosen.scorings),
            )
        # Whoever keeps a position keeps its table: those of chosen sizes are to come and go.
        first = _kept_first_position if chosen.id in VARIANTS else _first_position
        return first(chosen, chosen.seat_colours(colours), way)

    @classmethod
    def setup(
        cls,
        variant: str | Variant,
        placed: Iterable[tuple[str, Placement]],
        to_play: str | None = None,
        colours: Sequence[str] | None = None,
        scoring: str | None = None,
    ) -> "Position":
        """Return a position in which colours have placed things in this order, and one is to play.

        For tests, puzzles and drawings: only pieces in stock are placed on the board, but whether that
        was legal, or such a game could have been played, is not checked. `to_play` is the first
        colour of the order where it is not given.

        Raises:
            IllegalPlacement: the shape is no piece, or not in stock, or reaches over the side.

        """
        position = cls.start(variant, colours, scoring)
        number = position.variant.colour_number
        for colour, placement in placed:
            placement_id = position._id_of(placement)
            if placement_id < 0 or placement.piece not in position.stock(colour):
                raise refusal(position.variant.grid, position._faults(placement, number(colour)))
            position = position._placed(number(colour), placement_id)
        laid = position._copy()
        laid._number = number(to_play) if to_play else position._game.numbers[0]
        return laid

    def play(self, placement: Placement) -> "Position":
        """Return the position after the colour to play has placed that.

        Raises:
            IllegalPlacement: it may not; nothing has changed.

        Rule: R2, R7, R11

        """
        placement_id = self._id_of(placement)
        if not self.allows_id(placement_id):
            self.check(placement)
        return self._placed(self._number, placement_id)

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
            raise UnknownSeat("This game has the seats 0 to %(last)d only.", last=len(self.seats) - 1)
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
        after._number = next_colour(self._active, number)
        after._passed = 0
        after._history = (*self._history, (number, placement_id))
        after._drawn = None
        return after

    def _passed_on(self) -> "Position":
        """Return the position after a pass that is not checked."""
        after = self._copy()
        after._passed = self._passed | 1 << self._number
        after._history = (*self._history, (self._number, PASS))
        after._number = next_colour(self._active, self._number)
        return after._ended()

    def _without(self, seat: int) -> "Position":
        """Return the position after a retirement that is not checked."""
        after, gone = self._copy(), self._game.bits((seat,))
        after.retired = self.retired | {seat}
        after._active = self._active & ~gone
        after._history = (*self._history, (seat, RETIRE))
        if gone >> self._number & 1:
            after._number = next_colour(after._active, self._number)
        after._board = self._board.withdraw(n for n in self._game.numbers if gone >> n & 1)
        return after._ended()

    def _ended(self) -> "Position":
        """Return this new position, closed if that was the last turn."""
        alone = len(self.seats) - len(self.retired) <= 1
        if alone or self.has_all_passed or self._trailing_pass():
            self._number = NOBODY
            self._board = self._board.withdraw(self._game.numbers)
        return self

    def _trailing_pass(self) -> bool:
        """Return whether the last turn was a pass that ends the game by the variant's own rule."""
        who, what = self._history[-1]
        if not self.variant.ends_by_trailing_pass or what != PASS:
            return False
        scores = {seat: score for seat, score in enumerate(self.seat_scores()) if seat not in self.retired}
        mine = scores.pop(self.seat_of(self.variant.colours[who]))
        return mine < min(scores.values())

    def _copy(self) -> "Position":
        copy = _blank(Position)
        for name in Asking.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy


_blank = object.__new__


def _first_position(variant: Variant, seats: tuple[tuple[str, ...], ...], scoring: str) -> Position:
    game = Game(variant, seats, scoring)
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


_kept_first_position = lru_cache(maxsize=128)(_first_position)
