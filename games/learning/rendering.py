"""A game's position as pixels, drawn from the same paths as on the site's pages."""

import numpy as np
from numpy.typing import NDArray

from games.drawing.raster.board import BoardImage
from games.drawing.svg import board_view
from games.rules import Position

#: The box in pixels that a board is drawn as large as it fits into.
PIXELS = 480


def pixels(position: Position) -> NDArray[np.uint8]:
    """Return the board as rows of red, green and blue from the top: the pieces, the latest marked, and the starts."""
    view = board_view(position)
    image = BoardImage(position.variant.id, view.starts, PIXELS, PIXELS)
    for piece in view.pieces:
        image.place(piece)
    if view.last:
        image.mark(view.last)
    return np.asarray(image.shown(), np.uint8)
