"""The public pages about the named openings: the list of all of them, and a page for each."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.drawing import steps, svg
from games.drawing.thumbnails import Thumbnail, close_up
from games.errors import NotFound
from games.lines.entries import LINES, Citation, Line
from games.pages.lists import cards
from games.pages.lists.cards import GameCard
from games.queries.lists.results import latest_openers, opening_record, opening_records
from games.rules import Placement, Position
from games.rules.records import GameRecord, write_json
from games.words import names, openings
from games.words.sentences import listed, placement_label

if TYPE_CHECKING:
    from games.models import OpeningRecord, Player

#: The latest seats of people that are looked at, and the games that are shown of them: all seats may be of one game.
LATEST_SEATS, LATEST_GAMES = 40, 10


@dataclass(frozen=True)
class OpeningCard:
    """An opening in the list: its name, its pieces in order, its boards, and the line as a small picture.

    `played` says how often it was played, empty where it never was.
    """

    key: str
    name: str
    pieces: str
    boards: str
    played: str
    thumb: Thumbnail


@dataclass(frozen=True)
class OpeningPlayer:
    """A person who has opened so: their name, and the address of their page, empty where there is none."""

    name: str
    address: str


@dataclass(frozen=True)
class OpeningPage:
    """An opening. `placements` are one way to place its pieces, which `board` shows, numbered by `pieces`.
    `few` has the fewer and larger letters that stand beside it on a phone.

    `view` is the part of the plane that the picture shows, with the letters and numbers beside the board. `record` is
    how the people who opened so have fared, in public and private games; `games` are the latest public ones, each with
    the names of those who opened so, and `players` all of these. `counts_from` is from how many pieces on it counts, 0
    where all of them are needed. `position` is the record of a study that begins with these pieces.
    """

    key: str
    name: str
    about: str
    order: str
    boards: str
    view: str
    board: svg.BoardView
    few: svg.FrameView
    pieces: tuple[steps.RecentPiece, ...]
    placements: tuple[str, ...]
    position: str
    sources: tuple[Citation, ...]
    counts_from: int
    record: "OpeningRecord"
    games: tuple[GameCard, ...]
    players: tuple[OpeningPlayer, ...]


def opening_cards() -> tuple[OpeningCard, ...]:
    """Return all openings, the best known of each board first. One query."""
    records = opening_records()
    return tuple(
        OpeningCard(
            line.key,
            line.name,
            openings.pieces_line(line),
            openings.boards_line(line),
            _played(records[line.key].games if line.key in records else 0),
            close_up(_position(line).board, line.boards[0]),
        )
        for line in LINES.values()
    )


def _played(games: int) -> str:
    return ngettext("played once here", "played %(n)d times here", games) % {"n": games} if games else ""


def opening_page(key: str, *, names_people: bool = True) -> OpeningPage:
    """Return an opening's page, for a child without games and players. Four queries at most.

    Raises:
        NotFound: there is no opening of this name.

    """
    line = LINES.get(key)
    if line is None:
        raise NotFound(_("There is no such opening. Choose one from the list of openings."))
    position = _position(line)
    variant = position.variant.id
    board = replace(svg.board_view(position), frame=svg.frame_view(variant, svg.LARGE_LETTERS))
    placed = [turn.placement for turn in position.history if turn.placement is not None]
    pieces = zip(range(1, len(placed) + 1), placed, board.pieces, strict=True)
    seats = latest_openers(key, LATEST_SEATS) if names_people else []
    return OpeningPage(
        key=line.key,
        name=line.name,
        about=str(openings.ABOUT[line.key]),
        order=openings.pieces_line(line),
        boards=openings.boards_line(line),
        view=_view(board.frame),
        board=board,
        few=svg.frame_view(variant, svg.FEW_LETTERS),
        pieces=steps.recent_pieces(position.variant, pieces, None),
        placements=tuple(map(placement_label, placed)),
        position=_record(line),
        sources=line.sources,
        counts_from=line.named_from if line.named_from < line.length else 0,
        record=opening_record(key),
        games=_games(seats),
        players=tuple(
            dict.fromkeys(OpeningPlayer(names.player_name(seat), names.page_of(seat.occupant)) for seat in seats)
        ),
    )


def _games(seats: "Sequence[Player]") -> tuple[GameCard, ...]:
    """Return a row for each of the latest games, with the people who opened so."""
    games: dict[int, list[Player]] = {}
    for seat in seats:
        games.setdefault(seat.game_id, []).append(seat)
    return tuple(
        replace(
            cards.finished_card(together[0].game, together[0].user_id, is_mine=False),
            figure=listed([names.player_name(seat) for seat in together]),
            figure_label=ngettext("began this way", "began this way", len(together)),
        )
        for together in list(games.values())[:LATEST_GAMES]
    )


def _position(line: Line) -> Position:
    variant = line.boards[0]
    colour = Position.start(variant).colours_in_play[0]
    return Position.setup(variant, [(colour, Placement.parse(text, variant)) for text in line.example])


def _record(line: Line) -> str:
    """Return the record of a study that begins with the pieces of an opening, with the next colour to play."""
    start = Position.start(line.boards[0])
    first, second, *_others = start.colours_in_play
    placed = tuple((first, text) for text in line.example)
    return write_json(replace(GameRecord.of(start, title=line.name), placed=placed, to_play=second))


def _view(frame: svg.FrameView) -> str:
    """Return the box around a board with what stands beside it: as wide as two letters, and narrow at the far sides."""
    beside, far = 2 * frame.letter_size, frame.letter_size / 2
    return f"{-beside:g} {-far:g} {frame.width + beside + far:g} {frame.height + beside + far:g}"
