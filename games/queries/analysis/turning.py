"""Where a reviewed game turned: each seat's chances move by move, and what lowered them most."""

from collections.abc import Sequence
from itertools import pairwise

from games.findings import Finding
from games.queries.play.moves import MoveRow
from games.values import Kind

#: The number of turning points shown, and the percent that a move has to cost to be one; less is within the error.
TURNING_POINTS, LEAST_LOSS = 3, 5


def chances_of(
    moves: Sequence[MoveRow], findings: Sequence[Finding], winners: Sequence[float]
) -> list[tuple[float, ...]]:
    """Return each seat's chance before every move and after the last.

    Where no placement is due, it is that before the next placement. The game ends with one win, which
    winners who tie share.
    """
    won = sum(winners)
    known = {finding.number: finding.values for finding in findings}
    chance = tuple(winner / won if won else 1 / len(winners) for winner in winners)
    found = [chance]
    for move in reversed(moves):
        chance = known.get(move.number, chance)
        found.append(chance)
    return found[::-1]


def decided_from(moves: Sequence[MoveRow], findings: Sequence[Finding]) -> tuple[int, int] | None:
    """Return from which move on one seat could no longer lose, with that seat; None where that was never proved.

    Every position from there to the end was looked through, and won or a draw for that seat, however the others played.
    It is the seat of which that is true soonest, and of several the one to play. That a player resigned later ended the
    game otherwise.
    """
    if any(move.kind == Kind.RETIRE for move in moves):
        return None
    found, safe = None, set(range(len(findings[-1].values))) if findings else set()
    for finding in reversed(findings):
        safe = {seat for seat in safe if finding.is_proved and finding.values[seat] > 0}
        if not safe:
            break
        found = (finding.number, finding.seat if finding.seat in safe else min(safe))
    return found


def turning_points(
    moves: Sequence[MoveRow], findings: Sequence[Finding], chances: Sequence[Sequence[float]]
) -> list[Finding]:
    """Return the moves that lowered the chance of their own player most, in the order of play.

    A move that the engine would have made is none, nor one after which a player resigned: that decided more. The loss
    is that between the chances as they are shown.
    """
    losses = losses_of(moves, findings, chances)
    worst = sorted(losses, key=lambda number: -losses[number])[:TURNING_POINTS]
    kept = {number for number in worst if losses[number] >= LEAST_LOSS}
    return [finding for finding in findings if finding.number in kept]


def losses_of(
    moves: Sequence[MoveRow], findings: Sequence[Finding], chances: Sequence[Sequence[float]]
) -> dict[int, int]:
    """Return by how many percent each move lowered the chance of its own player, by its number; less than 0 raised it.

    Left out are what the engine would have played too, and after what a player resigned: that decided more.
    """
    gave_up = {before.number for before, after in pairwise(moves) if after.kind == Kind.RETIRE}
    return {
        finding.number: _loss(finding, chances)
        for finding in findings
        if finding.best and finding.best[0].placement != finding.played.placement and finding.number not in gave_up
    }


def _loss(finding: Finding, chances: Sequence[Sequence[float]]) -> int:
    before, after = (chances[number][finding.seat] for number in (finding.number - 1, finding.number))
    return percent_of(before) - percent_of(after)


def percent_of(chance: float) -> int:
    """Return a chance from 0 to 1 in whole percent."""
    return round(100 * chance)
