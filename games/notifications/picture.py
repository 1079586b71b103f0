"""A picture of the board for a message."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from games.base.positions import position_of
from games.drawing import svg
from games.drawing.raster.board import BoardImage, in_the_middle
from games.queries.play.players import seat_side

if TYPE_CHECKING:
    from PIL.Image import Image

    from games.models import Game, Move
    from games.queries.play.moves import MoveRow

#: Pixels of a side: as wide as mail programs on a phone show.
SIDE = 320
#: Pixels of the picture in a notice on a device: systems cut what is higher than half its width.
WIDE, HIGH = 720, 360


def board_picture(game: "Game", moves: "Sequence[Move | MoveRow]", user_id: int) -> bytes:
    """Return a started game's board after these moves for this reader, what is new to them marked: a PNG. No query.

    New are the pieces that others have placed since the reader's own last move, at least the last of all. Needs the
    game's players.
    """
    return _file(_drawn(game, moves, user_id, SIDE))


def device_picture(game: "Game", moves: "Sequence[Move | MoveRow]", user_id: int) -> bytes:
    """Return the same, larger, in the middle of a picture that is twice as wide as high: for a notice on a device."""
    return _file(in_the_middle(_drawn(game, moves, user_id, HIGH), WIDE, HIGH))


def _drawn(game: "Game", moves: "Sequence[Move | MoveRow]", user_id: int, pixels: int) -> "Image":
    """Return the board in a square of so many pixels, or the part of it that the board takes."""
    seat = next((player.seat for player in game.players.all() if player.user_id == user_id), None)
    side = 0 if seat is None else seat_side(game, seat)
    image = BoardImage(game.variant, svg.start_marks(position_of(game, ()), side), pixels, pixels)
    pieces = svg.pieces_of(position_of(game, moves), side)
    for piece in pieces:
        image.place(piece)
    for piece in pieces[-_new_pieces(moves, seat) :]:
        image.mark(piece.path)
    return image.shown()


def _file(image: "Image") -> bytes:
    file = BytesIO()
    image.quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()


def _new_pieces(moves: "Sequence[Move | MoveRow]", seat: int | None) -> int:
    """Return how many pieces lie on the board since the last move that the player in a seat has made, at least one."""
    if seat is None:
        return 1
    own = next((count for count, move in enumerate(reversed(moves)) if move.seat == seat and not move.bot), len(moves))
    return max(1, sum(bool(move.placement) for move in moves[len(moves) - own :]))
