"""A picture of the board for a message."""

from io import BytesIO

from games.base.positions import position_of
from games.drawing import svg
from games.drawing.raster.board import BoardImage
from games.models import Game
from games.queries.players import seat_side

#: Pixels of a side: as wide as mail programs on a phone show.
SIDE = 320


def board_picture(game: Game, user_id: int) -> bytes:
    """Return a started game's board as it is now for this reader, with the last piece marked: a PNG. Two queries."""
    moves = list(game.moves.all())
    seat = game.players.filter(user=user_id).values_list("seat", flat=True).first()
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
