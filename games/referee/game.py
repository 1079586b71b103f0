"""One game between programs."""

import shlex
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from games.referee.errors import LostGame
from games.referee.program import Contestant
from games.referee.protocol import OthersMove, placement_in, start_lines, turn_lines
from games.rules import Position
from games.rules.records import GameRecord, result_text
from games.rules.variants import get_variant

#: Seconds for the first answer and for every later one.
FIRST_LIMIT, LATER_LIMIT = 1.0, 0.2


@dataclass(frozen=True)
class PlayerResult:
    """How a game went for a player. `seconds` are of its longest answer; `fault` is empty or one of `FAULT_KINDS`."""

    command: str
    score: int
    place: int
    answers: int
    seconds: float
    fault: str
    why: str
    wrote: str
    stderr: str


@dataclass(frozen=True)
class JudgedGame:
    """A game that is over. `winners` are numbers of players from 0; `record` is the game for a file."""

    variant: str
    sides: tuple[PlayerResult, ...]
    winners: tuple[int, ...]
    record: GameRecord

    def to_json(self) -> dict[str, Any]:
        """Return the result as plain data, without the record."""
        sides = [{"player": number, **asdict(side)} for number, side in enumerate(self.sides)]
        return {"variant": self.variant, "winners": list(self.winners), "players": sides}


@dataclass
class _Seat:
    """A player during a game."""

    command: str
    contestant: Contestant | None = None
    unheard: list[OthersMove] = field(default_factory=list)
    answers: int = 0
    seconds: float = 0.0
    fault: LostGame | None = None
    stderr: str = ""

    def ask(self, position: Position, scale: float) -> str:
        """Return the program's answer at its turn."""
        player, lines = position.seat or 0, list(turn_lines(position, self.unheard))
        if self.contestant is None:
            self.contestant = Contestant(command_words(self.command))
        if not self.answers:
            lines = [*start_lines(position.variant, player), *lines]
        answer, seconds = self.contestant.ask(lines, scale * (LATER_LIMIT if self.answers else FIRST_LIMIT))
        self.answers += 1
        self.seconds = max(self.seconds, seconds)
        self.unheard.clear()
        return answer

    def end(self) -> None:
        """End the program and keep what it wrote to its standard error."""
        if self.contestant is not None:
            self.stderr = self.contestant.close()
            self.contestant = None


def command_words(command: str) -> list[str]:
    """Return a command line as a list of words.

    Raises:
        LostGame: it is none.

    """
    try:
        words = shlex.split(command)
    except ValueError as error:
        raise LostGame("unstarted", f"is no command line: {error}") from None
    if not words:
        raise LostGame("unstarted", "is no command line: it is empty")
    return words


def play_judged(variant: str, commands: Sequence[str], *, scale: float = 1.0) -> JudgedGame:
    """Return how a game between programs went; player i is started by `commands[i]`.

    Each has a second for its first answer and 200 ms for every later one, times `scale`. A program without a legal
    answer in time has lost and leaves the game, which goes on between the others; the last one left has won.
    """
    position, seats = Position.start(get_variant(variant)), [_Seat(command) for command in commands]
    try:
        while not position.is_over:
            position = _turn(position, seats, scale) if position.has_legal() else position.pass_turn()
    finally:
        for seat in seats:
            seat.end()
    return _judged(position, seats)


def _turn(position: Position, seats: Sequence[_Seat], scale: float) -> Position:
    player = position.seat or 0
    seat = seats[player]
    try:
        answer = seat.ask(position, scale)
        placement = placement_in(answer, position)
    except LostGame as fault:
        seat.fault = fault
        seat.end()
        return position.retire(player)
    for number, other in enumerate(seats):
        if number != player:
            other.unheard.append(OthersMove(player, " ".join(answer.split())))
    return position.play(placement)


def _judged(position: Position, seats: Sequence[_Seat]) -> JudgedGame:
    scores, places = position.seat_scores(), position.places()
    sides = [_side(seat, score, place) for seat, score, place in zip(seats, scores, places, strict=True)]
    names = tuple(seat.command[:60] for seat in seats)
    record = GameRecord.of(position, players=names, comments=_comments(position, seats), result=result_text(position))
    return JudgedGame(position.variant.id, tuple(sides), position.winners(), record)


def _side(seat: _Seat, score: int, place: int) -> PlayerResult:
    fault = seat.fault or LostGame("", "")
    return PlayerResult(
        seat.command, score, place, seat.answers, seat.seconds, fault.kind, fault.why, fault.wrote, seat.stderr
    )


def _comments(position: Position, seats: Sequence[_Seat]) -> dict[int, str]:
    """Return why each program that lost left the game, by the number of the turn at which it did."""
    return {
        number: f"Player {turn.seat} lost: {fault.why}."
        for number, turn in enumerate(position.history, start=1)
        if turn.seat is not None and (fault := seats[turn.seat].fault)
    }
