"""Positions of stored games: the rules' reading of the moves, which are the truth."""

from collections.abc import Iterable, Iterator

from games.models import Game, Kind, Move
from games.rules import Placement, Position


def start_of(game: Game) -> Position:
    """Return the position before move 1."""
    return Position.start(game.variant, colours=tuple(game.colours) or None)


def step(position: Position, move: Move) -> Position:
    """Return the position after one more recorded move.

    Raises:
        IllegalPlacement: the rules refuse it.
        UnreadablePlacement: its text is no placement.
    """
    if move.kind == Kind.RETIRE:
        return position.retire(move.seat)
    if move.kind == Kind.PASS:
        return position.pass_turn()
    return position.play(Placement.parse(move.placement, position.variant))


def position_of(game: Game, moves: Iterable[Move] | None = None) -> Position:
    """Return the position after these moves of the game, by default after all of them (one query)."""
    position = start_of(game)
    for move in game.moves.all() if moves is None else moves:
        position = step(position, move)
    return position


def positions_of(game: Game, moves: Iterable[Move]) -> Iterator[Position]:
    """Yield the position before the first of these moves, and after each of them."""
    position = start_of(game)
    yield position
    for move in moves:
        position = step(position, move)
        yield position
