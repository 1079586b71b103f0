"""A game as an animation to pass on: the empty board, then one state a piece, the last held longer. GIF."""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from io import BytesIO
from math import ceil

from PIL import Image, ImageChops, ImageDraw

from games.drawing.raster.board import EDGE, BoardImage, swatch
from games.drawing.raster.colours import colours
from games.drawing.raster.shared_game import SharedGame, SideView
from games.drawing.raster.text import write_line
from games.drawing.svg import MarkView, PieceView

WIDTH = 480
_TALLEST = 480
#: Lines of words above and below the board, in pixels.
_HEAD, _LINE, _FOOT = 30, 26, 34
_SWATCH = 16
#: How wide what a player has placed may be.
_COUNT = 64
#: How long a state is shown, the first, and the last, in milliseconds.
_STEP, _FIRST, _END = 500, 1000, 4000
#: Colours of the palette: those of the last state, which has every colour and every edge between two.
_PALETTE = 96
#: The number in the palette that stands for a pixel as it was before.
_SAME = 255


@lru_cache(maxsize=6)
def gif(game: SharedGame) -> bytes:
    """Return the animation. The last few are kept, for it costs a hundred times as much as sending it."""
    first, *rest = Film(game).frames()
    file = BytesIO()
    lengths = [_FIRST, *([_STEP] * (len(rest) - 1)), _END] if rest else _END
    first.save(
        file,
        "GIF",
        save_all=True,
        append_images=rest,
        duration=lengths,
        loop=0,
        disposal=1,
        optimize=False,
        transparency=_SAME,
    )
    return file.getvalue()


def _board(game: SharedGame, starts: Iterable[MarkView], pieces: Iterable[PieceView] = ()) -> BoardImage:
    board = BoardImage(game.variant, starts, WIDTH, _TALLEST)
    for piece in pieces:
        board.place(piece)
    return board


class Film:
    """The states of a game. Each but the first holds only what has changed since the one before."""

    def __init__(self, game: SharedGame) -> None:
        self.game = game
        self.board = _board(game, game.starts)
        self.left = (WIDTH - self.board.size[0]) // 2
        self.columns = 2 if len(game.sides) > 1 else 1
        self.below = _HEAD + self.board.size[1]
        self.size = (WIDTH, self.below + ceil(len(game.sides) / self.columns) * _LINE + _FOOT)
        self.palette = self._palette()

    def frames(self) -> list[Image.Image]:
        """Return every state, as pictures of one palette."""
        pieces, foot = self.game.pieces, self._foot(0, is_end=not self.game.pieces)
        found = [self._flat(self._whole(self.board, foot))]
        for number, piece in enumerate(pieces, 1):
            frame = Image.new("P", self.size, _SAME)
            frame.putpalette(self.palette.getpalette() or [])
            if number > 1:
                self._update(frame, pieces[number - 2])
            if number == self.game.begun:
                self._unmark(frame, pieces[: number - 1])
            self.board.place(piece)
            self._update(frame, piece, is_last=True)
            before, foot = foot, self._foot(number, is_end=number == len(pieces))
            self._rewrite(frame, before, foot)
            found.append(frame)
        return found

    def _palette(self) -> Image.Image:
        """Return the palette of the last state, on a board of its own: every colour and every edge is in it."""
        board = _board(self.game, self.game.starts, self.game.pieces)
        whole = self._whole(board, self._foot(len(self.game.pieces), is_end=True))
        return whole.quantize(_PALETTE, Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)

    def _whole(self, board: BoardImage, foot: Image.Image) -> Image.Image:
        """Return a whole picture: the name above, the board, and what is written below it."""
        whole = Image.new("RGB", self.size, colours()["card"])
        draw = ImageDraw.Draw(whole)
        write_line(draw, (10, _HEAD / 2 + 2), self.game.title, colours()["text"], 17, WIDTH - 120, is_title=True)
        write_line(
            draw, (WIDTH - 10, _HEAD / 2 + 2), "Block-You", colours()["accent"], 15, 100, is_title=True, anchor="rm"
        )
        whole.paste(board.shown(), (self.left, _HEAD))
        whole.paste(foot, (0, self.below))
        return whole

    def _flat(self, image: Image.Image) -> Image.Image:
        return image.quantize(palette=self.palette, dither=Image.Dither.NONE)

    def _update(self, frame: Image.Image, piece: PieceView, *, is_last: bool = False) -> None:
        """Draw the part of the board around a piece, marked if it is the one placed last."""
        box = self.board.box_of(piece.path)
        tile = self.board.marked(piece.path, box) if is_last else self.board.shown(box)
        frame.paste(self._flat(tile), (self.left + box[0], _HEAD + box[1]))

    def _unmark(self, frame: Image.Image, pieces: Sequence[PieceView]) -> None:
        """Draw the board with these pieces and without its start cells."""
        self.board = _board(self.game, (), pieces)
        for start in self.game.starts:
            box = self.board.box_of(start.path)
            frame.paste(self._flat(self.board.shown(box)), (self.left + box[0], _HEAD + box[1]))

    def _rewrite(self, frame: Image.Image, before: Image.Image, foot: Image.Image) -> None:
        """Draw the part of the words that is no longer the same."""
        box = ImageChops.difference(before, foot).getbbox()
        if box:
            frame.paste(self._flat(foot.crop(box)), (box[0], self.below + box[1]))

    def _foot(self, number: int, *, is_end: bool) -> Image.Image:
        """Return what is written below the board after a number of pieces."""
        image = Image.new("RGB", (WIDTH, self.size[1] - self.below), colours()["card"])
        draw = ImageDraw.Draw(image)
        for index, side in enumerate(self.game.sides):
            row, column = divmod(index, self.columns)
            self._side(
                image, draw, side, number, (column * WIDTH // self.columns + 10, row * _LINE + _LINE // 2 + EDGE)
            )
        if is_end:
            write_line(
                draw, (10, image.height - _FOOT / 2), self.game.say, colours()["text"], 17, WIDTH - 20, is_title=True
            )
        return image

    def _side(
        self, image: Image.Image, draw: ImageDraw.ImageDraw, side: SideView, number: int, spot: tuple[int, int]
    ) -> None:
        at, middle = spot
        end = at + WIDTH // self.columns - 24
        for colour in side.colours:
            image.paste(swatch(colour, _SWATCH), (at, middle - _SWATCH // 2))
            at += _SWATCH + 4
        # The winner is not given away before the end.
        has_won = side.is_winner and number == len(self.game.pieces)
        write_line(draw, (at + 2, middle), side.name, colours()["text"], 14, end - at - _COUNT, is_bold=has_won)
        write_line(draw, (end, middle), side.placed[number], colours()["text"], 14, _COUNT, is_bold=True, anchor="rm")
