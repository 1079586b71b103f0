"""Counting lines of play: the check that engines compare themselves by."""

from games.rules.board import Board
from games.rules.position import Position
from games.rules.variants import Variant, get_variant


def perft(position: Position, depth: int) -> int:
    """Return the number of different lines of `depth` turns; a forced pass counts as a turn.

    Lines that end sooner are not counted.
    """
    if depth == 0:
        return 1
    if position.is_over:
        return 0
    if depth == 1:
        return position.legal_count() or 1
    ids = position.legal_ids()
    if not ids:
        return perft(position.pass_turn(), depth - 1)
    return sum(perft(position.play_id(placement_id), depth - 1) for placement_id in ids)


def lines_alone(variant: str | Variant, colour: str, length: int) -> int:
    """Return the number of lines of `length` placements that a colour has on a board of its own."""
    chosen = get_variant(variant)
    number = chosen.colour_number(colour)
    return _lines(Board.start(chosen, (number,)), number, length)


def _lines(board: Board, number: int, length: int) -> int:
    if length <= 1:
        return board.legal_mask(number).bit_count() if length else 1
    ids = board.legal_ids(number)
    return sum(_lines(board.place(number, placement_id), number, length - 1) for placement_id in ids)


def factorised_perft(variant: str | Variant, depth: int) -> int:
    """Return `perft` of the start as a product over the colours.

    True only while no colour can come near another: on 20 x 20 with four corners up to depth 8, when
    each colour has placed twice and none has gone beyond the ninth row or column of its corner.
    """
    chosen = get_variant(variant)
    product = 1
    for turn, colour in enumerate(chosen.colours):
        product *= lines_alone(chosen, colour, len(range(turn, depth, len(chosen.colours))))
    return product
