"""A board drawn with Pillow from the same paths as on a page: twice as large as asked for, then made smooth."""

from collections.abc import Iterable
from functools import lru_cache

from PIL import Image, ImageDraw

from games.drawing import outline
from games.drawing.raster.colours import colours, fill_of, glyph_of
from games.drawing.raster.paths import Polyline, polylines
from games.drawing.svg import MarkView, PieceView, frame_view

#: How much larger everything is drawn than it is shown, so that slanted lines become smooth.
FINE = 2
#: Pixels of the picture that are left around the board, for its frame, or the outlines at the border of one without.
EDGE = 4
#: How wide lines are, in pixels of the picture; of glyphs in units, since they grow with their cells.
_GRID, _OUTLINE, _LAST = 1.0, 2.0, 4.0
_GLYPH, _DOT = 1.0, 2.8
#: How much of its colour the ground of a start cell has.
_TINT = 0.25

Box = tuple[int, int, int, int]


class BoardImage:
    """A board of a variant, as large as fits into a box, on which pieces are placed one after the other."""

    def __init__(self, variant: str, starts: Iterable[MarkView], width: int, height: int) -> None:
        frame = frame_view(variant)
        self.scale = FINE * min((width - 2 * EDGE) / frame.width, (height - 2 * EDGE) / frame.height)
        size = (self._fine(frame.width), self._fine(frame.height))
        self.image = Image.new("RGB", size, colours()["rim" if frame.is_rectangle else "card"])
        self.draw = ImageDraw.Draw(self.image)
        self._fill(frame.ground, colours()["cells"])
        self._lines(frame.grid, colours()["grid"], FINE * _GRID)
        for start in starts:
            colour = fill_of(start.colour)
            self._fill(start.path, _mixed(colour, colours()["cells"], _TINT))
            self._lines(start.path, colour, FINE * _OUTLINE)

    def _fine(self, units: float) -> int:
        """Return how many pixels a length has with its edges, a multiple of those that become one."""
        return FINE * (round(units * self.scale / FINE) + 2 * EDGE)

    @property
    def size(self) -> tuple[int, int]:
        """Return the size it is shown in."""
        return self.image.width // FINE, self.image.height // FINE

    def place(self, piece: PieceView) -> None:
        """Draw a piece: its cells, its outline, and the glyph in each cell."""
        self._fill(piece.path, fill_of(piece.colour))
        self._lines(piece.path, colours()["outline"], FINE * _OUTLINE)
        self._lines(piece.glyphs, glyph_of(piece.colour), self.scale * (_DOT if piece.colour == "blue" else _GLYPH))

    def mark(self, path: str) -> None:
        """Draw the outline of the piece placed last."""
        self._lines(path, colours()["outline"], FINE * _LAST)

    def marked(self, path: str, box: Box) -> Image.Image:
        """Return a part of the picture with that outline, which the board itself does not keep."""
        left, top = FINE * box[0], FINE * box[1]
        image = self.image.crop((left, top, FINE * box[2], FINE * box[3]))
        draw = ImageDraw.Draw(image)
        for line in self._placed(path):
            moved = tuple((x - left, y - top) for x, y in line)
            stroke(draw, moved, colours()["outline"], FINE * _LAST)
        return image.reduce(FINE)

    def shown(self, box: Box | None = None) -> Image.Image:
        """Return the picture, or a part of it, in the size it is shown in."""
        if box is None:
            return self.image.reduce(FINE)
        return self.image.crop((FINE * box[0], FINE * box[1], FINE * box[2], FINE * box[3])).reduce(FINE)

    def box_of(self, path: str) -> Box:
        """Return the part of the picture that a path and its outline lie in."""
        spots = [spot for line in self._placed(path) for spot in line]
        low = [int(min(spot[axis] for spot in spots) / FINE - _LAST) for axis in (0, 1)]
        high = [int(max(spot[axis] for spot in spots) / FINE + _LAST) + 1 for axis in (0, 1)]
        width, height = self.size
        return max(low[0], 0), max(low[1], 0), min(high[0], width), min(high[1], height)

    def _placed(self, path: str) -> list[Polyline]:
        edge = FINE * EDGE
        return [tuple((self.scale * x + edge, self.scale * y + edge) for x, y in line) for line in polylines(path)]

    def _fill(self, path: str, colour: str) -> None:
        for line in self._placed(path):
            self.draw.polygon(line, fill=colour)

    def _lines(self, path: str, colour: str, width: float) -> None:
        for line in self._placed(path):
            stroke(self.draw, line, colour, width)


def stroke(draw: ImageDraw.ImageDraw, line: Polyline, colour: str, width: float) -> None:
    """Draw a line with round ends and corners; one without a length is a dot."""
    draw.line(line, fill=colour, width=max(1, round(width)), joint="curve")
    if width >= FINE * _OUTLINE:
        for x, y in {line[0], line[-1]}:
            draw.ellipse((x - width / 2, y - width / 2, x + width / 2, y + width / 2), fill=colour)


def in_the_middle(image: Image.Image, width: int, height: int) -> Image.Image:
    """Return a picture of that size, the colour of a page, with this smaller one in its middle."""
    whole = Image.new("RGB", (width, height), colours()["page"])
    whole.paste(image, ((width - image.width) // 2, (height - image.height) // 2))
    return whole


@lru_cache(maxsize=32)
def swatch(colour: str, size: int) -> Image.Image:
    """Return a single cell of a colour, as large as asked for, on the ground of a card."""
    fine, line = FINE * size, FINE * _OUTLINE
    image = Image.new("RGB", (fine, fine), colours()["card"])
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle(
        (0, 0, fine - 1, fine - 1), fine // 6, fill_of(colour), colours()["outline"], width=round(line)
    )
    scale = fine / outline.CELL
    width = scale * (_DOT if colour == "blue" else _GLYPH)
    for found in polylines("M0 0" + outline.glyph(colour)):
        stroke(draw, tuple((fine / 2 + scale * x, fine / 2 + scale * y) for x, y in found), glyph_of(colour), width)
    return image.reduce(FINE)


def _mixed(colour: str, ground: str, part: float) -> str:
    """Return a colour laid over another, with that part of its own."""
    pairs = zip(bytes.fromhex(colour[1:]), bytes.fromhex(ground[1:]), strict=True)
    return "#" + bytes(round(part * top + (1 - part) * below) for top, below in pairs).hex()
