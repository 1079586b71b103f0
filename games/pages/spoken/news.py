"""What is said aloud when a page changes by itself: one sentence for an event, several events summed up in one."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.utils.translation import gettext, ngettext, pgettext

from games.pages.board.table import PlayerView
from games.pages.board.view_request import ViewRequest
from games.queries.play.moves import MoveRow
from games.queries.play.state import GameState, TurnState
from games.queries.play.takebacks import TakenBack
from games.values import Kind, Reason
from games.words import endings, names, sentences
from games.words.happenings import gifts
from games.words.happenings.takebacks import taken_back_line

#: No announcement is longer, so that it is over before the next.
LONGEST_ANNOUNCEMENT = 150
#: With this much time left or less, the sentence says how much.
SOON = timedelta(days=1)


@dataclass(frozen=True)
class News:
    """What to say once: `key` differs from that of anything said before. `deadline` is that of the viewer's turn."""

    key: str
    text: str = ""
    deadline: str = ""


@dataclass(frozen=True)
class Narrator:
    """Puts a game into sentences for one viewer: what has happened, whose turn it is, how much time is left."""

    state: GameState
    players: Sequence[PlayerView]

    def since(self, view_request: ViewRequest) -> str:
        """Return what has happened since the version that the viewer knows, and whose turn it is.

        The viewer's own moves are left out, unless this is the answer to one. Empty where nothing has happened, or
        where the page is new.
        """
        if not view_request.since:
            return ""
        new = [
            move
            for move in self.state.moves
            if move.version > view_request.since and (view_request.is_answer or not self._is_mine(move))
        ]
        gone = " ".join(self._taken_back(one) for one in self.state.taken_back if one.version > view_request.since)
        if not new:
            return shortened(f"{gone} {self.turn()}") if gone else self._without_moves(view_request)
        return shortened(" ".join(filter(None, (gone, self._summed_up([self.deed(move) for move in new])))))

    def _taken_back(self, one: TakenBack) -> str:
        player = self.players[one.seat]
        piece = sentences.piece_called(one.piece)
        return taken_back_line(player.name, one.back_to, one.moves[-1].number, piece, is_you=player.is_you)

    def _without_moves(self, view_request: ViewRequest) -> str:
        """Return what has happened where no move is to be announced."""
        state, since = self.state, view_request.since
        if state.game.version <= since or any(move.version > since for move in state.moves):
            return ""
        if state.game.pause_version > since:
            return gettext("The game is paused.") if state.game.is_paused else gettext("The game has resumed.")
        if (wish := self._wish(since)) is not None:
            return wish
        # Other changes of the page are not announced here.
        has_begun = any(not move.is_given for move in state.moves)
        return "" if has_begun else shortened(gettext("The game has started.") + " " + self.turn())

    def _wish(self, since: int) -> str | None:
        """Return what a player has asked for since that version, or given another; None where it is neither."""
        state = self.state
        if state.pause.request > since:
            return self._asks(state.pause.wanted_by[0], gettext("%(name)s asks for a pause."))
        if state.turn and state.turn.days and state.turn.days[-1].version > since:
            day = state.turn.days[-1]
            return gifts.day_line(self.called(day.giver), self.called(day.seat)) if self.called(day.giver) else ""
        if state.takeback.request > since:
            return self._asks(state.takeback.wanted_by[0], gettext("%(name)s asks to take a move back."))
        return None

    def _asks(self, seat: int, sentence: str) -> str:
        """Return the sentence about who asks for something, empty where that is the viewer."""
        return sentence % {"name": self.called(seat)} if self.called(seat) else ""

    def _summed_up(self, events: Sequence[str]) -> str:
        """Return the events in one sentence, or how many there were and the last of them."""
        text = gettext("%(what)s.") % {"what": ", ".join(events)} + " " + self.turn()
        if len(text) > LONGEST_ANNOUNCEMENT and len(events) > 1:
            many = ngettext("%(n)d move. The last: %(what)s.", "%(n)d moves. The last: %(what)s.", len(events))
            text = many % {"n": len(events), "what": events[-1]} + " " + self.turn()
        return shortened(text)

    def called(self, seat: int) -> str:
        """Return what the player in a seat is called, empty for the viewer."""
        return "" if self.players[seat].is_you else self.players[seat].name

    def _is_mine(self, move: MoveRow) -> bool:
        return self.players[move.seat].is_you and not (move.bot or move.is_given)

    def deed(self, move: MoveRow) -> str:
        """Return what a player did, as a part of a sentence without a stop: "Bob placed F at e5 (Yellow)".

        What was given no player did: "Yellow placed F at e5".
        """
        values = {"name": self.players[move.seat].name, **placed(move), "colour": self._colour(move)}
        if move.is_given:
            values |= {"name": sentences.colour(move.colour), "colour": ""}
        if move.bot and not self.players[move.seat].is_bot:
            deed = self._deed_for(move)
            values["bot"] = names.bot_name(move.bot)
        else:
            deed = _own_deed(move) if self._is_mine(move) else _deed_of_another(move)
        return deed % values + (gettext(" (%(colour)s)") % values if values["colour"] else "")

    def _deed_for(self, move: MoveRow) -> str:
        """Return what a bot did for an absent player."""
        if self.players[move.seat].is_you:
            placed_it = gettext("%(bot)s placed %(piece)s at %(cell)s for you")
            return placed_it if move.kind == Kind.PLACE else gettext("%(bot)s passed for you")
        placed_it = gettext("%(bot)s placed %(piece)s at %(cell)s for %(name)s")
        return placed_it if move.kind == Kind.PLACE else gettext("%(bot)s passed for %(name)s")

    def _colour(self, move: MoveRow) -> str:
        """Return the colour of a move, where the name alone does not say it."""
        player = self.players[move.seat]
        is_own = len(player.colours) == 1 and move.colour not in self.state.position.variant.shared
        is_clear = is_own and sum(other.name == player.name for other in self.players) == 1
        return "" if is_clear or not move.colour else sentences.colour(move.colour)

    def turn(self) -> str:
        """Return whose turn it is, or how the game ended; with the time left, if that is the viewer's and short."""
        turn = self.state.turn
        if turn is None:
            result = endings.outcome(self.players, self.state.position.places())
            return gettext("The game is over: %(verdict)s.") % {"verdict": ". ".join(filter(None, result))}
        player = self.players[turn.seat]
        if self.state.pause.is_on:
            return gettext("The game is paused.")
        if player.is_away:
            text = gettext("%(bot)s plays for you.") if player.is_you else gettext("%(bot)s plays for %(name)s.")
            return text % {"bot": names.bot_name(turn.bot), "name": player.name}
        if not player.is_you:
            return gettext("It is %(name)s's turn.") % {"name": player.name}
        return " ".join(filter(None, (self._my_turn(turn), self.time_left())))

    def _my_turn(self, turn: TurnState) -> str:
        if turn.is_blocked:
            return gettext("It is your turn, but you have no moves left: pass.")
        if len(self.state.hand) == 1:
            return gettext("It is your turn.")
        return gettext("It is your turn: %(colour)s.") % {"colour": sentences.colour(turn.colour)}

    def time_left(self) -> str:
        """Return how long there is still for this move, if that is a day or less."""
        turn = self.state.turn
        left = turn.seconds if turn else None
        if left is None or left > SOON.total_seconds():
            return ""
        minutes = left // 60
        if minutes < 60:
            return ngettext("%(n)d minute left.", "%(n)d minutes left.", minutes) % {"n": minutes}
        return ngettext("%(n)d hour left.", "%(n)d hours left.", minutes // 60) % {"n": minutes // 60}


def news(narrator: Narrator, view_request: ViewRequest, answer: str = "") -> News:
    """Return what is to be said aloud: the answer to what the viewer asked, else what has happened meanwhile."""
    state = narrator.state
    mine = state.turn if state.rights.is_my_turn else None
    deadline = mine.deadline.isoformat() if mine and mine.deadline else ""
    if answer:
        # It is said each time it is asked for.
        return News(state.now.isoformat(), answer, deadline)
    # The answer to a move may come after an update that shows it already, and has more to say.
    key = f"{state.game.version}{'a' if view_request.is_answer else ''}"
    return News(key, narrator.since(view_request), deadline)


def _own_deed(move: MoveRow) -> str:
    if move.kind == Kind.PLACE:
        return gettext("You placed %(piece)s at %(cell)s")
    if move.kind == Kind.PASS:
        return gettext("You passed")
    return gettext("You ran out of time") if move.retired == Reason.OUT_OF_TIME else gettext("You resigned")


def _deed_of_another(move: MoveRow) -> str:
    """Return what a player who is not the viewer did."""
    if move.kind == Kind.PLACE:
        return gettext("%(name)s placed %(piece)s at %(cell)s")
    if move.kind == Kind.PASS:
        return gettext("%(name)s passed")
    if move.retired == Reason.OUT_OF_TIME:
        return pgettext("sentence", "%(name)s ran out of time")
    return gettext("%(name)s resigned")


def placed(move: MoveRow) -> dict[str, str]:
    """Return the piece of a placement and the cell it is named by: its lowest row's leftmost."""
    piece, _, cells = move.placement.partition(":")
    return {"piece": piece, "cell": cells.partition(",")[0]}


def shortened(text: str) -> str:
    """Return a text no longer than an announcement may be."""
    return text if len(text) <= LONGEST_ANNOUNCEMENT else text[: LONGEST_ANNOUNCEMENT - 1] + "…"
