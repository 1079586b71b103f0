"""The final scores of a game, colour by colour."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext

from games.queries.cards import score_text
from games.queries.table import PlayerView


@dataclass(frozen=True)
class ScoreLine:
    """One colour's score: the cells it has left, the bonus for having placed everything, and the total."""

    code: str
    label: str
    cells_left: int
    bonus: str
    total: str


@dataclass(frozen=True)
class ResultView:
    """One player's result, the sum of its lines. `mark` tells the winners, `state` why somebody left early."""

    name: str
    lines: tuple[ScoreLine, ...]
    cells_left: int
    bonus: str
    total: str
    is_winner: bool
    mark: str
    state: str

    @property
    def detail(self) -> tuple[ScoreLine, ...]:
        """Return the colours' lines where there are several to tell apart."""
        return self.lines if len(self.lines) > 1 else ()


def results(players: Sequence[PlayerView]) -> tuple[ResultView, ...]:
    """Return the result of each player, the winners first, then by score.

    Rule: R9, R12 (whoever has retired comes last)
    """
    ranked = sorted(players, key=lambda player: (not player.is_winner, player.is_retired, -player.score))
    is_tie = sum(player.is_winner for player in players) > 1
    return tuple(_result(player, gettext("tied") if is_tie else gettext("won")) for player in ranked)


def _result(player: PlayerView, mark: str) -> ResultView:
    bonuses = [0 if colour.cells_left else colour.score for colour in player.colours]
    lines = tuple(
        ScoreLine(colour.code, colour.label, colour.cells_left, _plus(bonus), score_text(colour.score))
        for colour, bonus in zip(player.colours, bonuses, strict=True)
    )
    return ResultView(
        name=player.name,
        lines=lines,
        cells_left=player.cells_left,
        bonus=_plus(sum(bonuses)),
        total=player.score_text,
        is_winner=player.is_winner,
        mark=mark if player.is_winner else "",
        state=player.state,
    )


def _plus(bonus: int) -> str:
    return f"+{bonus}" if bonus else ""
