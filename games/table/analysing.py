"""What is done on an analysis board: from which places moves are tried, what the rules say there, how it is kept."""

from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from itertools import takewhile

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from games.base import positions
from games.base.branches import Branches, GameMove, Tried, followed
from games.errors import Refused, WrongStatus
from games.models import Analysis, Game
from games.queries.analysis.analyses import AnalysisPlace, branches_of
from games.queries.play.moves import MoveRow
from games.rules import IllegalPlacement, Position, get_variant, record
from games.table import moves, seats
from games.table.progress import passes_by_itself
from games.table.typed import read_typed

CHANGED = _("You have changed these branches on another device meanwhile. This is how they are now: try again.")


def stops_of(played: Sequence[MoveRow]) -> tuple[int, ...]:
    """Return after how many of the game's moves someone could choose: where no pass followed by itself."""
    count = len(played)
    return tuple(number for number in range(count + 1) if number == count or not played[number].is_automatic)


def find_place(played: Sequence[MoveRow], branches: Branches, node: int, after: int | None) -> AnalysisPlace:
    """Return the place of a tried move, or where `node` is 0 the game after so many moves, by default after all.

    Raises:
        WrongStatus: no move of that number was tried (`no-such-branch`).

    """
    if node:
        return AnalysisPlace(node, branches.line(node)[0].after)
    wanted = len(played) if after is None else min(after, len(played))
    return AnalysisPlace(0, next(stop for stop in stops_of(played) if stop >= wanted))


def position_at(game: Game, played: Sequence[MoveRow], branches: Branches, place: AnalysisPlace) -> Position:
    """Return the position at a place, after the passes that make themselves there. What was tried is checked."""
    line = branches.line(place.node)
    found = _settled(positions.position_of(game, played[: place.after]), game)
    for one in line:
        found = position_beyond(game, found, one.move)
    return found


def position_beyond(game: Game, position: Position, move: str) -> Position:
    """Return the position after a move that was tried and checked before, and the passes that make themselves then."""
    return _settled(deque(record.play_on(position, [move], validate=False), maxlen=1).pop(), game)


def _settled(position: Position, game: Game) -> Position:
    while passes_by_itself(position, game.declares_passes):
        position = position.pass_turn()
    return position


def try_in(position: Position, typed: str) -> str:
    """Return as it is recorded what the colour to play would do: a placement as people type it, or `pass`.

    Raises:
        BadRequest: it is no placement; `field` is placement.
        Refused: the rules refuse it.

    """
    try:
        if typed == record.PASSED:
            position.pass_turn()
            return record.PASSED
        placement = read_typed(typed, position.variant)
        position.check(placement)
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal
    return str(placement)


def texts_after(played: Sequence[MoveRow], after: int) -> tuple[str, ...]:
    """Return the game's moves after so many, those that made themselves left out: what a branch can follow."""
    return tuple(positions.text_of(move) for move in played[after:] if not move.is_automatic)


def _coming(line: Sequence[Tried], played: Sequence[MoveRow]) -> Sequence[Tried]:
    """Return the moves of a branch that the game has yet to make, none where it has left the branch."""
    texts = texts_after(played, line[0].after) if line else ()
    count = followed(line, texts)
    return line[count:] if count == len(texts) else ()


def seats_coming(game: Game, played: Sequence[MoveRow], line: Sequence[Tried]) -> tuple[tuple[int | None, Tried], ...]:
    """Return the moves of a branch that the game has yet to make, each with the seat that is to play there.

    They go as far as a player resigns in the branch, as where moves were taken back.
    """
    found = tuple(takewhile(lambda one: not one.move.startswith("retire:"), _coming(line, played)))
    hands = get_variant(game.variant).seat_colours(positions.colours_of(game))
    owners = {colour: seat for seat, own in enumerate(hands) for colour in own}
    if all(one.colour in owners for one in found):
        return tuple((owners[one.colour], one) for one in found)
    # Whose turn that of a shared colour is depends on what was placed before.
    before = _settled(positions.position_of(game, played), game)
    turns: list[tuple[int | None, Tried]] = []
    for one in found:
        turns.append((before.seat, one))
        before = position_beyond(game, before, one.move)
    return tuple(turns)


def game_moves(played: Sequence[MoveRow]) -> list[GameMove]:
    """Return the game's moves as a tree of branches keeps them."""
    return [GameMove(move.colour, positions.text_of(move), move.is_automatic) for move in played]


def branches_beside(user: User, game: Game, played: Sequence[MoveRow]) -> tuple[Branches, int]:
    """Return a person's branches beside the game as it is now, and their edition. One query."""
    branches, edition = branches_of(user, game)
    return branches.beside(game_moves(played)), edition


@transaction.atomic
def change_branches(
    user: User,
    game: Game,
    played: Sequence[MoveRow],
    change: Callable[[Branches], Branches],
    *,
    edition: int | None = None,
    now: datetime | None = None,
) -> Branches:
    """Store what a change makes of a person's branches of a game, and return that; nothing where it changes nothing.

    The person is locked, so that two of their devices change one after the other, and none after the account is closed.
    `played` are the game's moves. With an `edition` it is only made if that is still the one that is stored.

    Raises:
        WrongStatus: it is not (`analysis-changed`), or what the change raises.
        NotSeated: the account is closed.

    """
    person = seats.lock_person(user)
    row = Analysis.objects.filter(game=game, user=person).first() or Analysis(game=game, user=person, edition=0)
    moves_now = game_moves(played)
    before = Branches.from_data(row.tree).beside(moves_now)
    if edition is not None and row.edition != edition:
        raise WrongStatus(CHANGED, code="analysis-changed")
    after = change(before)
    if after is before:
        return after
    row.tree = after.begun_in(moves_now).to_data()
    row.edition, row.changed_at = row.edition + 1, moves.moment(now)
    row.save()
    return after
