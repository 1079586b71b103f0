"""The page of a player's plan: what is planned for which turns, on what it hangs, and what may be added."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.urls import reverse
from django.utils.translation import gettext, ngettext

from accounts.models import User
from games.base import access, plans, positions
from games.base.plans import OtherMove, PlannedMove, PlannedTurn
from games.drawing import svg
from games.drawing.steps import RecentPiece, recent_pieces
from games.errors import GameError, WrongStatus
from games.pages.board.refusal import sentences_of
from games.queries.play.moves import MoveRow, move_rows
from games.queries.play.plans import PlanState, plan_state
from games.queries.play.players import colours_to_place, seat_side
from games.queries.tables.turns import soonest
from games.rules import Placement, Position, record
from games.table import analysing
from games.table.typed import read_typed
from games.values import Status
from games.words import names, sentences
from games.words import plans as words

if TYPE_CHECKING:
    from games.models import Game, Player


@dataclass(frozen=True)
class PlannedChoiceView:
    """One move of a turn: what it is, on what it hangs, and where it stands in the plan."""

    label: str
    conditions: tuple[str, ...]
    turn: int
    index: int


@dataclass(frozen=True)
class PlannedTurnView:
    """One turn of a plan: which it is, and its moves in the order in which they are tried."""

    title: str
    choices: tuple[PlannedChoiceView, ...]


@dataclass(frozen=True)
class CandidateView:
    """A move that may be added: as it is recorded, in words, and in which ways; the first is the likely one."""

    move: str
    label: str
    colour: str
    colour_label: str
    ways: tuple[tuple[str, str], ...]


@dataclass(frozen=True)
class BranchPlanView:
    """A branch of the analysis board as a plan: the number of its last move, its own moves in words, and as turns.

    Each hangs on what the others do in the branch, which its player may leave out.
    """

    node: int
    moves: tuple[str, ...]
    turns: tuple[PlannedTurn, ...]


@dataclass(frozen=True, kw_only=True)
class AddingView:
    """What may be added for a colour: a pass where the table has them declared, or a piece.

    `pieces` are those that fit somewhere now, each with a count, and `places` where the chosen one does, as texts and
    in words. `colours` are the player's own, each with its name, `others` those of the other players.
    """

    colour: str
    colours: tuple[tuple[str, str], ...]
    others: tuple[tuple[str, str], ...]
    can_pass: bool
    pieces: tuple[tuple[str, int], ...]
    chosen: str
    places: tuple[tuple[str, str], ...]


@dataclass(frozen=True, kw_only=True)
class PlanPage:
    """A player's plan, with a picture of the board on which its moves are drawn with the numbers of their turns.

    `turns` is the same as data. `stopped` says why it goes no further. `adding` is None once nothing can be planned.
    `refusal` is what could not be done.
    """

    slug: str
    name: str
    address: str
    number: int
    edition: int
    is_my_turn: bool
    picture: svg.BoardView
    steps: tuple[RecentPiece, ...]
    turns: tuple[PlannedTurn, ...]
    shown: tuple[PlannedTurnView, ...]
    stopped: tuple[str, ...]
    candidate: CandidateView | None
    branch: BranchPlanView | None
    adding: AddingView | None
    refusal: tuple[str, ...]


def plan_page(
    user: User,
    slug: str,
    *,
    typed: str = "",
    colour: str = "",
    piece: str = "",
    node: int = 0,
    error: GameError | None = None,
) -> PlanPage:
    """Return a player's plan in a game, with the move that was typed as one to add, or the branch that leads to `node`.

    Three queries, one more for a branch.

    Raises:
        NotFound: there is no such game for this person.
        NotSeated: the person does not play in it.
        WrongStatus: it has not started.

    """
    game = access.started_game_to_view(user, slug)
    me = access.own_seat(game, user)
    played = move_rows(game)
    position = positions.position_of(game, played)
    plan = plan_state(game, me, position, played) or PlanState(0, 0, (), None, is_playing=False)
    hand = colours_to_place(position, me.seat)
    colour = colour if colour in hand else _colour_next(position, hand, plan)
    adding = _adding(game, me, position, colour, piece)
    candidate = branch = None
    try:
        candidate = _candidate(position, typed, colour, plan) if typed and adding else None
    except GameError as unreadable:
        error = error or unreadable
    try:
        branch = _branch(user, game, played, node, me.seat) if node and adding else None
    except WrongStatus as gone:
        error = error or gone
    quarters = seat_side(game, me.seat)
    return PlanPage(
        slug=game.slug,
        name=names.game_title(game, user.pk),
        address=reverse("game-plan", args=[game.slug]),
        number=plan.number,
        edition=plan.edition,
        is_my_turn=adding is not None and game.turn_seat == me.seat,
        picture=svg.board_view(position, quarters=quarters),
        steps=_steps(position, branch.turns if branch else plan.turns, candidate, quarters),
        turns=plan.turns,
        shown=_shown(plan.turns, hand),
        stopped=words.stop_lines(plan.stop.obstacles) if plan.stop else (),
        candidate=candidate,
        branch=branch,
        adding=adding,
        refusal=sentences_of(error) if error else (),
    )


def _adding(game: "Game", me: "Player", position: Position, colour: str, piece: str) -> AddingView | None:
    """Return what may be added for this colour as long as its player plays, and where the piece asked for fits."""
    if game.status != Status.RUNNING or me.retired:
        return None
    hand = colours_to_place(position, me.seat)
    legal = position.legal_placements(colour) if colour else ()
    counts = Counter(placement.piece for placement in legal)
    return AddingView(
        colour=colour,
        colours=_named(hand),
        others=_named(each for each in position.colours_in_play if each not in hand),
        can_pass=game.declares_passes,
        pieces=tuple(counts.items()),
        chosen=piece if piece in counts else "",
        places=sentences.placement_choices(legal, piece),
    )


def _named(colours: Iterable[str]) -> tuple[tuple[str, str], ...]:
    return tuple((colour, sentences.colour(colour)) for colour in colours)


def _colour_next(position: Position, hand: Sequence[str], plan: PlanState) -> str:
    """Return the colour for which something is likely to be added: that of the plan, or else the one that comes next.

    That is not the colour which is to play now, where the player has others.
    """
    if plan.turns:
        return plan.turns[-1].colour
    later = [colour for colour in hand if colour != position.colour]
    return soonest(position, later or hand)


def _candidate(position: Position, typed: str, colour: str, plan: PlanState) -> CandidateView:
    if typed == record.PASSED:
        move, label = typed, gettext("Pass if nothing fits")
    else:
        placement = read_typed(typed, position.variant)
        move, label = str(placement), sentences.placement_label(placement)
    turns = plan.turns if plan.is_waiting else ()
    alternatives = [
        (f"else-{index}", gettext("If I cannot play %(moves)s") % {"moves": words.choices_text(turn.choices)})
        for index, turn in enumerate(turns)
        if turn.colour == colour
    ]
    ways: tuple[tuple[str, str], ...] = (("only", gettext("Play this when it is my turn")),)
    if turns:
        ways = (*alternatives, ("then", gettext("At the turn after those")), ("only", gettext("Instead of the plan")))
    return CandidateView(move, label, colour, sentences.colour(colour), ways)


def _branch(user: User, game: "Game", played: Sequence[MoveRow], node: int, seat: int) -> BranchPlanView | None:
    """Return what a player's moves in the branch that leads to `node` are as a plan, None where there are none left.

    A move of a shared colour is that of the player who is to place it there, and a condition like any other of those
    who place it before. One query.

    Raises:
        WrongStatus: no move of that number was tried (`no-such-branch`).

    """
    branches, _edition = analysing.branches_beside(user, game, played)
    turns: list[PlannedTurn] = []
    others: list[OtherMove] = []
    # What is to be played now is played by hand.
    for who, one in analysing.seats_coming(game, played, branches.line(node))[game.turn_seat == seat :]:
        if len(turns) == plans.MAX_PLANNED:
            break
        if who == seat:
            turns.append(PlannedTurn(one.colour, (PlannedMove(one.move, others=tuple(others[-plans.MAX_NAMED :])),)))
            others = []
        else:
            others.append(OtherMove(one.colour, one.move, is_made=True))
    moves = tuple(words.move_called(turn.choices[0].move) for turn in turns)
    return BranchPlanView(node, moves, tuple(turns)) if turns else None


def _shown(turns: Sequence[PlannedTurn], hand: Sequence[str]) -> tuple[PlannedTurnView, ...]:
    """Return the turns with their places; their colours are named where the player has several."""
    seen = Counter[str]()
    found = []
    for index, turn in enumerate(turns):
        seen[turn.colour] += 1
        count = seen[turn.colour]
        title = ngettext("Next turn", "Turn %(n)d from now", count) % {"n": count}
        if len(hand) > 1 or turn.colour not in hand:
            title = gettext("%(colour)s: %(what)s") % {"colour": sentences.colour(turn.colour), "what": title}
        choices = tuple(
            PlannedChoiceView(words.move_called(choice.move), words.condition_lines(choice), turn=index, index=number)
            for number, choice in enumerate(turn.choices)
        )
        found.append(PlannedTurnView(title, choices))
    return tuple(found)


def _steps(
    position: Position, turns: Sequence[PlannedTurn], candidate: CandidateView | None, quarters: int
) -> tuple[RecentPiece, ...]:
    """Return the first move of each turn as it would lie on the board, with its number; a candidate has none."""
    planned = [(index, turn.colour, turn.choices[0].move) for index, turn in enumerate(turns, start=1)]
    if candidate is not None:
        planned.append((0, candidate.colour, candidate.move))
    variant = position.variant
    drawn = []
    for index, colour, move in planned:
        if move == record.PASSED:
            continue
        placement = Placement.parse(move, variant)
        drawn.append((index, placement, svg.piece_view(index, colour, placement, variant.id, quarters)))
    return recent_pieces(variant, drawn, 0, quarters)
