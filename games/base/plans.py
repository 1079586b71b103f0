"""What a player has planned for their next turns: data, and what of it is due in a position. It knows no database.

A plan names turns of a colour, and for each an ordered list: this move, else that, else ask. Its window begins when it
was set: what is older changes nothing. Whatever cannot be taken stops the whole plan, and says why.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple, Protocol, TypeAlias

from games.rules import IllegalPlacement, Placement, Position, errors, record
from games.rules.notation import format_cell, parse_cell
from games.values import Kind

#: How many turns a plan has at most, how many moves are listed for one, and how many cells and moves of others each of
#: these may name.
MAX_PLANNED, MAX_CHOICES, MAX_NAMED = 8, 8, 8

#: How the keys of moves begin that a player had planned; the number follows. Once a game is over, they are counted.
PLAN_KEY = "plan-turn-"

#: Why a move was not taken or a plan has stopped, besides what the rules say (`games.rules.errors`): a cell was
#: covered, or a corner on which the plan hung; a colour placed what it was not to, did not place what it was to, or has
#: had no turn yet; a pass was planned where a piece fits; a colour can place nothing any more; moves were taken back;
#: the player has moved otherwise, or a bot for them; the player's account was suspended.
COVERED, CORNER, PLACED, NOT_PLACED, UNDECIDED = "covered", "corner", "placed", "not-placed", "undecided"
CAN_PLACE, BLOCKED, TAKEN_BACK, MOVED, STOOD_IN = "can-place", "blocked", "taken-back", "moved", "stood-in"
SUSPENDED = "suspended"

#: What the rules say that another move of one's own may still change.
MAY_CHANGE = frozenset({errors.NO_CORNER_CONTACT, errors.START_CELL, errors.OPENING_PIECE})
#: What they say of a colour that is asked about while another one is to play.
OUT_OF_TURN = frozenset({errors.NOT_YOUR_TURN, errors.GAME_OVER})


class PlayedMove(Protocol):
    """What of a recorded move a plan needs: a `Move`, or a lighter row of the same columns."""

    @property
    def number(self) -> int:
        """Return its place among the moves that stand."""

    @property
    def kind(self) -> str:
        """Return one of `Kind`."""

    @property
    def seat(self) -> int:
        """Return who moved."""

    @property
    def colour(self) -> str:
        """Return the colour that moved, empty for a retirement."""

    @property
    def placement(self) -> str:
        """Return the canonical text, empty for what is no placement."""

    @property
    def is_automatic(self) -> bool:
        """Return whether it made itself."""

    @property
    def bot(self) -> str:
        """Return the bot that made it, empty for people."""


class OtherMove(NamedTuple):
    """A move of another colour on which a planned one hangs: that it was made since the plan was set, or was not."""

    colour: str
    move: str
    is_made: bool


class PlannedMove(NamedTuple):
    """One move of a list, as it is recorded, and on what it hangs.

    `free` are the cells that have to be free, `corners` those that no other player may have covered since: one of these
    stops the plan, where one of those only leaves this move out.
    """

    move: str
    free: tuple[str, ...] = ()
    corners: tuple[str, ...] = ()
    others: tuple[OtherMove, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "PlannedMove":
        """Return the move that `to_data` wrote."""
        others = tuple(OtherMove(*other) for other in data.get("others", ()))
        return cls(data["move"], tuple(data.get("free", ())), tuple(data.get("corners", ())), others)

    def to_data(self) -> dict[str, Any]:
        """Return the move as data for JSON."""
        conditions = {"free": list(self.free), "corners": list(self.corners), "others": [list(o) for o in self.others]}
        return {"move": self.move, **{name: value for name, value in conditions.items() if value}}


class PlannedTurn(NamedTuple):
    """One turn of a colour, and the moves for it in the order in which they are tried."""

    colour: str
    choices: tuple[PlannedMove, ...]


class Obstacle(NamedTuple):
    """Why a planned move was not taken: a code, the cells and the colour that it is about, and the move of another."""

    code: str
    cells: tuple[str, ...] = ()
    colour: str = ""
    move: str = ""


class PlanStop(NamedTuple):
    """That a plan goes no further: the number of the move that was due, and why, an obstacle for each move tried."""

    number: int
    obstacles: tuple[Obstacle, ...]


class PlanPlay(NamedTuple):
    """That a planned move is to be made: which of the plan's turns it is, and the move as it is recorded."""

    turn: int
    move: str


#: What a plan says of the turn that is due; None says nothing.
PlanStep: TypeAlias = PlanPlay | PlanStop | None


@dataclass(frozen=True)
class TurnPlan:
    """A plan, without turns where none is set.

    `number` is that of the move that was due when it was set, `spent` how many numbers had been used up by takebacks.
    `done` are the numbers of the moves that it has made, `edition` counts its changes, whoever makes them.
    """

    turns: tuple[PlannedTurn, ...] = ()
    number: int = 0
    spent: int = 0
    edition: int = 0
    done: tuple[int, ...] = ()
    stopped: PlanStop | None = None

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "TurnPlan":
        """Return the plan that `to_data` wrote; an empty object is no plan."""
        turns = (
            PlannedTurn(colour, tuple(map(PlannedMove.from_data, choices))) for colour, choices in data.get("turns", ())
        )
        stopped = data.get("stopped")
        return cls(
            turns=tuple(turns),
            number=data.get("number", 0),
            spent=data.get("spent", 0),
            edition=data.get("edition", 0),
            done=tuple(data.get("done", ())),
            stopped=PlanStop(stopped[0], tuple(map(_obstacle, stopped[1]))) if stopped else None,
        )

    def to_data(self) -> dict[str, Any]:
        """Return the plan as data for JSON."""
        stopped = self.stopped and [self.stopped.number, [list(one) for one in self.stopped.obstacles]]
        return {
            "turns": [[turn.colour, [choice.to_data() for choice in turn.choices]] for turn in self.turns],
            "number": self.number,
            "spent": self.spent,
            "edition": self.edition,
            "done": list(self.done),
            **({"stopped": stopped} if stopped else {}),
        }

    @property
    def is_waiting(self) -> bool:
        """Whether it still has something to play."""
        return bool(self.turns) and self.stopped is None

    @property
    def colours(self) -> tuple[str, ...]:
        """Return the colours of its turns, each once, in their order."""
        return tuple(dict.fromkeys(turn.colour for turn in self.turns))

    def is_for(self, colour: str, number: int) -> bool:
        """Whether it says something of a turn of that colour, for which the move of that number is due."""
        return self.is_waiting and number > self.number and colour in self.colours

    def after(self, turn: int, number: int) -> "TurnPlan":
        """Return the plan once it has made the move of that number for one of its turns."""
        turns = (*self.turns[:turn], *self.turns[turn + 1 :])
        return replace(self, turns=turns, done=(*self.done, number), edition=self.edition + 1)

    def edited(self, edition: int) -> "TurnPlan":
        """Return the same as that edition."""
        return replace(self, edition=edition)

    def stop(self, stop: PlanStop) -> "TurnPlan":
        """Return the plan once it has stopped."""
        return replace(self, stopped=stop, edition=self.edition + 1)


def with_choice(
    turns: Sequence[PlannedTurn], choice: PlannedMove, colour: str, at: int | None = None
) -> tuple[PlannedTurn, ...]:
    """Return turns with one move more: listed last for the turn `at`, or for a further turn of that colour."""
    if at is None or not 0 <= at < len(turns):
        return (*turns, PlannedTurn(colour, (choice,)))
    turn = turns[at]
    return (*turns[:at], turn._replace(choices=(*turn.choices, choice)), *turns[at + 1 :])


def without_choice(turns: Sequence[PlannedTurn], at: int, choice: int) -> tuple[PlannedTurn, ...]:
    """Return turns without one of the moves that are listed for the turn `at`, and without turns that list none."""
    kept = [
        turn._replace(choices=tuple(one for number, one in enumerate(turn.choices) if (index, number) != (at, choice)))
        for index, turn in enumerate(turns)
    ]
    return tuple(turn for turn in kept if turn.choices)


def planned_step(plan: TurnPlan, position: Position, played: Sequence[PlayedMove], seat: int, spent: int) -> PlanStep:
    """Return what a seat's plan says of the turn that is due in a position, to which these moves have led.

    It may have stopped before its turn comes. `spent` is how many numbers of moves were used up by takebacks.
    """
    if not plan.is_waiting or position.is_over:
        return None
    number = len(played) + 1 + spent
    if spent != plan.spent:
        return PlanStop(number, (Obstacle(TAKEN_BACK),))
    since = played[max(0, plan.number - spent - 1) :]
    surprise = _surprise(plan, position, since, seat)
    if surprise is not None:
        return PlanStop(number, (surprise,))
    if position.seat != seat or position.colour is None or not plan.is_for(position.colour, number):
        return None
    turn = next(index for index, one in enumerate(plan.turns) if one.colour == position.colour)
    obstacles: list[Obstacle] = []
    for choice in plan.turns[turn].choices:
        end = _end(choice, position, since, seat)
        if end is not None:
            return PlanStop(number, (*obstacles, end))
        obstacle = _obstacle_to(choice, position, since)
        if obstacle is None:
            return PlanPlay(turn, choice.move)
        obstacles.append(obstacle)
    return PlanStop(number, tuple(obstacles))


def is_of_other(move: PlayedMove, colour: str, text: str) -> bool:
    """Whether a recorded move is that one of that colour."""
    return move.colour == colour and (record.PASSED if move.kind == Kind.PASS else move.placement) == text


def _surprise(plan: TurnPlan, position: Position, since: Iterable[PlayedMove], seat: int) -> Obstacle | None:
    """Return what has happened since the plan was set after which none of its turns can be as it was meant."""
    for move in since:
        number = move.number + plan.spent
        is_mine = move.seat == seat and move.kind != Kind.RETIRE and not move.is_automatic
        if is_mine and number > plan.number and number not in plan.done and move.colour in plan.colours:
            return Obstacle(STOOD_IN if move.bot else MOVED, colour=move.colour)
    for turn in plan.turns:
        # Who cannot place will not place again.
        if record.PASSED not in {choice.move for choice in turn.choices} and position.is_blocked(turn.colour):
            return Obstacle(BLOCKED, colour=turn.colour)
    return None


def _end(choice: PlannedMove, position: Position, since: Sequence[PlayedMove], seat: int) -> Obstacle | None:
    """Return what ends the plan before a move of it is tried, whatever else is listed after that."""
    for move in since:
        if move.seat == seat or move.kind != Kind.PLACE:
            continue
        covered = {format_cell(point) for point in Placement.parse(move.placement, position.variant).points}
        for corner in choice.corners:
            if corner in covered:
                return Obstacle(CORNER, (corner,), move.colour)
    moved = {move.colour for move in since}
    for other in choice.others:
        # That a colour did not place something is known once it has had a turn; what is not known is no reason.
        if other.colour not in moved and not position.is_blocked(other.colour):
            return Obstacle(UNDECIDED, colour=other.colour, move=other.move)
    return None


def _obstacle_to(choice: PlannedMove, position: Position, since: Sequence[PlayedMove]) -> Obstacle | None:
    """Return why a move is left out, None where it can be made."""
    for other in choice.others:
        is_made = any(is_of_other(move, other.colour, other.move) for move in since)
        if is_made != other.is_made:
            return Obstacle(PLACED if is_made else NOT_PLACED, colour=other.colour, move=other.move)
    covered = _covered(position, choice.free)
    if covered is not None:
        return covered
    if choice.move == record.PASSED:
        return Obstacle(CAN_PLACE) if position.has_legal() else None
    try:
        position.check(choice.move)
    except IllegalPlacement as illegal:
        cells = tuple(map(format_cell, Placement.parse(choice.move, position.variant).points))
        return _covered(position, cells) or obstacle_of(illegal)
    return None


def obstacle_of(illegal: IllegalPlacement) -> Obstacle:
    """Return the first reason of the rules as an obstacle."""
    code = illegal.reasons[0]
    return Obstacle(code, tuple(illegal.names.get(code, ())))


def _covered(position: Position, cells: Iterable[str]) -> Obstacle | None:
    """Return by which colour the first of these cells is covered that is, and which else it has covered of them."""
    owners = {cell: owner_of(position, cell) for cell in cells}
    colour = next((owner for owner in owners.values() if owner), None)
    if colour is None:
        return None
    return Obstacle(COVERED, tuple(cell for cell, owner in owners.items() if owner == colour), colour)


def owner_of(position: Position, cell: str) -> str | None:
    """Return the colour that covers a cell of the board, None where it is free or there is none."""
    index = position.variant.grid.index.get(parse_cell(cell))
    return None if index is None else position.owner(index)


def _obstacle(data: Sequence[Any]) -> Obstacle:
    code, cells, colour, move = data
    return Obstacle(code, tuple(cells), colour, move)
