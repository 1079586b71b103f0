"""The latest changes of a study's variations, whoever made them: what can be undone, and redone."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from accounts.models import User
from games.base import access
from games.base.branches import MAX_CHANGED, MAX_CHANGES, NOTHING_TO_REDO, NOTHING_TO_UNDO
from games.errors import WrongStatus
from games.models import Study, StudyComment
from games.rules.records import GameRecord, VariedTurn
from games.rules.records.variations import line_numbers
from games.table.studies.variations import COMMENTED, TOLD, ExtendedRecord, place_before
from games.table.texts.comments import CommentPlace

#: So much that is written to a varied turn weighs as much as another one.
WRITTEN_A_TURN = 100

#: Varied turns by their numbers.
Numbered = tuple[tuple[int, VariedTurn], ...]


class RecordChange(NamedTuple):
    """One change of the variations of a record: the varied turns that went, by the numbers that they had, and those
    that came, by the numbers that they have. Where both are the same turns they were named.
    """

    gone: Numbered
    come: Numbered

    @property
    def size(self) -> int:
        """Return how many varied turns it is about, long comments counted as more."""
        turns = (*self.gone, *self.come)
        return len(turns) + sum(len(one.comment) for _number, one in turns) // WRITTEN_A_TURN

    @property
    def inverse(self) -> "RecordChange":
        """Return the change that takes this one back."""
        return RecordChange(self.come, self.gone)


class RecordChanges(NamedTuple):
    """What can be undone and what can be redone, the latest last."""

    done: tuple[RecordChange, ...] = ()
    undone: tuple[RecordChange, ...] = ()

    @classmethod
    def from_data(cls, data: Mapping[str, Any]) -> "RecordChanges":
        """Return what `to_data` wrote; an empty object is no change at all."""
        return cls(*(tuple(_read(each) for each in data.get(name, ())) for name in cls._fields))

    def to_data(self) -> dict[str, Any]:
        """Return the changes as data for JSON; nothing of what there is none of."""
        lists = {name: [_written(each) for each in changes] for name, changes in self._asdict().items()}
        return {name: changes for name, changes in lists.items() if changes}

    def after(self, change: RecordChange) -> "RecordChanges":
        """Return the changes after one more, of which no more are kept than there is room for."""
        room, kept = MAX_CHANGED, list[RecordChange]()
        for each in reversed((*self.done, change)):
            room -= each.size
            if room < 0 or len(kept) == MAX_CHANGES:
                break
            kept.append(each)
        return RecordChanges(tuple(kept[::-1]))

    def undo(self) -> tuple[RecordChange, "RecordChanges"]:
        """Return the change that undoes the last one, and what can be undone and redone after it.

        Raises:
            WrongStatus: there is none, or it is too long ago (`nothing-to-undo`).

        """
        if not self.done:
            raise WrongStatus(NOTHING_TO_UNDO, code="nothing-to-undo")
        *done, last = self.done
        return last.inverse, RecordChanges(tuple(done), (*self.undone, last))

    def redo(self) -> tuple[RecordChange, "RecordChanges"]:
        """Return the change that was undone last, and what can be undone and redone after it.

        Raises:
            WrongStatus: none was, or another one was made since (`nothing-to-redo`).

        """
        if not self.undone:
            raise WrongStatus(NOTHING_TO_REDO, code="nothing-to-redo")
        *undone, last = self.undone
        return last, RecordChanges((*self.done, last), tuple(undone))


def change_to(before: GameRecord, after: GameRecord, numbers: Mapping[int, int]) -> RecordChange:
    """Return what has changed in the variations from one record to the next.

    `numbers` are those which varied turns have now by those that they had; what is not among them has gone or come.
    """
    kept = {old: new for old, new in numbers.items() if old <= len(before.varied)}
    same = {new for old, new in kept.items() if _is_same(before.varied[old - 1], after.varied[new - 1])}
    gone = ((number, one) for number, one in enumerate(before.varied, 1) if kept.get(number) not in same)
    come = ((number, one) for number, one in enumerate(after.varied, 1) if number not in same)
    return RecordChange(tuple(gone), tuple(come))


def _is_same(one: VariedTurn, other: VariedTurn) -> bool:
    return (one.turn, one.name, one.comment) == (other.turn, other.name, other.comment)


def with_change(record: GameRecord, change: RecordChange) -> ExtendedRecord:
    """Return the record after a change: what stays has the numbers that what comes leaves to it."""
    gone, come = {number for number, _one in change.gone}, dict(change.come)
    stays = [number for number in range(1, len(record.varied) + 1) if number not in gone]
    free = (number for number in range(1, len(stays) + len(come) + 1) if number not in come)
    numbers = dict(zip(stays, free, strict=True))
    if gone == come.keys():
        # They were named, and stay where they are.
        numbers |= {number: number for number in gone}
    parents = {0: 0} | numbers
    varied = {numbers[number]: record.varied[number - 1] for number in stays}
    varied = {number: one._replace(parent=parents[one.parent]) for number, one in varied.items()} | come
    found = replace(record, varied=tuple(varied[number] for number in sorted(varied)))
    return ExtendedRecord(found, _place_of(record, found, change, numbers), numbers)


def _place_of(before: GameRecord, after: GameRecord, change: RecordChange, numbers: Mapping[int, int]) -> CommentPlace:
    """Return what a change is about: the first turn that has come, or else the position before what has gone."""
    if change.come:
        return _place_at(after, change.come[0][0])
    there = place_before(before, _place_at(before, change.gone[0][0]))
    return there._replace(variation=numbers[there.variation] if there.variation else 0)


def _place_at(record: GameRecord, number: int) -> CommentPlace:
    return CommentPlace(number, record.varied[number - 1].after + len(line_numbers(record.varied, number)))


def same_numbers(record: GameRecord) -> dict[int, int]:
    """Return the numbers of varied turns where a change leaves them all."""
    return {number: number for number in range(1, len(record.varied) + 1)}


def record_changes_of(study: Study) -> RecordChanges:
    """Return what can be undone and redone in a study."""
    return RecordChanges.from_data(study.changes)


def check_may_go(study: Study, change: RecordChange, person: User) -> None:
    """Refuse a change of a study that takes away varied turns about which someone has written. One query at most.

    Raises:
        WrongStatus: there is a comment about them, or the record itself says more of them than a name, and the study
            is another's (`has-comments`).

    """
    come = dict(change.come)
    gone = [number for number, _one in change.gone if number not in come]
    if gone and StudyComment.objects.filter(study=study, variation__in=gone).exists():
        raise WrongStatus(COMMENTED, code="has-comments")
    told = (number not in come or come[number].comment != one.comment for number, one in change.gone if one.comment)
    if any(told) and not access.owns(person, study):
        raise WrongStatus(TOLD, code="has-comments")


def _written(change: RecordChange) -> list[Any]:
    return [[[number, *one] for number, one in part] for part in change]


def _read(data: Sequence[Sequence[Sequence[Any]]]) -> RecordChange:
    return RecordChange(*(_numbered(part) for part in data))


def _numbered(rows: Iterable[Sequence[Any]]) -> Numbered:
    return tuple((row[0], VariedTurn(*row[1:])) for row in rows)
