"""What a game's page says of a pause that its players agree on, and what the viewer may do about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext, ngettext

from games.pages.board.table import PlayerView
from games.pages.board.view_request import ViewRequest
from games.queries.play.state import GameState
from games.values import LONGEST_PAUSE
from games.words import deadlines, sentences


@dataclass(frozen=True)
class PauseView:
    """A pause that is asked for or has begun, or that the viewer considers, in sentences; none without one.

    `version` names the pause, `request` the request for it, in the forms of those who may send them.
    """

    lines: tuple[str, ...]
    version: int
    request: int
    is_alone: bool
    is_considered: bool
    can_ask: bool
    can_agree: bool
    can_withdraw: bool
    can_decline: bool
    can_end: bool


def pause_view(state: GameState, players: Sequence[PlayerView], view_request: ViewRequest) -> PauseView:
    """Return what there is to say of a pause, and which forms the viewer has for it."""
    pause = state.pause
    is_mine = bool(pause.wanted_by) and players[pause.wanted_by[0]].is_you
    is_considered = pause.can_ask and view_request.is_pausing
    return PauseView(
        lines=_before(pause.is_alone) if is_considered else _lines(state, players),
        version=state.game.pause_version,
        request=pause.request,
        is_alone=pause.is_alone,
        is_considered=is_considered,
        can_ask=pause.can_ask,
        can_agree=pause.can_agree,
        can_withdraw=pause.can_drop and is_mine,
        can_decline=pause.can_drop and not is_mine,
        can_end=pause.can_end,
    )


def _before(is_alone: bool) -> tuple[str, ...]:
    """Return what a player should know who may ask."""
    if is_alone:
        sentence = gettext("The bots wait until you end the pause. It ends automatically after %(days)d days.")
        return (sentence % {"days": LONGEST_PAUSE.days},)
    return gettext("The pause begins when everyone agrees."), _what_it_is()


def _what_it_is() -> str:
    sentence = gettext("During a pause, all clocks stand still until a player ends it, for at most %(days)d days.")
    return sentence % {"days": LONGEST_PAUSE.days}


def _lines(state: GameState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    pause = state.pause
    if pause.ends_at is not None:
        ends = gettext("The pause ends automatically on %(moment)s.") % {"moment": deadlines.exact(pause.ends_at)}
        return _while_paused(state, pause.is_alone), ends
    if not pause.wanted_by:
        return ()
    asker = players[pause.wanted_by[0]]
    asked = gettext("You asked for a pause.") if asker.is_you else gettext("%(name)s asks for a pause.")
    return (asked % {"name": asker.name}, *_answer(state, players), _what_it_is())


def _while_paused(state: GameState, is_alone: bool) -> str:
    if not state.pause.can_end:
        return gettext("All clocks stand still until a player ends the pause.")
    if is_alone:
        return gettext("The bots wait until you end the pause.")
    return gettext("All clocks stand still. Any of you can end the pause.")


def _answer(state: GameState, players: Sequence[PlayerView]) -> tuple[str, ...]:
    """Return what a player may do who has still to agree, to others for whom they wait."""
    waits_for = [players[seat].name for seat in state.pause.waits_for]
    if state.pause.can_agree:
        everyone = [gettext("It begins when everyone agrees.")] if len(waits_for) > 1 else []
        return (*everyone, gettext("Agree, decline, or simply go on playing."))
    waits = ngettext("It begins when %(names)s agrees.", "It begins when %(names)s agree.", len(waits_for))
    return (waits % {"names": sentences.listed(waits_for)},)
