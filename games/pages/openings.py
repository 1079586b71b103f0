"""The public pages about the named openings: the list of all of them, and a page for each."""

from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from games.drawing import steps, svg
from games.drawing.thumbnails import Thumbnail, thumbnail
from games.errors import NotFound
from games.lines.entries import LINES, Citation, Line
from games.rules import Placement, Position
from games.words import openings
from games.words.sentences import placement_label


@dataclass(frozen=True)
class OpeningCard:
    """An opening in the list: its name, its pieces in order, its boards, and the line as a small picture."""

    key: str
    name: str
    pieces: str
    boards: str
    thumb: Thumbnail


@dataclass(frozen=True)
class OpeningPage:
    """An opening. `placements` are one way to place its pieces, which `board` shows, numbered by `pieces`.

    `view` is the part of the plane that the picture shows, with the letters and numbers beside the board.
    """

    key: str
    name: str
    about: str
    order: str
    boards: str
    view: str
    board: svg.BoardView
    pieces: tuple[steps.RecentPiece, ...]
    placements: tuple[str, ...]
    sources: tuple[Citation, ...]


def opening_cards() -> tuple[OpeningCard, ...]:
    """Return all openings, the best known of each board first. No query."""
    return tuple(
        OpeningCard(
            line.key,
            line.name,
            openings.pieces_line(line),
            openings.boards_line(line),
            thumbnail(_position(line).board, line.boards[0]),
        )
        for line in LINES.values()
    )


def opening_page(key: str) -> OpeningPage:
    """Return an opening's page.

    Raises:
        NotFound: there is no opening of this name.

    """
    line = LINES.get(key)
    if line is None:
        raise NotFound(_("There is no such opening. Choose one from the list of openings."))
    position = _position(line)
    board = svg.board_view(position)
    placed = [turn.placement for turn in position.history if turn.placement is not None]
    pieces = zip(range(1, len(placed) + 1), placed, board.pieces, strict=True)
    return OpeningPage(
        key=line.key,
        name=line.name,
        about=str(openings.ABOUT[line.key]),
        order=openings.pieces_line(line),
        boards=openings.boards_line(line),
        view=_view(board.frame),
        board=board,
        pieces=steps.recent_pieces(position.variant, pieces, None),
        placements=tuple(map(placement_label, placed)),
        sources=line.sources,
    )


def _position(line: Line) -> Position:
    variant = line.boards[0]
    colour = Position.start(variant).colours_in_play[0]
    return Position.setup(variant, [(colour, Placement.parse(text, variant)) for text in line.example])


def _view(frame: svg.FrameView) -> str:
    """Return the box around a board with what stands beside it: as wide as two letters, and narrow at the far sides."""
    beside, far = 2 * frame.letter_size, frame.letter_size / 2
    return f"{-beside:g} {-far:g} {frame.width + beside + far:g} {frame.height + beside + far:g}"
