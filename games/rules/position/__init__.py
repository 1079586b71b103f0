"""A position: everything the rules need to say what may come next. An immutable value."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import chain
from operator import index
from typing import Any, SupportsIndex

from games.rules import errors
from games.rules.board import Board
from games.rules.errors import IllegalPlacement, UnknownScoring, UnknownSeat, shown
from games.rules.frozen import Frozen
from games.rules.legality import refusal
from games.rules.placement import Placement
from games.rules.position.asking import Asking
from games.rules.position.game import NOBODY, PASS, RETIRE, GameTerms, Turn, next_colour
from games.rules.position.keys import ALL_BITS, key_of_placement
from games.rules.position.state import State
from games.rules.variants import VARIANTS, Variant, get_variant

__all__ = ["Position", "Turn"]


class Position(Asking, Frozen):
    """A state of play. Whatever plays returns another position; none ever passes by itself.

    An immutable value: two positions are equal where the same game has had the same turns. Pickled, it
    holds the turns alone, and comes back with the tables that are there.

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
        if not isinstance(way, str) or way not in chosen.scorings:
            raise UnknownScoring(
                "%(variant)s has no way of scoring called %(way)s. Choose from: %(names)s.",
                variant=chosen.id,
                way=shown(way),
                names=", ".join(chosen.scorings),
            )
        # A cached position keeps its table alive: tables of chosen sizes are to come and go.
        first = _kept_first_position if chosen.id in VARIANTS else _first_position
        return first(chosen, chosen.seat_colours(colours), way)

    @classmethod
    def setup(
        cls,
        variant: str | Variant,
        placed: Iterable[tuple[str, Placement | str]],
        to_play: str | None = None,
        colours: Sequence[str] | None = None,
        scoring: str | None = None,
    ) -> "Position":
        """Return a position in which colours have placed things in this order, and one is to play.

        For tests, puzzles and drawings: only pieces in stock are placed on the board, but whether that
        was legal, or such a game could have been played, is not checked. `to_play` is the first
        colour of the order where it is not given.

        Raises:
            UnreadablePlacement: a text is no placement.
            UnknownColour: a colour is not in the game.
            IllegalPlacement: the shape is no piece, or not in stock, or reaches over the side; `entry` says which.

        """
        start = position = cls.start(variant, colours, scoring)
        game = position._game
        for entry, (colour, placement) in enumerate(placed):
            number, meant = game.number_of(colour), position._meant(placement)
            placement_id = position._id_of(meant)
            if placement_id < 0 or meant.piece not in position.stock(colour):
                raise refusal(game.variant.grid, position._setup_faults(meant, number), entry)
            position = position._placed(number, placement_id)
        first = game.first if to_play is None else game.number_of(to_play)
        begun = GameTerms(game.variant, game.seats, game.scoring, position.move_count, first)
        return position._of_game(begun) if begun.is_set_up else start

    def play(self, placement: Placement | str) -> "Position":
        """Return the position after the colour to play has placed that, which may also be given as text.

        Raises:
            UnreadablePlacement: the text is no placement.
            IllegalPlacement: it may not; nothing has changed.

        Rule: R2, R7, R11

        """
        meant = self._meant(placement)
        placement_id = self._id_of(meant)
        if not self.allows_id(placement_id):
            self.check(meant)
        return self._placed(self._number, placement_id)

    def play_id(self, placement_id: SupportsIndex, *, trusted: bool = False) -> "Position":
        """Return the position after the placement of that id: `play` without making the object.

        `trusted` leaves out the check, for moves that were checked before.

        Raises:
            IllegalPlacement: it may not be placed; nothing has changed.
            IndexError: the variant's table has no such id.

        """
        number = index(placement_id)
        if not trusted and not self.allows_id(number):
            self.check(self.placement(number))
        return self._placed(self._number, number)

    def pass_turn(self) -> "Position":
        """Return the position after the colour to play has passed.

        Raises:
            IllegalPlacement: `must-place`, with the cells a placement could start from, while it can
                place; `game-over` once no colour has a turn.

        Rule: R7, R8

        """
        if self._number < 0:
            raise IllegalPlacement((errors.GAME_OVER,))
        if self.has_legal():
            grid, cells = self.variant.grid, self._sight(self._number).attach_points()
            raise refusal(grid, {errors.MUST_PLACE: [grid.points[cell] for cell in cells]})
        return self._passed_on()

    def retire(self, seat: SupportsIndex) -> "Position":
        """Return the position after a seat has resigned, on any turn.

        Its cells stand and are scored; its colours have no turns any more.

        Raises:
            UnknownSeat: there is no such seat.
            IllegalPlacement: `game-over`, or `not-your-turn` for a seat that has retired before.

        Rule: R12

        """
        number = index(seat) if hasattr(seat, "__index__") else -1
        if number not in range(len(self.seats)):
            raise UnknownSeat("This game has only the seats 0 to %(last)d.", last=len(self.seats) - 1)
        if self._number < 0:
            raise IllegalPlacement((errors.GAME_OVER,))
        if number in self.retired:
            raise IllegalPlacement((errors.NOT_YOUR_TURN,))
        return self._without(number)

    def __copy__(self) -> "Position":
        return self

    def __deepcopy__(self, memo: object) -> "Position":
        return self

    def __reduce__(self) -> tuple[object, ...]:
        game, variant = self._game, self.variant
        colours = tuple(own[0] for own in game.seats) if variant.choosable_colours else None
        return _replayed, (variant, colours, game.scoring, game.laid, game.first, *chain.from_iterable(self._history))

    def _placed(self, number: int, placement_id: int) -> "Position":
        """Return the position after a placement that is not checked."""
        after: Position = _blank(Asking)
        after._game, after._active, after.retired = self._game, self._active, self.retired
        after._board = self._board.place(number, placement_id)
        after._number = next_colour(self._active, number)
        after._passed = 0
        after._history = (*self._history, (number, placement_id))
        after._drawn = None
        known = self._sum
        after._sum = known if known is None else known + key_of_placement(number, placement_id) & ALL_BITS
        # Slots are filled quickly as long as it is not yet a value.
        after.__class__ = Position
        return after

    def _passed_on(self) -> "Position":
        """Return the position after a pass that is not checked."""
        after = self._copy()
        after._passed = self._passed | 1 << self._number
        after._history = (*self._history, (self._number, PASS))
        after._number = next_colour(self._active, self._number)
        return _sealed(after)

    def _without(self, seat: int) -> "Position":
        """Return the position after a retirement that is not checked."""
        after, gone = self._copy(), self._game.bits((seat,))
        after.retired = self.retired | {seat}
        after._active = self._active & ~gone
        after._history = (*self._history, (seat, RETIRE))
        if gone >> self._number & 1:
            after._number = next_colour(after._active, self._number)
        after._board = self._board.withdraw(n for n in self._game.numbers if gone >> n & 1)
        return _sealed(after)

    def _of_game(self, game: GameTerms) -> "Position":
        """Return the same position with which a game begins as it was set up."""
        after = self._copy()
        after._game, after._number = game, game.first
        after.__class__ = Position
        return after

    def _copy(self) -> "Position":
        """Return a copy whose slots can still be filled."""
        copy: Position = _blank(Asking)
        for name in State.__slots__:
            setattr(copy, name, getattr(self, name))
        return copy


_blank: Any = object.__new__


def _sealed(after: Position) -> Position:
    """Return this new position as a value, closed if that was the last turn."""
    alone = len(after.seats) - len(after.retired) <= 1
    if alone or after.has_all_passed or _is_trailing_pass(after):
        after._number = NOBODY
        after._board = after._board.withdraw(after._game.numbers)
    after.__class__ = Position
    return after


def _is_trailing_pass(after: Position) -> bool:
    """Return whether the last turn was a pass that ends the game by the variant's own rule."""
    who, what = after._history[-1]
    if not after.variant.ends_by_trailing_pass or what != PASS:
        return False
    scores = {seat: score for seat, score in enumerate(after.seat_scores()) if seat not in after.retired}
    mine = scores.pop(after.seat_of(after.variant.colours[who]))
    return mine < min(scores.values())


def _replayed(
    variant: Variant, colours: tuple[str, ...] | None, scoring: str, laid: int, first: int, *turns: int
) -> Position:
    """Return a position as it was before it was pickled; `turns` are the pairs of its history one after the other."""
    position = Position.start(variant, colours, scoring)
    pairs = list(zip(turns[::2], turns[1::2], strict=True))
    for who, what in pairs[:laid]:
        position = position._placed(who, what)
    if laid or first != position._game.first:
        position = position._of_game(GameTerms(position.variant, position.seats, scoring, laid, first))
    for who, what in pairs[laid:]:
        if what == PASS:
            position = position._passed_on()
        else:
            position = position._without(who) if what == RETIRE else position._placed(who, what)
    return position


def _first_position(variant: Variant, seats: tuple[tuple[str, ...], ...], scoring: str) -> Position:
    game = GameTerms(variant, seats, scoring)
    position: Position = _blank(Asking)
    position._game = game
    position._board = Board.start(game.variant, game.numbers)
    position._number = game.first
    position._active = game.everyone
    position._passed = 0
    position._history = ()
    position._drawn = None
    position._sum = None
    position.retired = frozenset()
    position.__class__ = Position
    return position


_kept_first_position = lru_cache(maxsize=128)(_first_position)
