"""The texts that go to a program, and what its answer means."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from games.referee.errors import LostGame
from games.rules import IllegalPlacement, Placement, Position, UnreadablePlacement
from games.rules.codes import Code, attach_cells, code_at, parse_code, placement_of, shape_text
from games.rules.errors import OFF_BOARD
from games.rules.variants import Variant
from games.rules.variants.codingame import LETTERS


class OthersMove(NamedTuple):
    """A move as the other programs hear of it: the player's number and the code that it gave."""

    player: int
    code: str


def letters_of(variant: Variant) -> str:
    """Return the letters of the pieces in play, in alphabetical order."""
    names = {piece.name for piece in variant.pieces}
    return "".join(letter for letter, name in LETTERS.items() if name in names)


def start_lines(variant: Variant, player: int) -> Iterator[str]:
    """Yield what a program is sent once, before its first turn."""
    letters = letters_of(variant)
    yield str(len(letters))
    yield from map(shape_text, letters)
    yield str(variant.seats)
    yield str(player)
    yield str(variant.width)
    yield letters


def turn_lines(position: Position, made: Sequence[OthersMove]) -> Iterator[str]:
    """Yield what the program to play is sent at each of its turns; `made` are the others' moves since its last."""
    yield from board_lines(position)
    yield str(len(made))
    yield from (f"{move.player} {move.code}" for move in made)
    codes = legal_codes(position)
    yield str(len(codes))
    yield from codes


def board_lines(position: Position) -> Iterator[str]:
    """Yield the rows from the top: owners by number, `x` for a free attach point of the player, `.` for another."""
    width, board = position.variant.width, list(position.board)
    for cell in attach_cells(position):
        board[cell] = "x"
    for first in range(len(board) - width, -1, -width):
        yield "".join(board[first : first + width])


def legal_codes(position: Position) -> list[str]:
    """Return each legal placement once, as the code at the first attach point that it covers."""
    points, variant = attach_cells(position), position.variant
    return [
        str(code_at(placement, variant, next(cell for cell in points if cell in placement.cells)))
        for placement in position.legal_placements()
    ]


def placement_in(answer: str, position: Position) -> Placement:
    """Return the placement that an answer gives.

    Raises:
        LostGame: it is malformed or illegal.

    """
    try:
        code = parse_code(" ".join(answer.split()))
    except UnreadablePlacement as error:
        raise LostGame("malformed", f"its answer is no move: expected {error.expected}", answer) from None
    placement = placement_of(code, position.variant)
    try:
        position.check(placement)
    except IllegalPlacement as error:
        raise LostGame("illegal", f"its move breaks the rules: {_explained(error, code, position)}", answer) from None
    width, height = position.variant.width, position.variant.height
    if (height - 1 - code.y) * width + code.x not in attach_cells(position):
        why = f"{code.x} {code.y} is neither its start cell nor an attach point"
        raise LostGame("illegal", f"its move breaks the rules: {why}", answer)
    return placement


def _explained(error: IllegalPlacement, code: Code, position: Position) -> str:
    """Return the reasons with their squares as the protocol counts them."""
    grid, height = position.variant.grid, position.variant.height
    points = {reason: [grid.points[cell] for cell in cells] for reason, cells in error.cells.items()}
    squares = {reason: [(x, height - 1 - y) for x, y in found] for reason, found in points.items()}
    if OFF_BOARD in squares:
        squares[OFF_BOARD] = [(x, y) for x, y in code.points if (x, height - 1 - y) not in grid.index]
    return "; ".join(" ".join([reason, *(f"({x},{y})" for x, y in found)]) for reason, found in squares.items())
