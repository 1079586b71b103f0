"""When a running game will probably end, from how its players have played so far."""

import math
from collections import Counter, defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from statistics import mean

from games.clock import Still, still_time
from games.models import AWAY_AFTER, Kind
from games.queries.play.moves import MoveRow
from games.queries.play.state import GameState

#: So many turns of each player have to be known, and the mean of all counts as so many more of each.
KNOWN_TURNS, SHARED_TURNS = 3, 2
#: Which part of the pieces that it has left a colour usually places that is not blocked; at least one.
PLACED_OF_LEFT = 0.65
#: Most games end between these multiples of the mean of what is left, less and more these multiples of its spread: the
#: first are for what is not known of the players, the second for chance. The two moments are a day apart at least. How
#: often it is so in games of people with habits: `python -m benchmarks.season`.
ENDS_FROM, LESS_SPREAD = 0.7, 1.3
ENDS_UNTIL, MORE_SPREAD = 1.6, 1.8
SPAN = timedelta(days=1)


@dataclass(frozen=True)
class ExpectedRest:
    """For how long a game will go on: the mean, and its spread (a standard deviation).

    A person who comes by at times of their own takes turns whose spread is their mean, as where the chance to come is
    the same at any moment. What is left is a sum of such turns: the more there are, the less it spreads beside it.
    """

    mean: timedelta
    spread: timedelta


@dataclass(frozen=True)
class Forecast:
    """Between which moments a game will probably end."""

    first: datetime
    last: datetime


def forecast(state: GameState) -> Forecast | None:
    """Return when the game will probably end. No query.

    None where no clock runs, in a pause, until each person has taken three turns here, and once the last of these
    moments is past: too little is known then. It counts from when the turn began, so that it stays the same until the
    next one; what a player has left to do takes as long a turn as it took them so far, a bot no time. Of holidays that
    have not begun only those who sit at the table are told, and so it is with what follows from them.
    """
    turn = state.turn
    if turn is None or turn.since is None or state.game.is_paused or not state.has_clocks:
        return None
    people = {seat.seat for seat in state.seats if not (seat.occupant.bot or seat.retired or seat.is_away)}
    rest = _rest(state, people)
    if rest is None:
        return None
    since = turn.since + still_time(state.game.pauses, turn.since, state.now)
    first = since + max(timedelta(), rest.mean * ENDS_FROM - rest.spread * LESS_SPREAD)
    last = max(first + SPAN, since + rest.mean * ENDS_UNTIL + rest.spread * MORE_SPREAD)
    last += still_time(_holidays(state, people), since, last)
    return Forecast(first, last) if state.now < last else None


def _rest(state: GameState, people: Collection[int]) -> ExpectedRest | None:
    """Return for how long the game will probably go on without holidays, None where too few turns are known."""
    taken = replies(state.moves, state.game.started_at, [*state.game.pauses, *_holidays(state)])
    if not people or min(len(taken[seat]) for seat in people) < KNOWN_TURNS:
        return None
    shared, left = mean(seconds for seat in people for seconds in taken[seat]), _turns_left(state)
    usual = {seat: (sum(taken[seat]) + SHARED_TURNS * shared) / (len(taken[seat]) + SHARED_TURNS) for seat in people}
    expected, square = (sum(left[seat] * usual[seat] ** power for seat in people) for power in (1, 2))
    return ExpectedRest(timedelta(seconds=expected), timedelta(seconds=math.sqrt(square)))


def replies(
    moves: Sequence[MoveRow], started_at: datetime | None, stills: Sequence[Still] = ()
) -> Mapping[int, list[float]]:
    """Return how many seconds the turns of each seat took for which the others waited, without these spans."""
    taken, missed, before = defaultdict[int, list[float]](list), Counter[int](), started_at
    for move in moves:
        if move.played_at is None or before is None:
            continue
        if not move.is_automatic and move.kind != Kind.RETIRE:
            missed[move.seat] = missed[move.seat] + 1 if move.bot else 0
            if missed[move.seat] <= AWAY_AFTER:
                waited = move.played_at - before - still_time(stills, before, move.played_at)
                taken[move.seat].append(max(0, waited.total_seconds()))
        before = move.played_at
    return taken


def _holidays(state: GameState, people: Collection[int] | None = None) -> list[Still]:
    """Return the holidays that the viewer may know of: all, or those of these seats."""
    known = state.known_holidays
    return [(each.begins_at, each.ends_at) for each in known if people is None or each.seat in people]


def _turns_left(state: GameState) -> Mapping[int, float]:
    """Return about how many turns each seat still has; of a shared colour the seats have the same number."""
    left, seats = defaultdict[int, float](float), [seat.seat for seat in state.seats]
    for colour in state.colours:
        if not colour.is_blocked and colour.pieces:
            turns = max(1, len(colour.pieces) * PLACED_OF_LEFT)
            for seat in seats if colour.is_shared else [colour.seat]:
                left[seat] += turns / (len(seats) if colour.is_shared else 1)
    return left
