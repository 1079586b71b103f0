"""A picture of the board for a message."""

from io import BytesIO

from games.drawing import svg
from games.drawing.raster.board import BoardImage
from games.models import Game
from games.positions import position_of

#: Pixels of a side: as wide as mail programs on a phone show.
SIDE = 320


def board_picture(game: Game) -> bytes:
    """Return a started game's board as it is now, with the last piece marked: a PNG. One query."""
    moves = list(game.moves.all())
    image = BoardImage(game.variant, svg.start_marks(position_of(game, ())), SIDE, SIDE)
    pieces = svg.pieces_of(position_of(game, moves))
    for piece in pieces:
        image.place(piece)
    if pieces:
        image.mark(pieces[-1].path)
    file = BytesIO()
    image.shown().quantize(64).save(file, "PNG", optimize=True)
    return file.getvalue()
