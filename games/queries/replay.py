"""A game from its first move to its last: the server draws any position, the page turns the leaves by itself.

The picture holds every piece; those placed later than the move shown are hidden. So the page needs neither rule nor
shape, nor another request, to show any other move.
"""

from dataclasses import dataclass

from django.utils.translation import gettext

from games import access, positions
from games.errors import WrongStatus
from games.models import Status
from games.queries import drawing, names
from games.queries.cards import score_text
from games.queries.position import script_json
from games.queries.table import PlayerView, player_views
from games.queries.words import MoveView, move_views, moves_of


@dataclass(frozen=True)
class LeafView:
    """One position of the game: what led to it, and each seat's score in it."""

    number: int
    words: str
    scores: tuple[str, ...]


@dataclass(frozen=True)
class ShownPiece:
    """A piece of the picture, with whether it lies there yet at the move shown."""

    piece: drawing.PieceView
    is_hidden: bool


@dataclass(frozen=True)
class ReplayPage:
    """A game at one of its moves. `data` is JSON: the words and scores of every move."""

    slug: str
    name: str
    about: str
    query: str
    is_over: bool
    number: int
    last: int
    previous: int
    following: int
    players: tuple[tuple[PlayerView, str], ...]
    frame: drawing.FrameView
    starts: tuple[drawing.MarkView, ...]
    pieces: tuple[ShownPiece, ...]
    leaf: LeafView
    newest: str
    moves: tuple[MoveView, ...]
    data: str


def replay_page(user: access.Viewer, slug: str, token: str = "", number: int | None = None) -> ReplayPage:
    """Return the game after that many moves, by default after all of them; 0 is the empty board. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it has not started.

    """
    game = access.game_to_view(user, slug, token)
    if game.status in (Status.OPEN, Status.CANCELLED):
        raise WrongStatus(gettext("The game has not started yet."), code="not-started")
    moves = moves_of(game)
    stages = list(positions.positions_of(game, moves))
    shown = len(moves) if number is None else min(max(number, 0), len(moves))
    players = player_views(game, stages[-1], access.seat_of(game, user))
    lines = move_views(players, moves)
    pieces = drawing.pieces_of(stages[-1])
    leaves = tuple(_leaf(index, lines, stage.seat_scores()) for index, stage in enumerate(stages))
    return ReplayPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        about=names.variant_name(game.variant),
        query=f"?token={token}&" if access.holds_token(game, token) else "?",
        is_over=game.status == Status.FINISHED,
        number=shown,
        last=len(moves),
        previous=max(shown - 1, 0),
        following=min(shown + 1, len(moves)),
        players=tuple(zip(players, leaves[shown].scores, strict=True)),
        frame=drawing.frame_view(game.variant),
        starts=drawing.board_view(stages[0]).starts,
        pieces=tuple(ShownPiece(piece, piece.number > shown) for piece in pieces),
        leaf=leaves[shown],
        newest=next((piece.path for piece in reversed(pieces) if piece.number <= shown), ""),
        moves=lines,
        data=script_json([[leaf.words, *leaf.scores] for leaf in leaves]),
    )


def _leaf(number: int, lines: tuple[MoveView, ...], scores: tuple[int, ...]) -> LeafView:
    words = f"{lines[number - 1].who} {lines[number - 1].what}" if number else gettext("The empty board")
    return LeafView(number, words, tuple(map(score_text, scores)))
