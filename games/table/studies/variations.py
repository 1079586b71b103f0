"""Variations of a study: a move tried at one of its positions, and what a variation is called."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from django.utils.translation import gettext_lazy as _

from games.base.branches import MAX_BRANCH_NAME
from games.errors import BadRequest, Refused
from games.models import Study, StudyComment
from games.rules import IllegalPlacement, Position, RulesError
from games.rules.record import PASSED, format_turn, play_on
from games.rules.records import GameRecord, VariedTurn
from games.rules.records.variations import (
    MOST_VARIED,
    line_numbers,
    line_to,
    numbers_in_order,
    variation_line,
    variation_numbers,
)
from games.table.progress import passes_by_itself
from games.table.texts.comments import CommentPlace
from games.table.typed import read_typed

FULL = _("This study has 2,000 moves in its variations. No more can be kept.")
OVER = _("The game is over here. Choose an earlier position.")
NO_ROOM = _("There is no room for a name at the end of this variation.")
COMMENTED = _("There are comments about these moves. Remove the comments first.")
TOLD = _("The record itself has comments on these moves. Only the owner of the study can remove them.")
NO_VARIATION = _("This study has no such variation. Open it again and choose one.")


class ExtendedRecord(NamedTuple):
    """A record whose variations were changed, the position to look at then, and which numbers the varied turns have now
    by those that they had; what was removed has none.
    """

    record: GameRecord
    place: CommentPlace
    numbers: Mapping[int, int]


def turns_of_placement(record: GameRecord, place: CommentPlace, typed: str) -> tuple[str, ...]:
    """Return as records have it what the colour to play would place at a position, and the passes that come before and
    follow by themselves.

    Raises:
        BadRequest: it is no placement (`field` is placement), or the game is over there (`game-over`).
        Refused: the rules refuse it.

    """
    before = _position_at(record, place)
    there = settled(before)
    if there.is_over:
        raise BadRequest(OVER, code="game-over", field="placement")
    try:
        after = settled(there.play(read_typed(typed, before.variant)))
    except IllegalPlacement as illegal:
        raise Refused.of(illegal) from illegal
    return tuple(map(format_turn, after.history[len(before.history) :]))


def settled_at(record: GameRecord, place: CommentPlace) -> Position:
    """Return the position at a place of a study, after the passes that make themselves in it."""
    return settled(_position_at(record, place))


def _position_at(record: GameRecord, place: CommentPlace) -> Position:
    turns = record.line(place.variation)[: place.move] if place.variation else record.record.moves[: place.move]
    return deque(play_on(record.start(), turns, validate=False), maxlen=1).pop()


def settled(position: Position) -> Position:
    """Return the position after the passes that make themselves in it."""
    while passes_by_itself(position, declares_passes=False):
        position = position.pass_turn()
    return position


def with_turns(record: GameRecord, place: CommentPlace, turns: Sequence[str]) -> ExtendedRecord:
    """Return the record with these turns after a position; what is there already is not kept twice.

    Raises: BadRequest where the variations have too many turns.
    """
    varied = list(record.varied)
    after = varied[place.variation - 1].after if place.variation else place.move
    number, move = place.variation, place.move
    for turn in turns:
        move += 1
        if not number and after < len(record.record.moves) and record.record.moves[after] == turn:
            after += 1
            continue
        known = (
            each for each, one in enumerate(varied, 1) if (one.parent, one.after, one.turn) == (number, after, turn)
        )
        found = next(known, 0)
        if not found:
            varied.append(VariedTurn(number, after, turn))
            found = len(varied)
        number = found
    if len(varied) > MOST_VARIED:
        raise BadRequest(FULL, code="no-room", field="placement")
    numbers = {old: new for new, old in enumerate(numbers_in_order(varied), 1)}
    there = CommentPlace(numbers[number] if number else 0, move)
    return ExtendedRecord(replace(record, varied=tuple(varied)), there, numbers)


def continuations(record: GameRecord, place: CommentPlace) -> tuple[tuple[CommentPlace, str], ...]:
    """Return what follows a position in a study, each turn with the place after it: first the game's own, if it is one
    of the game, then what was tried there.
    """
    number, move = place
    after = record.varied[number - 1].after if number else move
    moves = record.record.moves
    own = ((CommentPlace(0, move + 1), moves[move]),) if not number and move < len(moves) else ()
    tried = (
        (CommentPlace(each, move + 1), one.turn)
        for each, one in enumerate(record.varied, 1)
        if (one.parent, one.after) == (number, after)
    )
    return (*own, *tried)


def place_before(record: GameRecord, place: CommentPlace) -> CommentPlace:
    """Return the position before the turn that led to this one, which is not the first."""
    return CommentPlace(record.varied[place.variation - 1].parent if place.variation else 0, place.move - 1)


def first_to_go(record: GameRecord, branch: int) -> int:
    """Return with which varied turn the removal of one begins. Passes that make themselves are not removed alone, which
    would change nothing on the board, nor left behind: they go with the placement before them, and those that begin a
    variation with its first placement, where nothing else follows them and nothing is written to them.

    Raises: BadRequest where there is no such turn.
    """
    _check_number(record, branch)
    path = line_numbers(record.varied, branch)
    end = len(path) - 1
    while end and record.varied[path[end] - 1].turn == PASSED:
        end -= 1
    before = [record.varied[number - 1] for number in path[:end]]
    beside = sum(one.parent == path[end - 1] for one in record.varied) if before else 0
    is_led_to = beside == 1 and all(one.turn == PASSED and not one.comment for one in before)
    return path[0] if is_led_to else path[end]


def turns_behind(record: GameRecord, branch: int) -> tuple[int, ...]:
    """Return the numbers of a varied turn and of all that follow it, in order.

    Raises: BadRequest where there is no such turn.
    """
    _check_number(record, branch)
    found = {branch}
    for number, one in enumerate(record.varied, 1):
        if one.parent in found:
            found.add(number)
    return tuple(sorted(found))


def without_variation(record: GameRecord, branch: int) -> ExtendedRecord:
    """Return the record without a varied turn and all that follow it, and the position before it.

    Raises: BadRequest where there is no such turn.
    """
    gone = {*turns_behind(record, branch)}
    left = [number for number in range(1, len(record.varied) + 1) if number not in gone]
    numbers = {old: new for new, old in enumerate(left, 1)}
    kept = (record.varied[number - 1] for number in left)
    varied = tuple(one._replace(parent=numbers[one.parent] if one.parent else 0) for one in kept)
    move = record.varied[branch - 1].after + len(line_to(record.varied, branch))
    before = place_before(record, CommentPlace(branch, move))
    there = before._replace(variation=numbers[before.variation] if before.variation else 0)
    return ExtendedRecord(replace(record, varied=varied), there, numbers)


def with_variation_name(record: GameRecord, branch: int, name: str, *, is_owner: bool) -> GameRecord:
    """Return the record with the variation through a varied turn called so, from its last turn on.

    Without a name it loses the one that it has. Where it is called after a short first line of what is written there,
    that line goes, if it is the owner who wants so: of the owner's words no one else takes any away.

    Raises: BadRequest where there is no such variation, or no room for the name.
    """
    _check_number(record, branch)
    end = variation_numbers(record.varied, branch)[-1]
    varied = list(record.varied)
    one = varied[end - 1]
    first, _line, rest = one.comment.partition("\n")
    is_called_after = bool(first) and len(first) <= MAX_BRANCH_NAME and not one.name
    goes = is_called_after and is_owner and not name
    varied[end - 1] = one._replace(name=name, comment=rest.strip() if goes else one.comment)
    try:
        return replace(record, varied=tuple(varied))
    except RulesError as error:
        # What is written in all would be longer than a record has room for.
        raise BadRequest(NO_ROOM, code="no-room", field="name") from error


def variation_name(game: GameRecord, branch: int) -> str:
    """Return the last name on the line of a variation; empty for the game, and without any."""
    line = reversed(variation_line(game.varied, branch)) if branch else ()
    return next((name for one in line if (name := variation_called(one))), "")


def variation_called(one: VariedTurn) -> str:
    """Return what a variation is called from one of its turns on: its name, else a short first line that is written."""
    first = one.comment.partition("\n")[0]
    return one.name or (first if len(first) <= MAX_BRANCH_NAME else "")


def _check_number(record: GameRecord, branch: int) -> None:
    if not 1 <= branch <= len(record.varied):
        raise BadRequest(NO_VARIATION, code="no-such-position", field="branch")


def save_record(
    study: Study, record: str, changes: Mapping[str, Any], numbers: Mapping[int, int] | None = None
) -> None:
    """Save the record of a study, which is locked, as its next edition; comments stay where they are by their numbers.

    A comment's variation is the number of a turn, and those that stand behind a new one have another then. `changes`
    are those that can be undone from now on (`games.table.studies.undoing`).
    """
    moved = []
    for comment in StudyComment.objects.filter(study=study, variation__gt=0) if numbers else ():
        number = (numbers or {})[comment.variation]
        if number != comment.variation:
            comment.variation = number
            moved.append(comment)
    StudyComment.objects.bulk_update(moved, ["variation"])
    study.record, study.changes = record, changes
    study.edition += 1
    study.save(update_fields=["record", "changes", "edition"])
