"""The review of a finished game: how far it has come, and then what a strong engine thinks of every placement."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.formats import number_format
from django.utils.translation import gettext as _

from games.base import access, positions
from games.drawing import outline, svg
from games.drawing.part import frame_around
from games.drawing.turned import turned_points
from games.findings import Finding, RatedPlacement
from games.pages.board.moves import MoveView, move_views
from games.pages.board.table import PlayerView, players_at
from games.pages.replay.graphs import GraphsView, chances_graph
from games.pages.review.because import better_because, told_turning
from games.queries.analysis.advising import UNDER_WAY
from games.queries.analysis.progress import review_told
from games.queries.analysis.turning import LEAST_LOSS, chances_of, decided_from, percent_of, turning_points
from games.queries.play.moves import move_rows
from games.queries.play.players import own_side, seated_of, viewer_seat
from games.rules import Placement, Position
from games.words import endings, names, sentences
from games.words.sentences import piece_called, placement_label, placement_start

if TYPE_CHECKING:
    from games.models import Game


#: How high the names beside a part of a board are, in units beside a board of 20: the picture is a small one.
_LETTERS = 9.2


@dataclass(frozen=True)
class MobilityRow:
    """How many placements a colour had before a move, after it, and after the better one."""

    colour: str
    label: str
    before: int
    after: int
    better: int


@dataclass(frozen=True)
class TurningPoint:
    """A move that cost its player most. `played` and `best` are outlines on the board as it was before.

    `told` says who was ahead and what was played, `better` which piece would have been better, and `cost` what the move
    did to the chance. `view` is the part of the board that is seen, around both, with the names of `names` beside it.
    What was played and what was better is told in short beside the picture, `played_text` and `best_text`, and with all
    cells for those who do not see it.
    `ended_better` tells that the engine played games on from both, and those from the best ended better, `is_proved`
    that it looked through all that could follow.
    """

    move: MoveView
    told: str
    better: str
    cost: str
    board: svg.BoardView
    view: str
    names: svg.FrameView
    board_label: str
    played: str
    played_text: str
    played_label: str
    best: str
    best_text: str
    best_label: str
    why: str
    is_proved: bool
    ended_better: bool
    mobility: tuple[MobilityRow, ...]

    @property
    def before(self) -> int:
        """Return how many moves the game had before it."""
        return self.move.number - 1


@dataclass(frozen=True)
class Judged:
    """One move in the list of all: the chance before and after it, and the best placements with the chance of each."""

    move: MoveView
    before: str
    after: str
    placements: int
    is_best: bool
    best: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class ReviewBody:
    """The findings of a complete review. `icons` are the pieces of the board, which is turned by `side` quarters.

    `decided` says from where on a player could no longer lose, if that was proved.
    """

    side: int
    icons: tuple[svg.IconView, ...]
    graphs: GraphsView
    points: tuple[TurningPoint, ...]
    judged: tuple[Judged, ...]
    decided: str


@dataclass(frozen=True)
class ReviewPage:
    """The page of a review. `state` is "none" or one of `ReviewStatus`; `done` of `total` positions are judged.

    Chances that differ by less than `least` mean the same.
    """

    slug: str
    name: str
    about: str
    address: str
    query: str
    state: str
    can_cancel: bool
    is_seated: bool
    simulations: str = ""
    least: str = ""
    done: int = 0
    total: int = 0
    body: ReviewBody | None = None

    @property
    def replay(self) -> str:
        """Return the address of the replay, to which a move is added."""
        return f"{self.address}replay/{self.query}{'&' if self.query else '?'}"

    @property
    def analysis(self) -> str:
        """Return the address of the analysis board, to which a move is added."""
        return f"{self.address}analysis/{self.query}{'&' if self.query else '?'}"

    @property
    def is_under_way(self) -> bool:
        """Whether a worker is at it, or will be."""
        return self.state in UNDER_WAY


def review_page(user: access.Viewer, slug: str, token: str = "") -> ReviewPage:
    """Return the review of a finished game for a person who may see the game; four queries at most.

    Raises:
        NotFound: there is no such game for this person.
        WrongStatus: it is not over.

    """
    game = access.game_to_view(user, slug, token)
    access.check_reviewable(game)
    told = review_told(game, user)
    return ReviewPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        about=names.variant_name(game.variant),
        address=reverse("game", args=[game.slug]),
        query=f"?token={token}" if access.holds_token(game, token) else "",
        state=told.state,
        can_cancel=told.can_cancel,
        is_seated=viewer_seat(game, user) is not None,
        simulations=number_format(told.simulations, force_grouping=True) if told.simulations else "",
        least=sentences.percent(LEAST_LOSS),
        done=told.done,
        total=told.total,
        body=_body(game, user, told.findings) if told.findings else None,
    )


def _body(game: "Game", user: access.Viewer, findings: Sequence[Finding]) -> ReviewBody:
    moves = move_rows(game)
    stages = list(positions.positions_of(game, moves))
    players = players_at(stages[-1], seated_of(game), viewer_seat(game, user))
    lines = move_views(players, moves, pictured=len(moves))
    chances = chances_of(moves, findings, [float(player.is_winner) for player in players])
    points, side = turning_points(moves, findings, chances), own_side(game, user)
    return ReviewBody(
        side=side,
        icons=tuple(svg.icons(game.variant).values()),
        graphs=chances_graph(chances, players, [finding.number for finding in points]),
        points=tuple(
            _point(finding, stages[finding.number - 1], lines[finding.number - 1], players, chances, side)
            for finding in points
        ),
        judged=tuple(_judged(finding, lines, chances) for finding in findings),
        decided=_decided(decided_from(moves, findings), players),
    )


def _decided(found: tuple[int, int] | None, players: Sequence[PlayerView]) -> str:
    if found is None:
        return ""
    number, seat = found
    return endings.decided_text(players[seat].name, number, is_you=players[seat].is_you)


def _point(
    finding: Finding,
    position: Position,
    line: MoveView,
    players: Sequence[PlayerView],
    chances: Sequence[Sequence[float]],
    side: int,
) -> TurningPoint:
    """Return a turning point; `position` is the one before it."""
    best = finding.best[0]
    played = Placement.parse(finding.played.placement, position.variant)
    better = Placement.parse(best.placement, position.variant)
    view, frame = frame_around((played, better), position.variant, _LETTERS, side)
    labels = {"played": placement_label(played), "better": placement_label(better)}
    return TurningPoint(
        move=line,
        told=told_turning(finding, line, players, chances),
        better=endings.better_piece_text(piece_called(better.piece)),
        cost=_cost(finding, players, chances),
        board=svg.board_view(position, quarters=side),
        view=view,
        names=frame,
        board_label=_("The board before move %(number)d. Played: %(played)s. Better: %(better)s.")
        % {"number": finding.number, **labels},
        played=_outline(played, position, side),
        played_text=placement_start(played),
        played_label=labels["played"],
        best=_outline(better, position, side),
        best_text=placement_start(better),
        best_label=labels["better"],
        why=better_because(finding, line.colour, players),
        is_proved=finding.is_proved,
        ended_better=_ended_better(best, finding.played),
        mobility=_mobility(finding, position.colours_in_play),
    )


def _cost(finding: Finding, players: Sequence[PlayerView], chances: Sequence[Sequence[float]]) -> str:
    player = players[finding.seat]
    before, after = (_percent(chances[number][finding.seat]) for number in (finding.number - 1, finding.number))
    return endings.chance_drop_text(player.name, before, after, is_you=player.is_you)


def _ended_better(best: RatedPlacement, played: RatedPlacement) -> bool:
    return best.value is not None and played.value is not None and best.value > played.value


def _mobility(finding: Finding, colours: Sequence[str]) -> tuple[MobilityRow, ...]:
    """Return a row for each colour in the order of play; what is kept has lost it, since a database may sort keys."""
    before, after, better = finding.legal, finding.played.legal, finding.best[0].legal
    return tuple(MobilityRow(each, sentences.colour(each), before[each], after[each], better[each]) for each in colours)


def _outline(placement: Placement, position: Position, side: int) -> str:
    points = turned_points(placement.points, position.variant.id, side)
    return outline.piece_path(points, position.variant.height, position.variant.grid.lattice)


def _judged(finding: Finding, lines: Sequence[MoveView], chances: Sequence[Sequence[float]]) -> Judged:
    return Judged(
        move=lines[finding.number - 1],
        before=_percent(chances[finding.number - 1][finding.seat]),
        after=_percent(chances[finding.number][finding.seat]),
        placements=finding.legal[lines[finding.number - 1].colour],
        is_best=bool(finding.best) and finding.best[0].placement == finding.played.placement,
        best=tuple((choice.placement, _percent(choice.value or 0.0)) for choice in finding.best),
    )


def _percent(chance: float) -> str:
    return sentences.percent(percent_of(chance))
