"""A game from its first move to its last: the server draws any position, the page turns the leaves by itself.

The picture holds every piece; those placed later than the move shown are hidden. So the page needs neither rule nor
shape, nor another request, to show any other move.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import lru_cache
from math import dist

from django.utils.translation import gettext

from games.clock import Still
from games.drawing import outline, svg
from games.drawing.turned import turned_points
from games.pages.board.board_data import script_json
from games.pages.board.comments import CommentView
from games.pages.board.moves import MoveView, move_views
from games.pages.board.table import PlayerView
from games.pages.replay.graphs import GraphsView, graphs_view
from games.queries.play.moves import MoveRow
from games.queries.play.players import seats_placed
from games.rules import Placement, Position
from games.rules.variants import get_variant
from games.values import GivenDay, HolidayFact


@dataclass(frozen=True)
class LeafView:
    """One position of the game: what led to it, how many cells each seat has placed, what was written about it."""

    number: int
    words: str
    placed: tuple[int, ...]
    comment: str


@dataclass(frozen=True)
class ShownPiece:
    """A piece of the picture, the place of its number, and whether it is hidden: placed after the move shown."""

    piece: svg.PieceView
    x: float
    y: float
    is_hidden: bool


@dataclass(frozen=True)
class Leaves:
    """All positions of a game and the one that is shown.

    `starts` are the marked start cells, until every colour has begun with move `begun`, None if one never does. `data`
    is JSON: the words and counts of every move; `comments` too: what was written, by move. `thoughts` are what bots
    thought, and `said` what people wrote, each with whose it is, by move.
    """

    number: int
    last: int
    players: tuple[tuple[PlayerView, int], ...]
    frame: svg.FrameView
    icons: tuple[svg.IconView, ...]
    starts: tuple[svg.MarkView, ...]
    begun: int | None
    pieces: tuple[ShownPiece, ...]
    leaf: LeafView
    newest: str
    moves: tuple[MoveView, ...]
    data: str
    graphs: GraphsView
    comments: str = ""
    thoughts: Mapping[int, str] = field(default_factory=dict)
    said: Mapping[int, Sequence[CommentView]] = field(default_factory=dict)

    @property
    def have_begun(self) -> bool:
        """Return whether every colour has begun by the move shown."""
        return self.begun is not None and self.number >= self.begun

    @property
    def lines(self) -> list[tuple[MoveView, str, Sequence[CommentView]]]:
        """Return the moves, each with what a bot thought at it, and what people wrote; empty where that is nothing."""
        return [(move, self.thoughts.get(move.number, ""), self.said.get(move.number, ())) for move in self.moves]

    @property
    def before(self) -> Sequence[CommentView]:
        """Return what people wrote about the position before the first move."""
        return self.said.get(0, ())

    @property
    def move(self) -> MoveView | None:
        """Return the move that led to the position shown, None where it is the first."""
        return self.moves[self.number - 1] if self.number else None

    @property
    def previous(self) -> int:
        """Return the number of the move before, at least 0."""
        return max(self.number - 1, 0)

    @property
    def less(self) -> int:
        """Return the number of the move ten before, at least 0."""
        return max(self.number - 10, 0)

    @property
    def more(self) -> int:
        """Return the number of the move ten after, at most the last."""
        return min(self.number + 10, self.last)

    @property
    def following(self) -> int:
        """Return the number of the move after, at most the last."""
        return min(self.number + 1, self.last)


def replay_steps(
    stages: Sequence[Position],
    players: Sequence[PlayerView],
    moves: Sequence[MoveRow],
    number: int | None = None,
    comments: Mapping[int, str] | None = None,
    started_at: datetime | None = None,
    pauses: Sequence[Still] = (),
    days: Sequence[GivenDay] = (),
    holidays: Sequence[HolidayFact] = (),
    side: int = 0,
    told: Mapping[int, str] | None = None,
) -> Leaves:
    """Return the leaves to turn: a stage before the first move and one after each, open at that move or at the last.

    What lies there before the first move has the number 0, as has its comment. A number beyond the last move is the
    last one. How long each move took is known where `started_at` says when the game began. The board is turned by
    `side` quarters. `told` are words for some of the moves, by number, in place of the usual ones.
    """
    shown = len(moves) if number is None else min(max(number, 0), len(moves))
    lines = move_views(
        players, moves, started_at=started_at, pauses=pauses, days=days, holidays=holidays, pictured=len(moves)
    )
    comments, told = comments or {}, told or {}
    pieces = _numbered(svg.pieces_of(stages[-1], side), len(stages[0].history))
    totals = [seats_placed(stage) for stage in stages]
    leaves = tuple(
        LeafView(index, told.get(index) or _words(index, lines), placed, comments.get(index, ""))
        for index, placed in enumerate(totals)
    )
    return Leaves(
        number=shown,
        last=len(moves),
        players=tuple(zip(players, leaves[shown].placed, strict=True)),
        frame=svg.frame_view(stages[0].variant.id, quarters=side),
        icons=tuple(svg.icons(stages[0].variant.id).values()),
        starts=svg.start_marks(stages[0], side),
        begun=next((number for number, stage in enumerate(stages) if not svg.start_marks(stage)), None),
        pieces=tuple(
            ShownPiece(piece, *spot, piece.number > shown)
            for piece, spot in zip(pieces, _spots(stages[-1], side), strict=True)
        ),
        leaf=leaves[shown],
        newest=next((piece.path for piece in pieces if 0 < piece.number == shown), ""),
        moves=lines,
        data=script_json([[leaf.words, *leaf.placed] for leaf in leaves]),
        graphs=graphs_view(stages, totals, players, shown),
        comments=script_json(dict(comments)) if comments else "",
    )


def _spots(position: Position, side: int) -> Iterator[outline.Spot]:
    for turn in position.history:
        if turn.placement is not None:
            yield _spot(turn.placement, position.variant.id, side)


@lru_cache(maxsize=32768)
def _spot(placement: Placement, variant_id: str, side: int) -> outline.Spot:
    """Return the middle of that cell of a piece which lies nearest to the middle of all its cells."""
    grid = get_variant(variant_id).grid
    plane = outline.plane_of(grid.lattice)
    spots = [plane.spot(point) for point in turned_points(placement.points, variant_id, side)]
    middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
    x, y = min(spots, key=lambda spot: dist(spot, middle))
    return round(x, 1), round(plane.row * grid.height + y, 1)


def _numbered(pieces: Sequence[svg.PieceView], laid: int) -> Sequence[svg.PieceView]:
    return [replace(piece, number=max(0, piece.number - laid)) for piece in pieces] if laid else pieces


def _words(number: int, lines: Sequence[MoveView]) -> str:
    return f"{lines[number - 1].who} {lines[number - 1].what}" if number else gettext("The empty board")
