"""The final scores of a game, colour by colour."""

from collections.abc import Iterable
from dataclasses import dataclass

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
    """One player's result. `state` says why the player left the game early, if so."""

    name: str
    lines: tuple[ScoreLine, ...]
    total: str
    is_winner: bool
    state: str


def results(players: Iterable[PlayerView]) -> tuple[ResultView, ...]:
    """Return the result of each player, the winners first, then by score.

    Rule: R9, R12 (whoever has retired comes last)
    """
    ranked = sorted(players, key=lambda player: (not player.is_winner, player.is_retired, -player.score))
    return tuple(_result(player) for player in ranked)


def _result(player: PlayerView) -> ResultView:
    lines = tuple(
        ScoreLine(
            code=colour.code,
            label=colour.label,
            cells_left=colour.cells_left,
            bonus="" if colour.cells_left else f"+{colour.score}",
            total=score_text(colour.score),
        )
        for colour in player.colours
    )
    return ResultView(player.name, lines, player.score_text, player.is_winner, player.state)
