"""A game from its first move to its last: the server draws any position, the page turns the leaves by itself.

The picture holds every piece; those placed later than the move shown are hidden. So the page needs neither rule nor
shape, nor another request, to show any other move.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from math import dist

from django.urls import reverse
from django.utils.translation import gettext

from games import access, positions
from games.models import Status
from games.queries import drawing, names, outline
from games.queries.cards import score_text
from games.queries.graphs import GraphsView, graphs_view
from games.queries.position import script_json
from games.queries.table import PlayerView, player_views
from games.queries.thoughts import repeat_query, thoughts_of, told
from games.queries.words import MoveRow, MoveView, move_views, moves_of
from games.rules import Position
from games.rules.geometry import Lattice
from games.rules.records import has_blksgf


@dataclass(frozen=True)
class LeafView:
    """One position of the game: what led to it, each seat's score in it, and what was written about it."""

    number: int
    words: str
    scores: tuple[str, ...]
    comment: str


@dataclass(frozen=True)
class ShownPiece:
    """A piece of the picture, with where its number stands and whether it lies there yet at the move shown."""

    piece: drawing.PieceView
    x: float
    y: float
    is_hidden: bool


@dataclass(frozen=True)
class Leaves:
    """All positions of a game and the one that is shown.

    `data` is JSON: the words and scores of every move; `comments` too: what was written, by move. `thoughts` are what
    bots thought, by move.
    """

    number: int
    last: int
    players: tuple[tuple[PlayerView, str], ...]
    frame: drawing.FrameView
    starts: tuple[drawing.MarkView, ...]
    pieces: tuple[ShownPiece, ...]
    leaf: LeafView
    newest: str
    moves: tuple[MoveView, ...]
    data: str
    graphs: GraphsView
    comments: str = ""
    thoughts: Mapping[int, str] = field(default_factory=dict)

    @property
    def lines(self) -> list[tuple[MoveView, str]]:
        """Return the moves, each with what a bot thought at it, empty where that is not to be told."""
        return [(move, self.thoughts.get(move.number, "")) for move in self.moves]

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


@dataclass(frozen=True)
class ReplayPage:
    """A game of this site at one of its moves. `has_blksgf` says whether its record has that form too.

    `address` is the replay's own, to which `query` and a move's number are added; `review` that of the game's review.
    `picture_query` asks for the picture of the move that was asked for.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
    is_over: bool
    is_public: bool
    has_blksgf: bool
    picture_query: str
    repeat_query: str
    review: str
    leaves: Leaves


def replay_page(user: access.Viewer, slug: str, token: str = "", number: int | None = None) -> ReplayPage:
    """Return the game after that many moves, by default after all of them; 0 is the empty board. Four queries at most.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game = access.started_game_to_view(user, slug, token)
    moves = moves_of(game)
    stages = list(positions.positions_of(game, moves))
    players = player_views(game, stages[-1], access.seat_of(game, user))
    return ReplayPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        about=names.variant_name(game.variant),
        address=reverse("replay", args=[game.slug]),
        query=f"?token={token}&" if access.holds_token(game, token) else "?",
        is_over=game.status == Status.FINISHED,
        is_public=game.is_public,
        has_blksgf=has_blksgf(stages[0].variant),
        picture_query="" if number is None else f"?move={number}",
        repeat_query=repeat_query(game),
        review=reverse("review", args=[game.slug]) + (f"?token={token}" if access.holds_token(game, token) else ""),
        leaves=replace(leaves_of(stages, players, moves, number), thoughts=told(thoughts_of(game))),
    )


def leaves_of(
    stages: Sequence[Position],
    players: Sequence[PlayerView],
    moves: Sequence[MoveRow],
    number: int | None = None,
    comments: Mapping[int, str] | None = None,
) -> Leaves:
    """Return the leaves to turn: a stage before the first move and one after each, open at that move or at the last.

    What lies there before the first move has the number 0, as has its comment. A number beyond the last move is the
    last one.
    """
    shown = len(moves) if number is None else min(max(number, 0), len(moves))
    lines = move_views(players, moves)
    comments = comments or {}
    pieces = _numbered(drawing.pieces_of(stages[-1]), len(stages[0].history))
    totals = [stage.seat_scores() for stage in stages]
    leaves = tuple(
        LeafView(index, _words(index, lines), tuple(map(score_text, scores)), comments.get(index, ""))
        for index, scores in enumerate(totals)
    )
    return Leaves(
        number=shown,
        last=len(moves),
        players=tuple(zip(players, leaves[shown].scores, strict=True)),
        frame=drawing.frame_view(stages[0].variant.id),
        starts=drawing.board_view(stages[0]).starts,
        pieces=tuple(
            ShownPiece(piece, *spot, piece.number > shown)
            for piece, spot in zip(pieces, _spots(stages[-1]), strict=True)
        ),
        leaf=leaves[shown],
        newest=next((piece.path for piece in reversed(pieces) if 0 < piece.number <= shown), ""),
        moves=lines,
        data=script_json([[leaf.words, *leaf.scores] for leaf in leaves]),
        graphs=graphs_view(stages, totals, players, shown),
        comments=script_json(dict(comments)) if comments else "",
    )


def _spots(position: Position) -> Iterator[outline.Spot]:
    """Yield where the number of each placed piece stands."""
    variant = position.variant
    for turn in position.history:
        if turn.placement is not None:
            yield _spot(turn.placement.points, variant.height, variant.grid.lattice)


@lru_cache(maxsize=32768)
def _spot(points: outline.Shape, height: int, lattice: Lattice) -> outline.Spot:
    """Return the middle of that cell of a piece which lies nearest to the middle of all its cells."""
    plane = outline.plane_of(lattice)
    spots = [plane.spot(point) for point in points]
    middle = (sum(x for x, _ in spots) / len(spots), sum(y for _, y in spots) / len(spots))
    x, y = min(spots, key=lambda spot: dist(spot, middle))
    return round(x, 1), round(plane.row * height + y, 1)


def _numbered(pieces: Sequence[drawing.PieceView], laid: int) -> Sequence[drawing.PieceView]:
    """Return the pieces numbered by move, where so many lay there before the first."""
    return [replace(piece, number=max(0, piece.number - laid)) for piece in pieces] if laid else pieces


def _words(number: int, lines: Sequence[MoveView]) -> str:
    return f"{lines[number - 1].who} {lines[number - 1].what}" if number else gettext("The empty board")
