"""A player's plan as programs read and send it."""

from ninja import Schema

from accounts.models import User
from games.api.schemas import Sent
from games.base import access, plans, positions
from games.queries.play.moves import move_rows
from games.queries.play.plans import PlanState, plan_state
from games.values import Status


class OtherMoveRequest(Sent):
    """A move of another colour since the plan was set, which is to be `made`, or not. `move` may be pass."""

    colour: str
    move: str
    made: bool = True


class PlannedMoveRequest(Sent):
    """A move, and on what it hangs: it is left out unless the cells `free` are, and `others` moved so or did not.

    `move` is a placement, or pass where passes are declared. The plan stops where another player has covered one of the
    cells `corners`.
    """

    move: str
    free: list[str] = []
    corners: list[str] = []
    others: list[OtherMoveRequest] = []


class PlannedTurnRequest(Sent):
    """One turn of a `colour`, by default of yours that is next: the first of the `choices` that can be made is."""

    choices: list[PlannedMoveRequest]
    colour: str = ""


class PlanRequest(Sent):
    """What to play at your next turns, in place of the `edition` that you have read: 0 where there was none.

    `number` is that of the game: the move which is due.
    """

    turns: list[PlannedTurnRequest]
    number: int
    edition: int

    def planned(self) -> list[plans.PlannedTurn]:
        """Return the turns as they are wanted."""
        return [plans.PlannedTurn(turn.colour, tuple(map(_wanted, turn.choices))) for turn in self.turns]


class OtherMoveOut(Schema):
    """A move of another colour on which a planned one hangs."""

    colour: str
    move: str
    made: bool


class PlannedMoveOut(Schema):
    """A planned move, and on what it hangs."""

    move: str
    free: list[str]
    corners: list[str]
    others: list[OtherMoveOut]


class PlannedTurnOut(Schema):
    """One turn of a colour, and the moves for it in the order in which they are tried."""

    colour: str
    choices: list[PlannedMoveOut]


class ObstacleOut(Schema):
    """Why a move was not made: a reason of the rules, or a code of the plan, with what it is about.

    `covered` and `corner`: cells were covered by a colour. `placed`, `not-placed`, `undecided`: a colour made a move,
    did not, or has not moved yet. `can-place`: a pass was planned, and a piece fits. `blocked`: the colour has no moves
    left. `taken-back`, `moved`, `stood-in`, `suspended`: moves were taken back, you moved otherwise, a bot did for you,
    or your account was suspended.
    """

    code: str
    cells: list[str]
    colour: str
    move: str


class PlanOut(Schema):
    """Your plan in a game, without turns where there is none. No one else is told of it.

    The move of this `number` is due. A plan that has `stopped` plays no more: why is said for each move that was tried.
    """

    edition: int
    number: int
    turns: list[PlannedTurnOut]
    stopped: list[ObstacleOut]


def own_plan(user: User, slug: str) -> PlanOut:
    """Return a person's plan in a game. Three queries.

    Raises:
        NotFound: there is no such game for this person.
        NotSeated: the person does not play in it.
        WrongStatus: it has not started.

    """
    game = access.started_game_to_view(user, slug)
    me = access.own_seat(game, user)
    played = move_rows(game)
    state = plan_state(game, me, positions.position_of(game, played), played)
    told = state or PlanState(0, 0, (), None, is_playing=False)
    return PlanOut(
        edition=told.edition,
        number=told.number if game.status == Status.RUNNING else 0,
        turns=[PlannedTurnOut(colour=turn.colour, choices=list(map(_choice_out, turn.choices))) for turn in told.turns],
        stopped=[
            ObstacleOut(code=one.code, cells=list(one.cells), colour=one.colour, move=one.move)
            for one in (told.stop.obstacles if told.stop else ())
        ],
    )


def _wanted(wish: PlannedMoveRequest) -> plans.PlannedMove:
    others = tuple(plans.OtherMove(other.colour, other.move, other.made) for other in wish.others)
    return plans.PlannedMove(wish.move, tuple(wish.free), tuple(wish.corners), others)


def _choice_out(choice: plans.PlannedMove) -> PlannedMoveOut:
    others = [OtherMoveOut(colour=one.colour, move=one.move, made=one.is_made) for one in choice.others]
    return PlannedMoveOut(move=choice.move, free=list(choice.free), corners=list(choice.corners), others=others)
