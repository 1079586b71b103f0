"""The final scores of a game, colour by colour."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, pgettext

from games.pages.board.table import PlayerView
from games.queries.play.state import GameState
from games.rules.variants import COVERAGE, Variant, get_variant
from games.words import boards, endings, names
from games.words.plans import planned_share
from games.words.sentences import score_text


@dataclass(frozen=True)
class ScoreLine:
    """One colour's score: the cells that count, the bonus for having placed everything, and the total.

    It has `placed` so many cells of the `stock`, whatever counts.
    """

    code: str
    label: str
    placed: int
    stock: int
    cells: int
    bonus: str
    total: str


@dataclass(frozen=True)
class ResultView:
    """One player's result, the sum of its lines.

    `place` counts from 1, equal scores share it. `mark` is that of a winner, `state` why the player left early,
    `address` that of the page about the player, empty where there is none.
    """

    place: int
    name: str
    lines: tuple[ScoreLine, ...]
    cells: int
    bonus: str
    total: str
    is_winner: bool
    mark: str
    state: str
    address: str

    @property
    def placed(self) -> int:
        """Return how many cells the player has placed."""
        return sum(line.placed for line in self.lines)

    @property
    def stock(self) -> int:
        """Return how many there were to place."""
        return sum(line.stock for line in self.lines)

    @property
    def detail(self) -> tuple[ScoreLine, ...]:
        """Return the colours' lines where there are several to tell apart."""
        return self.lines if len(self.lines) > 1 else ()


@dataclass(frozen=True)
class ScoringView:
    """The way of scoring: its name and line in one sentence, and what the column of cells counts."""

    sentence: str
    cells: str


def scoring_view(variant: Variant, scoring: str) -> ScoringView:
    """Return how the game is scored.

    Rule: S1, S2, S3
    """
    name, line = boards.scoring_name(scoring), boards.scoring_line(variant, scoring)
    return ScoringView(
        sentence=gettext("Scoring: %(name)s. %(line)s") % {"name": name, "line": line},
        cells=gettext("Cells placed") if scoring == COVERAGE else pgettext("column of a result", "Cells left"),
    )


@dataclass(frozen=True)
class ResultsView:
    """The final scores: a row for each player, how the game was scored, and who had planned how many turns.

    `ahead` adds up what the winner's lead is made of, empty where no one leads by points.
    """

    rows: tuple[ResultView, ...]
    scoring: ScoringView
    planned: tuple[str, ...]
    ahead: str


def results_view(state: GameState, players: Sequence[PlayerView]) -> ResultsView | None:
    """Return the final scores once the game is over."""
    if not state.is_over:
        return None
    scoring = scoring_view(get_variant(state.game.variant), state.game.scoring)
    rows = results(state, players)
    return ResultsView(rows, scoring, _planned(state, players), _ahead(rows, endings.points_ahead(players)))


def _ahead(rows: Sequence[ResultView], lead: int | None) -> str:
    if lead is None:
        return ""
    values = {"first": rows[0].total, "second": rows[1].total, "lead": lead}
    return gettext("In points: %(first)s to %(second)s, a lead of %(lead)d.") % values


def _planned(state: GameState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return which share of their turns players had planned; nothing of those who planned none."""
    turns = Counter(move.seat for move in state.moves if move.colour and not (move.is_automatic or move.is_given))
    return tuple(
        planned_share(player.name, state.planned[player.seat], turns[player.seat], is_you=player.is_you)
        for player in players
        if state.planned[player.seat]
    )


def results(state: GameState, players: Sequence[PlayerView]) -> tuple[ResultView, ...]:
    """Return the result of each player by place.

    Rule: R9, R12 (retired players come last)
    """
    places = state.position.places()
    stock = state.position.variant.stock_cells
    mark = gettext("tied") if sum(player.is_winner for player in players) > 1 else gettext("won")
    ranked = sorted(players, key=lambda player: places[player.seat])
    return tuple(
        _result(player, stock, places[player.seat], mark, names.page_of(state.seats[player.seat].occupant))
        for player in ranked
    )


def _result(player: PlayerView, stock: int, place: int, mark: str, address: str) -> ResultView:
    lines = tuple(
        ScoreLine(
            code=colour.code,
            label=colour.label,
            placed=stock - colour.cells_left,
            stock=stock,
            cells=abs(colour.points),
            bonus=_plus(colour.bonus),
            total=score_text(colour.score),
        )
        for colour in player.colours
    )
    return ResultView(
        place=place,
        name=player.name,
        lines=lines,
        cells=sum(line.cells for line in lines),
        bonus=_plus(sum(colour.bonus for colour in player.colours)),
        total=player.score_text,
        is_winner=player.is_winner,
        mark=mark if player.is_winner else "",
        state=player.state,
        address=address,
    )


def _plus(bonus: int) -> str:
    return f"+{bonus}" if bonus else ""
