"""What happened and what is to come, in words: the history's lines, and the sentence under the board."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple

from django.utils.translation import gettext, pgettext

from games import clock
from games.models import Game, Kind, Reason, Status
from games.queries import sentences
from games.queries.table import PlayerView
from games.rules import Position


class MoveRow(NamedTuple):
    """What of a recorded move a page needs: a row is much quicker to make than a `Move`."""

    number: int
    kind: str
    seat: int
    colour: str
    placement: str
    is_automatic: bool
    retired: str
    version: int = 0


def moves_of(game: Game) -> list[MoveRow]:
    """Return all moves of a game in order. One query."""
    return [MoveRow(*row) for row in game.moves.values_list(*MoveRow._fields)]


@dataclass(frozen=True)
class MoveView:
    """One line of the history: number, colour (empty for a retirement), who, and what they did."""

    number: int
    colour: str
    who: str
    what: str
    is_automatic: bool


@dataclass(frozen=True)
class TurnView:
    """The sentence under the board.

    `lead` says whose turn it is, `rest` which colour's, `note` which colours were left out and why.
    """

    lead: str
    rest: str
    note: str
    deadline: datetime | None
    left: str
    is_late: bool


def move_views(players: Sequence[PlayerView], moves: Sequence[MoveRow]) -> tuple[MoveView, ...]:
    """Return the lines of the history, in order."""
    yours, theirs = _deeds()
    lines = []
    for move in moves:
        player = players[move.seat]
        told = yours if player.is_you else theirs
        what = told[_deed(move)] % {"piece": move.placement.partition(":")[0]}
        lines.append(MoveView(move.number, move.colour, player.name, what, move.is_automatic))
    return tuple(lines)


def _deed(move: MoveRow) -> str:
    """Return what was done, as a key of `_deeds`."""
    if move.kind == Kind.PASS:
        return "skipped" if move.is_automatic else "passed"
    if move.kind == Kind.PLACE:
        return "placed"
    return "late" if move.retired == Reason.OUT_OF_TIME else "resigned"


def _deeds() -> tuple[dict[str, str], dict[str, str]]:
    """Return what is said after "You", and after the name of somebody else: not the same in every language."""
    yours = {
        "placed": pgettext("you", "placed %(piece)s"),
        "passed": pgettext("you", "passed"),
        "skipped": pgettext("you", "passed: no place left"),
        "late": pgettext("you", "ran out of time"),
        "resigned": pgettext("you", "resigned"),
    }
    theirs = {
        "placed": pgettext("they", "placed %(piece)s"),
        "passed": pgettext("they", "passed"),
        "skipped": pgettext("they", "passed: no place left"),
        "late": pgettext("they", "ran out of time"),
        "resigned": pgettext("they", "resigned"),
    }
    return yours, theirs


def turn_view(
    game: Game, position: Position, players: Sequence[PlayerView], moves: Sequence[MoveRow], now: datetime
) -> TurnView:
    """Return whose turn it is and why, or how the game ended."""
    is_late = clock.is_past(game.deadline, now)
    if position.seat is None or position.colour is None:
        lead, rest = sentences.verdict(players), sentences.end(game.reason)
    else:
        player = players[position.seat]
        lead, rest = _paused(position, player) if game.is_paused else _to_play(position, player, is_late)
    return TurnView(
        lead=lead,
        rest=rest,
        note=_skipped(moves) if game.status == Status.RUNNING else "",
        deadline=game.deadline,
        left=sentences.left(game.deadline, now),
        is_late=is_late,
    )


def _to_play(position: Position, player: PlayerView, is_late: bool) -> tuple[str, str]:
    label = sentences.colour(position.colour or "")
    if player.is_you:
        rest = gettext("choose a piece") if position.has_legal() else gettext("no place left, so pass")
        return gettext("Your turn"), gettext("%(colour)s: %(what)s") % {"colour": label, "what": rest}
    lead = gettext("%(name)s to play") % {"name": player.name}
    return lead, gettext("%(colour)s, out of time") % {"colour": label} if is_late else label


def _paused(position: Position, player: PlayerView) -> tuple[str, str]:
    values = {"name": player.name, "colour": sentences.colour(position.colour or "")}
    return gettext("Paused"), gettext("%(name)s plays next: %(colour)s") % values


def _skipped(moves: Sequence[MoveRow]) -> str:
    """Return which colours passed since the last placement, so that nobody wonders whose turn was left out."""
    colours: list[str] = []
    for move in reversed(moves):
        if move.kind == Kind.PLACE:
            break
        if move.kind == Kind.PASS:
            colours.insert(0, sentences.colour(move.colour))
    if not colours:
        return ""
    return gettext("%(colours)s passed: no place left.") % {"colours": sentences.listed(colours)}
