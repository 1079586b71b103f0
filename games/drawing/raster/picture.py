"""A game as a picture to pass on, in the shape of a link's preview: the board, who plays, and how it stands. PNG."""

from functools import lru_cache
from io import BytesIO

from PIL import Image, ImageDraw

from games.drawing.raster.board import BoardImage, swatch
from games.drawing.raster.colours import colours
from games.drawing.raster.shared_game import SharedGame, SideView
from games.drawing.raster.text import write_line

WIDTH, HEIGHT = 1200, 630
_MARGIN = 36
#: Where the words begin, and how wide they may be.
_LEFT = 650
_WIDE = WIDTH - _LEFT - _MARGIN - 12
_SWATCH = 36
#: How wide what a player has placed may be.
_COUNT = 150
_NAME = "Block-You"


@lru_cache(maxsize=24)
def png(game: SharedGame) -> bytes:
    """Return the picture. The last few are kept: one link is looked at by many in the same minutes."""
    image = Image.new("RGB", (WIDTH, HEIGHT), colours()["card"])
    board = BoardImage(game.variant, game.starts, _LEFT - 2 * _MARGIN, HEIGHT - 2 * _MARGIN)
    for piece in game.pieces:
        board.place(piece)
    if game.pieces:
        board.mark(game.pieces[-1].path)
    left = (_LEFT - board.size[0]) // 2
    image.paste(board.shown(), (left, (HEIGHT - board.size[1]) // 2))
    _write(ImageDraw.Draw(image), image, game)
    file = BytesIO()
    image.save(file, "PNG", compress_level=6)
    return file.getvalue()


def _write(draw: ImageDraw.ImageDraw, image: Image.Image, game: SharedGame) -> None:
    ink, soft, accent = (colours()[name] for name in ("text", "soft", "accent"))
    write_line(draw, (_LEFT, 64), _NAME, accent, 32, _WIDE, is_title=True)
    write_line(draw, (_LEFT + _WIDE, 64), game.more, soft, 25, _WIDE - 180, anchor="rm")
    write_line(draw, (_LEFT, 124), game.title, ink, 46, _WIDE, is_title=True)
    write_line(draw, (_LEFT, 176), game.about, soft, 27, _WIDE)
    for number, side in enumerate(game.sides):
        _side(draw, image, side, 254 + 68 * number)
    write_line(draw, (_LEFT, 566), game.say, accent if game.sides[0].place else ink, 40, _WIDE, is_title=True)


def _side(draw: ImageDraw.ImageDraw, image: Image.Image, side: SideView, middle: int) -> None:
    """Write a player's line: place, colours, name, what is placed; the winner's in bold on the ground of a board."""
    ink, at = colours()["text"], _LEFT
    if side.is_winner:
        box = (_LEFT - 14, middle - 32, _LEFT + _WIDE + 14, middle + 32)
        draw.rounded_rectangle(box, 16, fill=colours()["board"])
    if side.place:
        write_line(draw, (at, middle), side.place, colours()["soft"], 25, 60)
        at += 62
    for colour in side.colours:
        image.paste(swatch(colour, _SWATCH), (at, middle - _SWATCH // 2))
        at += _SWATCH + 10
    room = _LEFT + _WIDE - at - _COUNT
    write_line(draw, (at + 6, middle), side.name, ink, 31, room, is_bold=side.is_winner)
    write_line(draw, (_LEFT + _WIDE, middle), side.placed[-1], ink, 32, _COUNT, is_title=True, anchor="rm")
