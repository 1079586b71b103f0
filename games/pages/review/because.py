"""A turning point in words: who was ahead, what was played, and what speaks for what would have been better."""

from collections.abc import Sequence

from django.utils.translation import pgettext

from games.findings import Finding
from games.pages.board.moves import MoveView
from games.pages.board.table import PlayerView
from games.queries.analysis.turning import percent_of
from games.words import endings, reasons

#: By how many percent the best chance has to lead the next one for its player to be ahead: who begins is not yet.
LEAST_LEAD = 15


def told_turning(
    finding: Finding, line: MoveView, players: Sequence[PlayerView], chances: Sequence[Sequence[float]]
) -> str:
    """Return who was ahead before a move, and what it was, as a sentence.

    A player is ahead whose chance, as it is shown, is by `LEAST_LEAD` percent better than that of every other.
    """
    shown = [percent_of(chance) for chance in chances[finding.number - 1]]
    first, second = sorted(shown, reverse=True)[:2]
    ahead = players[shown.index(first)] if first - second >= LEAST_LEAD else None
    mover = players[finding.seat]
    # A bot that plays for an absent player is who placed the piece.
    is_by_mover = line.who == mover.name
    who = pgettext("within a sentence", "you") if mover.is_you and is_by_mover else line.who
    if ahead is None:
        return endings.chance_taken_text(who, line.what, "")
    is_own = is_by_mover and ahead.seat == mover.seat
    return endings.chance_taken_text(who, line.what, ahead.name, is_mover=is_own, is_you=ahead.is_you)


def better_because(finding: Finding, colour: str, players: Sequence[PlayerView]) -> str:
    """Return what speaks for the better placement of a colour, empty where nothing that is seen on the board does.

    Where the engine gave no reason it is the largest difference, for its size, in the moves that the player's own
    colours have left, or in those of the other players.
    """
    best, played = finding.best[0], finding.played
    if best.reasons:
        return reasons.better_text(best.reasons, colour, players[finding.seat].is_you)
    found = []
    for player in players:
        for code in (colour.code for colour in player.colours):
            better, worse = best.legal[code], played.legal[code]
            gained = better - worse if player.seat == finding.seat else worse - better
            found.append((gained / max(better, worse, 1), code))
    lead, code = max(found)
    return reasons.leaves_text(code, best.legal[code], played.legal[code]) if lead > 0 else ""
