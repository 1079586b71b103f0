"""The clocks at a table as a viewer reads them: the one that runs, and what the others hold."""

from dataclasses import dataclass
from datetime import datetime

from django.utils.translation import gettext

from games.pages.board.table import PlayerView
from games.queries.play.state import GameState, TurnState
from games.words import clocks, deadlines


@dataclass(frozen=True)
class ClockView:
    """A player's clock.

    `text` is the time on it (`in_words` to be heard), `datetime` its end where `is_running`, else what is left (ISO).
    `label` says whose clock it is, `exact` when its end is, empty while it stands still. The viewer's own with less
    than `urgent` seconds `is_urgent`, no other (`urgent` is 0 there). `stills` are the spans before its end in which it
    does not run (`stills_text`), and `still` says that this is so now.
    """

    text: str
    in_words: str
    datetime: str
    label: str
    exact: str
    is_running: bool
    is_urgent: bool
    urgent: int
    stills: str = ""
    still: str = ""


def clock_views(state: GameState, players: tuple[PlayerView, ...]) -> tuple[ClockView | None, ...]:
    """Return the clock of each seat; None where none can run: of bots, of players who place no more, of one alone."""
    return tuple(
        None
        if seat.clock is None or state.turn is None or player.state or not state.has_clocks
        else _clock(state, state.turn, player, seat.clock)
        for seat, player in zip(state.seats, players, strict=True)
    )


def _clock(state: GameState, turn: TurnState, player: PlayerView, held: int) -> ClockView:
    ends = turn.deadline if player.is_to_play else None
    left = held if turn.seconds is None or not player.is_to_play else turn.seconds
    label = gettext("Your clock") if player.is_you else gettext("%(name)s's clock") % {"name": player.name}
    # Red is for what the viewer has to do.
    urgent = state.game.time.urgent if player.is_you else 0
    return ClockView(
        text=clocks.clock_text(left),
        in_words=clocks.time_in_words(left),
        datetime=ends.isoformat(timespec="seconds") if ends else f"PT{left}S",
        label=label,
        exact=deadlines.exact(ends),
        is_running=ends is not None,
        is_urgent=ends is not None and left < urgent,
        urgent=urgent,
        stills=stills_text(turn) if ends else "",
        still=why_still(turn, player, state.now) if ends else "",
    )


def stills_text(turn: TurnState) -> str:
    """Return when the clock stands still that runs, for the browser: seconds since 1970, "from-until from-until"."""
    return " ".join(f"{int(begin.timestamp())}-{int(end.timestamp())}" for begin, end in turn.stills)


def why_still(turn: TurnState, player: PlayerView, now: datetime) -> str:
    """Return until when the clock of the player to move stands still; empty while it runs."""
    if turn.still_until is None:
        return ""
    name = "" if player.is_you else player.name
    return clocks.still_line(
        name, deadlines.near(turn.still_until, now), is_weekend=turn.is_weekend, is_holiday=turn.is_holiday
    )
