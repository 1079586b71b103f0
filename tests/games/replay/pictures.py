"""Pictures as they were sent, read back pixel by pixel."""

import re
from io import BytesIO
from pathlib import Path

from django.conf import settings
from PIL import Image
from PIL.GifImagePlugin import GifImageFile

from games.base import positions
from games.models import Game
from games.rules import Position

Colour = tuple[int, int, int]
#: How far from the middle of a cell towards a corner it is looked at: beyond the glyph, within the outline.
OUTWARDS = 0.5
ROW_OF_TRIANGLES = 3**0.5
TOKENS = (Path(settings.BASE_DIR) / "static/site/tokens.css").read_text()


def token(name: str) -> Colour:
    """Return a colour of the light theme as the stylesheet says it."""
    found = re.search(rf"--{name}: (?:light-dark\()?#(\w\w)(\w\w)(\w\w)", TOKENS)
    assert found, name
    red, green, blue = (int(part, 16) for part in found.groups())
    return red, green, blue


def stages_of(game: Game) -> list[Position]:
    """Return the positions of a game: before its first move and after each one."""
    return list(positions.positions_of(game, game.moves.all()))


def film_of(content: bytes) -> GifImageFile:
    return GifImageFile(BytesIO(content))


def lengths_of(film: GifImageFile) -> list[int]:
    """Return how long each state is shown, in milliseconds."""
    lengths = []
    for number in range(film.n_frames):
        film.seek(number)
        lengths.append(film.info["duration"])
    return lengths


def opened(content: bytes) -> Image.Image:
    return Image.open(BytesIO(content))


def wrong_cells(image: Image.Image, position: Position, left: float, top: float, width: float) -> list[str]:
    """Return the cells that do not show their owner's colour, where the board lies there and is so wide."""
    variant, picture = position.variant, image.convert("RGB")
    grid = variant.grid
    high = 1.0 if len(grid.lattice.outline((0, 0))) == 4 else ROW_OF_TRIANGLES
    columns = max(x for point in grid.points for x, _ in grid.lattice.outline(point))
    unit = width / columns
    wrong = []
    for index, point in enumerate(grid.points):
        corners = [(x * unit, (grid.height - y) * high * unit) for x, y in grid.lattice.outline(point)]
        middle = [sum(corner[axis] for corner in corners) / len(corners) for axis in (0, 1)]
        # The last corner of a square and of either triangle is none that a slash points at.
        x, y = (place + OUTWARDS * (end - place) for place, end in zip(middle, corners[-1], strict=True))
        owner = position.owner(index)
        if owner is None and is_start(position, index):
            continue
        expected = token(owner or "board")
        found = pixel(picture, left + x, top + y)
        if max(abs(one - other) for one, other in zip(found, expected, strict=True)) > 8:
            wrong.append(f"{variant.cells[index]}: {found}, not {owner} {expected}")
    return wrong


def pixel(picture: Image.Image, x: float, y: float) -> Colour:
    found = picture.getpixel((int(x), int(y)))
    assert isinstance(found, tuple)
    red, green, blue = found
    return red, green, blue


def is_start(position: Position, index: int) -> bool:
    """Whether a colour that is still to begin may begin here: such a cell has a ground of its own."""
    begun = {turn.colour for turn in position.history if turn.placement is not None}
    waiting = set(position.colours_in_play) - begun
    return any(index in position.variant.start_cells[colour] for colour in waiting)
