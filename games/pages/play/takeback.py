"""What a game's page says of moves that are to be taken back, and what the viewer may do about it."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.pages.board.table import PlayerView
from games.pages.board.view_request import ViewRequest
from games.queries.play.state import GameState
from games.words import names, sentences


@dataclass(frozen=True)
class TakebackView:
    """A request that stands, or one that the viewer considers, in sentences; none without one.

    `request` names it in the forms of those who may answer it. `seconds` are left to take the last move back without
    asking anyone, where nobody else has been shown it.
    """

    lines: tuple[str, ...]
    request: int
    is_alone: bool
    seconds: int
    can_ask: bool
    can_agree: bool
    can_withdraw: bool
    can_decline: bool


def takeback_view(state: GameState, players: Sequence[PlayerView], view_request: ViewRequest) -> TakebackView:
    """Return what there is to say of moves that are to be taken back, and which forms the viewer has for it."""
    takeback = state.takeback
    is_mine = bool(takeback.wanted_by) and players[takeback.wanted_by[0]].is_you
    is_considered = takeback.can_ask and view_request.is_taking_back
    return TakebackView(
        lines=_considered(state) if is_considered else _asked(state, players),
        request=takeback.request,
        is_alone=takeback.is_alone,
        seconds=_seconds(state),
        can_ask=is_considered,
        can_agree=takeback.can_agree,
        can_withdraw=takeback.can_drop and is_mine,
        can_decline=takeback.can_drop and not is_mine,
    )


def _seconds(state: GameState) -> int:
    until = state.takeback.alone_until
    return math.ceil((until - state.now).total_seconds()) if until is not None else 0


def _considered(state: GameState) -> tuple[str, ...]:
    """Return what a player should know who may take a move back."""
    back = gettext("Your last piece, %(piece)s, comes back to you.") % {"piece": _piece(state)}
    if state.game.is_on_one_device:
        called = names.seat_names(seat.occupant for seat in state.seats)
        name = called[state.moves[state.takeback.back_to - 1].seat]
        back = gettext("The last piece, %(piece)s, goes back to %(name)s.") % {"piece": _piece(state), "name": name}
    if state.takeback.is_alone:
        return (back, *_later(state))
    return back, *_later(state), gettext("The others at the table have to agree. The clocks go back too.")


def _asked(state: GameState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    takeback = state.takeback
    if not takeback.wanted_by:
        return ()
    asker = players[takeback.wanted_by[0]]
    asked = (
        gettext("You asked to take back move %(number)d, %(piece)s.")
        if asker.is_you
        else gettext("%(name)s asks to take back move %(number)d, %(piece)s.")
    )
    values = {"name": asker.name, "number": takeback.back_to, "piece": _piece(state)}
    return (asked % values, *_later(state), *_answer(state, players))


def _answer(state: GameState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return what a player may do who has still to agree, to others for whom they wait."""
    takeback = state.takeback
    if takeback.can_agree:
        everyone = [gettext("Everyone has to agree.")] if len(takeback.waits_for) > 1 else []
        return (*everyone, gettext("Agree, decline, or simply go on playing."))
    waits_for = [players[seat].name for seat in takeback.waits_for]
    waits = ngettext("%(names)s has to agree.", "%(names)s have to agree.", len(waits_for))
    return (waits % {"names": sentences.listed(waits_for)},)


def _later(state: GameState) -> tuple[str, ...]:
    """Return how many moves after it are taken back too."""
    count = len(state.moves) - state.takeback.back_to
    later = ngettext("%(n)d later move is taken back with it.", "%(n)d later moves are taken back with it.", count)
    return (later % {"n": count},) if count else ()


def _piece(state: GameState) -> str:
    return sentences.piece_called(state.moves[state.takeback.back_to - 1].placement.partition(":")[0])
