"""A game in progress as a value in memory: the position and the clocks, advanced move by move."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import NamedTuple

from games import clock
from games.base import positions
from games.models import AWAY_AFTER, Game, Kind, Move, Return, Takeback
from games.rules import Position
from games.values import GivenDay, days_of_turn


@dataclass
class Table:
    """A running game: the position, when the turn began, and each seat's clock when its next turn begins.

    `missed` says of the seats of people how many turns in a row a bot has taken for them, `rests` when their clocks
    stand still by the walls, and `stills` when they do in pauses and holidays. `days` are those that players have given
    each other: each makes one turn longer, and what is not used of it is no one's. So many first moves were `given`,
    before any clock ran.
    """

    position: Position
    since: datetime
    clocks: dict[int, int | None]
    control: clock.TimeControl
    missed: dict[int, int]
    rests: Mapping[int, Sequence[clock.RestFact]] = field(default_factory=dict)
    stills: Mapping[int, tuple[clock.Still, ...]] = field(default_factory=dict)
    days: tuple[GivenDay, ...] = ()
    given: int = 0

    def rest(self, seat: int) -> clock.Rest:
        """Return when the clock of a seat stands still in a turn that began with the present one."""
        return clock.in_force(self.rests.get(seat, ()), self.since, self.stills.get(seat, ()))

    def deadline(self, seat: int) -> datetime | None:
        """Return when the time of a seat runs out for a turn that began with the present one, None if never."""
        held, given = self.clocks[seat], len(days_of_turn(self.days, seat, self.since))
        return clock.deadline(self.since, None if held is None else held + given * clock.DAY, self.rest(seat))

    def is_away(self, seat: int) -> bool:
        """Return whether the player has missed AWAY_AFTER turns in a row: their turns are no longer waited for."""
        return self.missed.get(seat, 0) >= AWAY_AFTER

    def advance(self, move: Move) -> None:
        """Play one move on. A retirement out of turn leaves the running turn and its clock alone.

        Raises:
            IllegalPlacement: the rules refuse it; nothing has changed.

        """
        after = positions.position_after(self.position, move)
        if move.number <= self.given:
            self.position = after
            return
        if move.kind != Kind.RETIRE and not move.is_automatic:
            self._note_turn(move)
        if move.kind != Kind.RETIRE or move.seat == self.position.seat:
            self.since = move.played_at
        self.position = after

    def _note_turn(self, move: Move) -> None:
        """Set the clock of a seat that has taken its turn, and count the turns that a bot takes for its player."""
        if not self.is_away(move.seat):
            left = self.clocks[move.seat]
            rest = self.rest(move.seat)
            self.clocks[move.seat] = clock.after_move(self.control, left, self.since, move.played_at, rest)
        elif not move.bot:
            self.clocks[move.seat] = self.control.initial
        if move.seat in self.missed:
            self.missed[move.seat] = self.missed[move.seat] + 1 if move.bot else 0

    def come_back(self, seat: int, at: datetime) -> None:
        """Bring a player back who was away, with a new clock; a turn of theirs that is due begins anew."""
        self.missed[seat], self.clocks[seat] = 0, self.control.initial
        if seat == self.position.seat:
            self.since = at

    def replay(self, moves: Sequence[Move], returns: Iterable[Return], takebacks: Iterable[Takeback] = ()) -> None:
        """Play the moves that stand on, with what happened between them in the order in which it did.

        Raises:
            IllegalPlacement: the rules refuse a move.

        """
        between = _happenings(returns, takebacks)
        for move in moves:
            while between and between[0].number <= move.number:
                self._play_between(between.pop(0))
            self.advance(move)
        for one in between:
            self._play_between(one)

    def _play_between(self, one: "_Between") -> None:
        if one.seat is None:
            # Moves were taken back: the turn that is due again begins anew.
            self.since = one.at
        else:
            self.come_back(one.seat, one.at)

    def automatic_pass(self, declares_passes: bool) -> Move | None:
        """Return the pass that the colour to play makes without being asked, if it makes one.

        Rule: R7 (a blocked colour, unless passes are declared; every colour once none can place)
        """
        colour, seat = self.position.colour, self.position.seat
        if colour is None or seat is None or not passes_by_itself(self.position, declares_passes):
            return None
        return Move(kind=Kind.PASS, seat=seat, colour=colour, is_automatic=True)


def passes_by_itself(position: Position, declares_passes: bool) -> bool:
    """Return whether the colour to play passes without being asked.

    Rule: R7 (a blocked colour, unless passes are declared; every colour once none can place)
    """
    if position.colour is None or not position.is_blocked(position.colour):
        return False
    return not declares_passes or all(map(position.is_blocked, position.colours_in_play))


class _Between(NamedTuple):
    """What happened before the move of a number, and when: the player in a seat came back, or moves were taken back."""

    number: int
    at: datetime
    seat: int | None = None


def _happenings(returns: Iterable[Return], takebacks: Iterable[Takeback]) -> list[_Between]:
    """Return what happened between the moves that stand, in order.

    A takeback to before another one has taken that back too.
    """
    standing: list[_Between] = []
    for row in sorted(takebacks, key=lambda one: one.number):
        standing = [one for one in standing if one.number <= row.back_to]
        standing.append(_Between(row.back_to, row.taken_at))
    returned = [_Between(one.number, one.returned_at, one.player.seat) for one in returns]
    return sorted([*standing, *returned], key=lambda one: one[:2])


def first_table(game: Game, now: datetime) -> Table:
    """Return the table of a game before its first move; that which is not given is due from `now` on."""
    control = game.time_control
    # No one waits for a bot as for a person: a bot's seat has no clock, and the sweep sees to it that it moves.
    clocks = {player.seat: None if player.bot else control.initial for player in game.players.all()}
    missed = {player.seat: 0 for player in game.players.all() if not player.bot}
    facts = _rests(game), _stills(game), game.days_given
    return Table(positions.start_of(game), now, clocks, control, missed, *facts, given=game.given_moves)


def table_of(game: Game, played: Iterable[Move]) -> Table:
    """Return the table of a running game after all its moves so far, with the clocks that its rows hold."""
    if game.turn_since is None:
        raise ValueError(f"game {game.pk} is not running")
    clocks = {player.seat: player.clock for player in game.players.all()}
    missed = {player.seat: player.missed for player in game.players.all() if not player.bot}
    position = positions.position_of(game, played)
    facts = _rests(game), _stills(game), game.days_given
    return Table(position, game.turn_since, clocks, game.time_control, missed, *facts)


def _rests(game: Game) -> dict[int, Sequence[clock.RestFact]]:
    return {player.seat: player.rest_facts(game.time_control) for player in game.players.all()}


def _stills(game: Game) -> dict[int, tuple[clock.Still, ...]]:
    return {player.seat: player.stills(game) for player in game.players.all()}
