"""What is said aloud when a page changes by itself: one sentence for an event, several events summed up in one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.utils.translation import gettext, ngettext

from games.models import Kind, Reason
from games.queries import sentences
from games.queries.look import Look
from games.queries.table import PlayerView, colours_of
from games.queries.words import MoveRow
from games.rules import Position

#: No announcement is longer: whoever listens can hear it out before the next.
LONGEST = 150
#: From here on the time that is left belongs to the sentence.
SOON = timedelta(days=1)


@dataclass(frozen=True)
class News:
    """What to say once: `key` differs from that of anything said before. `deadline` is that of a turn of mine."""

    key: str
    text: str = ""
    deadline: str = ""


@dataclass(frozen=True)
class Events:
    """A position with what led to it, as one viewer sees it."""

    position: Position
    players: Sequence[PlayerView]
    moves: Sequence[MoveRow]
    deadline: datetime | None
    now: datetime
    version: int
    is_paused: bool

    def since(self, look: Look) -> str:
        """Return what has happened since the version that the asker knows, and whose turn it is.

        What the asker did is told only as the answer to it. Nothing where nothing has happened, or all of it is new.
        """
        if not look.since:
            return ""
        new = [move for move in self.moves if move.version > look.since and (look.is_answer or not self._is_mine(move))]
        if not new:
            return self._standing(look)
        return self._told([self.told(move) for move in new])

    def _standing(self, look: Look) -> str:
        """Return what has happened without a move that is to be told."""
        if self.version <= look.since or any(move.version > look.since for move in self.moves):
            return ""
        if self.is_paused:
            return gettext("The game is paused.")
        if not self.moves:
            return cut(gettext("The game has begun.") + " " + self.turn())
        return "" if self.position.is_over else gettext("The game goes on.")

    def _told(self, events: Sequence[str]) -> str:
        """Return the events in one sentence, or how many there were and the last of them."""
        text = gettext("%(what)s.") % {"what": ", ".join(events)} + " " + self.turn()
        if len(text) > LONGEST and len(events) > 1:
            many = ngettext("%(n)d move. The last: %(what)s.", "%(n)d moves. The last: %(what)s.", len(events))
            text = many % {"n": len(events), "what": events[-1]} + " " + self.turn()
        return cut(text)

    def _is_mine(self, move: MoveRow) -> bool:
        return self.players[move.seat].is_you

    def told(self, move: MoveRow) -> str:
        """Return a move as a part of a sentence, without a stop."""
        values = {"name": self.players[move.seat].name, **placed(move), "colour": self._colour(move)}
        is_you = self._is_mine(move)
        if move.kind == Kind.PLACE:
            told = (
                gettext("You placed %(piece)s at %(cell)s")
                if is_you
                else gettext("%(name)s placed %(piece)s at %(cell)s")
            )
        elif move.kind == Kind.PASS:
            told = gettext("You passed") if is_you else gettext("%(name)s passed")
        elif move.retired == Reason.OUT_OF_TIME:
            told = gettext("You ran out of time") if is_you else gettext("%(name)s ran out of time")
        else:
            told = gettext("You resigned") if is_you else gettext("%(name)s resigned")
        return told % values + (gettext(" (%(colour)s)") % values if values["colour"] else "")

    def _colour(self, move: MoveRow) -> str:
        """Return the colour of a move, where the name alone does not say it."""
        player = self.players[move.seat]
        is_own = len(player.colours) == 1 and move.colour not in self.position.variant.shared
        is_clear = is_own and sum(other.name == player.name for other in self.players) == 1
        return "" if is_clear or not move.colour else sentences.colour(move.colour)

    def turn(self) -> str:
        """Return whose turn it is, or how the game ended; with the time left where it is mine and soon over."""
        position = self.position
        if position.seat is None:
            return gettext("The game is over: %(verdict)s.") % {"verdict": sentences.verdict(self.players)}
        player = self.players[position.seat]
        if not player.is_you:
            return gettext("%(name)s is to play.") % {"name": player.name}
        return " ".join(filter(None, (self._my_turn(position, player), self.time_left())))

    def _my_turn(self, position: Position, player: PlayerView) -> str:
        if not position.has_legal():
            return gettext("It is your turn: no place left, so pass.")
        if len(colours_of(position, player.seat)) == 1:
            return gettext("It is your turn.")
        return gettext("It is your turn: %(colour)s.") % {"colour": sentences.colour(position.colour or "")}

    def time_left(self) -> str:
        """Return how long there is still for this move, if that is a day or less."""
        left = None if self.deadline is None else self.deadline - self.now
        if left is None or left > SOON:
            return ""
        minutes = max(0, int(left.total_seconds())) // 60
        if minutes < 60:
            return ngettext("%(n)d minute left.", "%(n)d minutes left.", minutes) % {"n": minutes}
        return ngettext("%(n)d hour left.", "%(n)d hours left.", minutes // 60) % {"n": minutes // 60}


def placed(move: MoveRow) -> dict[str, str]:
    """Return the piece of a placement and the cell it is named by: its lowest row's leftmost."""
    piece, _, cells = move.placement.partition(":")
    return {"piece": piece, "cell": cells.partition(",")[0]}


def cut(text: str) -> str:
    """Return a text no longer than an announcement may be."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"
