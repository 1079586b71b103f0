"""The final scores of a game, colour by colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.queries import boards
from games.queries.cards import score_text
from games.queries.table import PlayerView
from games.rules.variants import COVERAGE, Variant


@dataclass(frozen=True)
class ScoreLine:
    """One colour's score: the cells that count, the bonus for having placed everything, and the total."""

    code: str
    label: str
    cells: int
    bonus: str
    total: str


@dataclass(frozen=True)
class ResultView:
    """One player's result, the sum of its lines. `mark` tells the winners, `state` why somebody left early."""

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
        cells=gettext("Cells placed") if scoring == COVERAGE else gettext("Cells left"),
    )


def results(players: Sequence[PlayerView]) -> tuple[ResultView, ...]:
    """Return the result of each player, the winners first, then by score.

    Rule: R9, R12 (whoever has retired comes last)
    """
    ranked = sorted(players, key=lambda player: (not player.is_winner, player.is_retired, -player.score))
    is_tie = sum(player.is_winner for player in players) > 1
    return tuple(_result(player, gettext("tied") if is_tie else gettext("won")) for player in ranked)


def _result(player: PlayerView, mark: str) -> ResultView:
    lines = tuple(
        ScoreLine(colour.code, colour.label, abs(colour.points), _plus(colour.bonus), score_text(colour.score))
        for colour in player.colours
    )
    return ResultView(
        name=player.name,
        lines=lines,
        cells=sum(line.cells for line in lines),
        bonus=_plus(sum(colour.bonus for colour in player.colours)),
        total=player.score_text,
        is_winner=player.is_winner,
        mark=mark if player.is_winner else "",
        state=player.state,
        address=player.address,
    )


def _plus(bonus: int) -> str:
    return f"+{bonus}" if bonus else ""
