"""A picture of the board for a message."""

from collections.abc import Sequence
from io import BytesIO
from typing import TYPE_CHECKING

from games.base.positions import position_of
from games.drawing import svg
from games.drawing.raster.board import BoardImage
from games.queries.play.players import seat_side

if TYPE_CHECKING:
    from games.models import Game, Move

#: Pixels of a side: as wide as mail programs on a phone show.
SIDE = 320


def board_picture(game: "Game", moves: "Sequence[Move]", user_id: int) -> bytes:
    """Return a started game's board after these moves for this reader, the last piece marked: a PNG. No query.

    Needs the game's players.
    """
    seat = next((player.seat for player in game.players.all() if player.user_id == user_id), None)
    side = 0 if seat is None else seat_side(game, seat)
    image = BoardImage(game.variant, svg.start_marks(position_of(game, ()), side), SIDE, SIDE)
    pieces = svg.pieces_of(position_of(game, moves), side)
    for piece in pieces:
        image.place(piece)
    if pieces:
        image.mark(pieces[-1].path)
    file = BytesIO()
    image.shown().quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()
