"""What a player plans for their next turns: read and checked when it is set, and kept in their seat."""

from collections.abc import Iterable, Sequence

from django.utils.translation import gettext_lazy as _

from games.base import plans
from games.base.plans import OtherMove, PlannedMove, PlannedTurn, TurnPlan
from games.errors import BadRequest, Refused, WrongStatus
from games.models import Game, Player
from games.queries.play.players import colours_to_place
from games.queries.tables.turns import next_number, soonest
from games.rules import IllegalPlacement, Position, UnreadablePlacement, record
from games.rules.notation import parse_cell
from games.table.typed import read_typed

CHANGED = _("Your plan has changed meanwhile: a move of it was played, or you changed it elsewhere. Look at it again.")
TOO_LONG = _("A plan is for at most %(turns)d turns, with at most %(moves)d moves for each.")
NO_CHOICE = _("Choose a move for each turn that you plan.")
NOT_YOURS = _("You do not place this colour. Choose one of your own.")
NOT_THEIRS = _("Choose a colour that another player places.")
NO_CELL = _("There is no cell %(cell)s on this board.")
TAKEN = _("%(cell)s is covered already. A plan can only wait for what is still to come.")
BY_ITSELF = _("A colour with no moves left passes automatically at this table. There is nothing to plan.")
TOO_MANY_NAMED = _("A planned move can name at most %(most)d cells and moves of others.")


def check_own_device(game: Game) -> None:
    """Refuse a plan at a table on one device, where the next player would see it.

    Raises: WrongStatus (`one-device`).
    """
    if game.is_on_one_device:
        raise WrongStatus(_("You cannot plan turns on one device: the next player would see them."), code="one-device")


def keep_plan(player: Player, plan: TurnPlan) -> None:
    """Save a player's plan in a locked game. No one else is to notice: the game's version stays. One query.

    It says nothing of a turn that is due: it was set after that began, or has just been played or stopped.
    """
    player.plan, player.is_planning = plan.to_data(), False
    player.save(update_fields=["plan", "is_planning"])


def read_plan(game: Game, player: Player, position: Position, wanted: Sequence[PlannedTurn]) -> TurnPlan:
    """Return the plan that a player sets now, its moves as they are recorded; `wanted` has them as they were typed.

    A turn without a colour is one of the colour that the player places next. What can never be played is refused.

    Raises:
        BadRequest: it is too long, or names what is not there.
        Refused: the rules refuse a move of it, whatever still happens.

    """
    is_too_long = any(len(turn.choices) > plans.MAX_CHOICES for turn in wanted)
    if is_too_long or len(wanted) > plans.MAX_PLANNED:
        values = {"turns": plans.MAX_PLANNED, "moves": plans.MAX_CHOICES}
        raise BadRequest(TOO_LONG % values, code="plan-too-long", field="turns")
    if not all(turn.choices for turn in wanted):
        raise BadRequest(NO_CHOICE, field="turns")
    # What is to be placed by hand first may still change what follows.
    begun = {position.colour} if position.seat == player.seat else set()
    # So may those who place a shared colour before them.
    begun |= {colour for colour in _shared(position) if position.seat_of(colour) != player.seat}
    turns = []
    for turn in wanted:
        colour = _own_colour(turn.colour, position, player.seat)
        reader = _Reader(game, position, player.seat, colour, may_change=colour in begun)
        turns.append(PlannedTurn(colour, tuple(dict.fromkeys(map(reader.read, turn.choices)))))
        begun.add(colour)
    return TurnPlan(tuple(turns), number=next_number(game), spent=game.spent_numbers)


def _own_colour(colour: str, position: Position, seat: int) -> str:
    hand = colours_to_place(position, seat)
    # A shared colour may be the player's to place later on.
    if colour and colour not in {*hand, *_shared(position)}:
        raise BadRequest(NOT_YOURS, field="colour")
    return colour or soonest(position, hand)


def _shared(position: Position) -> set[str]:
    return set(position.colours_in_play).difference(*position.seats)


class _Reader:
    """Reads the moves that are listed for one turn."""

    def __init__(self, game: Game, position: Position, seat: int, colour: str, *, may_change: bool) -> None:
        self.game, self.position, self.seat, self.colour = game, position, seat, colour
        self.may_change = may_change

    def read(self, wanted: PlannedMove) -> PlannedMove:
        if max(map(len, (wanted.free, wanted.corners, wanted.others))) > plans.MAX_NAMED:
            raise BadRequest(TOO_MANY_NAMED % {"most": plans.MAX_NAMED}, code="plan-too-long", field="turns")
        return PlannedMove(
            self.move(wanted.move),
            self.cells(wanted.free, "free"),
            self.cells(wanted.corners, "corners"),
            tuple(dict.fromkeys(map(self.other, wanted.others))),
        )

    def move(self, typed: str) -> str:
        """Return a move of one's own as it is recorded."""
        if typed == record.PASSED:
            if not self.game.declares_passes:
                raise BadRequest(BY_ITSELF, code="passes-by-itself", field="turns")
            return typed
        placement = read_typed(typed, self.position.variant)
        try:
            self.position.check(placement, self.colour)
        except IllegalPlacement as illegal:
            passed_over = plans.OUT_OF_TURN | (plans.MAY_CHANGE if self.may_change else set())
            codes = tuple(code for code in illegal.reasons if code not in passed_over)
            if codes:
                raise Refused.of(IllegalPlacement(codes, illegal.cells, illegal.names)) from illegal
        return str(placement)

    def cells(self, typed: Iterable[str], field: str) -> tuple[str, ...]:
        """Return cells of the board that are free."""
        found = tuple(dict.fromkeys(cell.strip().lower() for cell in typed))
        for cell in found:
            try:
                is_there = parse_cell(cell) in self.position.variant.grid.index
            except UnreadablePlacement:
                is_there = False
            if not is_there:
                raise BadRequest(NO_CELL % {"cell": cell[:8]}, code="no-cell", field=field)
            if plans.owner_of(self.position, cell):
                raise BadRequest(TAKEN % {"cell": cell}, code="cell-covered", field=field)
        return found

    def other(self, wanted: OtherMove) -> OtherMove:
        """Return a move of another player's colour as it is recorded."""
        mine = self.position.seats[self.seat]
        if wanted.colour in mine or wanted.colour not in self.position.colours_in_play:
            raise BadRequest(NOT_THEIRS, field="others")
        if wanted.move == record.PASSED:
            return wanted
        return wanted._replace(move=str(read_typed(wanted.move, self.position.variant)))
